"""SymPy for everything without a fast kind: tanh, sines, pi, sums of roots in a denominator."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import sympy

from attnsolve.errors import Undecided, UndefinedStep
from attnsolve.exact.balls import Balls, Enclosed
from attnsolve.exact.base import Cell, side_of
from attnsolve.exact.cells import Rational, multiply, square_root
from attnsolve.exact.flint_parts import arb
from attnsolve.exact.fraction_proofs import proven_fraction
from attnsolve.exact.matrices import BallRows, Matrix, maxima_of_cells
from attnsolve.exact.precision import LADDER
from attnsolve.exact.shapes import require_product, require_same_height, require_same_shape
from attnsolve.exact.translation import expression_ball, expression_text
from attnsolve.reasons import reason

# Beyond this many operations in a cell a closed form is no longer read by anybody: balls go on.
READABLE = 400
# Nor a matrix of more operations in all.
READABLE_TOGETHER = 3_000
# Beyond this size a number beside a logarithm is not left to SymPy inside an exponential.
LARGE = 1_000


class Symbolic(Cell):
    """A number with a SymPy expression."""

    __slots__ = ("_rational", "expression")

    def __init__(self, expression: Any) -> None:
        self.expression = expression
        self._rational: Fraction | bool | None = False  # False: not asked yet

    def enclosure(self) -> arb:
        return expression_ball(self.expression)

    def is_zero(self) -> bool | None:
        if side_of(self.ball(LADDER[0])):
            return False
        if self.rational() == 0:
            return True
        return False if self.climb(side_of) else None

    def rational(self) -> Fraction | None:
        if self._rational is False:
            self._rational = proven_fraction(self)
        return self._rational  # type: ignore[return-value]

    def sympy(self) -> Any:
        return self.expression

    def text(self) -> str:
        return expression_text(self.expression)


PI = Symbolic(sympy.pi)


def from_sympy(expression: Any) -> Cell:
    """A number from SymPy, as a fraction if it is one."""
    if expression.has(sympy.nan, sympy.zoo, sympy.oo, sympy.I):
        raise UndefinedStep(reason("{form} is not a real number", form=str(expression)))
    if expression.is_Rational:
        return Rational(Fraction(int(expression.p), int(expression.q)))
    return Symbolic(expression)


def apply_sympy(function: str, cell: Cell) -> Cell:
    """A function of one number in SymPy's terms."""
    argument = cell.sympy()
    if function == "exp" and not has_readable_exp(argument):
        return Enclosed(lambda on: on.apply("exp", on.number(cell)))
    maker = getattr(sympy, {"ln": "log"}.get(function, function))
    # What SymPy knows about multiples of π is wanted; on anything longer its search takes seconds.
    if (argument / sympy.pi).is_Rational:
        return rooted(maker(argument))
    return from_sympy(maker(argument, evaluate=argument.is_Rational))


def rooted(expression: Any) -> Cell:
    """A number from SymPy, as a square root if it is one: sin(π/3) is √3/2."""
    square = expression**2
    if expression.is_Rational or not square.is_Rational:
        return from_sympy(expression)
    root = square_root(Fraction(int(square.p), int(square.q)))
    return root if expression.is_positive else multiply(Rational(-1), root)


def has_readable_exp(expression: Any) -> bool:
    """Whether e^x can be left to SymPy, which turns e^(c·ln 2) into 2^c at once, however large c is."""
    numbers = [atom for atom in expression.atoms() if atom.is_Rational]
    return not expression.has(sympy.log) or all(max(abs(x.p), x.q) < LARGE for x in numbers)


def has_functions(expression: Any) -> bool:
    """Whether an expression has a tanh, an exponential or the like in it."""
    return bool(expression.atoms(sympy.Function))


# The kinds that answer for a sum or a product with expressions themselves.
HIGHER = ("certified", "masked")


