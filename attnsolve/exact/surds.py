"""Matrices with roots and logarithms: Σ √r·M_r with rational M_r, one for each root."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from flint import arb

from attnsolve.exact.cells import Cell, Closed, surd
from attnsolve.exact.matrices import BallRows, Matrix, beyond, maxima_of_cells
from attnsolve.exact.rationals import Rationals
from attnsolve.exact.roots import ONE, Root, multiply_roots, root_ball

Parts = dict[Root, Rationals]


class Surds(Matrix):
    """Scaled scores `M/√d_k`, and givens such as `sqrt(2)` and `ln(3)`."""

    kind = "surd"
    __slots__ = ("parts", "shape")

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.shape = next(iter(parts.values())).shape

    @classmethod
    def of(cls, matrix: Matrix) -> Surds:
        """A rational matrix seen as one with roots."""
        return matrix if isinstance(matrix, Surds) else cls({ONE: matrix})  # type: ignore[dict-item]

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

    @property
    def T(self) -> Surds:
        return self._each(lambda part: part.T)

    def __matmul__(self, other: Matrix) -> Matrix:
        if isinstance(other, (Rationals, Surds)):
            return gathered((r, s, a @ b) for r, a in self.parts.items() for s, b in Surds.of(other).parts.items())
        return NotImplemented

    def __rmatmul__(self, other: Matrix) -> Matrix:
        return Surds.of(other) @ self

    def __add__(self, other: Matrix) -> Matrix:
        if isinstance(other, (Rationals, Surds)):
            parts = ((r, ONE, a) for m in (self, Surds.of(other)) for r, a in m.parts.items())
            return gathered(parts)
        return NotImplemented

    def __radd__(self, other: Matrix) -> Matrix:
        return self + other

    def scaled(self, factor: Cell) -> Matrix:
        plain = factor.plain() if isinstance(factor, Closed) else None
        if plain is None or any(x for x, _ in plain.terms):
            return beyond(self, factor).scaled(factor)
        terms = {root: c for (_, root), c in plain.terms.items()} or {ONE: Fraction(0)}
        return gathered((r, s, times(a, c)) for r, a in self.parts.items() for s, c in terms.items())

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
        keep = [[self.cell(i, j).sign() > 0 for j in range(self.shape[1])] for i in range(self.shape[0])]

        def kept(part: Rationals) -> Rationals:
            rows = [[x if yes else 0 for x, yes in zip(r, k, strict=True)] for r, k in zip(part.rows, keep, strict=True)]
            return Rationals(rows, part.denominator)

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
        if not isinstance(other, (Rationals, Surds)):
            return NotImplemented
        right = Surds.of(other)
        parts = {}
        for root in {**self.parts, **right.parts}:
            a = self.parts.get(root) or zeros(self.shape)
            parts[root] = a | (right.parts.get(root) or zeros(right.shape))
        return Surds(parts)  # type: ignore[arg-type]

    def __ror__(self, other: Matrix) -> Matrix:
        return Surds.of(other) | self

    def _each(self, change: Callable[[Rationals], Rationals]) -> Surds:
        return Surds({root: change(part) for root, part in self.parts.items()})


def zeros(shape: tuple[int, int]) -> Rationals:
    """A matrix of zeros."""
    return Rationals([[0] * shape[1]] * shape[0])


def times(matrix: Rationals, factor: Fraction) -> Rationals:
    """A rational matrix times a rational."""
    top, bottom = factor.numerator, factor.denominator
    rows = matrix.rows if top == 1 else [[x * top for x in row] for row in matrix.rows]
    return Rationals(rows, matrix.denominator * bottom)


def gathered(products: Iterable[tuple[Root, Root, Rationals]]) -> Matrix:
    """Σ √r·√s·M with equal roots added up; rational again when no root is left."""
    parts: Parts = {}
    for r, s, matrix in products:
        whole, root = multiply_roots(r, s)
        part = matrix if whole == 1 else times(matrix, Fraction(whole))
        parts[root] = parts[root] + part if root in parts else part  # type: ignore[assignment]
    if len(parts) > 1:
        parts = {root: part for root, part in parts.items() if any(map(any, part.rows))} or {ONE: parts.popitem()[1]}
    return parts[ONE] if set(parts) == {ONE} else Surds(parts)


def surds_of_cells(rows: Sequence[Sequence[Closed]]) -> Matrix:
    """A matrix from rational and surd cells."""
    numbers: dict[Root, list[list[Fraction]]] = {}
    shape = (len(rows), len(rows[0]))
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            plain = cell.plain()
            assert plain is not None
            for (_, root), c in plain.terms.items():
                table = numbers.setdefault(root, [[Fraction(0)] * shape[1] for _ in range(shape[0])])
                table[i][j] = c
    if not numbers:
        return zeros(shape)
    if set(numbers) == {ONE}:
        return Rationals.of(numbers[ONE])
    return Surds({root: Rationals.of(table) for root, table in numbers.items()})
