"""How hand working is written: short numbers as they are, long ones by their symbols and decimals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attnsolve.exact import Cell, Closed, Matrix, Rational
from attnsolve.working import Entry, Num, Product, Stage, Sum, about, dot_stages, equals

# One side of a matrix product: its numbers, row by row, ready to be written down.
Factors = Sequence[Sequence[Num | Entry]]


def factors(name: str, matrix: Matrix) -> Factors:
    """The numbers of a matrix as they stand in a product; beyond rationals and roots by their symbols."""
    rows, columns = map(range, matrix.shape)
    if matrix.kind in ("rational", "surd"):
        return [[Num(matrix.cell(i, j)) for j in columns] for i in rows]
    return [[Entry(name, i, j, matrix.cell(i, j)) for j in columns] for i in rows]


def flipped(table: Factors) -> Factors:
    """The factors of the transpose; each keeps its own name and place."""
    return list(zip(*table, strict=True))


def summed(
    row: Sequence[Num | Entry], column: Sequence[Num | Entry], result: Cell, *extra: Cell
) -> tuple[Stage, ...]:
    """row · column + extra, product by product, and what it comes to."""
    pairs = list(zip(row, column, strict=True))
    if all(isinstance(factor, Num) for pair in pairs for factor in pair):
        *worked, _ = dot_stages([(a.cell, b.cell) for a, b in pairs], result, extra=extra)
        return (*worked, *closing(result))
    return (equals(Sum((*map(Product, pairs), *map(Num, extra)))), *closing(result))


def closing(result: Cell) -> tuple[Stage, ...]:
    """The last stages of a line: the exact result if it is short, its decimals unless it is rational."""
    exact = equals(Num(result))
    if isinstance(result, Rational):
        return (exact,)
    is_short = isinstance(result, Closed) and result.plain() is not None
    return (exact, about(result)) if is_short else (about(result),)


def alike(cells: Sequence[Cell]) -> list[tuple[int, ...]]:
    """Their places in groups of equal numbers: equal canonical forms are equal numbers."""
    groups: dict[Any, list[int]] = {}
    for place, cell in enumerate(cells):
        groups.setdefault(cell.quotients if isinstance(cell, Closed) else place, []).append(place)
    return [tuple(group) for group in groups.values()]
