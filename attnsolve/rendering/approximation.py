"""Lines of working with numbers put in for symbols, long forms and functions: `≈ (2)(0.6698) + 0.25`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attnsolve.exact import Cell, Rational
from attnsolve.exact.cells import multiply
from attnsolve.exact.infinity import HIDDEN
from attnsolve.records import NamedTuple
from attnsolve.rendering.readable import is_readable
from attnsolve.working import (
    Apply,
    Decimal,
    Entry,
    Expression,
    Num,
    Power,
    Product,
    Quotient,
    Sum,
    Symbol,
    evaluate,
)

# These are done last, in sight of the reader; of any other function the value is looked up.
IN_SIGHT = ("sqrt", "relu")


class InNumbers(NamedTuple):
    """An expression without symbols, and whether every number in it is exact."""

    expression: Expression
    exact: bool


def is_long(expression: Expression, style: str) -> bool:
    """Whether a number in it is longer than a person would write."""
    if isinstance(expression, Num):
        return not is_readable(expression.cell, style)
    return any([is_long(part, style) for part in parts(expression)])


def wants_numbers(expression: Expression) -> bool:
    """Whether a reader still has to look something up: a symbol, or the value of a function."""
    return is_named(expression) or has_functions(expression)


def has_functions(expression: Expression) -> bool:
    """Whether values of functions go into something else, as in tanh(1) + tanh(2)."""
    if isinstance(expression, Apply):
        return False
    return any([is_looked_up(part) or has_functions(part) for part in parts(expression)])


def in_numbers(expression: Expression, style: str) -> InNumbers:
    """The expression with a number for everything that is not one."""
    functions = [part for part in all_parts(expression) if is_looked_up(part)]
    # ln(A_{1,2}) alone becomes ln(0.25); of several functions the values are wanted.
    alone = functions[0] if len(functions) == 1 and is_named(functions[0]) else None
    return _numbers(expression, style, alone)


def _numbers(expression: Expression, style: str, alone: Expression | None) -> InNumbers:
    match expression:
        case Num(cell=cell) | Entry(cell=cell) | Symbol(cell=cell) | Decimal(cell=cell):
            return number(cell, style)
        case Apply() if is_looked_up(expression) and expression is not alone:
            return number(evaluate(expression), style)
        case Product(factors=(Num(cell=Rational(value=1 | -1) as sign), Entry() | Symbol() as named)):
            return number(multiply(sign, named.cell), style)
        case _:
            made = [_numbers(part, style, alone) for part in parts(expression)]
            inside = [part.expression for part in made]
            return InNumbers(rebuilt(expression, inside), all(part.exact for part in made))


def rebuilt(expression: Expression, inside: list[Expression]) -> Expression:
    """The same expression, made of other parts."""
    match expression:
        case Sum():
            return Sum(tuple(inside))
        case Product():
            return Product(tuple(inside))
        case Quotient():
            return Quotient(*inside)
        case Power(exponent=exponent):
            return Power(inside[0], exponent)
        case Apply(function=function):
            return Apply(function, inside[0])
        case _:
            return expression


def with_decimals(expression: Expression, places: int) -> Expression:
    """The same with decimals for fractions, where so many places are exact: 0.25 beside 0.6698, not 1/4."""
    if isinstance(expression, Num):
        if not isinstance(expression.cell, Rational) or expression.cell.value.denominator == 1:
            return expression
        rounded = expression.cell.decimals(places)
        return Decimal(expression.cell) if rounded.exact and rounded.power is None else expression
    return rebuilt(expression, [with_decimals(part, places) for part in parts(expression)])


def is_looked_up(expression: Expression) -> bool:
    """Whether somebody needs a calculator or a table for it."""
    return isinstance(expression, Apply) and expression.function not in IN_SIGHT


def is_named(expression: Expression) -> bool:
    """Whether it names a number by a symbol."""
    if isinstance(expression, Entry | Symbol):
        return True
    return any([is_named(part) for part in parts(expression)])


def number(cell: Cell, style: str) -> InNumbers:
    """A number as it is where that is short, else its decimals."""
    if cell is HIDDEN:
        return InNumbers(Num(cell), True)
    value = cell.rational()
    if value is not None and is_readable(Rational(value), style):
        return InNumbers(Num(Rational(value)), True)
    return InNumbers(Decimal(cell), False)


def parts(expression: Expression) -> tuple[Expression, ...]:
    """What an expression is made of; asked for every number of a page."""
    made_of = PARTS.get(type(expression))
    return () if made_of is None else made_of(expression)


PARTS: dict[type, Callable[[Any], tuple[Expression, ...]]] = {
    Sum: lambda expression: expression.terms,
    Product: lambda expression: expression.factors,
    Quotient: lambda expression: (expression.top, expression.bottom),
    Power: lambda expression: (expression.base,),
    Apply: lambda expression: (expression.argument,),
}


def all_parts(expression: Expression) -> tuple[Expression, ...]:
    """An expression, what it is made of, what that is made of, and so on."""
    return (expression, *(inner for part in parts(expression) for inner in all_parts(part)))
