"""How formulas grow: limits and leading terms as one symbol tends to 0 or to infinity, with proof.

A monomial grows like e^(rate·x^order)·x^power. Rates are compared by their signs; where a sign depends on
other symbols, there are several cases, each with its conditions.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from attnsolve.errors import Undecided
from attnsolve.exact.formulas.algebra import Algebra, Element
from attnsolve.exact.formulas.signs import Sign, Signs
from attnsolve.statements.tree import Name

MOST_CASES = 6


class Case(NamedTuple):
    """A limit, and the elements that have to be positive for it; an infinite one has a sign alone."""

    conditions: tuple[Element, ...]
    value: Element | None
    infinite: Sign = Sign.ZERO


@dataclass(eq=False)
class Growth:
    """How elements of a field behave as one symbol goes to 0 or to infinity."""

    algebra: Algebra
    signs: Signs
    variable: Name
    at_infinity: bool

    def __post_init__(self) -> None:
        place = self.algebra.place(self.variable)
        self.place = -1 if place is None else place
        self.rates: dict[int, Element] = {}  # of exponential generators that have one
        self.vanishing: set[int] = set()  # exponents that tend to 0
        orders = set()
        for offset, exponent in enumerate(self.algebra.exponents):
            where = self.algebra.first_exponential + offset
            order, lead = self._order(exponent)
            if order > 0:
                self.rates[where] = lead
                orders.add(order)
            elif order < 0:
                self.vanishing.add(where)
        if len(orders) > 1:
            raise Undecided("exponents that grow at different orders are beyond this")

    def _order(self, element: Element) -> tuple[int, Element]:
        """The order at which an element grows in the variable, and what it is multiplied with."""
        if self.place < 0:
            return 0, element
        above, below = element.numer, element.denom
        if not above:
            return 0, element
        pick = max if self.at_infinity else min
        high, low = (
            pick(m[self.place] for m, _ in above.terms()),
            pick(m[self.place] for m, _ in below.terms()),
        )
        order = high - low
        generator = self.algebra.field.gens[self.place]
        lead = element / generator**order
        if lead.numer.degree(self.place) > 0 or lead.denom.degree(self.place) > 0:
            raise Undecided("an exponent that is no plain power of the symbol is beyond this")
        return (order if self.at_infinity else -order), lead

    def limits(self, element: Element) -> tuple[Case, ...]:
        """The limit of an element, or its limits by cases."""
        continuous = self._by_continuity(element)
        if continuous is not None:
            return (Case((), continuous),)
        numerator, denominator = self._terms(element.numer), self._terms(element.denom)
        rates = self._distinct([*numerator, *denominator])
        leading = self._largest(rates)
        if len(leading) > MOST_CASES:
            raise Undecided(f"{len(leading)} cases; the limit is {MOST_CASES}")
        cases = []
        for rate in leading:
            others = [other for other in leading if other is not rate]
            conditions = tuple(rate - other for other in others)
            cases.append(self._case(conditions, numerator, denominator, rate, len(leading) == 1))
        return tuple(cases)

    def _by_continuity(self, element: Element) -> Element | None:
        """The limit of what has nothing in it that grows: what tends to 0 is 0."""
        field, gens = self.algebra.field, self.algebra.field.gens
        if any(self.algebra.depends(element, gens[place]) for place in self.rates):
            return None
        moves = self.place >= 0 and self.algebra.depends(element, gens[self.place])
        if moves and self.at_infinity:
            return None
        sides = []
        for polynomial in (element.numer, element.denom):
            for place in self.vanishing:
                polynomial = polynomial.subs(polynomial.ring.gens[place], 1)
            if moves:
                polynomial = polynomial.subs(polynomial.ring.gens[self.place], 0)
            sides.append(polynomial)
        if not sides[1] or not self.signs.of_polynomial(sides[1]).is_nonzero:
            return None
        return field(sides[0]) / field(sides[1])

    def _case(
        self,
        conditions: tuple[Element, ...],
        numerator: list[Term],
        denominator: list[Term],
        rate: Element,
        is_only: bool,
    ) -> Case:
        above = [term for term in numerator if term.rate == rate]
        below = [term for term in denominator if term.rate == rate]
        if not is_only and not below:
            raise Undecided("which term is the largest cannot be told")
        if not below:
            return Case(conditions, None, self._sign_of(above, denominator))
        sign = self.signs.of(self._sum(below, max(term.power for term in below)))
        if sign is Sign.AT_LEAST_ZERO:  # the m - 2 other keys may not be there
            conditions = (*conditions, self._sum(below, max(term.power for term in below)))
        elif not sign.is_nonzero:
            raise Undecided("what grows fastest may be 0")
        if not above:
            return Case(conditions, self.algebra.field.zero)
        highest = max(term.power for term in (*above, *below))
        top, bottom = self._sum(above, highest), self._sum(below, highest)
        if not bottom:
            return Case(conditions, None, self._sign_of(above, below))
        if self._cancels(top, above, highest):
            raise Undecided("terms cancel in the limit")
        return Case(conditions, top / bottom)

    def _cancels(self, top: Element, above: list[Term], highest: int) -> bool:
        """Whether leading terms were there and are gone."""
        return not top and any(term.power == highest for term in above)

    def _sign_of(self, above: list[Term], below: list[Term]) -> Sign:
        """The sign of an infinite limit."""
        top = self._sum(above, max(term.power for term in above))
        strongest = self._largest(self._distinct(below))
        if len(strongest) != 1:
            return Sign.UNKNOWN
        rest = [term for term in below if term.rate == strongest[0]]
        bottom = self._sum(rest, max(term.power for term in rest))
        return self.signs.of(top / bottom) if bottom else Sign.UNKNOWN

    def leading(self, element: Element) -> Element:
        """The term that an element is asymptotically equal to: element/leading → 1."""
        made = []
        for terms in (self._terms(element.numer), self._terms(element.denom)):
            rates = self._largest(self._distinct(terms))
            if len(rates) != 1:
                raise Undecided("which term is the largest depends on other symbols")
            strongest = [term for term in terms if term.rate == rates[0]]
            highest = max(term.power for term in strongest)
            made.append(
                sum((t.whole for t in strongest if t.power == highest), start=self.algebra.field.zero)
            )
        if not made[1]:
            raise Undecided("the leading terms cancel")
        return made[0] / made[1]

    def strongest(self, polynomial: Element) -> Element | None:
        """The exponential that grows fastest in a sum, if there is one: e^(c/√d)."""
        terms = self._terms(polynomial)
        rates = self._largest(self._distinct(terms))
        if len(rates) != 1 or not rates[0]:
            return None
        made = self.algebra.field.one
        monomial = next(iter(next(term for term in terms if term.rate == rates[0]).whole.numer.terms()))[0]
        for place in self.rates:
            made *= self.algebra.field.gens[place] ** monomial[place]
        return made

    def _terms(self, polynomial: Element) -> list[Term]:
        """The monomials of a polynomial, by how they grow; those that tend to 1 are 1."""
        field, ring = self.algebra.field, polynomial.ring
        found: dict[tuple[Element, int], Element] = {}
        for monomial, share in polynomial.terms():
            rate = field.zero
            kept = list(monomial)
            for place, lead in self.rates.items():
                rate += monomial[place] * lead
            for place in self.vanishing:
                kept[place] = 0
            power = monomial[self.place] if self.place >= 0 else 0
            whole = field(ring({tuple(kept): share}))
            key = (rate, power if self.at_infinity else -power)
            found[key] = found.get(key, field.zero) + whole
        if not all(found.values()):  # what is left of e^(1/x) - 1 may count
            raise Undecided("terms cancel in the limit")
        return [Term(rate, power, whole) for (rate, power), whole in found.items()]

    def _sum(self, terms: Iterable[Term], power: int) -> Element:
        """What multiplies the strongest growth."""
        total = self.algebra.field.zero
        for term in terms:
            if term.power == power:
                total += term.whole / self._growing(term)
        return total

    def _growing(self, term: Term) -> Element:
        """The part of a term that grows: powers of the variable and exponentials with a rate."""
        made = self.algebra.field.one
        monomial = next(iter(term.whole.numer.terms()))[0]
        for place in (*self.rates, *([self.place] if self.place >= 0 else [])):
            made *= self.algebra.field.gens[place] ** monomial[place]
        return made

    def _distinct(self, terms: Iterable[Term]) -> list[Element]:
        return list(dict.fromkeys(term.rate for term in terms))

    def _largest(self, rates: list[Element]) -> list[Element]:
        """The rates that no other is proven to exceed."""
        return [
            rate
            for rate in rates
            if not any(self.signs.of(other - rate) is Sign.POSITIVE for other in rates if other is not rate)
        ]


class Term(NamedTuple):
    """Monomials of one growth: e^(rate·x)·x^power."""

    rate: Element
    power: int
    whole: Element
