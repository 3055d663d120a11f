"""Rational matrices: whole numbers over one common denominator."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm
from operator import add, mul
from typing import overload

from attnsolve.errors import UndefinedStep
from attnsolve.exact.cells import Cell, Closed, Rational
from attnsolve.exact.decimals import HUGE, Rounded, Shown, round_fraction, scientific_rational
from attnsolve.exact.flint_parts import arb
from attnsolve.exact.matrices import BallRows, Matrix, beyond
from attnsolve.exact.roots import ONE
from attnsolve.exact.shapes import require_product, require_same_height, require_same_shape
from attnsolve.reasons import reason

Rows = Sequence[Sequence[int]]


class Rationals(Matrix):
    """`rows / denominator`, not always in lowest terms: reducing at each step costs more than it saves."""

    kind = "rational"
    __slots__ = ("denominator", "rows", "shape")

    def __init__(self, rows: Rows, denominator: int = 1) -> None:
        self.rows = rows
        self.denominator = denominator
        self.shape = (len(rows), len(rows[0]))

    @classmethod
    def of(cls, rows: Sequence[Sequence[Fraction | int]]) -> Rationals:
        """A matrix from fractions, over their least common denominator."""
        ratios = [[x.as_integer_ratio() for x in row] for row in rows]
        common = lcm(*{below for row in ratios for _, below in row})
        return cls([[above * (common // below) for above, below in row] for row in ratios], common)

    def fraction(self, i: int, j: int) -> Fraction:
        """The number in row i, column j."""
        return Fraction(self.rows[i][j], self.denominator)

    def cell(self, i: int, j: int) -> Rational:
        return Rational(Fraction(self.rows[i][j], self.denominator))

    def enclosures(self) -> BallRows:
        return [[arb(x) / self.denominator for x in row] for row in self.rows]

    def proven(self, places: int) -> list[list[Shown]]:
        return [[self._proven(x, places) for x in row] for row in self.rows]

    def whole(self, places: int) -> list[list[int | None]]:
        steps = 10**places
        return [[round_fraction(x * steps, self.denominator) for x in row] for row in self.rows]

    def _proven(self, number: int, places: int) -> Shown:
        scaled = number * 10**places
        digits = round_fraction(scaled, self.denominator)
        if scaled % self.denominator == 0:
            return Rounded(digits, places, True)
        if 0 < abs(digits) < HUGE * 10**places:
            return digits
        return scientific_rational(Fraction(number, self.denominator))

    def same(self, other: Matrix) -> bool | None:
        if not isinstance(other, Rationals):
            return super().same(other)
        if self.shape != other.shape:
            return False
        a, b = other.denominator, self.denominator
        pairs = zip(self.rows, other.rows, strict=True)
        return all([x * a for x in r] == [y * b for y in s] for r, s in pairs)

    def transposed(self) -> Rationals:
        return Rationals(list(zip(*self.rows, strict=True)), self.denominator)

    @overload
    def __matmul__(self, other: Rationals) -> Rationals: ...
    @overload
    def __matmul__(self, other: Matrix) -> Matrix: ...
    def __matmul__(self, other: Matrix) -> Matrix:
        if isinstance(other, Rationals):
            require_product(self, other)
            columns = list(zip(*other.rows, strict=True))
            rows = [[sum(map(mul, row, column)) for column in columns] for row in self.rows]
            return Rationals(rows, self.denominator * other.denominator)
        return NotImplemented

    def __rmatmul__(self, other: Matrix) -> Matrix:
        return NotImplemented  # rationals are the lowest kind: nothing below them can stand on the left

    __radd__ = __ror__ = __rmatmul__

    @overload
    def __add__(self, other: Rationals) -> Rationals: ...
    @overload
    def __add__(self, other: Matrix) -> Matrix: ...
    def __add__(self, other: Matrix) -> Matrix:
        if isinstance(other, Rationals):
            require_same_shape(self, other)
            left, right = over_common([self, other])
            pairs = zip(left.rows, right.rows, strict=True)
            return Rationals([list(map(add, r, s)) for r, s in pairs], left.denominator)
        return NotImplemented

    def __mul__(self, other: Matrix) -> Matrix:
        if isinstance(other, Rationals):
            require_same_shape(self, other)
            pairs = zip(self.rows, other.rows, strict=True)
            return Rationals([list(map(mul, r, s)) for r, s in pairs], self.denominator * other.denominator)
        return super().__mul__(other)

    def scaled(self, factor: Cell) -> Matrix:
        value = factor.rational()
        if value is not None:
            return self.times(value)
        if isinstance(factor, Closed) and factor.plain() is not None:
            from attnsolve.exact.surds import Surds

            return Surds({ONE: self}).scaled(factor)
        return beyond(self, factor).scaled(factor)

    def times(self, factor: Fraction) -> Rationals:
        """The matrix times a rational."""
        top, bottom = factor.numerator, factor.denominator
        rows = self.rows if top == 1 else [[x * top for x in row] for row in self.rows]
        return Rationals(rows, self.denominator * bottom)

    def over(self, denominator: int) -> Rationals:
        """The same matrix over a multiple of its denominator."""
        multiple = denominator // self.denominator
        rows = self.rows if multiple == 1 else [[x * multiple for x in row] for row in self.rows]
        return Rationals(rows, denominator)

    def exp(self) -> Matrix:
        from attnsolve.exact.attention import exponentials

        return exponentials({ONE: self})

    def normalised(self) -> Rationals:
        sums = [sum(row) for row in self.rows]
        if 0 in sums:
            why = reason("row {row} has the sum 0, so it cannot be divided by it", row=sums.index(0) + 1)
            raise UndefinedStep(why)
        common = lcm(*sums)
        pairs = zip(self.rows, [common // total for total in sums], strict=True)
        return Rationals([[x * share for x in row] for row, share in pairs], common)

    def relu(self) -> Rationals:
        return Rationals([[x if x > 0 else 0 for x in row] for row in self.rows], self.denominator)

    def maxima(self) -> list[tuple[int, ...]]:
        pairs = [(row, max(row)) for row in self.rows]
        return [tuple(j for j, x in enumerate(row) if x == top) for row, top in pairs]

    def take(self, rows: Sequence[int]) -> Rationals:
        return Rationals([self.rows[i] for i in rows], self.denominator)

    def columns(self, start: int, stop: int) -> Rationals:
        return Rationals([row[start:stop] for row in self.rows], self.denominator)

    @overload
    def __or__(self, other: Rationals) -> Rationals: ...
    @overload
    def __or__(self, other: Matrix) -> Matrix: ...
    def __or__(self, other: Matrix) -> Matrix:
        if isinstance(other, Rationals):
            require_same_height(self, other)
            left, right = over_common([self, other])
            pairs = zip(left.rows, right.rows, strict=True)
            return Rationals([[*r, *s] for r, s in pairs], left.denominator)
        return NotImplemented


def ones(rows: int, columns: int) -> Rationals:
    """A matrix of ones: a product with it adds up rows."""
    return Rationals([[1] * columns] * rows)


def over_common(matrices: Iterable[Rationals]) -> list[Rationals]:
    """The same matrices, all over one denominator."""
    kept = list(matrices)
    common = lcm(*[matrix.denominator for matrix in kept])
    return [matrix.over(common) for matrix in kept]
