"""SymPy for everything without a fast kind: tanh, sines, pi, sums of roots in a denominator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import sympy
from flint import arb, fmpq

from attnsolve.errors import AttnsolveError
from attnsolve.exact.balls import Balls
from attnsolve.exact.cells import Cell, Closed, Rational
from attnsolve.exact.combinations import Combination
from attnsolve.exact.matrices import BallRows, Matrix, maxima_of_cells
from attnsolve.exact.roots import Root

# Beyond this many operations in a cell a closed form is no longer read by anybody: balls go on.
READABLE = 400


class Symbolic(Cell):
    """A number with a SymPy expression."""

    __slots__ = ("expression",)

    def __init__(self, expression: Any) -> None:
        self.expression = expression

    def enclosure(self) -> arb:
        return expression_ball(self.expression)

    def is_zero(self) -> bool | None:
        if self.expression.expand() == 0:
            return True
        nonzero = self.climb(lambda ball: True if ball > 0 or ball < 0 else None)
        return False if nonzero else None

    def rational(self) -> Fraction | None:
        value = self.expression if self.expression.is_Rational else self.expression.expand()
        return Fraction(int(value.p), int(value.q)) if value.is_Rational else None

    def sympy(self) -> Any:
        return self.expression

    def text(self) -> str:
        return str(self.expression)


FUNCTIONS: dict[Any, Callable[[arb], arb]] = {
    sympy.exp: lambda x: x.exp(),
    sympy.log: lambda x: x.log(),
    sympy.sin: lambda x: x.sin(),
    sympy.cos: lambda x: x.cos(),
    sympy.tanh: lambda x: x.tanh(),
    sympy.Abs: abs,
}


def expression_ball(expression: Any) -> arb:
    """The ball of a SymPy expression at the working precision, by its own structure."""
    if expression.is_Rational:
        return arb(fmpq(int(expression.p), int(expression.q)))
    if expression is sympy.pi:
        return arb.pi()
    if expression is sympy.E:
        return arb.const_e()
    if expression.is_Add:
        return sum(map(expression_ball, expression.args), arb(0))
    if expression.is_Mul:
        product = arb(1)
        for argument in expression.args:
            product *= expression_ball(argument)
        return product
    if expression.is_Pow:
        base, power = expression.args
        if power == sympy.Rational(1, 2):
            return expression_ball(base).sqrt()
        if power.is_Integer and abs(power) < 10_000:
            return expression_ball(base) ** int(power)
        return expression_ball(base) ** expression_ball(power)
    if isinstance(expression, sympy.Max):
        first, *rest = map(expression_ball, expression.args)
        for ball in rest:
            first = first.max(ball)
        return first
    if expression.func in FUNCTIONS:
        return FUNCTIONS[expression.func](expression_ball(expression.args[0]))
    raise AttnsolveError(f"no certified value for {expression}")


def closed_to_sympy(cell: Closed) -> Any:
    """A closed form in SymPy's terms."""
    quotients = [combination_to_sympy(n) / combination_to_sympy(d) for n, d in cell.quotients]
    return sympy.Add(*quotients)


def combination_to_sympy(combination: Combination) -> Any:
    """Σ q·√r·e^x in SymPy's terms."""
    terms = []
    for (exponent, root), c in combination.terms.items():
        power = sympy.Add(*(fraction_to_sympy(q) * root_to_sympy(r) for r, q in exponent))
        terms.append(fraction_to_sympy(c) * root_to_sympy(root) * sympy.exp(power))
    return sympy.Add(*terms)


def fraction_to_sympy(value: Fraction) -> Any:
    """A fraction as a SymPy Rational."""
    return sympy.Rational(value.numerator, value.denominator)


