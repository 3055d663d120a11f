"""Formulas worked out: every name replaced by what it is, down to symbols and members of families."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from attnsolve.assumptions import Normal
from attnsolve.derivations.setting import OUTPUT, WEIGHTS, Setting
from attnsolve.derivations.vectors import REST, Member, Vector, added, depends_on, dot, scaled
from attnsolve.errors import ExpressionError
from attnsolve.exact.formulas.algebra import Unreadable
from attnsolve.statements.tree import (
    ONE,
    ZERO,
    Call,
    Dot,
    Function,
    Limit,
    Name,
    Number,
    Order,
    Power,
    Product,
    Quotient,
    Sum,
    Summation,
    Tree,
    names,
    over,
    product,
    replaced,
    total,
)


class Means(Protocol):
    """The means of noisy weights, as numbers of their own."""

    @property
    def families(self) -> Mapping[str, Normal]:
        """The families of normal numbers, by name."""

    def of(self, head: int, index: str) -> Tree:
        """E[α_a] of a head, counted from 0."""


DEEPEST = 20  # definitions inside one another


@dataclass(frozen=True, eq=False)
class Expansion:
    """Works formulas out in a setting, in which the weights and outputs of its heads may be known."""

    setting: Setting
    weights: tuple[dict[str, Tree], ...] = ()
    outputs: tuple[Vector, ...] = ()
    depth: int = 0
    means: Means | None = None  # of noisy weights, by head and index

    def scalar(self, tree: Tree) -> Tree:
        """A formula that stands for a number."""
        made = self.worked_out(tree)
        if isinstance(made, dict):
            raise ExpressionError("a number is expected here, not a vector")
        return made

    def vector(self, tree: Tree) -> Vector:
        """A formula that stands for a vector; 0 is one too."""
        made = self.worked_out(tree)
        if isinstance(made, dict):
            return made
        if made == ZERO:
            return {}
        raise ExpressionError("a vector is expected here, not a number")

    def worked_out(self, tree: Tree) -> Tree | Vector:
        """A number as a formula in symbols, or a vector as a combination."""
        match tree:
            case Number():
                return tree
            case Name():
                return self._named(tree)
            case Sum(terms):
                return self._sum([self.worked_out(term) for term in terms])
            case Product(factors):
                return self._product([self.worked_out(factor) for factor in factors])
            case Dot(left, right):
                return dot(self.vector(left), self.vector(right), self.setting)
            case Quotient(above, below):
                top, under = self.worked_out(above), self.scalar(below)
                return scaled(top, over(ONE, under)) if isinstance(top, dict) else Quotient(top, under)
            case Power(base, exponent):
                return self._power(base, exponent)
            case Call(Function.EXPECTATION, argument):
                return self._expected(argument)
            case Call(function, argument):
                return Call(function, self.scalar(argument))
            case Summation():
                return self._summation(tree)
            case Limit() | Order():
                raise ExpressionError("lim and O(…) stand at the beginning or the end of a claim")
        raise ExpressionError("this is not a formula")

    def _expected(self, tree: Tree) -> Tree | Vector:
        """E[…] by linearity; the means of the weights themselves are numbers of their own."""
        if self.means is None:
            raise ExpressionError("nothing here is random, so that there is nothing to expect")
        match tree:
            case Name(name, index) if name == WEIGHTS:
                weight = self._weight(tree)  # which complains about an index that is not there
                head = self._head(index[0]) if len(index) > 1 else 0
                return ZERO if weight == ZERO else self.means.of(head, index[-1])
            case Name(name, index) if name == OUTPUT and not index and len(self.outputs) > 1:
                assert self.setting.attention.combined is not None
                return self._expected(self.setting.attention.combined)
            case Name(name, index) if name == OUTPUT:
                head = self._head(index[0]) if index else 0
                return {member: self.means.of(head, member.index) for member in self._output(tree)}
            case Sum(terms):
                return self._sum([self._expected(term) for term in terms])
            case Product(factors):
                random = [factor for factor in factors if self._is_random(factor)]
                if len(random) > 1:
                    raise Unreadable("the mean of a product of random numbers")
                return self._product(
                    [self._expected(one) if one in random else self.worked_out(one) for one in factors]
                )
            case Quotient(above, below) if not self._is_random(below):
                made, under = self._expected(above), self.scalar(below)
                return scaled(made, over(ONE, under)) if isinstance(made, dict) else Quotient(made, under)
            case Summation(index, body, excluded):
                return self._summation(Summation(index, Call(Function.EXPECTATION, body), excluded))
            case Name() if tree.name in self.means.families:
                return self.means.families[tree.name].mean
        if self._is_random(tree):
            raise Unreadable("the mean of this is beyond the methods here")
        return self.worked_out(tree)

    def _is_random(self, tree: Tree) -> bool:
        """Whether something in a formula hangs on the noise."""
        assert self.means is not None
        worked = self.worked_out(tree)
        shares = worked.values() if isinstance(worked, dict) else (worked,)
        return any(name.name in self.means.families for share in shares for name in names(share))

    def _sum(self, terms: list[Tree | Vector]) -> Tree | Vector:
        vectors = [term for term in terms if isinstance(term, dict)]
        numbers = [term for term in terms if not isinstance(term, dict)]
        if vectors and all(term == ZERO for term in numbers):
            return added(*vectors)
        if vectors:
            raise ExpressionError("a number and a vector cannot be added")
        return total(numbers)

    def _product(self, factors: list[Tree | Vector]) -> Tree | Vector:
        vectors = [factor for factor in factors if isinstance(factor, dict)]
        share = product(factor for factor in factors if not isinstance(factor, dict))
        if not vectors:
            return share
        if len(vectors) == 1:
            return scaled(vectors[0], share)
        if len(vectors) == 2:
            return product((share, dot(vectors[0], vectors[1], self.setting)))
        raise ExpressionError("three vectors cannot be multiplied")

    def _power(self, base: Tree, exponent: Tree) -> Tree:
        inside = self.worked_out(base)
        if isinstance(inside, dict):
            raise ExpressionError("write the square of a vector as a dot product, such as q*q")
        return Power(inside, self.scalar(exponent))

    def _named(self, name: Name) -> Tree | Vector:
        """What a name stands for."""
        setting, assumptions = self.setting, self.setting.assumptions
        if name in assumptions.definitions:
            if self.depth > DEEPEST:
                raise ExpressionError(f"'{name.name}' is defined by itself")
            inner = replace(self, depth=self.depth + 1)
            return inner.worked_out(assumptions.definitions[name])
        if name.name in assumptions.scaled:
            made = assumptions.scaled[name.name]
            index = self._one_index(name)
            return {Member(made.vectors, index): Name(made.numbers, (index,))}
        if name.name in assumptions.vectors:
            single = assumptions.vectors[name.name].is_single
            return {Member(name.name, "" if single else self._one_index(name)): ONE}
        if name.name in assumptions.numbers:
            return Name(name.name, (self._one_index(name),))
        if name.name in assumptions.symbols:
            setting.check(name)
            return name
        if name.name == WEIGHTS and self.weights:
            return self._weight(name)
        if name.name == OUTPUT and self.outputs:
            return self._output(name)
        if name.name == "e":
            return Call(Function.EXP, ONE)
        raise ExpressionError(f"'{name.name}' has no value here")

    def _one_index(self, name: Name) -> str:
        if len(name.index) != 1:
            raise ExpressionError(f"'{name.name}' has one index, such as {name.name}_a")
        return name.index[0]

    def _weight(self, name: Name) -> Tree:
        """alpha_j, or alpha_{h,j} where there are several heads."""
        *heads, index = name.index or ("",)
        several = len(self.weights) > 1
        if not index or len(heads) != several:
            shown = "alpha_{1,a}: head, key" if several else "alpha_a"
            raise ExpressionError(f"weights are written {shown}")
        weights = self.weights[self._head(heads[0]) if heads else 0]
        generic = self.setting.generic
        if index in weights:
            return weights[index]
        return renamed(weights[generic], {generic: index})

    def _head(self, number: str) -> int:
        if not number.isdigit() or not 1 <= int(number) <= len(self.weights):
            raise ExpressionError(f"there is no head '{number}'; there are {len(self.weights)}")
        return int(number) - 1

    def _output(self, name: Name) -> Vector:
        """a, or a_h where there are several heads."""
        if name.index:
            if len(self.outputs) == 1:
                raise ExpressionError("there is one head, whose output is a")
            return self.outputs[self._head(name.index[0])]
        if len(self.outputs) == 1:
            return self.outputs[0]
        combined = self.setting.attention.combined
        if combined is None:
            raise ExpressionError("the heads are not combined, so their outputs are a_1, a_2, …")
        return self.vector(combined)

    def _summation(self, tree: Summation) -> Tree | Vector:
        """Named members one by one, the others all at once."""
        setting, generic = self.setting, self.setting.generic
        unknown = [index for index in tree.excluded if index not in setting.named]
        if unknown:
            raise Unreadable(f"the sum leaves out '{unknown[0]}', which nothing here singles out")
        inside = {tree.index: generic}

        def at(index: str) -> Tree:
            return renamed(tree.body, inside | {tree.index: index})

        named = [self.worked_out(at(index)) for index in setting.named if index not in tree.excluded]
        others = self.worked_out(at(generic))
        if isinstance(others, dict):
            return self._sum([*named, self._rest(others)])
        if depends_on(others, generic):
            raise Unreadable("the terms of this sum differ from one another")
        return self._sum([*named, product((setting.rest, others))])

    def _rest(self, vector: Vector) -> Vector:
        """The sum over the others of a vector that has their index."""
        generic, made = self.setting.generic, {}
        for member, share in vector.items():
            if depends_on(share, generic):
                raise Unreadable("the terms of this sum differ from one another")
            if member.index == generic:
                made[Member(member.family, REST)] = share
            else:
                made[member] = product((self.setting.rest, share))
        return made


def renamed(tree: Tree, indices: dict[str, str]) -> Tree:
    """A formula with other indices."""

    def change(piece: Tree) -> Tree | None:
        if isinstance(piece, Name) and any(index in indices for index in piece.index):
            return Name(piece.name, tuple(indices.get(index, index) for index in piece.index))
        return None

    return replaced(tree, change)
