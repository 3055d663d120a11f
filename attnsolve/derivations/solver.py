"""Equations solved exactly for one letter: every solution, or that not all could be found."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from attnsolve.derivations.derivation import Line, Reason
from attnsolve.derivations.numbers import at
from attnsolve.errors import AttnsolveError, Undecided
from attnsolve.exact.formulas.algebra import Algebra, Element, Unreadable
from attnsolve.exact.formulas.factors import factors_of
from attnsolve.exact.formulas.letters import Letters
from attnsolve.exact.formulas.signs import Sign, Signs
from attnsolve.exact.formulas.writing import expanded, written
from attnsolve.statements.claim import Relation
from attnsolve.statements.tree import (
    ZERO,
    Name,
    Tree,
    logarithm,
    minus,
    names,
    negative,
    number,
    over,
    product,
    square_root,
    total,
)

EQUAL = Relation.EQUAL


@dataclass(frozen=True, eq=False)
class Root:
    """One solution, and the lines that lead to it from the equation that has only zeros on its right."""

    value: Tree
    lines: tuple[Line, ...]


@dataclass(frozen=True, eq=False)
class Found:
    """Every solution of an equation; `always` where it says nothing."""

    roots: tuple[Root, ...]
    always: bool = False
    zero: Tree = ZERO  # what is set to 0 in the end, over no denominator


def solutions(letters: Letters, left: Tree, right: Tree, variable: Name) -> Found:
    """Every value of a letter for which `left = right`."""
    algebra, signs = letters.algebra(variable, left, right)
    difference = algebra.settled(algebra.value(left) - algebra.value(right))
    if not difference:
        return Found((), always=True)
    if not signs.of_polynomial(difference.denom).is_nonzero:
        raise Undecided("a denominator may be 0")
    factors = factored(difference.numer)
    solver = Solver(letters, algebra, signs, variable)
    relevant = [factor for factor, _ in factors if not signs.of_polynomial(factor).is_nonzero]
    zero = product(expanded(algebra.field(factor), algebra) for factor in relevant)
    roots: list[Root] = []
    for factor in relevant:
        roots += solver.roots(factor)
    return Found(tuple(root for root in roots if solver.is_allowed(root.value)), zero=zero)


def factored(polynomial: Element) -> list[tuple[Element, int]]:
    """The factors of what is to be 0."""
    found = factors_of(polynomial)
    if found is None:
        raise Undecided("an equation of this length or degree is beyond this")
    return found.powers


@dataclass(frozen=True, eq=False)
class Solver:
    """Finds the zeros of factors that have no others."""

    letters: Letters
    algebra: Algebra
    signs: Signs
    variable: Name

    def roots(self, factor: Element) -> list[Root]:
        """The zeros of a factor: a polynomial in the letter or in one exponential, or e^x - e^y."""
        place = self.algebra.place(self.variable)
        assert place is not None
        letter = self.algebra.field.gens[place]
        moving = [
            offset
            for offset, exponent in enumerate(self.algebra.exponents)
            if self.algebra.depends(exponent, letter)
            and factor.degree(self.algebra.first_exponential + offset) > 0
        ]
        if not moving:
            if factor.degree(place) <= 0:
                raise Undecided("this depends on other letters")
            return self._polynomial(factor, place)
        if factor.degree(place) > 0:
            raise Undecided("the letter stands in exponents and beside them")
        if len(factor) == 2:
            balanced = self._equal_exponentials(factor)
            if balanced is not None:
                return balanced
        if len(moving) > 1:
            raise Undecided("exponentials of several kinds")
        return self._exponential(factor, moving[0], letter)

    def _polynomial(self, factor: Element, place: int) -> list[Root]:
        if self.variable in self.algebra.rooted:
            raise Undecided("a root of the letter that is solved for")
        return [Root(value, self._ends(value, factor)) for value in self._zeros(factor, place)]

    def _ends(self, value: Tree, factor: Element) -> tuple[Line, ...]:
        return (Line(self.variable, EQUAL, value, Reason.SOLVING, follows=True),)

    def _zeros(self, factor: Element, place: int) -> list[Tree]:
        """The zeros of a polynomial of degree 1 or 2 in a generator."""
        field, generator = self.algebra.field, factor.ring.gens[place]
        shares = [field(coefficient(factor, place, power)) for power in range(factor.degree(place) + 1)]
        if len(shares) > 3 or not self.signs.of(shares[-1]).is_nonzero:
            raise Undecided(f"an equation of degree {len(shares) - 1} in {generator}")
        if len(shares) == 2:
            return [self._written(-shares[0] / shares[1])]
        c, b, a = shares
        under = self.algebra.settled(b * b - 4 * a * c)
        sign = self.signs.of(under)
        if sign is Sign.NEGATIVE:
            return []
        if sign not in (Sign.POSITIVE, Sign.ZERO):
            raise Undecided("the sign of what stands under the root")
        root = square_root(self._written(under))
        middle, below = self._written(-b), self._written(2 * a)
        return [self._short(over(total((middle, side)), below)) for side in (negative(root), root)]

    def _written(self, element: Element) -> Tree:
        return written(self.algebra.settled(element), self.algebra)

    def _short(self, tree: Tree) -> Tree:
        """A solution of a quadratic equation in its usual form, where its root is one of a number."""
        try:
            return self.letters.multiplied_out(tree)
        except AttnsolveError:
            return tree

    def _equal_exponentials(self, factor: Element) -> list[Root] | None:
        """e^x = e^y, which holds where x = y; None where the two terms have other factors."""
        (one, share), (other, less) = factor.terms()
        first = self.algebra.first_exponential
        if share + less or any(one[:first]) or any(other[:first]):
            return None
        sides = []
        for monomial in (one, other):
            exponent = self.algebra.field.zero
            for offset, unit in enumerate(self.algebra.exponents):
                exponent += monomial[first + offset] * unit
            sides.append(exponent)
        difference = self.algebra.settled(sides[0] - sides[1])
        place = self.algebra.place(self.variable)
        assert place is not None
        if not self.signs.of_polynomial(difference.denom).is_nonzero:
            raise Undecided("a denominator may be 0")
        left, right = (expanded(side, self.algebra) for side in sides)
        equal = Line(left, EQUAL, right, Reason.TAKING_LOGARITHMS, follows=True)
        factors = factored(difference.numer)
        relevant = [one for one, _ in factors if not self.signs.of_polynomial(one).is_nonzero]
        found = [root for part in relevant for root in self._polynomial(part, place)]
        return [
            Root(
                root.value, (equal,) if (left, right) == (self.variable, root.value) else (equal, *root.lines)
            )
            for root in found
        ]

    def _exponential(self, factor: Element, offset: int, letter: Element) -> list[Root]:
        """A polynomial in one exponential e^(r·t), whose positive zeros have logarithms."""
        exponent = self.algebra.exponents[offset]
        rate = self.algebra.settled(exponent / letter)
        if self.algebra.depends(rate, letter) or not self.signs.of(rate).is_nonzero:
            raise Undecided("an exponent that is no multiple of the letter")
        place = self.algebra.first_exponential + offset
        power = written(self.algebra.field.gens[place], self.algebra)
        made = []
        for value in self._zeros(factor, place):
            sign = self._sign(value)
            if sign is Sign.NEGATIVE or sign is Sign.ZERO:
                continue
            if sign is not Sign.POSITIVE:
                raise Undecided("the sign of an exponential that solves this")
            root = self._short(product((self._written(1 / rate), self._logarithm(value))))
            lines = (
                Line(power, EQUAL, value, Reason.SOLVING, follows=True),
                Line(self.variable, EQUAL, root, Reason.TAKING_LOGARITHMS, follows=True),
            )
            made.append(Root(root, lines))
        return made

    def _logarithm(self, tree: Tree) -> Tree:
        """ln(tree); of a number times an exponential it is the exponent plus a logarithm."""
        try:
            algebra, _ = self.letters.algebra(tree)
            value = algebra.value(tree)
        except Unreadable:  # a root of something that has letters or exponentials
            return logarithm(tree)
        if len(value.numer) != 1 or len(value.denom) != 1:
            return logarithm(tree)
        ((above, share),), ((below, less),) = value.numer.terms(), value.denom.terms()
        powers = [one - other for one, other in zip(above, below, strict=True)]
        first = algebra.first_exponential
        if any(powers[:first]) or not any(powers[first:]):
            return logarithm(tree)
        exponents = zip(powers[first:], algebra.exponents, strict=True)
        raised = sum((power * one for power, one in exponents), start=algebra.field.zero)
        factor = Fraction(int(share.numerator), int(share.denominator)) / int(less)
        small = factor < 1
        number_part = ZERO if factor == 1 else logarithm(number(1 / factor if small else factor))
        return total((written(raised, algebra), negative(number_part) if small else number_part))

    def _sign(self, tree: Tree) -> Sign:
        """The sign of a zero: by its exact value where it has no letters."""
        if not names(tree):
            return {-1: Sign.NEGATIVE, 0: Sign.ZERO, 1: Sign.POSITIVE}[at(tree, {}).sign()]
        return self.letters.sign(tree)

    def is_allowed(self, value: Tree) -> bool:
        """Whether a solution lies where the letter may lie; Undecided where that depends on other letters."""
        domain = self.letters.domain(self.variable)
        bounds = [(domain.least, domain.may_be_least, 1), (domain.most, domain.may_be_most, -1)]
        for bound, may_be, side in bounds:
            if bound is None:
                continue
            distance = self._sign(minus(value, number(bound)))
            if distance not in (Sign.POSITIVE, Sign.NEGATIVE, Sign.ZERO):
                raise Undecided("whether a solution is allowed depends on other letters")
            if distance is Sign.ZERO and not may_be:
                return False
            if (distance is Sign.POSITIVE) != (side > 0) and distance is not Sign.ZERO:
                return False
        if domain.whole:
            fraction = at(value, {}).rational() if not names(value) else None
            if fraction is None or fraction.denominator != 1:
                return False
        return True


def coefficient(polynomial: Element, place: int, power: int) -> Element:
    """What multiplies a power of a generator."""
    made = polynomial.ring.zero
    for monomial, share in polynomial.terms():
        if monomial[place] == power:
            rest = (*monomial[:place], 0, *monomial[place + 1 :])
            made += polynomial.ring({rest: share})
    return made
