"""Matrices with roots and logarithms: Σ √r·M_r with rational M_r, one for each root."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import isqrt

from attnsolve.exact.cells import Cell, Closed, surd
from attnsolve.exact.decimals import HUGE, Shown
from attnsolve.exact.flint_parts import arb
from attnsolve.exact.matrices import BallRows, Matrix, beyond, maxima_of_cells
from attnsolve.exact.rationals import Rationals
from attnsolve.exact.roots import ONE, Root, multiply_roots, root_ball
from attnsolve.exact.shapes import require_same_height, require_same_shape

Parts = dict[Root, Rationals]


class Surds(Matrix):
    """Scaled scores `M/√d_k`, and givens such as `sqrt(2)` and `ln(3)`."""

    kind = "surd"
    __slots__ = ("parts", "shape")

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.shape = next(iter(parts.values())).shape

    def cell(self, i: int, j: int) -> Closed:
        return surd({root: part.fraction(i, j) for root, part in self.parts.items()})

    def enclosures(self) -> BallRows:
        rows = [[arb(0)] * self.shape[1] for _ in range(self.shape[0])]
        for root, part in self.parts.items():
            unit = root_ball(root) / part.denominator
            for row, numbers in zip(rows, part.rows, strict=True):
                for j, x in enumerate(numbers):
                    if x:
                        row[j] = row[j] + unit * x
        return rows

    def proven(self, places: int) -> list[list[Shown]]:
        ((radicand, logarithms), part), *others = self.parts.items()
        if others or logarithms or radicand == 1:
            return super().proven(places)
        # x·√r/d is no fraction unless it is 0, so it is never a tie; in halves of the last place: √(s·x²/d²).
        steps, square, most = 4 * radicand * 100**places, part.denominator**2, HUGE * 10**places
        sizes = [[isqrt(steps * x * x // square) + 1 >> 1 for x in row] for row in part.rows]
        return [
            [
                (size if x > 0 else -size) if 0 < size < most else self.cell(i, j).decimals(places)
                for j, (x, size) in enumerate(zip(*both, strict=True))
            ]
            for i, both in enumerate(zip(part.rows, sizes, strict=True))
        ]

    def transposed(self) -> Surds:
        return self._each(lambda part: part.transposed())

    def __matmul__(self, other: Matrix) -> Matrix:
        if isinstance(other, (Rationals, Surds)):
            mine, theirs = self.parts.items(), parts_of(other).items()
            return gathered((r, s, a @ b) for r, a in mine for s, b in theirs)
        return NotImplemented

    def __rmatmul__(self, other: Matrix) -> Matrix:
        return Surds(parts_of(other)) @ self

    def __add__(self, other: Matrix) -> Matrix:
        if isinstance(other, (Rationals, Surds)):
            require_same_shape(self, other)
            parts = [*self.parts.items(), *parts_of(other).items()]
            return gathered((root, ONE, part) for root, part in parts)
        return NotImplemented

    __radd__ = __add__

    def __mul__(self, other: Matrix) -> Matrix:
        if isinstance(other, (Rationals, Surds)):
            mine, theirs = self.parts.items(), parts_of(other).items()
            return gathered((r, s, a * b) for r, a in mine for s, b in theirs)  # type: ignore[misc]
        return super().__mul__(other)

    def scaled(self, factor: Cell) -> Matrix:
        terms = surd_terms(factor)
        if terms is None:
            return beyond(self, factor).scaled(factor)
        return gathered((r, s, a.times(c)) for r, a in self.parts.items() for s, c in terms.items())

    def exp(self) -> Matrix:
        from attnsolve.exact.attention import exponentials

        return exponentials(self.parts)

    def normalised(self) -> Matrix:
        if len(self.parts) == 1:  # the root stands in every cell and in the sum: it cancels
            return next(iter(self.parts.values())).normalised()
        return beyond(self).normalised()

    def relu(self) -> Surds:
        if len(self.parts) == 1:  # a root is positive, so the rational part decides
            return self._each(lambda part: part.relu())
        rows, columns = map(range, self.shape)
        keep = [[self.cell(i, j).sign() > 0 for j in columns] for i in rows]

        def kept(part: Rationals) -> Rationals:
            pairs = zip(part.rows, keep, strict=True)
            return Rationals(
                [[x * yes for x, yes in zip(r, k, strict=True)] for r, k in pairs], part.denominator
            )

        return self._each(kept)

    def maxima(self) -> list[tuple[int, ...]]:
        if len(self.parts) == 1:
            return next(iter(self.parts.values())).maxima()
        return maxima_of_cells(self)

    def take(self, rows: Sequence[int]) -> Surds:
        return self._each(lambda part: part.take(rows))

    def columns(self, start: int, stop: int) -> Surds:
        return self._each(lambda part: part.columns(start, stop))

    def __or__(self, other: Matrix) -> Matrix:
        if isinstance(other, (Rationals, Surds)):
            require_same_height(self, other)
            left, right = self.parts, parts_of(other)
            none, nothing = zeros(self.shape), zeros(other.shape)
            return Surds(
                {root: left.get(root, none) | right.get(root, nothing) for root in {**left, **right}}
            )
        return NotImplemented

    def __ror__(self, other: Matrix) -> Matrix:
        return Surds(parts_of(other)) | self

    def _each(self, change: Callable[[Rationals], Rationals]) -> Surds:
        return Surds({root: change(part) for root, part in self.parts.items()})


def parts_of(matrix: Matrix) -> Parts:
    """A rational matrix seen as one with roots, or the parts of one with roots."""
    if isinstance(matrix, Surds):
        return matrix.parts
    assert isinstance(matrix, Rationals)
    return {ONE: matrix}


def surd_terms(factor: Cell) -> dict[Root, Fraction] | None:
    """The factor as Σ q·root, or None when it is no such number."""
    value = factor.rational()
    if value is not None:
        return {ONE: value}
    plain = factor.plain() if isinstance(factor, Closed) else None
    if plain is None or any(x for x, _ in plain.terms):
        return None
    return {root: c for (_, root), c in plain.terms.items()}


def zeros(shape: tuple[int, int]) -> Rationals:
    """A matrix of zeros."""
    return Rationals([[0] * shape[1]] * shape[0])


def gathered(products: Iterable[tuple[Root, Root, Rationals]]) -> Matrix:
    """Σ √r·√s·M with equal roots added up; rational again when no root is left."""
    parts: Parts = {}
    for r, s, matrix in products:
        whole, root = multiply_roots(r, s)
        part = matrix if whole == 1 else matrix.times(Fraction(whole))
        parts[root] = parts[root] + part if root in parts else part
    kept = {root: part for root, part in parts.items() if any(map(any, part.rows))}
    if not kept:
        return zeros(part.shape)
    return kept[ONE] if set(kept) == {ONE} else Surds(kept)


def surds_of_cells(rows: Sequence[Sequence[Cell]]) -> Matrix | None:
    """A matrix from rational and surd cells; None when another kind of number is among them."""
    numbers: dict[Root, list[list[Fraction]]] = {}
    shape = (len(rows), len(rows[0]))
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            terms = surd_terms(cell)
            if terms is None:
                return None
            for root, c in terms.items():
                if root not in numbers:
                    numbers[root] = [[Fraction(0)] * shape[1] for _ in range(shape[0])]
                numbers[root][i][j] = c
    return gathered((root, ONE, Rationals.of(table)) for root, table in numbers.items())
