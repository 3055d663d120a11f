"""Lines of working with numbers put in for symbols, long forms and functions: `≈ (2)(0.6698) + 0.25`."""

from __future__ import annotations

from typing import NamedTuple

from attnsolve.exact import Cell, Rational
from attnsolve.exact.cells import multiply
from attnsolve.exact.infinity import HIDDEN
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
    return any(isinstance(leaf, Num) and not is_readable(leaf.cell, style) for leaf in leaves(expression))


def wants_numbers(expression: Expression, style: str) -> bool:
    """Whether a reader still has to look something up: a symbol, a long number, the value of a function."""
    named = any(isinstance(leaf, Entry | Symbol) for leaf in leaves(expression))
    return named or is_long(expression, style) or has_functions(expression)


def has_functions(expression: Expression) -> bool:
    """Whether values of functions go into something else, as in tanh(1) + tanh(2)."""
    return not isinstance(expression, Apply) and any(
        (isinstance(part, Apply) and part.function not in IN_SIGHT) or has_functions(part)
        for part in parts(expression)
    )


def in_numbers(expression: Expression, style: str) -> InNumbers:
    """The expression with a number for everything that is not one."""
    if isinstance(expression, Apply):
        inside, exact = in_numbers(expression.argument, style)
        return InNumbers(Apply(expression.function, inside), exact)
    return _numbers(expression, style)


def _numbers(expression: Expression, style: str) -> InNumbers:
    match expression:
        case Num(cell=cell) | Entry(cell=cell) | Symbol(cell=cell) | Decimal(cell=cell):
            return number(cell, style)
        case Apply(function=function, argument=argument):
            if function not in IN_SIGHT:
                return number(evaluate(expression), style)
            inside, exact = _numbers(argument, style)
            return InNumbers(Apply(function, inside), exact)
        case Sum(terms=terms):
            made = [_numbers(term, style) for term in terms]
            return InNumbers(Sum(tuple(term for term, _ in made)), all(exact for _, exact in made))
        case Product(factors=(Num(cell=Rational(value=1 | -1) as sign), Entry() | Symbol() as named)):
            return number(multiply(sign, named.cell), style)
        case Product(factors=factors):
            made = [_numbers(factor, style) for factor in factors]
            return InNumbers(Product(tuple(factor for factor, _ in made)), all(exact for _, exact in made))
        case Quotient(top=top, bottom=bottom):
            above, below = _numbers(top, style), _numbers(bottom, style)
            return InNumbers(Quotient(above.expression, below.expression), above.exact and below.exact)
        case Power(base=base, exponent=exponent):
            inside, exact = _numbers(base, style)
            return InNumbers(Power(inside, exponent), exact)


def number(cell: Cell, style: str) -> InNumbers:
    """A number as it is where that is short, else its decimals."""
    if cell is HIDDEN:
        return InNumbers(Num(cell), True)
    value = cell.rational()
    if value is not None and is_readable(Rational(value), style):
        return InNumbers(Num(Rational(value)), True)
    return InNumbers(Decimal(cell), False)


def parts(expression: Expression) -> tuple[Expression, ...]:
    """What an expression is made of."""
    match expression:
        case Sum(terms=several) | Product(factors=several):
            return several
        case Quotient(top=top, bottom=bottom):
            return top, bottom
        case Power(base=base):
            return (base,)
        case Apply(argument=argument):
            return (argument,)
        case _:
            return ()


def leaves(expression: Expression) -> tuple[Expression, ...]:
    """The numbers and symbols of an expression."""
    inside = parts(expression)
    return tuple(leaf for part in inside for leaf in leaves(part)) if inside else (expression,)
