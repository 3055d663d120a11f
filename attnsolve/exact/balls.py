"""Certified numerics where no readable closed form exists: values known as balls of any wanted size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from attnsolve.errors import Undecided, UndefinedStep
from attnsolve.exact.arithmetic import ON_BALLS, Arithmetic
from attnsolve.exact.base import Cell, side_of
from attnsolve.exact.decimals import Rounded, scientific
from attnsolve.exact.flint_parts import arb, ctx, fmpq
from attnsolve.exact.matrices import BallRows, Matrix, maxima_of_cells
from attnsolve.exact.precision import LADDER, precision
from attnsolve.exact.shapes import require_product, require_same_height, require_same_shape
from attnsolve.reasons import reason

# What people write has few digits: this is plenty for the balls around them.
WRITTEN_BITS = 128
# As many digits of a number without a closed form are given where its exact value is asked for.
WRITTEN_DIGITS = 60


# A number worked out with balls, or with forms.
Computation = Callable[[Arithmetic], Any]


class Enclosed(Cell):
    """A number known only through ever smaller balls; equality with another can be refuted, seldom proven."""

    __slots__ = ("_compute", "_known", "_rational", "matrix")

    def __init__(self, compute: Computation, *, matrix: Balls | None = None) -> None:
        self._compute = compute
        self.matrix = matrix  # whose number it is: what is found out about one helps with the others
        self._known: dict[int, arb] = {}
        self._rational: Fraction | bool | None = False  # False: not asked yet

    def enclosure(self) -> arb:
        bits = ctx.prec
        if bits not in self._known:
            self._known[bits] = self._compute(ON_BALLS)
        return self._known[bits]

    def worked_out(self, arithmetic: Arithmetic) -> Any:
        """The number in another arithmetic."""
        return self._compute(arithmetic)

    def is_zero(self) -> bool | None:
        if side_of(self.ball(LADDER[0])):
            return False
        if self.rational() == 0:
            return True
        return False if self.climb(side_of) else None

    def rational(self) -> Fraction | None:
        """The value when its first ball is a single point, or when its form is proven to be a fraction."""
        if self._rational is False:
            point = as_point(self.ball(LADDER[0]))
            if point is None:
                from attnsolve.exact.fraction_proofs import proven_fraction

                point = proven_fraction(self)
            self._rational = point
        return self._rational  # type: ignore[return-value]

    def sympy(self) -> Any:
        """The number to 60 digits: it has no closed form to give."""
        from sympy import Float, Rational

        value = self.rational()
        return Float(self.text(), 60) if value is None else Rational(value.numerator, value.denominator)

    def text(self) -> str:
        """The number to 60 proven digits; as far as can be seen, where it cannot be told from 0."""
        value = self.rational()
        if value is not None:
            return str(value)
        found: Rounded | None = self.climb(lambda ball: scientific(ball, significant=WRITTEN_DIGITS))
        if found is not None:
            return found.unscaled.text
        return str(self.ball(LADDER[1]).str(WRITTEN_DIGITS, radius=False))


class Balls(Matrix):
    """A matrix of balls, recomputed from its inputs whenever more digits are wanted."""

    kind = "certified"
    __slots__ = ("_cells", "_compute", "_known", "is_normalised", "is_product", "labels", "shape")

    def __init__(
        self,
        shape: tuple[int, int],
        compute: Computation,
        *,
        is_product: bool = False,
        is_normalised: bool = False,
    ) -> None:
        self.shape = shape
        self.is_product = is_product  # of two matrices
        self.is_normalised = is_normalised  # each row was divided by its own sum, which is not 0
        # Where a proof about them took too much: which numbers are equal or opposite (see `forms`).
        self.labels: list[list[tuple[int, int]]] | None = None
        self._compute = compute
        self._known: dict[int, BallRows] = {}
        self._cells: dict[tuple[int, int], Enclosed] = {}

    @classmethod
    def of(cls, matrix: Matrix) -> Balls:
        """Any matrix, seen through its balls."""
        return matrix if isinstance(matrix, Balls) else cls(matrix.shape, lambda on: on.rows(matrix))

    def balls(self, bits: int) -> BallRows:
        known = self._known.get(bits)
        return super().balls(bits) if known is None else known

    def enclosures(self) -> BallRows:
        bits = ctx.prec
        if bits not in self._known:
            self._known[bits] = self._compute(ON_BALLS)
        return self._known[bits]

    def worked_out(self, arithmetic: Arithmetic) -> list[list[Any]]:
        """The numbers in another arithmetic."""
        rows: list[list[Any]] = self._compute(arithmetic)
        return rows

    def is_finite(self) -> bool:
        """Whether every ball has an end."""
        return all(all(map(arb.is_finite, row)) for row in self.enclosures())

    def cell(self, i: int, j: int) -> Enclosed:
        known = self._cells.get((i, j))
        if known is None:
            known = self._cells[i, j] = Enclosed(lambda on: on.rows(self)[i][j], matrix=self)
        return known

    def transposed(self) -> Balls:
        flipped = (self.shape[1], self.shape[0])
        return Balls(flipped, lambda on: [list(column) for column in zip(*on.rows(self), strict=True)])

    def __matmul__(self, other: Matrix) -> Balls:
        if other.kind == "masked":
            return NotImplemented
        require_product(self, other)
        shape = self.shape[0], other.shape[1]
        return Balls(shape, lambda on: on.product(on.rows(self), on.rows(other)), is_product=True)

    def __rmatmul__(self, other: Matrix) -> Balls:
        return Balls.of(other) @ self

    def __add__(self, other: Matrix) -> Balls:
        if other.kind == "masked":
            return NotImplemented
        require_same_shape(self, other)

        def compute(on: Arithmetic) -> list[list[Any]]:
            pairs = zip(on.rows(self), on.rows(other), strict=True)
            return [[a + b for a, b in zip(r, s, strict=True)] for r, s in pairs]

        return Balls(self.shape, compute)

    __radd__ = __add__

    def scaled(self, factor: Cell) -> Balls:
        def compute(on: Arithmetic) -> list[list[Any]]:
            number = on.number(factor)
            return [[x * number for x in row] for row in on.rows(self)]

        return Balls(self.shape, compute)

    def exp(self) -> Balls:
        return self._each("exp")

    def relu(self) -> Balls:
        return self._each("relu")

    def normalised(self) -> Balls:
        self._check_sums()
        return Balls(self.shape, lambda on: [on.shares(row) for row in on.rows(self)], is_normalised=True)

    def _check_sums(self) -> None:
        """Refuse a row that adds up to 0, or may do so, now rather than when its digits are wanted."""
        for i, row in enumerate(self.enclosures()):
            if side_of(sum(row, arb(0))):
                continue
            zero = self._row_sum(i).is_zero()
            if zero:
                raise UndefinedStep(
                    reason("row {row} has the sum 0, so it cannot be divided by it", row=i + 1)
                )
            if zero is None:
                why = reason(
                    "cannot decide whether row {row} has the sum 0; checked to {bits} bits",
                    row=i + 1,
                    bits=LADDER[-1],
                )
                raise Undecided(why)

    def _row_sum(self, i: int) -> Enclosed:
        return Enclosed(lambda on: sum(on.rows(self)[i]))

    def maxima(self) -> list[tuple[int, ...]]:
        return maxima_of_cells(self)

    def take(self, rows: Sequence[int]) -> Balls:
        return Balls((len(rows), self.shape[1]), lambda on: [on.rows(self)[i] for i in rows])

    def columns(self, start: int, stop: int) -> Balls:
        return Balls((self.shape[0], stop - start), lambda on: [row[start:stop] for row in on.rows(self)])

    def __ror__(self, other: Matrix) -> Balls:
        return Balls.of(other) | self

    def __or__(self, other: Matrix) -> Balls:
        if other.kind == "masked":
            return NotImplemented
        require_same_height(self, other)

        def compute(on: Arithmetic) -> list[list[Any]]:
            return [[*a, *b] for a, b in zip(on.rows(self), on.rows(other), strict=True)]

        return Balls((self.shape[0], self.shape[1] + other.shape[1]), compute)

    def _each(self, function: str) -> Balls:
        return Balls(self.shape, lambda on: on.each(function, self))


def as_point(ball: arb) -> Fraction | None:
    """The only number in a ball, if there is only one."""
    if not (ball.is_exact() and ball.is_finite()):
        return None
    point = ball.fmpq()
    return Fraction(int(point.p), int(point.q))


def fixed(rows: Sequence[Sequence[arb]]) -> Balls:
    """Balls that do not shrink, such as a number somebody wrote down with four digits."""
    kept = [list(row) for row in rows]
    return Balls((len(kept), len(kept[0])), lambda on: on.measured(kept))


def around(cell: Cell, radius: Fraction) -> arb:
    """Every number that is at most `radius` away from a cell: the ball does not shrink."""
    with precision(WRITTEN_BITS):
        return widened(cell.enclosure(), radius)


def around_fraction(top: int, bottom: int, radius: tuple[int, int]) -> arb:
    """Every number that is at most a radius away from a fraction, quicker than `around`: in whole numbers."""
    with precision(WRITTEN_BITS):
        return arb(fmpq(top, bottom), arb(fmpq(*radius)))


def widened(ball: arb, radius: Fraction) -> arb:
    """A ball with a larger radius."""
    return ball + arb(0, arb(fmpq(radius.numerator, radius.denominator)))
