"""Rational matrices: whole numbers over one common denominator."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm
from operator import add, mul

from flint import arb

from attnsolve.errors import UndefinedStep
from attnsolve.exact.cells import Cell, Closed, Rational
from attnsolve.exact.decimals import Rounded, round_fraction
from attnsolve.exact.matrices import BallRows, Matrix, beyond
from attnsolve.exact.roots import ONE

Rows = Sequence[Sequence[int]]


def lowest(self: Rationals, other: Matrix) -> Matrix:
    """Rationals are the lowest kind: nothing below them can stand on the left."""
    return NotImplemented


class Rationals(Matrix):
    """`rows / denominator`, not necessarily in lowest terms: reducing at each step costs more than it saves."""

    kind = "rational"
    __slots__ = ("denominator", "rows", "shape")

    def __init__(self, rows: Rows, denominator: int = 1) -> None:
        self.rows = rows
        self.denominator = denominator
        self.shape = (len(rows), len(rows[0]))

    @classmethod
    def of(cls, rows: Sequence[Sequence[Fraction | int]]) -> Rationals:
        """A matrix from fractions, over their least common denominator."""
        common = lcm(*(Fraction(x).denominator for row in rows for x in row))
        return cls([[int(x * common) for x in row] for row in rows], common)

    def fraction(self, i: int, j: int) -> Fraction:
        """The number in row i, column j."""
        return Fraction(self.rows[i][j], self.denominator)

    def cell(self, i: int, j: int) -> Rational:
        return Rational(Fraction(self.rows[i][j], self.denominator))

    def enclosures(self) -> BallRows:
        return [[arb(x) / self.denominator for x in row] for row in self.rows]

    def decimals(self, places: int) -> tuple[tuple[Rounded, ...], ...]:
        d, scale = self.denominator, 10**places

        def settle(i: int, j: int, x: int) -> Rounded:
            digits = round_fraction(x * scale, d)
            return Rounded(digits, places, x * scale % d == 0) if digits or not x else self.cell(i, j).decimals(places)

        return tuple(tuple(settle(i, j, x) for j, x in enumerate(row)) for i, row in enumerate(self.rows))

    def same(self, other: Matrix) -> bool | None:
        if not isinstance(other, Rationals):
            return super().same(other)
        if self.shape != other.shape:
            return False
        a, b = other.denominator, self.denominator
        return all([x * a for x in r] == [y * b for y in s] for r, s in zip(self.rows, other.rows, strict=True))

    @property
    def T(self) -> Rationals:
        return Rationals(list(zip(*self.rows, strict=True)), self.denominator)

    def __matmul__(self, other: Matrix) -> Matrix:
        if isinstance(other, Rationals):
            columns = list(zip(*other.rows, strict=True))
            rows = [[sum(map(mul, row, column)) for column in columns] for row in self.rows]
            return Rationals(rows, self.denominator * other.denominator)
        return NotImplemented

    __rmatmul__ = __radd__ = __ror__ = lowest

    def __add__(self, other: Matrix) -> Matrix:
        if isinstance(other, Rationals):
            a, b = other.denominator, self.denominator
            if a == b:
                return Rationals([list(map(add, r, s)) for r, s in zip(self.rows, other.rows, strict=True)], a)
            pairs = zip(self.rows, other.rows, strict=True)
            return Rationals([[x * a + y * b for x, y in zip(r, s, strict=True)] for r, s in pairs], a * b)
        return NotImplemented

    def scaled(self, factor: Cell) -> Matrix:
        if isinstance(factor, Rational):
            top, bottom = factor.value.numerator, factor.value.denominator
            rows = self.rows if top == 1 else [[x * top for x in row] for row in self.rows]
            return Rationals(rows, self.denominator * bottom)
        if isinstance(factor, Closed) and factor.plain() is not None:
            from attnsolve.exact.surds import Surds

            return Surds({ONE: self}).scaled(factor)
        return beyond(self, factor).scaled(factor)

    def exp(self) -> Matrix:
        from attnsolve.exact.attention import exponentials

        return exponentials({ONE: self})

    def normalised(self) -> Rationals:
        sums = [sum(row) for row in self.rows]
        if 0 in sums:
            raise UndefinedStep(f"row {sums.index(0) + 1} has the sum 0, so it cannot be divided by it")
        common = lcm(*sums)
        shares = [common // total for total in sums]
        return Rationals([[x * share for x in row] for row, share in zip(self.rows, shares, strict=True)], common)

    def relu(self) -> Rationals:
        return Rationals([[x if x > 0 else 0 for x in row] for row in self.rows], self.denominator)

    def maxima(self) -> list[tuple[int, ...]]:
        tops = [max(row) for row in self.rows]
        return [tuple(j for j, x in enumerate(row) if x == top) for row, top in zip(self.rows, tops, strict=True)]

    def take(self, rows: Sequence[int]) -> Rationals:
        return Rationals([self.rows[i] for i in rows], self.denominator)

    def columns(self, start: int, stop: int) -> Rationals:
        return Rationals([row[start:stop] for row in self.rows], self.denominator)

    def __or__(self, other: Matrix) -> Matrix:
        if isinstance(other, Rationals):
            common = lcm(self.denominator, other.denominator)
            pairs = zip(self.over(common).rows, other.over(common).rows, strict=True)
            return Rationals([[*r, *s] for r, s in pairs], common)
        return NotImplemented

    def over(self, denominator: int) -> Rationals:
        """The same matrix over a multiple of its denominator."""
        factor = denominator // self.denominator
        return self if factor == 1 else Rationals([[x * factor for x in row] for row in self.rows], denominator)

    def reduced(self) -> Rationals:
        """The same matrix in lowest terms."""
        common = gcd(self.denominator, *(x for row in self.rows for x in row))
        return Rationals([[x // common for x in row] for row in self.rows], self.denominator // common)