class Expressions(Matrix):
    """A matrix of SymPy expressions, carried on only while they are short enough to read."""

    kind = "symbolic"
    __slots__ = ("rows", "shape")

    def __init__(self, rows: Sequence[Sequence[Any]]) -> None:
        self.rows = rows
        self.shape = (len(rows), len(rows[0]))

    @classmethod
    def of(cls, matrix: Matrix) -> Expressions:
        """Any matrix with closed forms, in SymPy's terms."""
        if isinstance(matrix, Expressions):
            return matrix
        rows, columns = map(range, matrix.shape)
        return cls([[matrix.cell(i, j).sympy() for j in columns] for i in rows])

    def cell(self, i: int, j: int) -> Cell:
        return from_sympy(self.rows[i][j])

    def enclosures(self) -> BallRows:
        return [[expression_ball(x) for x in row] for row in self.rows]

    def transposed(self) -> Expressions:
        return Expressions(list(zip(*self.rows, strict=True)))

    def __matmul__(self, other: Matrix) -> Matrix:
        if other.kind in HIGHER:
            return NotImplemented
        if other.kind == "attention":  # a product with sums of quotients: nobody reads it
            return Balls.of(self) @ other
        require_product(self, other)
        columns = list(zip(*Expressions.of(other).rows, strict=True))
        rows = ((sympy.Add(*map(sympy.Mul, row, column)) for column in columns) for row in self.rows)
        return readable(rows, lambda: Balls.of(self) @ other)

    def __rmatmul__(self, other: Matrix) -> Matrix:
        return Balls.of(other) @ self if other.kind == "attention" else Expressions.of(other) @ self

    def __add__(self, other: Matrix) -> Matrix:
        if other.kind in HIGHER:
            return NotImplemented
        require_same_shape(self, other)
        pairs = zip(self.rows, Expressions.of(other).rows, strict=True)
        return readable((map(sympy.Add, r, s) for r, s in pairs), lambda: Balls.of(self) + other)

    __radd__ = __add__

    def __or__(self, other: Matrix) -> Matrix:
        if other.kind in HIGHER:
            return NotImplemented
        require_same_height(self, other)
        pairs = zip(self.rows, Expressions.of(other).rows, strict=True)
        return readable(([*r, *s] for r, s in pairs), lambda: Balls.of(self) | other)

    def __ror__(self, other: Matrix) -> Matrix:
        return Expressions.of(other) | self

    def scaled(self, factor: Cell) -> Matrix:
        if isinstance(factor, Enclosed):
            return Balls.of(self).scaled(factor)
        value = factor.sympy()
        return self._each(lambda x: x * value)

    def exp(self) -> Matrix:
        readable = all(has_readable_exp(x) for row in self.rows for x in row)
        return self._each(sympy.exp) if readable else Balls.of(self).exp()

    def normalised(self) -> Matrix:
        sums = [sympy.Add(*row) for row in self.rows]
        for i, value in enumerate(sums):
            zero = Symbolic(value).is_zero()
            if zero:
                raise UndefinedStep(
                    reason("row {row} has the sum 0, so it cannot be divided by it", row=i + 1)
                )
            if zero is None:
                raise Undecided(reason("cannot decide whether row {row} has the sum 0", row=i + 1))
        rows = ((x / value for x in row) for row, value in zip(self.rows, sums, strict=True))
        return readable(rows, lambda: Balls.of(self).normalised())

    def relu(self) -> Matrix:
        rows, columns = map(range, self.shape)
        return Expressions(
            [
                [self.rows[i][j] if self.cell(i, j).sign() > 0 else sympy.Integer(0) for j in columns]
                for i in rows
            ]
        )

    def maxima(self) -> list[tuple[int, ...]]:
        return maxima_of_cells(self)

    def take(self, rows: Sequence[int]) -> Expressions:
        return Expressions([self.rows[i] for i in rows])

    def columns(self, start: int, stop: int) -> Expressions:
        return Expressions([row[start:stop] for row in self.rows])

    def _each(self, change: Callable[[Any], Any]) -> Matrix:
        return Expressions([[change(x) for x in row] for row in self.rows])


def readable(rows: Iterable[Iterable[Any]], otherwise: Callable[[], Matrix]) -> Matrix:
    """The expressions if each is short enough to read, and all together are; else the balls of `otherwise`.

    What is too long ends it: the expressions after that need not be made.
    """
    made: list[list[Any]] = []
    total = 0
    for row in rows:
        made.append([])
        for x in row:
            size = x.count_ops()
            total += size
            if size > READABLE or total > READABLE_TOGETHER:
                return otherwise()
            made[-1].append(x)
    return Expressions(made)
