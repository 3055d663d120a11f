"""Attention with symbols: scores by bilinearity, equal ones grouped, exact weights, outputs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from attnsolve.assumptions import Assumptions, Attention
from attnsolve.derivations.expansion import Expansion, Means
from attnsolve.derivations.setting import Setting
from attnsolve.derivations.vectors import REST, Member, Vector, depends_on
from attnsolve.exact.formulas.algebra import Unreadable
from attnsolve.exact.formulas.writing import has_exponential
from attnsolve.statements.tree import ZERO, Dot, Name, Product, Tree, exponential, names, over, product, total


@dataclass(frozen=True, eq=False)
class Head:
    """One query: scores by index, their exponents, the sum of exponentials, the weights and the output."""

    query: Name
    scores: dict[str, Tree]
    exponents: dict[str, Tree]
    denominator: Tree
    weights: dict[str, Tree]
    output: Vector


class Solved:
    """An attention with symbols, carried out; indices without a name are dealt with all at once."""

    def __init__(self, assumptions: Assumptions, attention: Attention, more: tuple[str, ...] = ()) -> None:
        self.setting = Setting(assumptions, attention, more)
        self.attention = attention
        plain = Expansion(self.setting)
        self.divisor = plain.scalar(attention.divisor)
        self.heads = tuple(self._head(query, plain) for query in attention.queries)

    @property
    def indices(self) -> tuple[str, ...]:
        """Those with a name, and the letter of the others if there are any."""
        setting = self.setting
        return setting.named if setting.rest == ZERO else (*setting.named, setting.generic)

    def multiplicity(self, index: str) -> Tree:
        """How many keys an index stands for."""
        from attnsolve.statements.tree import ONE

        return ONE if index in self.setting.named else self.setting.rest

    @cached_property
    def expansion(self) -> Expansion:
        """What works formulas out that speak of weights and outputs."""
        weights = tuple(head.weights for head in self.heads)
        outputs = tuple(head.output for head in self.heads)
        return Expansion(self.setting, weights, outputs, means=self._means())

    def _means(self) -> Means | None:
        """The means of the weights, where some of the numbers in their scores are normal."""
        normal = {name for name, numbers in self.setting.assumptions.numbers.items() if numbers.normal}
        scores = [tree for head in self.heads for tree in head.exponents.values()]
        if not any(name.name in normal for tree in scores for name in names(tree)):
            return None
        from attnsolve.derivations.means import NoisyMeans

        return NoisyMeans(self)

    def _head(self, query: Name, plain: Expansion) -> Head:
        setting = self.setting
        scores = {
            index: setting.tidy(plain.scalar(Dot(query, Name(self.attention.keys, (index,)))))
            for index in self.indices
        }
        if depends_on(scores.get(setting.generic, ZERO), setting.generic):
            raise Unreadable(
                "the scores of the other keys differ from one another, so that their sum has no closed form: "
                f"{query.name} · {self.attention.keys}_{setting.generic} depends on {setting.generic}"
            )
        exponents = {index: setting.tidy(over(score, self.divisor)) for index, score in scores.items()}
        plain_sum = total(
            product((self.multiplicity(index), exponential(x))) for index, x in exponents.items()
        )
        below = setting.tidy(plain_sum)
        if isinstance(below, Product) and has_exponential(below):  # e^t (e^x + e^y) is read with more trouble
            below = plain_sum
        weights = {index: over(exponential(x), below) for index, x in exponents.items()}
        if setting.generic not in weights:  # sums over nobody still have terms
            weights[setting.generic] = ZERO
        values = self.attention.values
        output = {Member(values, index): weights[index] for index in setting.named}
        if setting.rest != ZERO:
            output[Member(values, REST)] = weights[setting.generic]
        return Head(query, scores, exponents, below, weights, output)

    def groups(self, head: Head) -> list[list[str]]:
        """Indices whose exponents are equal, in their order."""
        made: list[list[str]] = []
        for index in self.indices:
            for group in made:
                if head.exponents[group[0]] == head.exponents[index]:
                    group.append(index)
                    break
            else:
                made.append([index])
        return made
