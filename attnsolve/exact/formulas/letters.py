"""Numbers that have a letter, and what is known of them: usual forms, signs, lengths."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import ceil

from attnsolve.assumptions import Domain
from attnsolve.exact.formulas.algebra import Algebra, Element
from attnsolve.exact.formulas.logarithms import has_logarithm, without_products
from attnsolve.exact.formulas.signs import Sign, Signs
from attnsolve.exact.formulas.writing import expanded, written
from attnsolve.statements.grammar import FUNCTIONS
from attnsolve.statements.tokens import cleaned
from attnsolve.statements.tree import Name, Tree, walk


class Letters:
    """The letters of a problem, and where each of these numbers lies."""

    def __init__(self, domains: Mapping[str, Domain]) -> None:
        self.domains = domains

    def occur_in(self, text: str) -> bool:
        """Whether a text has any of them; `2t` and `sqrt(t)` have t."""
        words = re.findall(r"[A-Za-z]+", cleaned(text))
        return any(word in self.domains for word in words if word not in FUNCTIONS)

    def domain(self, name: Name) -> Domain:
        """Where a number lies."""
        return self.domains.get(name.name, Domain())

    def point(self) -> dict[Name, Fraction]:
        """Some number for every letter, as different from one another as they may be."""
        return {
            Name(name): inside(domain, place) for place, (name, domain) in enumerate(self.domains.items())
        }

    def algebra(self, *trees: Tree) -> tuple[Algebra, Signs]:
        """The field of some formulas, and the signs in it."""
        return self.field_of(trees, has_roots=True)

    def field_of(self, trees: Iterable[Tree], *, has_roots: bool) -> tuple[Algebra, Signs]:
        """The same, where it is said whether there may be roots of numbers."""
        algebra = Algebra(trees, has_roots=has_roots)
        return algebra, Signs(algebra, {name: self.domain(name) for name in algebra.symbols})

    def tidy(self, tree: Tree) -> Tree:
        """A formula in its usual form, factored."""
        algebra, _ = self.algebra(tree)
        return written(algebra.value(tree), algebra)

    def multiplied_out(self, tree: Tree) -> Tree:
        """A formula as a sum of terms over a sum of terms."""
        algebra, _ = self.algebra(tree)
        return expanded(algebra.value(tree), algebra)

    def sign(self, tree: Tree) -> Sign:
        """The sign of a formula, as far as it is proven."""
        algebra, signs = self.algebra(tree)
        return signs.of(algebra.value(tree))

    def same(self, one: Tree, other: Tree) -> bool:
        """Whether two formulas are identical as functions, also where their logarithms are taken apart."""
        algebra, signs = self.algebra(one, other)
        difference: Element = algebra.settled(algebra.value(one) - algebra.value(other))
        if not difference or not (has_logarithm(one) or has_logarithm(other)):
            return not difference
        apart = [without_products(tree, algebra, signs) for tree in (one, other)]
        algebra, _ = self.algebra(*apart)
        return not algebra.settled(algebra.value(apart[0]) - algebra.value(apart[1]))


def inside(domain: Domain, place: int) -> Fraction:
    """A number that a letter may be; `place` tells letters apart."""
    low, high = domain.least, domain.most
    if domain.whole:
        return Fraction((0 if low is None else ceil(low) + 1) + place)
    share = Fraction(2 * place + 3, 2 * place + 7)
    if low is not None and high is not None:
        return low + share * (high - low)
    if high is not None:
        return high - share
    return share if low is None else low + share


def length(tree: Tree) -> int:
    """How many pieces a formula is written with."""
    return sum(1 for _ in walk(tree))


def shortest(trees: Iterable[Tree]) -> Tree:
    """The one with the fewest pieces, the first of several."""
    return min(trees, key=length)
