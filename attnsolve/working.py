"""Hand working as data: small expressions that print as they were built and still know their exact value."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache, reduce

from attnsolve.exact.cells import UNITY, ZERO, Cell, Rational, add, divide, multiply
from attnsolve.exact.functions import apply, power
from attnsolve.records import NamedTuple

# What a sum and a product start from.
NOTHING: Cell = ZERO
NO_FACTOR: Cell = UNITY


class Num(NamedTuple):
    """A number written out exactly; `typed` keeps how a problem file spelled it."""

    cell: Cell
    typed: str | None = None


class Entry(NamedTuple):
    """One number of a named matrix, shown by its symbol: `A[1,2]` counted from 0."""

    name: str
    i: int
    j: int
    cell: Cell


class Symbol(NamedTuple):
    """A named size such as d_k."""

    name: str
    cell: Cell


class Decimal(NamedTuple):
    """A number shown rounded; it may only stand after `≈`, or after `=` when the decimal is exact."""

    cell: Cell


class Sum(NamedTuple):
    """a + b + …"""

    terms: tuple[Expression, ...]


class Product(NamedTuple):
    """a · b · …; numbers are put in brackets: (-2)(0.5)."""

    factors: tuple[Expression, ...]


class Multiple(Product):
    """A product of two fractions: the same record each time, so that it is printed once."""

    __slots__ = ()


class Quotient(NamedTuple):
    """top / bottom."""

    top: Expression
    bottom: Expression


class Power(NamedTuple):
    """base to a whole power, or to a fraction."""

    base: Expression
    exponent: int | Fraction


class Apply(NamedTuple):
    """A function of one argument: sqrt, exp, exp2, ln, sin, cos, tanh, erf, gelu, relu."""

    function: str
    argument: Expression


Expression = Num | Entry | Symbol | Decimal | Sum | Product | Quotient | Power | Apply


class Stage(NamedTuple):
    """`= expression` or `≈ expression`; `fine` stages are shown only when every product is asked for."""

    relation: str
    expression: Expression
    fine: bool = False


class Line(NamedTuple):
    """The working of one cell of a result, stage after stage."""

    i: int
    j: int
    stages: tuple[Stage, ...]


def evaluate(expression: Expression) -> Cell:
    """The exact value of an expression, from its parts."""
    match expression:
        case Num(cell=cell) | Entry(cell=cell) | Symbol(cell=cell) | Decimal(cell=cell):
            return cell
        case Sum(terms=terms):
            return reduce(add, map(evaluate, terms), NOTHING)
        case Product(factors=factors):
            return reduce(multiply, map(evaluate, factors), NO_FACTOR)
        case Quotient(top=top, bottom=bottom):
            return divide(evaluate(top), evaluate(bottom))
        case Power(base=base, exponent=exponent):
            return power(evaluate(base), exponent)
        case Apply(function=function, argument=argument):
            return apply(function, evaluate(argument))


def equals(expression: Expression, *, fine: bool = False) -> Stage:
    """A stage that is exactly equal to the one before."""
    return Stage("=", expression, fine)


def about(cell: Cell) -> Stage:
    """The stage that gives the decimals of a result."""
    return Stage("≈", Decimal(cell))


@lru_cache(maxsize=8192)
def fraction(top: int, bottom: int) -> Num:
    """A fraction written out; the same record each time, so that its products are found once too."""
    return Num(Rational(Fraction(top, bottom)))


class Pair(NamedTuple):
    """Two numbers that are multiplied, and what that gives."""

    product: Product
    worth: Num


# The pairs of fractions that were multiplied of late, by which records they are; a pair holds its two.
MOST_PAIRS = 8192
_pairs: dict[tuple[int, int], Pair] = {}


def pair(a: Num, b: Num) -> Pair:
    """Two numbers multiplied; fractions are the same records each time, and so are their products."""
    key = id(a), id(b)
    known = _pairs.get(key)
    if known is not None:
        return known
    worth = Num(multiply(a.cell, b.cell))
    if not (isinstance(a.cell, Rational) and isinstance(b.cell, Rational)):
        return Pair(Product((a, b)), worth)
    if len(_pairs) >= MOST_PAIRS:
        _pairs.clear()
    known = _pairs[key] = Pair(Multiple((a, b)), worth)
    return known


def dot_stages(
    pairs: Sequence[tuple[Num, Num]], result: Cell, *, extra: Sequence[Num] = ()
) -> tuple[Stage, ...]:
    """a·b + c·d + … worked out: the numbers put in, each product, the sum; `extra` is added as given."""
    known = [pair(a, b) for a, b in pairs]
    stages = [Stage("=", Sum((*[one.product for one in known], *extra)))]
    if len(known) + len(extra) > 1:
        stages.append(Stage("=", Sum((*[one.worth for one in known], *extra)), True))
    return (*stages, Stage("=", Num(result)))
