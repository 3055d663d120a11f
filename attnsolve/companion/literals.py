"""Exact numbers as Python source: `1 / 3`, `4.5`, `math.sqrt(2)`, `-math.inf`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import reduce

from attnsolve.companion.floats import number
from attnsolve.companion.libraries import TORCH, Library
from attnsolve.errors import AttnsolveError
from attnsolve.exact import Cell
from attnsolve.exact.infinity import HIDDEN
from attnsolve.expressions import expression
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

WIDTH = 110
# Python's names of the functions that a problem file may write.
MATH = {"sqrt": "sqrt", "exp": "exp", "ln": "log", "sin": "sin", "cos": "cos", "tanh": "tanh", "erf": "erf"}
# From here on floats skip whole numbers, and torch takes no Python integers much above it.
LARGEST_WHOLE = 2**53
# math.exp of more than this overflows.
LARGEST_POWER = 700


def matrix(
    name: str, rows: Sequence[Sequence[str]], *, turned: bool = False, library: Library = TORCH
) -> Iterator[str]:
    """The lines that make a matrix, one for each row where they do not fit on a single one."""
    written = [f"[{', '.join(row)}]" for row in rows]
    start, ending = f"{name} = {library.start}[", f"]{library.ending}{'.T' if turned else ''}"
    whole = start + ", ".join(written) + ending
    if len(whole) <= WIDTH:
        yield whole
        return
    yield start
    yield from (f"    {row}," for row in written)
    yield ending


def literal(cell: Cell, *, typed: str = "") -> str:
    """A number as its file means it, else in its exact form, else the float64 next to it."""
    if cell is HIDDEN:
        return "-math.inf"
    if abs(number(cell)) >= LARGEST_WHOLE:
        return repr(number(cell))
    try:
        return source(expression(typed or cell.text()))
    except (AttnsolveError, OverflowError):
        return repr(number(cell))


def source(value: Expression) -> str:
    """An expression as Python source."""
    return ast.unparse(tree(value))


def tree(value: Expression) -> ast.expr:
    """An expression as Python's own syntax tree, which puts the brackets where they belong."""
    match value:
        case Sum(terms=terms):
            return chained(ast.Add(), terms)
        case Product(factors=factors):
            return chained(ast.Mult(), factors)
        case Quotient(top=top, bottom=bottom):
            return ast.BinOp(tree(top), ast.Div(), tree(bottom))
        case Power(base=base, exponent=exponent):
            return ast.BinOp(tree(base), ast.Pow(), rational(Fraction(exponent)))
        case Apply(function=function, argument=argument):
            return applied(function, argument)
        case Symbol(name="pi"):
            return function_of_math("pi")
        case Num(cell=cell, typed=typed):
            return of_cell(cell, fraction="/" in (typed or ""))
        case Symbol(cell=cell) | Entry(cell=cell) | Decimal(cell=cell):
            return of_cell(cell)


def chained(operator: ast.operator, parts: Sequence[Expression]) -> ast.expr:
    """a + b + c, or a * b * c."""
    return reduce(lambda left, right: ast.BinOp(left, operator, right), map(tree, parts))


def applied(function: str, argument: Expression) -> ast.expr:
    """A function of Python's own for one of the file's."""
    inside = tree(argument)
    if function == "relu":
        return ast.Call(ast.Name("max"), [ast.Constant(0), inside], [])
    if function not in MATH or (function == "exp" and number(evaluate(argument)) > LARGEST_POWER):
        raise OverflowError(f"{function} is nothing that Python's floats can hold here")
    return ast.Call(function_of_math(MATH[function]), [inside], [])


def function_of_math(name: str) -> ast.expr:
    """Something of Python's module `math`."""
    return ast.Attribute(ast.Name("math"), name)


def of_cell(cell: Cell, *, fraction: bool = False) -> ast.expr:
    """A number without any form but its own."""
    value = cell.rational()
    return ast.Constant(number(cell)) if value is None else rational(value, fraction=fraction)


def rational(value: Fraction, *, fraction: bool = False) -> ast.expr:
    """A whole number, a decimal that Python prints as it is, or else a fraction."""
    if value < 0:  # a sign is an operation of its own: -2 ** 2 is not (-2) ** 2
        return ast.UnaryOp(ast.USub(), rational(-value, fraction=fraction))
    if value.denominator == 1:
        return ast.Constant(value.numerator)
    decimal = value.numerator / value.denominator
    if not fraction and Fraction(repr(decimal)) == value:
        return ast.Constant(decimal)
    return ast.BinOp(ast.Constant(value.numerator), ast.Div(), ast.Constant(value.denominator))
