"""Attention with symbols: scores by bilinearity, equal ones grouped, exact weights, outputs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from attnsolve.assumptions import AbstractHead, Assumptions, Attention
from attnsolve.derivations.expansion import Expansion, Means
from attnsolve.derivations.setting import Setting
from attnsolve.derivations.vectors import REST, Member, Vector, depends_on
from attnsolve.exact.formulas.algebra import Unreadable
from attnsolve.exact.formulas.signs import Sign
from attnsolve.exact.formulas.writing import has_exponential
from attnsolve.statements.tree import (
    ZERO,
    Dot,
    Name,
    Product,
    Tree,
    exponential,
    minus,
    names,
    number,
    over,
    product,
    total,
)


@dataclass(frozen=True, eq=False)
class Head:
    """One query: scores by index, their exponents, the sum of exponentials, the weights and the output."""

    asked: AbstractHead
    divisor: Tree
    scores: dict[str, Tree]
    exponents: dict[str, Tree]
    denominator: Tree
    weights: dict[str, Tree]
    output: Vector

    @property
    def query(self) -> Name:
        """The query that asks."""
        return self.asked.query

    def key(self, index: str) -> Name:
        """One of its keys."""
        return Name(self.asked.keys, (index,))

    def value(self, index: str) -> Name:
        """One of its values."""
        return Name(self.asked.values, (index,))


class Solved:
    """An attention with symbols, carried out; indices without a name are dealt with all at once."""

    def __init__(self, assumptions: Assumptions, attention: Attention, more: tuple[str, ...] = ()) -> None:
        self.setting = Setting(assumptions, attention, more)
        self.attention = attention
        plain = Expansion(self.setting)
        self.heads = tuple(self._head(head, plain) for head in attention.heads)

    @property
    def indices(self) -> tuple[str, ...]:
        """Those with a name, and the letter of the others if there are any."""
        setting = self.setting
        return setting.named if setting.rest == ZERO else (*setting.named, setting.generic)

    def seen(self, head: AbstractHead | Head) -> tuple[str, ...]:
        """The indices of the keys that no mask hides from a head."""
        hidden = head.asked.hidden if isinstance(head, Head) else head.hidden
        return tuple(index for index in self.indices if index not in hidden)

    def multiplicity(self, index: str) -> Tree:
        """How many keys an index stands for."""
        from attnsolve.statements.tree import ONE

        return ONE if index in self.setting.named else self.setting.rest

    @cached_property
    def expansion(self) -> Expansion:
        """What works formulas out that speak of weights and outputs."""
        weights = tuple(head.weights for head in self.heads)
        outputs = tuple(head.output for head in self.heads) if self.attention.has_outputs else ()
        return Expansion(self.setting, weights, outputs, means=self._means())

    def _means(self) -> Means | None:
        """The means of the weights, where some of the numbers in their scores are normal."""
        normal = {name for name, numbers in self.setting.assumptions.numbers.items() if numbers.normal}
        scores = [tree for head in self.heads for tree in head.exponents.values()]
        if not any(name.name in normal for tree in scores for name in names(tree)):
            return None
        from attnsolve.derivations.means import NoisyMeans

        return NoisyMeans(self)

    def _head(self, asked: AbstractHead, plain: Expansion) -> Head:
        setting, divisor = self.setting, plain.scalar(asked.divisor)
        self._check_mask(asked)
        scores = {
            index: setting.tidy(plain.scalar(Dot(asked.query, Name(asked.keys, (index,)))))
            for index in self.seen(asked)
        }
        if depends_on(scores.get(setting.generic, ZERO), setting.generic):
            raise Unreadable(
                "the scores of the other keys differ from one another, so that their sum has no closed form: "
                f"{asked.query.name} · {asked.keys}_{setting.generic} depends on {setting.generic}"
            )
        exponents = {index: setting.tidy(over(score, divisor)) for index, score in scores.items()}
        plain_sum = total(
            product((self.multiplicity(index), exponential(x))) for index, x in exponents.items()
        )
        below = setting.tidy(plain_sum)
        if isinstance(below, Product) and has_exponential(below):  # e^t (e^x + e^y) is read with more trouble
            below = plain_sum
        weights = {index: over(exponential(x), below) for index, x in exponents.items()}
        output = {
            Member(asked.values, index if index in setting.named else REST): weights[index]
            for index in self.seen(asked)
            if asked.values
        }
        # Sums over nobody still have terms, and so has a sum over all keys where some are hidden.
        weights |= dict.fromkeys((*asked.hidden, setting.generic), ZERO) | weights
        return Head(asked, divisor, scores, exponents, below, weights, output)

    def check_counts(self) -> None:
        """Complain about families of different sizes, and about more names than there may be keys."""
        setting = self.setting
        first, *others = self.attention.families
        for other in others:
            if not setting.same(setting.counted(first), setting.counted(other)):
                sizes = f"{first} and {other} do not have equally many vectors"
                raise Unreadable(f"{sizes}; all keys and values of an attention are counted alike")
        algebra, signs = setting.algebra(setting.rest)
        if signs.of(algebra.value(setting.rest)) not in (Sign.POSITIVE, Sign.ZERO, Sign.AT_LEAST_ZERO):
            keys = ", ".join(setting.named)
            raise Unreadable(f"there may be fewer keys than the {len(setting.named)} that have names: {keys}")

    def _check_mask(self, asked: AbstractHead) -> None:
        """Complain about a mask that may leave no key."""
        if not asked.hidden:
            return
        left = self.setting.tidy(minus(self.setting.count, number(len(asked.hidden))))
        algebra, signs = self.setting.algebra(left)
        if signs.of(algebra.value(left)) is not Sign.POSITIVE:
            raise Unreadable(
                f"the mask may hide every key of {asked.query.name}, so that there is nothing to attend to; "
                f"assume at least {len(asked.hidden) + 1} keys"
            )

    def groups(self, head: Head) -> list[list[str]]:
        """Indices whose exponents are equal, in their order."""
        made: list[list[str]] = []
        for index in self.seen(head):
            for group in made:
                if head.exponents[group[0]] == head.exponents[index]:
                    group.append(index)
                    break
            else:
                made.append([index])
        return made
