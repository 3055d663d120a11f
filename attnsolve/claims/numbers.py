"""Two numbers compared: equal, about equal, unequal or ordered."""

from __future__ import annotations

from attnsolve.claims.approximation import approximation
from attnsolve.claims.comparison import Comparison
from attnsolve.claims.examples import FAILS, search
from attnsolve.claims.vanishing import conditions_of
from attnsolve.claims.verdict import Bound, Judgement, Verdict
from attnsolve.derivations.derivation import Circumstance
from attnsolve.derivations.setting import MEAN
from attnsolve.derivations.thresholds import solve
from attnsolve.exact.formulas.signs import Sign
from attnsolve.exact.formulas.writing import written
from attnsolve.statements.claim import Relation
from attnsolve.statements.tree import Tree, names


def equal(asked: Comparison, left: Tree, right: Tree) -> Judgement:
    """= and ≈ between numbers."""
    algebra, signs = asked.setting.algebra(left, right)
    difference = algebra.value(left) - algebra.value(right)
    if not difference or asked.setting.same(left, right):  # as it stands, or with logarithms taken apart
        return Judgement(asked.claim, Verdict.TRUE)
    missing = written(difference, algebra)
    has_means = any(name.name == MEAN for name in names(left))
    value = left if has_means else written(algebra.value(left), algebra)
    near = approximation(asked.solved, missing)
    zero, bounds = conditions_of(asked.solved, difference, algebra, signs)
    example = search(left, right, asked.setting, FAILS[Relation.EQUAL])
    is_never = example is not None or signs.of(difference).is_nonzero
    verdict = Verdict.FALSE if is_never else Verdict.UNDECIDED
    if zero or bounds:
        verdict = Verdict.CONDITIONAL
    if asked.claim.relation is Relation.ABOUT and near.tending:
        verdict = Verdict.APPROXIMATE
    return Judgement(
        asked.claim,
        verdict,
        Circumstance(zero=zero),
        bounds=bounds,
        right=value,
        missing=missing,
        first_term=near.first_term,
        tending=near.tending,
        largest=near.largest,
        example=example,
    )


def unequal(asked: Comparison, left: Tree, right: Tree) -> Judgement:
    algebra, signs = asked.setting.algebra(left, right)
    difference = algebra.value(left) - algebra.value(right)
    if not difference:
        return Judgement(asked.claim, Verdict.FALSE, right=written(algebra.value(left), algebra))
    if signs.of(difference).is_nonzero:
        return Judgement(asked.claim, Verdict.TRUE)
    zero, _ = conditions_of(asked.solved, difference, algebra, signs)
    example = search(left, right, asked.setting, FAILS[Relation.UNEQUAL])
    verdict = Verdict.CONDITIONAL if zero else Verdict.FALSE if example else Verdict.UNDECIDED
    return Judgement(asked.claim, verdict, Circumstance(nonzero=zero), example=example)


def ordered(asked: Comparison, left: Tree, right: Tree) -> Judgement:
    """<, ≤, > and ≥: by sign, else by a counter-example and a threshold."""
    relation = asked.claim.relation
    algebra, signs = asked.setting.algebra(left, right)
    difference = algebra.value(left) - algebra.value(right)
    if relation in (Relation.LESS, Relation.AT_MOST):
        difference = -difference
    sign = signs.of(difference)
    strict = relation in (Relation.LESS, Relation.GREATER)
    value = written(algebra.value(left), algebra)
    if sign is Sign.POSITIVE or (sign in (Sign.ZERO, Sign.AT_LEAST_ZERO) and not strict):
        return Judgement(asked.claim, Verdict.TRUE)
    example = search(left, right, asked.setting, FAILS[relation])
    missing = written(algebra.value(left) - algebra.value(right), algebra)
    if sign is Sign.AT_LEAST_ZERO:
        zero, _ = conditions_of(asked.solved, difference, algebra, signs)
        verdict = Verdict.CONDITIONAL if zero else Verdict.UNDECIDED
        return Judgement(
            asked.claim,
            verdict,
            Circumstance(nonzero=zero),
            right=value,
            missing=missing,
            example=example,
        )
    bounds = thresholds(asked, left, right) if sign is Sign.UNKNOWN else ()
    verdict = Verdict.CONDITIONAL if bounds else Verdict.FALSE if example else Verdict.UNDECIDED
    if verdict is Verdict.CONDITIONAL and example is None:
        verdict = Verdict.UNDECIDED
    return Judgement(asked.claim, verdict, bounds=bounds, right=value, missing=missing, example=example)


def thresholds(asked: Comparison, left: Tree, right: Tree) -> tuple[Bound, ...]:
    """For which values of a symbol an inequality holds, by the first symbol that it can be solved for."""
    symbols = sorted(names(left) | names(right), key=lambda name: (name.name != "c", name.name, name.index))
    for symbol in symbols:
        found = solve(asked.solved, left, asked.claim.relation, right, symbol).threshold
        if found is not None:
            return (Bound(symbol, found.relation, found.bound),)
    return ()
