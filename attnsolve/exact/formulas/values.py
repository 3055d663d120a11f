"""Formulas at chosen numbers: exact cells, from which decimals are certified."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from attnsolve.errors import UndefinedStep
from attnsolve.exact.cells import UNITY, ZERO, Cell, Rational, add, divide, multiply
from attnsolve.exact.functions import apply
from attnsolve.statements.tree import Call, Function, Name, Number, Power, Product, Quotient, Sum, Tree

LARGEST_EXPONENT = 1_000_000


def at(tree: Tree, point: Mapping[Name, Fraction]) -> Cell:
    """The exact value of a formula in symbols, each of which has a number."""
    match tree:
        case Number(value):
            return Rational(value)
        case Name():
            return Rational(point[tree])
        case Sum(terms):
            made: Cell = ZERO
            for term in terms:
                made = add(made, at(term, point))
            return made
        case Product(factors):
            made = UNITY
            for factor in factors:
                made = multiply(made, at(factor, point))
            return made
        case Quotient(above, below):
            return divide(at(above, point), at(below, point))
        case Power(base, exponent):
            power = at(exponent, point).rational()
            if power is None or power.denominator != 1 or abs(power) > 64:
                raise UndefinedStep("a power that is no whole number")
            one = at(base, point)
            made = UNITY
            for _ in range(abs(int(power))):
                made = multiply(made, one)
            return made if power >= 0 else divide(UNITY, made)
        case Call(function, argument):
            if function in (Function.EXPECTATION, Function.VARIANCE):
                raise UndefinedStep("an expectation is worked out elsewhere")
            inside = at(argument, point)
            if function is Function.NORMAL:
                error = apply("erf", divide(inside, apply("sqrt", Rational(Fraction(2)))))
                return divide(add(UNITY, error), Rational(Fraction(2)))
            if function is Function.EXP and not abs(inside.ball(64)) < LARGEST_EXPONENT:
                raise UndefinedStep("a number that is too large to be worked out")
            return apply(function.value, inside)
    raise UndefinedStep("this is not a number")
