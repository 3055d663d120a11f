"""Rows times, or over, one number each: sums of exponentials keep their exact form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import lcm
from operator import mul, truediv
from typing import Any

from attnsolve.exact.attention import Mixtures
from attnsolve.exact.cells import Cell, Closed, divide, multiply
from attnsolve.exact.closed import Quotient
from attnsolve.exact.combinations import Combination, Exponent
from attnsolve.exact.elementwise import paired
from attnsolve.exact.matrices import Matrix
from attnsolve.exact.mixtures import Term
from attnsolve.exact.rationals import ones
from attnsolve.exact.roots import ONE, Root
from attnsolve.exact.totals import Key, Scale, Total

# A row of products with more terms than this is not multiplied out.
MOST_TERMS = 400
WRITTEN = ("rational", "surd", "attention")


def rows_times(matrix: Matrix, column: Matrix) -> Matrix:
    """Each row times its number in the column."""
    return rescaled(mul, multiply, matrix, column)


def rows_over(matrix: Matrix, column: Matrix) -> Matrix:
    """Each row over its number in the column."""
    return rescaled(truediv, divide, matrix, column)


def rescaled(
    operation: Callable[[Any, Any], Any],
    on_cells: Callable[[Cell, Cell], Cell],
    matrix: Matrix,
    column: Matrix,
) -> Matrix:
    """Row i and number i of the column, taken together."""
    if "attention" in (matrix.kind, column.kind) and {matrix.kind, column.kind} <= {*WRITTEN}:
        exact = attention_rows(on_cells, matrix, column)
        if exact is not None:
            return exact
    return paired(operation, on_cells, matrix, column @ ones(1, matrix.shape[1]))


def attention_rows(on_cells: Callable[[Cell, Cell], Cell], matrix: Matrix, column: Matrix) -> Mixtures | None:
    """The exact result as a mixture; None where it is too long or has no such form."""
    rows = []
    for i in range(matrix.shape[0]):
        factor = column.cell(i, 0)
        numbers = [matrix.cell(i, j) for j in range(matrix.shape[1])]
        if max(map(length, numbers)) * length(factor) > MOST_TERMS:
            return None
        rows.append([on_cells(number, factor) for number in numbers])
    return mixtures_of_cells(rows)


def length(cell: Cell) -> int:
    """How many terms a number has, above and below."""
    assert isinstance(cell, Closed)
    return sum(len(n.terms) + len(d.terms) for n, d in cell.quotients)


def mixtures_of_cells(rows: Sequence[Sequence[Cell]]) -> Mixtures | None:
    """A mixture from single numbers Σ N/D; None where one is no such number, or has roots below."""
    if not all(isinstance(cell, Closed) and has_whole_powers_below(cell) for row in rows for cell in row):
        return None
    quotients = [[cell.quotients for cell in row] for row in rows]  # type: ignore[attr-defined]
    sums = [side for row in quotients for cell in row for quotient in cell for side in quotient]
    scale = common_scale(exponent for side in sums for exponent, _ in side.terms)
    above = lcm(*[c.denominator for side in sums for c in side.terms.values()])
    return Mixtures([mixed_row(row, scale, above) for row in quotients], above, len(rows[0]))


def has_whole_powers_below(cell: Closed) -> bool:
    """Whether all denominators are sums of exponentials, without roots."""
    return all(root == ONE for _, below in cell.quotients for _, root in below.terms)


def common_scale(exponents: Iterable[Exponent]) -> Scale:
    """Units in which all these exponents are whole."""
    pairs = [pair for exponent in exponents for pair in exponent]
    units = tuple(sorted({root for root, _ in pairs})) or (ONE,)
    return Scale(units, lcm(*[c.denominator for _, c in pairs]))


def key_of(exponent: Exponent, scale: Scale) -> Key:
    """An exponent counted in those units."""
    counts = dict(exponent)
    key = tuple(int(counts.get(unit, Fraction(0)) * scale.denominator) for unit in scale.units)
    return key if len(key) > 1 else key[0]


def mixed_row(row: Sequence[Sequence[Quotient]], scale: Scale, above: int) -> list[Term]:
    """The numbers of one row, those over the same denominator together; all over one whole number."""
    sums: dict[tuple[Combination, Root], dict[Key, list[int]]] = {}
    for j, cell in enumerate(row):
        for numerator, below in cell:
            common = whole_multiple(below)
            for (exponent, root), coefficient in numerator.terms.items():
                vectors = sums.setdefault((below, root), {})
                vector = vectors.setdefault(key_of(exponent, scale), [0] * len(row))
                vector[j] = int(coefficient * above * common)
    return [Term(denominator(below, scale), root, vectors) for (below, root), vectors in sums.items()]


def denominator(below: Combination, scale: Scale) -> Total:
    """A sum of exponentials to divide by, times what makes it whole."""
    common = whole_multiple(below)
    return Total(scale, {key_of(x, scale): int(c * common) for (x, _), c in below.terms.items()})


def whole_multiple(below: Combination) -> int:
    """What a denominator is multiplied by so that its coefficients are whole."""
    return lcm(*[c.denominator for c in below.terms.values()])
