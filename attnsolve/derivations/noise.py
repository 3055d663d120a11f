"""Weights of keys with noise: their means and variances, proven, and what these tend to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from attnsolve.assumptions import AbstractPart, Approach, Normal
from attnsolve.derivations.attention import Head, Solved
from attnsolve.derivations.derivation import (
    Circumstance,
    Line,
    Passage,
    Reason,
    Topic,
)
from attnsolve.derivations.expansion import renamed
from attnsolve.derivations.numbers import at
from attnsolve.derivations.setting import OUTPUT
from attnsolve.derivations.steps import symbol, weight_symbol
from attnsolve.errors import AttnsolveError
from attnsolve.exact.cells import subtract
from attnsolve.exact.expectations import Exponent, Moments, Noise, Share
from attnsolve.exact.formulas.signs import Sign
from attnsolve.statements.claim import Relation
from attnsolve.statements.tree import (
    ONE,
    ZERO,
    Call,
    Function,
    Name,
    Power,
    Summation,
    Tree,
    minus,
    names,
    negative,
    number,
    over,
    product,
    square_root,
    total,
)

Point = Mapping[Name, Fraction]


class NoisyAttention:
    """An attention some of whose exponents are multiples of independent normal numbers."""

    def __init__(self, solved: Solved) -> None:
        self.solved = solved
        self.families = {
            name: family.normal
            for name, family in solved.setting.assumptions.numbers.items()
            if family.normal is not None
        }
        found = {name for head in solved.heads for tree in head.exponents.values() for name in names(tree)}
        self.noisy = tuple(sorted((n for n in found if n.name in self.families), key=lambda n: n.index))
        if not self.noisy:
            raise AttnsolveError(
                "nothing here is normal; write lambda: normal with mean 1 and variance beta, m numbers"
            )
        if len({name.name for name in self.noisy}) > 1:
            raise AttnsolveError("the noise of one family can be dealt with, not that of several")

    @property
    def law(self) -> Normal:
        """The mean and the variance of each of the noisy numbers."""
        return self.families[self.noisy[0].name]

    def groups(self, head: Head) -> list[list[str]]:
        """Indices whose weights have one distribution: those with equal exponents but for their own noise."""
        made: list[list[str]] = []
        for index in self.solved.seen(head):
            for group in made:
                if renamed(head.exponents[index], {index: group[0]}) == head.exponents[group[0]]:
                    group.append(index)
                    break
            else:
                made.append([index])
        return made

    def moments(self, point: Point) -> tuple[Moments, list[tuple[int, str]]]:
        """Means and variances for chosen numbers: one entry for each head and index, as listed."""
        heads, listed, shares = [], [], []
        for place, head in enumerate(self.solved.heads):
            terms: list[Exponent] = []
            for index in self.solved.seen(head):
                count = at(self.solved.multiplicity(index), point).rational()
                assert count is not None
                if count > 0:
                    listed.append((place, index))
                    shares.append((Share(Fraction(1), place, len(terms)),))
                    terms.append(self.exponent(head.exponents[index], point, int(count)))
            heads.append(terms)
        mean, variance = (at(tree, point) for tree in (self.law.mean, self.law.variance))
        if variance.sign() < 0:
            raise AttnsolveError("a variance is not negative")
        return Moments(heads, shares, Noise(mean, variance, len(self.noisy))), listed

    def exponent(self, tree: Tree, point: Point, count: int) -> Exponent:
        """An exponent as rate · λ + base; what is not linear is refused."""
        own = [name for name in self.noisy if name in names(tree)]
        if not own:
            return Exponent(at(tree, point), count=count)
        if len(own) > 1:
            raise AttnsolveError("an exponent with two noisy numbers in it")
        none, one, two = (at(tree, {**point, own[0]: Fraction(value)}) for value in (0, 1, 2))
        rate = subtract(one, none)
        if subtract(subtract(two, one), rate).is_zero() is not True:
            raise AttnsolveError("an exponent that is no multiple of its noisy number")
        return Exponent(none, rate, self.noisy.index(own[0]), count)


def passages(solved: Solved, asked: AbstractPart) -> Iterator[Passage]:
    """What holds of the means whatever the noise is, and their limits where these have a closed form."""
    noisy = NoisyAttention(solved)
    several = len(solved.heads) > 1
    for place, head in enumerate(solved.heads, start=1):
        shown = place if several else 0
        yield Passage(Topic.EXPECTATION, tuple(facts(noisy, head, shown)), shown)
        for approach in asked.limits:
            lines = tuple(limits(noisy, head, approach, shown))
            if lines:
                there_are = more_than(noisy, head)
                yield Passage(Topic.LIMIT, lines, shown, approach.variable, approach.at_infinity, there_are)


def still(noisy: NoisyAttention, head: Head) -> Tree:
    """How many keys have no noise that this head sees: m - 2."""
    setting = noisy.solved.setting
    seen = [index for index in noisy.solved.seen(head) if has_noise(noisy, head, index)]
    return setting.tidy(minus(setting.count, number(len(seen) + len(head.asked.hidden))))


def more_than(noisy: NoisyAttention, head: Head) -> Circumstance:
    """There have to be other keys, unless it is known that there are."""
    setting, others = noisy.solved.setting, still(noisy, head)
    algebra, signs = setting.algebra(others)
    return Circumstance() if signs.of(algebra.value(others)).is_nonzero else Circumstance((others,))


def expected(tree: Tree) -> Tree:
    """E[…]."""
    return Call(Function.EXPECTATION, tree)


def facts(noisy: NoisyAttention, head: Head, place: int) -> Iterator[tuple[Line, ...]]:
    """Equal means, their sum, and the mean of the output."""
    solved = noisy.solved
    groups, setting = noisy.groups(head), solved.setting
    for group in groups:
        if len(group) > 1:
            means = [expected(weight_symbol(index, place)) for index in group]
            yield (Line(means[0], Relation.EQUAL, means[1], Reason.EXCHANGEABLE),)
    counted = [
        product(
            (total(solved.multiplicity(index) for index in group), expected(weight_symbol(group[0], place)))
        )
        for group in groups
    ]
    tidied = [
        product((setting.tidy(one.factors[0]), *one.factors[1:])) if hasattr(one, "factors") else one
        for one in counted
    ]
    yield (Line(total(tidied), Relation.EQUAL, ONE, Reason.SUM_OF_WEIGHTS),)
    if not head.asked.values:
        return
    mean = mean_output(noisy, head, place)
    yield (Line(expected(symbol(OUTPUT, place)), Relation.EQUAL, mean, Reason.LINEARITY),)


def mean_output(noisy: NoisyAttention, head: Head, place: int) -> Tree:
    """E[α_a] (v_a + v_b) + E[α_i] Σ v_i."""
    setting, terms = noisy.solved.setting, []
    for group in noisy.groups(head):
        values: list[Tree] = []
        for index in group:
            value: Tree = head.value(index)
            values.append(value if index in setting.named else Summation(index, value, setting.named))
        terms.append(product((expected(weight_symbol(group[0], place)), total(values))))
    return total(terms)


def limits(noisy: NoisyAttention, head: Head, approach: Approach, place: int) -> Iterator[tuple[Line, ...]]:
    """Means and variances of weights that become 1 for the largest exponent and 0 for all others."""
    found = chances(noisy, head, approach)
    if found is None:
        return
    winning, none, group = found
    subject = weight_symbol(group[0], place)
    yield (Line(expected(subject), Relation.TENDS, winning, Reason.LARGEST),)
    spread = Call(Function.VARIANCE, subject)
    p = product((winning, minus(ONE, winning)))
    yield (Line(spread, Relation.TENDS, p, Reason.BERNOULLI),)
    others = [index for index in noisy.solved.seen(head) if index not in group]
    if others:
        mean = over(none, still(noisy, head))
        yield (Line(expected(weight_symbol(others[0], place)), Relation.TENDS, mean, Reason.LARGEST),)


def chances(noisy: NoisyAttention, head: Head, approach: Approach) -> tuple[Tree, Tree, list[str]] | None:
    """The chance that a certain one of equal noisy keys wins, and that none of them does: Φ(-1/√β)²."""
    solved, own = noisy.solved, {name.index[-1] for name in noisy.noisy}
    groups = [group for group in noisy.groups(head) if set(group) & own]
    others = [index for index in solved.seen(head) if index not in own]
    if len(groups) != 1 or not approach.at_infinity or any(head.exponents[one] != ZERO for one in others):
        return None
    group = groups[0]
    if set(group) != {index for index in own if index in head.exponents and has_noise(noisy, head, index)}:
        return None  # noise that this head does not see, or keys without any among them
    law = noisy.law
    exponent, variable = head.exponents[group[0]], approach.variable
    algebra, signs = solved.setting.algebra(exponent, variable)
    own_name = next(name for name in noisy.noisy if name in names(exponent))
    slope = algebra.value(exponent) / algebra.field.gens[algebra.symbols.index(own_name)]
    speed = slope / algebra.value(variable)
    if variable in names(law.mean) | names(law.variance) or algebra.depends(
        speed, algebra.field.gens[algebra.symbols.index(variable)]
    ):
        return None
    if signs.of(speed) is not Sign.POSITIVE:
        return None
    below = Call(Function.NORMAL, negative(over(law.mean, square_root(law.variance))))
    none: Tree = below if len(group) == 1 else Power(below, number(len(group)))
    if not others:
        none = ZERO
    return over(minus(ONE, none), number(len(group))), none, group


def has_noise(noisy: NoisyAttention, head: Head, index: str) -> bool:
    """Whether an exponent has a noisy number in it."""
    return bool(names(head.exponents[index]) & set(noisy.noisy))
