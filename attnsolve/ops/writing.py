"""How hand working is written: short numbers as they are, long ones by their symbols and decimals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any

from attnsolve.exact import Cell, Closed, Matrix, Rational, Rationals
from attnsolve.exact.cells import add
from attnsolve.exact.exponentials import Exponentials
from attnsolve.exact.masked import shown
from attnsolve.exact.pending import is_simple
from attnsolve.exact.surds import Surds
from attnsolve.working import (
    Entry,
    Expression,
    Line,
    Num,
    Product,
    Stage,
    Sum,
    about,
    dot_stages,
    equals,
    fraction,
)

# One side of a matrix product: its numbers, row by row, ready to be written down.
Factors = Sequence[Sequence[Num | Entry]]


# The kinds of matrix whose numbers stand in the working; others are shown by their symbols.
WRITTEN_OUT = ("rational", "surd")


def factors(name: str, matrix: Matrix) -> Factors:
    """The numbers of a matrix as they stand in a product; beyond rationals and roots by their symbols."""
    if isinstance(matrix, Rationals):
        below = matrix.denominator
        return [[fraction(x, below) for x in row] for row in matrix.rows]
    rows, columns = map(range, matrix.shape)
    if is_written_out(shown(matrix)):
        return [[Num(matrix.cell(i, j)) for j in columns] for i in rows]
    return [[Entry(name, i, j, matrix.cell(i, j)) for j in columns] for i in rows]


def is_written_out(matrix: Matrix) -> bool:
    """Whether numbers stand in a product as they are: rationals, roots and short formulas."""
    return matrix.kind in WRITTEN_OUT or (matrix.kind == "formula" and matrix.is_short())


def flipped(table: Factors) -> Factors:
    """The factors of the transpose; each keeps its own name and place."""
    return list(zip(*table, strict=True))


def summed(
    row: Sequence[Num | Entry],
    column: Sequence[Num | Entry],
    result: Cell,
    *,
    plus: Cell | None = None,
    ties: Sequence[tuple[int, ...]] = (),
) -> tuple[Stage, ...]:
    """row · column + plus, product by product, and what it comes to; `ties` are equal numbers of the row."""
    pairs = list(zip(row, column, strict=True))
    extra = () if plus is None else (Num(plus),)
    numbers = [(a, b) for a, b in pairs if isinstance(a, Num) and isinstance(b, Num)]
    if len(numbers) == len(pairs):
        *worked, _ = dot_stages(numbers, result, extra=extra)
        return (*worked, *closing(result))
    whole = Sum((*map(Product, pairs), *extra))
    groups = ties or [(place,) for place in range(len(row))]
    return (Stage("=", whole), *collected(row, column, groups, extra), *closing(result))


def collected(
    row: Sequence[Num | Entry],
    column: Sequence[Num | Entry],
    groups: Sequence[tuple[int, ...]],
    extra: tuple[Num, ...],
) -> tuple[Stage, ...]:
    """The same sum with equal symbols taken together and zeros left out, if that is shorter: -3.5 α₁ - α₂."""
    if not all(isinstance(symbol, Entry) for symbol in row) or not all(isinstance(b, Num) for b in column):
        return ()
    shown = [group for group in groups if not is_nothing(row[group[0]].cell)]  # a hidden key has weight 0
    totals = [reduce(add, [column[place].cell for place in group]) for group in shown]
    named = zip(totals, shown, strict=True)
    terms: list[Expression] = [Product((Num(t), row[g[0]])) for t, g in named if not t.is_zero()]
    terms += [number for number in extra if not number.cell.is_zero()]
    if len(terms) == len(row) + len(extra):
        return ()
    return (equals(Sum(tuple(terms)) if terms else Num(Rational(0))),)


def each_with_each(rows: Factors, others: Factors, value: Matrix) -> tuple[Line, ...]:
    """The lines of a matrix product: row i against the other j, product by product."""
    return tuple(Line(i, j, summed(rows[i], others[j], result)) for i, j, result in value.cells())


def is_nothing(cell: Cell) -> bool:
    """Whether a number is 0 at first sight."""
    return isinstance(cell, Rational) and not cell.value


def closing(result: Cell, *, long: bool = False) -> tuple[Stage, ...]:
    """The end of a line: the exact result if it is short (or `long`), its decimals unless it is rational."""
    exact = Stage("=", Num(result))
    if isinstance(result, Rational):
        return (exact,)
    is_short = isinstance(result, Closed) and result.plain() is not None
    return (exact, about(result)) if is_short or long else (about(result),)


def alike(matrix: Matrix) -> list[list[tuple[int, ...]]]:
    """For each row its places in groups of equal numbers."""
    return [grouped(row) for row in told_apart(matrix)]


def grouped(row: Sequence[Any]) -> list[tuple[int, ...]]:
    """The places of what is equal."""
    groups: dict[Any, list[int]] = {}
    for place, mark in enumerate(row):
        groups.setdefault(mark, []).append(place)
    return [tuple(group) for group in groups.values()]


def told_apart(matrix: Matrix) -> Iterable[Sequence[Any]]:
    """A mark for every number, which equal ones of its row share: equal canonical forms are equal."""
    if isinstance(matrix, Rationals):
        return matrix.rows
    if isinstance(matrix, Surds):
        parts = [part.rows for part in matrix.parts.values()]
        return [list(zip(*rows, strict=True)) for rows in zip(*parts, strict=True)]
    if isinstance(matrix, Exponentials) and matrix.totals and all(map(is_simple, matrix.totals)):
        return matrix.keys
    rows, columns = map(range, matrix.shape)
    return ([canonical(matrix.cell(i, j), j) for j in columns] for i in rows)


def canonical(cell: Cell, place: int) -> Any:
    """The form of a number, or its place where there is none."""
    return cell.quotients if isinstance(cell, Closed) else place
