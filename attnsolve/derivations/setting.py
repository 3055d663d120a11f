"""A problem with symbols, seen with some indices named: what may be said of the others all at once."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from typing import Protocol

from attnsolve.assumptions import Assumptions, Attention, Domain
from attnsolve.exact.formulas.algebra import Algebra, Unreadable
from attnsolve.exact.formulas.letters import Letters
from attnsolve.exact.formulas.signs import Signs
from attnsolve.statements.tree import Name, Tree, minus, number, walk

WEIGHTS, OUTPUT = "alpha", "a"
MEAN = "E"  # E[α_i] of the first head is (1, i)
# Stands for every index that has no name, such as the i of k_i.
OTHER = "i"


class HasSetting(Protocol):
    """Whatever was worked out with letters of which something is known."""

    @property
    def setting(self) -> Letters:
        """What is known of them."""


class Setting(Letters):
    """The assumptions of a problem, and the indices that are told apart."""

    def __init__(self, assumptions: Assumptions, attention: Attention, more: Iterable[str] = ()) -> None:
        super().__init__(assumptions.symbols)
        self.assumptions, self.attention = assumptions, attention
        used = [name for tree in assumptions.definitions.values() for name in walk(tree)]
        families = {*assumptions.vectors, *assumptions.scaled, *assumptions.numbers}
        found = [n.index[-1] for n in used if isinstance(n, Name) and n.name in families and n.index]
        found += [index for head in attention.heads for index in head.hidden]
        tables = [assumptions.vectors[self.basis(head.keys)].table for head in attention.heads]
        given = sorted({i for table in tables for pair in table for i in pair})
        self.named = tuple(dict.fromkeys([*given, *sorted(found), *more]))

    def basis(self, family: str) -> str:
        """The vectors that a family is made of: μ for k_i = λ_i μ_i."""
        scaled = self.assumptions.scaled.get(family)
        return family if scaled is None else scaled.vectors

    @property
    def count(self) -> Tree:
        """How many keys there are, for every head as many."""
        return self.counted(self.attention.heads[0].keys)

    def counted(self, family: str) -> Tree:
        """How many vectors a family has."""
        return self.assumptions.vectors[self.basis(family)].count

    @cached_property
    def rest(self) -> Tree:
        """How many keys have no name of their own: m - 2."""
        return self.tidy(minus(self.count, number(len(self.named))))

    @cached_property
    def generic(self) -> str:
        """The letter of an index that has no name: i, or j where i is taken."""
        taken = {*self.named, *self.assumptions.symbols}
        return next((letter for letter in ("i", "j", "l", "n", "r") if letter not in taken), OTHER)

    @cached_property
    def running(self) -> str:
        """The letter that a sum runs over beside an index without a name: l, or n where l is taken."""
        taken = {*self.named, *self.assumptions.symbols, self.generic}
        return next((letter for letter in ("l", "n", "r", "s", "t") if letter not in taken), "l")

    def domain(self, name: Name) -> Domain:
        """Where a symbol lies."""
        if name.name == MEAN:
            return Domain(Fraction(0), most=Fraction(1))
        if name.index:
            numbers = self.assumptions.numbers.get(name.name)
            return Domain() if numbers is None else numbers.domain
        return self.assumptions.symbols.get(name.name, Domain())

    def algebra(self, *trees: Tree) -> tuple[Algebra, Signs]:
        """The field of some formulas, and the signs in it; roots are those of symbols."""
        return self.field_of(trees, has_roots=False)

    def check(self, name: Name) -> None:
        """Complain about an index that a symbol cannot have."""
        if name.index and name.name in self.assumptions.symbols:
            raise Unreadable(f"'{name.name}' is one number and has no index")
