"""The sign of a formula, proven from what is assumed of its symbols, or unknown.

A symbol that is at least 2 is 2 + x with x ≥ 0, an exponential of something positive is 1 + y with y > 0;
where all coefficients of the result have one sign, so has the formula. Factors are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from itertools import product as combinations
from math import prod
from typing import NamedTuple

from sympy import QQ

from attnsolve.assumptions import Domain
from attnsolve.errors import AttnsolveError
from attnsolve.exact.formulas.algebra import Algebra, Element
from attnsolve.exact.formulas.factors import factors_of
from attnsolve.exact.formulas.values import at
from attnsolve.exact.formulas.writing import sum_of, written
from attnsolve.statements.tree import Name, names

MOST_WAYS = 64  # of writing symbols by their bounds
MOST_MOVED = 20_000  # terms of a polynomial that is written by bounds


class Sign(Enum):
    """What is known of the sign of a number."""

    NEGATIVE = -2
    AT_MOST_ZERO = -1
    ZERO = 0
    AT_LEAST_ZERO = 1
    POSITIVE = 2
    UNKNOWN = None

    @property
    def is_nonzero(self) -> bool:
        """Whether it is proven not to be 0."""
        return self in (Sign.NEGATIVE, Sign.POSITIVE)

    @property
    def turned(self) -> Sign:
        """That of the negative number."""
        return self if self.value is None else Sign(-self.value)


class Way(NamedTuple):
    """A generator as start + direction · x with x ≥ 0, or x > 0 where it is strict."""

    start: Fraction
    direction: int
    is_strict: bool


class Signs:
    """Signs of the elements of one field."""

    def __init__(self, algebra: Algebra, domains: Mapping[Name, Domain]) -> None:
        self.algebra, self.domains = algebra, domains
        self.ways: dict[int, tuple[Way, ...]] = {}
        for place, name in enumerate(algebra.symbols):
            self.ways[place] = ways_of(domains.get(name, Domain()), rooted=name in algebra.rooted)
        for offset, exponent in enumerate(algebra.exponents):
            sign = self.of(exponent)
            above = (Way(Fraction(1), 1, True),) if sign is Sign.POSITIVE else ()
            below = (Way(Fraction(1), -1, True),) if sign is Sign.NEGATIVE else ()
            known = (Way(Fraction(1), 1, False),) if sign is Sign.AT_LEAST_ZERO else ()
            places = algebra.first_exponential + offset
            self.ways[places] = (*above, *known, *below, Way(Fraction(0), 1, True))
        algebra.is_below_zero = self.is_below_zero

    def of(self, element: Element) -> Sign:
        """The sign of an element."""
        if not element:
            return Sign.ZERO
        above, below = self.of_polynomial(element.numer), self.of_polynomial(element.denom)
        return multiplied(above, below)

    def of_polynomial(self, polynomial: Element) -> Sign:
        """The sign of a numerator or denominator, from those of its factors."""
        direct = self._by_coefficients(polynomial)
        if direct is Sign.UNKNOWN and len(polynomial) == 2:
            direct = self._by_exponents(polynomial)
        if direct is Sign.UNKNOWN and self._is_constant(polynomial):
            return self._by_value(polynomial)
        found = factors_of(polynomial) if direct is Sign.UNKNOWN else None
        if found is None:
            return direct
        sign = Sign.POSITIVE if found.constant > 0 else Sign.NEGATIVE
        for factor, power in found.powers:
            one = self._by_coefficients(factor)
            if one is Sign.UNKNOWN and self._is_constant(factor):
                one = self._by_value(factor)
            if power % 2 == 0:
                one = Sign.POSITIVE if one.is_nonzero else Sign.AT_LEAST_ZERO
            sign = multiplied(sign, one)
        return sign

    def _is_constant(self, polynomial: Element) -> bool:
        """Whether it is a number, made of roots, logarithms and exponentials of numbers."""
        algebra = self.algebra
        first, logarithms = algebra.first_exponential, len(algebra.symbols)
        for place in range(polynomial.ring.ngens):
            if polynomial.degree(place) <= 0:
                continue
            if place < logarithms:
                constant = place in algebra.squares
            elif place < first:
                constant = not names(algebra.logarithms[place - logarithms])
            else:
                constant = not names(written(algebra.exponents[place - first], algebra))
            if not constant:
                return False
        return True

    def _by_value(self, polynomial: Element) -> Sign:
        """The sign of a number, from a certified ball or a proof that it is 0."""
        try:
            value = at(sum_of(polynomial, self.algebra), {})
            return {-1: Sign.NEGATIVE, 0: Sign.ZERO, 1: Sign.POSITIVE}[value.sign()]
        except AttnsolveError:
            return Sign.UNKNOWN

    def _by_exponents(self, polynomial: Element) -> Sign:
        """The sign of e^x - e^y, which is that of x - y."""
        (one, share), (other, less) = polynomial.terms()
        first = self.algebra.first_exponential
        if share + less or any(one[place] != other[place] for place in range(first)):
            return Sign.UNKNOWN
        common = self._by_coefficients(polynomial.ring({(*one[:first], *[0] * (len(one) - first)): share}))
        difference = self.algebra.field.zero
        for offset, exponent in enumerate(self.algebra.exponents):
            difference += (one[first + offset] - other[first + offset]) * exponent
        return multiplied(common, self.of(difference))

    def is_below_zero(self, factor: Element) -> bool:
        """Whether a factor reads better with all signs turned: it is negative, or most of its terms are."""
        sign = self._by_coefficients(factor)
        if sign is Sign.UNKNOWN and self._is_constant(factor):
            sign = self._by_value(factor)
        if sign in (Sign.NEGATIVE, Sign.AT_MOST_ZERO):
            return True
        shares = factor.coeffs()
        return sign is Sign.UNKNOWN and 2 * sum(share < 0 for share in shares) > len(shares)

    def _by_coefficients(self, polynomial: Element) -> Sign:
        """The sign that all terms share when its symbols are written by their bounds."""
        used = [place for place in self.ways if polynomial.degree(place) > 0]
        if any(
            polynomial.degree(place) > 0 for place in range(polynomial.ring.ngens) if place not in self.ways
        ):
            return Sign.UNKNOWN
        best = Sign.UNKNOWN
        for count, chosen in enumerate(combinations(*(self.ways[place] for place in used))):
            if count >= MOST_WAYS:
                break
            found = self._in_this_way(polynomial, dict(zip(used, chosen, strict=True)))
            if found.is_nonzero:
                return found
            best = found if found is not Sign.UNKNOWN else best
        return best

    def _in_this_way(self, polynomial: Element, ways: Mapping[int, Way]) -> Sign:
        ring = polynomial.ring
        moved_places = [place for place, (start, direction, _) in ways.items() if start or direction < 0]
        if prod(polynomial.degree(place) + 1 for place in moved_places) > MOST_MOVED:
            return Sign.UNKNOWN
        for place, (start, direction, _) in ways.items():
            if start or direction < 0:
                generator = ring.gens[place]
                moved = direction * generator + QQ(start.numerator, start.denominator)
                polynomial = polynomial.compose(generator, moved)
        strict = any(
            all(ways[place].is_strict for place, power in enumerate(monomial) if power)
            for monomial, _ in polynomial.terms()
        )
        free = {place for place, way in ways.items() if not way.direction}
        if any(monomial[place] % 2 for monomial, _ in polynomial.terms() for place in free):
            return Sign.UNKNOWN
        strict &= not free or any(not any(monomial) for monomial, _ in polynomial.terms())
        if all(share > 0 for share in polynomial.coeffs()):
            return Sign.POSITIVE if strict else Sign.AT_LEAST_ZERO
        if all(share < 0 for share in polynomial.coeffs()):
            return Sign.NEGATIVE if strict else Sign.AT_MOST_ZERO
        return Sign.UNKNOWN


FREE = Way(Fraction(0), 0, False)


def ways_of(domain: Domain, *, rooted: bool) -> tuple[Way, ...]:
    """How a symbol, or its root, can be written by its bounds."""
    if rooted:
        above_one = domain.least is not None and domain.least >= 1
        strict = domain.least is not None and domain.least > 1
        shifted = (Way(Fraction(1), 1, strict),) if above_one else ()
        return (*shifted, Way(Fraction(0), 1, True))
    found = []
    if domain.least is not None:
        found.append(Way(domain.least, 1, not domain.may_be_least))
        if domain.least > 0:
            found.append(Way(Fraction(0), 1, True))
    if domain.most is not None:
        found.append(Way(domain.most, -1, not domain.may_be_most))
        if domain.most < 0:
            found.append(Way(Fraction(0), -1, True))
    return tuple(found) or (FREE,)


def multiplied(one: Sign, other: Sign) -> Sign:
    """The sign of a product."""
    if Sign.ZERO in (one, other):
        return Sign.ZERO
    if one.value is None or other.value is None:
        return Sign.UNKNOWN
    size = 2 if one.is_nonzero and other.is_nonzero else 1
    return Sign(size if one.value * other.value > 0 else -size)
