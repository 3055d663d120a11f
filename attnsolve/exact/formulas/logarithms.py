"""Logarithms taken apart, where factors are positive: ln(e (e + 1)/3) = 1 + ln(e + 1) - ln 3."""

from __future__ import annotations

from collections.abc import Iterable

from attnsolve.exact.formulas.algebra import Algebra, Element
from attnsolve.exact.formulas.factors import factors_of
from attnsolve.exact.formulas.signs import Sign, Signs
from attnsolve.exact.formulas.writing import written
from attnsolve.exact.roots import prime_powers
from attnsolve.statements.tree import (
    Call,
    Function,
    Tree,
    logarithm,
    number,
    product,
    replaced,
    total,
    walk,
)

SOON_FACTORED = 10**15


def has_logarithm(tree: Tree) -> bool:
    """Whether a formula takes a logarithm."""
    return any(isinstance(piece, Call) and piece.function is Function.LN for piece in walk(tree))


def taken_apart(argument: Tree, algebra: Algebra, signs: Signs) -> Tree:
    """ln(argument) as a sum of logarithms of primes and factors; as it is where a factor may be negative."""
    value = algebra.value(argument)
    terms: list[Tree] = []
    for polynomial, side in ((value.numer, 1), (value.denom, -1)):
        found = factors_of(polynomial) if polynomial else None
        if found is None:
            return logarithm(argument)
        constant, factors = found
        turned = constant < 0
        for factor, power in factors:
            sign = signs.of_polynomial(factor)
            if sign is Sign.NEGATIVE:
                factor, turned = -factor, turned != bool(power % 2)
            elif sign not in (Sign.POSITIVE, Sign.AT_LEAST_ZERO):
                return logarithm(argument)
            terms.append(product((number(side * power), of_factor(factor, algebra))))
        if turned:
            return logarithm(argument)
        terms += of_number(int(abs(constant).numerator), side)
        terms += of_number(int(abs(constant).denominator), -side)
    return total(terms)


def of_factor(factor: Element, algebra: Algebra) -> Tree:
    """ln of a factor; of one exponential it is the exponent."""
    element = algebra.field(factor)
    if element in algebra.exponentials:
        return written(algebra.exponents[algebra.exponentials.index(element)], algebra)
    return logarithm(written(element, algebra))


def of_number(whole: int, side: int) -> Iterable[Tree]:
    """ln of a whole number, by its primes where these are soon found."""
    for prime, power in prime_powers(whole) if whole < SOON_FACTORED else ((whole, 1),):
        yield product((number(side * power), logarithm(number(prime))))


def without_products(tree: Tree, algebra: Algebra, signs: Signs) -> Tree:
    """A formula in which every logarithm is taken apart."""

    def change(piece: Tree) -> Tree | None:
        if not (isinstance(piece, Call) and piece.function is Function.LN):
            return None
        return taken_apart(piece.argument, algebra, signs)

    return replaced(tree, change)