def root_to_sympy(root: Root) -> Any:
    """√r·ln p… in SymPy's terms."""
    return sympy.Mul(sympy.sqrt(sympy.Integer(root[0])), *(sympy.log(sympy.Integer(p)) for p in root[1]))


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
        rows, columns = matrix.shape
        return cls([[matrix.cell(i, j).sympy() for j in range(columns)] for i in range(rows)])

    def cell(self, i: int, j: int) -> Symbolic:
        return Symbolic(self.rows[i][j])

    def enclosures(self) -> BallRows:
        return [[expression_ball(x) for x in row] for row in self.rows]

    @property
    def T(self) -> Expressions:
        return Expressions(list(zip(*self.rows, strict=True)))

    def __matmul__(self, other: Matrix) -> Matrix:
        if isinstance(other, Balls):
            return NotImplemented
        if other.kind == "attention":  # a product with sums of quotients: nobody reads it
            return Balls.of(self) @ other
        columns = list(zip(*Expressions.of(other).rows, strict=True))
        rows = [[sympy.Add(*(a * b for a, b in zip(row, c, strict=True))) for c in columns] for row in self.rows]
        return readable(rows, lambda: Balls.of(self) @ Balls.of(other))

    def __rmatmul__(self, other: Matrix) -> Matrix:
        return Balls.of(other) @ self if other.kind == "attention" else Expressions.of(other) @ self

    def __add__(self, other: Matrix) -> Matrix:
        if isinstance(other, Balls):
            return NotImplemented
        pairs = zip(self.rows, Expressions.of(other).rows, strict=True)
        return readable(
            [[a + b for a, b in zip(r, s, strict=True)] for r, s in pairs], lambda: Balls.of(self) + Balls.of(other)
        )

    __radd__ = __add__

    def __or__(self, other: Matrix) -> Matrix:
        if isinstance(other, Balls):
            return NotImplemented
        pairs = zip(self.rows, Expressions.of(other).rows, strict=True)
        return Expressions([[*a, *b] for a, b in pairs])

    def __ror__(self, other: Matrix) -> Matrix:
        return Expressions.of(other) | self

    def scaled(self, factor: Cell) -> Matrix:
        value = factor.sympy()
        return self._each(lambda x: x * value)

    def exp(self) -> Matrix:
        return self._each(sympy.exp)

    def normalised(self) -> Matrix:
        rows = [[x / sympy.Add(*row) for x in row] for row in self.rows]
        return readable(rows, lambda: Balls.of(self).normalised())

    def relu(self) -> Matrix:
        signs = [[self.cell(i, j).sign() for j in range(self.shape[1])] for i in range(self.shape[0])]
        return Expressions(
            [[x if s > 0 else sympy.Integer(0) for x, s in zip(r, t, strict=True)] for r, t in zip(self.rows, signs, strict=True)]
        )

    def maxima(self) -> list[tuple[int, ...]]:
        return maxima_of_cells(self)

    def take(self, rows: Sequence[int]) -> Expressions:
        return Expressions([self.rows[i] for i in rows])

    def columns(self, start: int, stop: int) -> Expressions:
        return Expressions([row[start:stop] for row in self.rows])

    def _each(self, change: Callable[[Any], Any]) -> Expressions:
        return Expressions([[change(x) for x in row] for row in self.rows])


def readable(rows: list[list[Any]], otherwise: Callable[[], Matrix]) -> Matrix:
    """The expressions if every one is short enough to read, else the balls that `otherwise` makes."""
    if any(x.count_ops() > READABLE for row in rows for x in row):
        return otherwise()
    return Expressions(rows)


def apply_sympy(function: str, cell: Cell) -> Cell:
    """A function of one number as a SymPy expression; back to a fraction when SymPy knows the value."""
    makers = {"sqrt": sympy.sqrt, "exp": sympy.exp, "ln": sympy.log, "sin": sympy.sin, "cos": sympy.cos, "tanh": sympy.tanh}
    expression = makers[function](cell.sympy())
    if expression.is_Rational:
        return Rational(Fraction(int(expression.p), int(expression.q)))
    return Symbolic(expression)


PI = Symbolic(sympy.pi)
