"""When something holds: formulas that have to be positive or zero, without the factors that are so anyway."""

from __future__ import annotations

from collections.abc import Iterable

from attnsolve.derivations.derivation import Circumstance
from attnsolve.exact.formulas.algebra import Algebra, Element
from attnsolve.exact.formulas.factors import factors_of
from attnsolve.exact.formulas.signs import Sign, Signs
from attnsolve.exact.formulas.writing import written
from attnsolve.statements.tree import Tree, names


def circumstance(conditions: Iterable[Element], algebra: Algebra, signs: Signs) -> Circumstance:
    """The case in which all of these are positive."""
    made = {written(stripped(one, algebra, signs), algebra): None for one in conditions}
    return Circumstance(tuple(sorted(made, key=repr)))


def stripped(element: Element, algebra: Algebra, signs: Signs) -> Element:
    """An element without the factors whose sign is known; its own sign stays."""
    made = algebra.field.one
    for polynomial in (element.numer, element.denom):
        found = factors_of(polynomial)
        if found is None:
            made *= algebra.field(polynomial)
            continue
        made *= 1 if found.constant > 0 else -1
        for factor, power in found.powers:
            sign = signs.of_polynomial(factor)
            if sign.is_nonzero:
                made *= -1 if sign is Sign.NEGATIVE and power % 2 else 1
            elif power % 2 or sign is not Sign.AT_LEAST_ZERO:
                made *= algebra.field(factor)
    return made


def zeros(element: Element, algebra: Algebra, signs: Signs) -> list[Element] | None:
    """The factors of an element that may be 0, each at most once; None where it is too long to factor."""
    found = factors_of(element.numer)
    if found is None:
        return None
    return [algebra.field(factor) for factor, _ in found.powers if not signs.of_polynomial(factor).is_nonzero]


def solved_for(element: Element, algebra: Algebra, places: Iterable[int]) -> tuple[int, Element] | None:
    """A symbol, and what it has to be for an element to be 0; where one occurs to the first power only."""
    polynomial = element.numer
    for place in places:
        if polynomial.degree(place) != 1:
            continue
        ring, gens = polynomial.ring, algebra.field.gens
        linear = polynomial.diff(ring.gens[place])
        rest = polynomial - linear * ring.gens[place]
        if rest.degree(place) > 0 or not is_plain(polynomial, algebra, place):
            continue
        return place, -algebra.field(rest) / algebra.field(linear) + 0 * gens[place]
    return None


def is_plain(polynomial: Element, algebra: Algebra, place: int) -> bool:
    """Whether no exponent and no logarithm that occurs depends on the symbol that is solved for."""
    in_exponents = any(
        polynomial.degree(algebra.first_exponential + offset) > 0
        and algebra.depends(exponent, algebra.field.gens[place])
        for offset, exponent in enumerate(algebra.exponents)
    )
    in_logarithms = any(
        polynomial.degree(len(algebra.symbols) + offset) > 0 and algebra.symbols[place] in names(argument)
        for offset, argument in enumerate(algebra.logarithms)
        if place < len(algebra.symbols)
    )
    return not in_exponents and not in_logarithms


def as_trees(elements: Iterable[Element], algebra: Algebra) -> tuple[Tree, ...]:
    """Elements as formulas."""
    return tuple(written(element, algebra) for element in elements)
