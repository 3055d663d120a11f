"""A kind of matrix for looking ahead: floats that steer the search for numbers and decide nothing.

What is found this way is solved and judged exactly. The search itself must take the same way on every
machine, so only + - * / and square roots are used, which IEEE 754 fixes to the last bit; exponentials and
logarithms are made from them here, because those of the C library differ from machine to machine, and sums
are added up from the left, because Python's own `sum` of floats does so only up to release 3.11.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache, reduce
from math import inf, isfinite, ldexp, sqrt
from operator import add

from attnsolve.errors import UndefinedStep
from attnsolve.exact import Cell, Matrix, Rational, Rationals
from attnsolve.exact.masked import shown, visible
from attnsolve.exact.matrices import BallRows
from attnsolve.exact.shapes import require_product, require_same_height, require_same_shape

Rows = list[list[float]]
LN_2 = 0.6931471805599453
# So many that the nearest float does not depend on how a library rounds the last of them.
BITS = 256
LARGEST = 700.0


class Rough(Matrix):
    """A matrix of floats; other kinds that meet one become floats too."""

    kind = "rough"
    __slots__ = ("rows", "shape")

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.shape = (len(rows), len(rows[0]))

    @classmethod
    def of(cls, matrix: Matrix) -> Rough:
        """Any matrix, seen through floats; what a mask hides is -∞."""
        if isinstance(matrix, Rough):
            return matrix
        if isinstance(matrix, Rationals):
            return cls([[x / matrix.denominator for x in row] for row in matrix.rows])
        pairs = zip(shown(matrix).balls(BITS), visible(matrix).rows, strict=True)
        return cls(
            [[float(x.mid()) if kept else -inf for x, kept in zip(r, k, strict=True)] for r, k in pairs]
        )

    def cell(self, i: int, j: int) -> Cell:
        """The float as a fraction, so that rules which look at single numbers can go on."""
        number = self.rows[i][j]
        if not isfinite(number):
            raise UndefinedStep("a number too large to look at")
        return Rational(Fraction(number))

    def enclosures(self) -> BallRows:
        rows, columns = map(range, self.shape)
        return [[self.cell(i, j).enclosure() for j in columns] for i in rows]

    def transposed(self) -> Rough:
        return Rough([list(column) for column in zip(*self.rows, strict=True)])

    def __matmul__(self, other: Matrix) -> Rough:
        right = Rough.of(other)
        require_product(self, right)
        columns = list(zip(*right.rows, strict=True))
        return Rough([[dot(row, column) for column in columns] for row in self.rows])

    def __rmatmul__(self, other: Matrix) -> Rough:
        return Rough.of(other) @ self

    def __add__(self, other: Matrix) -> Rough:
        return self._paired(other, lambda a, b: a + b)

    def __radd__(self, other: Matrix) -> Rough:
        return Rough.of(other) + self

    def __sub__(self, other: Matrix) -> Rough:
        return self._paired(other, lambda a, b: a - b)

    def __mul__(self, other: Matrix) -> Rough:
        # What a mask hides stays out: -∞ · 0 is 0 here, as the masked kind has it.
        return self._paired(other, lambda a, b: a * b if b else 0.0)

    def __rmul__(self, other: Matrix) -> Rough:
        return Rough.of(other) * self

    def __truediv__(self, divisor: Cell | Matrix) -> Rough:
        if isinstance(divisor, Cell):
            number = rough(divisor)
            return Rough([[x / number for x in row] for row in self.rows])
        return self._paired(divisor, quotient)

    def __rtruediv__(self, other: Matrix) -> Rough:
        return Rough.of(other) / self

    def _paired(self, other: Matrix, operation: Callable[[float, float], float]) -> Rough:
        right = Rough.of(other)
        require_same_shape(self, right)
        pairs = zip(self.rows, right.rows, strict=True)
        return Rough([[operation(a, b) for a, b in zip(r, s, strict=True)] for r, s in pairs])

    def __or__(self, other: Matrix) -> Rough:
        right = Rough.of(other)
        require_same_height(self, right)
        return Rough([[*r, *s] for r, s in zip(self.rows, right.rows, strict=True)])

    def __ror__(self, other: Matrix) -> Rough:
        return Rough.of(other) | self

    def scaled(self, factor: Cell) -> Rough:
        number = rough(factor)
        return Rough([[x * number for x in row] for row in self.rows])

    def exp(self) -> Rough:
        return Rough([[exponential(x) for x in row] for row in self.rows])

    def normalised(self) -> Rough:
        made = []
        for i, row in enumerate(self.rows):
            total = added(row)
            if total == 0 or not isfinite(total):
                raise UndefinedStep(f"row {i + 1} has the sum {total}, so it cannot be divided by it")
            made.append([x / total for x in row])
        return Rough(made)

    def relu(self) -> Rough:
        return Rough([[x if x > 0 else 0.0 for x in row] for row in self.rows])

    def each(self, function: str) -> Rough:
        change = FUNCTIONS.get(function)
        if change is None:
            raise UndefinedStep(f"no rough {function}")
        return Rough([[change(x) for x in row] for row in self.rows])

    def means(self) -> Rough:
        return Rough([[added(row) / len(row)] * len(row) for row in self.rows])

    def maxima(self) -> list[tuple[int, ...]]:
        return [tuple(j for j, x in enumerate(row) if x == max(row)) for row in self.rows]

    def take(self, rows: Sequence[int]) -> Rough:
        return Rough([self.rows[i] for i in rows])

    def columns(self, start: int, stop: int) -> Rough:
        return Rough([row[start:stop] for row in self.rows])

    def rounded(self, places: int, *, mode: str = "half_up") -> Rough:
        """Unrounded: a search need not look that closely."""
        return self


def seen_rows(matrix: Matrix) -> BallRows:
    """Balls, or floats where there are no balls."""
    return matrix.rows if isinstance(matrix, Rough) else matrix.enclosures()  # type: ignore[return-value]


def dot(row: Sequence[float], column: Sequence[float]) -> float:
    """Σ a·b, added up from the left; short rows, which are most, without a loop."""
    length = len(row)
    if length == 2:
        return row[0] * column[0] + row[1] * column[1]
    if length == 3:
        return row[0] * column[0] + row[1] * column[1] + row[2] * column[2]
    total = 0.0
    for a, b in zip(row, column, strict=True):
        total += a * b
    return total


def added(row: Sequence[float]) -> float:
    """Σ a, added up from the left."""
    return reduce(add, row, 0.0)


def quotient(a: float, b: float) -> float:
    """a / b, where b is not 0."""
    if b == 0:
        raise UndefinedStep("a division by 0")
    return a / b


@lru_cache(maxsize=4096)
def rough(cell: Cell) -> float:
    """A number as a float."""
    value = cell.rational()
    return float(cell.ball(BITS).mid()) if value is None else value.numerator / value.denominator


@lru_cache(maxsize=16384)  # scores are a few numbers that come again and again
def exponential(x: float) -> float:
    """e^x to nine digits: 2^n times the series of e^r up to r^8/8!, with |r| ≤ ln(2)/2."""
    if not -LARGEST < x < LARGEST:
        if x <= -LARGEST:
            return 0.0
        raise UndefinedStep("a number too large to exponentiate")
    n = round(x / LN_2)
    r = x - n * LN_2
    high = 1.0 + r / 5.0 * (1.0 + r / 6.0 * (1.0 + r / 7.0 * (1.0 + r / 8.0)))
    return ldexp(1.0 + r * (1.0 + r / 2.0 * (1.0 + r / 3.0 * (1.0 + r / 4.0 * high))), n)


def logarithm(x: float) -> float:
    """ln x, by Newton's method on e^y = x."""
    if x <= 0:
        raise UndefinedStep("a logarithm of a number that is not above 0")
    y = 0.0
    while x > 2.0:
        x, y = x / 2.0, y + LN_2
    while x < 1.0:
        x, y = x * 2.0, y - LN_2
    z = x - 1.0
    for _ in range(6):
        z += x / exponential(z) - 1.0
    return y + z


def root(x: float) -> float:
    """√x."""
    if x < 0:
        raise UndefinedStep("a root of a number below 0")
    return sqrt(x)


def hyperbolic_tangent(x: float) -> float:
    """tanh x."""
    grown = exponential(-2.0 * abs(x))
    return (1.0 - grown) / (1.0 + grown) * (1.0 if x > 0 else -1.0)


def error_function(x: float) -> float:
    """erf x, to seven places (Abramowitz and Stegun 7.1.26): enough to look ahead."""
    t = 1.0 / (1.0 + 0.3275911 * abs(x))
    series = 0.0
    for factor in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592):
        series = factor + series * t
    value = 1.0 - series * t * exponential(-x * x)
    return value if x > 0 else -value


FUNCTIONS: dict[str, Callable[[float], float]] = {
    "sqrt": root,
    "exp": exponential,
    "ln": logarithm,
    "tanh": hyperbolic_tangent,
    "erf": error_function,
    "relu": lambda x: x if x > 0 else 0.0,
    "exp2": lambda x: exponential(x * LN_2),
    "gelu": lambda x: x * (1.0 + error_function(x / sqrt(2.0))) / 2.0,
    "sigmoid": lambda x: 1.0 / (1.0 + exponential(-x)),
}
