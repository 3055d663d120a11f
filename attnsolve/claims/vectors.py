"""Vectors compared: combinations of the values, whatever these are."""

from __future__ import annotations

from attnsolve.claims.comparison import Comparison
from attnsolve.claims.growing import judged_limit
from attnsolve.claims.numbers import equal
from attnsolve.claims.verdict import Example, Judgement, Verdict
from attnsolve.claims.worlds import shifted
from attnsolve.derivations.derivation import Circumstance
from attnsolve.derivations.noise import NoisyAttention, mean_output
from attnsolve.derivations.setting import OUTPUT, Setting
from attnsolve.derivations.steps import as_sum, fraction, joined
from attnsolve.derivations.vectors import REST, Member, Vector, added, as_tree, scaled
from attnsolve.errors import ExpressionError
from attnsolve.statements.claim import Relation
from attnsolve.statements.tree import MINUS_ONE, ONE, ZERO, Call, Name, Number, Tree, over, product


def judged_vectors(comparison: Comparison, left: Vector, right: Vector) -> Judgement:
    """The verdict on an equation between vectors: what multiplies each of them is compared."""
    claim, setting = comparison.claim, comparison.setting
    if claim.relation not in (Relation.EQUAL, Relation.ABOUT, Relation.TENDS):
        raise ExpressionError("vectors are compared with =, ≈ or ->")
    sides = []
    for side in (left, right):
        made = {}
        for member in dict.fromkeys((*left, *right)):
            share = shifted(side.get(member, ZERO), comparison.seen.shifts)
            # Where there are no others, nothing is compared.
            made[member] = product((setting.rest, share)) if member.index == REST else share
        sides.append(made)
    if comparison.seen.approach is not None:
        found = judged_limit(comparison, sides[0], sides[1])
        return found
    judgements = {member: equal(comparison, share, sides[1][member]) for member, share in sides[0].items()}
    apart = {member: one for member, one in judgements.items() if one.verdict is not Verdict.TRUE}
    if not apart:
        return Judgement(claim, Verdict.TRUE)
    return together(comparison, left, right, apart)


def together(
    comparison: Comparison, left: Vector, right: Vector, found: dict[Member, Judgement]
) -> Judgement:
    """One verdict from those on what multiplies each vector."""
    claim, setting, judgements = comparison.claim, comparison.setting, list(found.values())
    shares = added(left, scaled(right, MINUS_ONE))
    tidy = {member: setting.tidy(shifted(share, comparison.seen.shifts)) for member, share in shares.items()}
    difference = {member: share for member, share in tidy.items() if share != ZERO}
    member, first = next(iter(found.items()))
    common = tuple(tree for tree in first.condition.zero if all(tree in j.condition.zero for j in judgements))
    tending = tuple(one for one in first.tending if all(one in other.tending for other in judgements))
    if not common and all(isinstance(share, Number) for share in difference.values()):
        common = (related(difference, setting),)
    elif common and not any(set(j.condition.zero) <= set(common) and not j.bounds for j in judgements):
        common = ()  # other conditions could hold together, so that these would not be all
    shown = any(j.example is not None for j in judgements)
    verdict = Verdict.CONDITIONAL if common else Verdict.FALSE if shown else Verdict.UNDECIDED
    if claim.relation is Relation.ABOUT and tending:
        verdict = Verdict.APPROXIMATE
    example = first.example
    if example is not None:
        example = Example(example.point, example.left, example.right, as_tree({member: ONE}, setting))
    return Judgement(
        claim,
        verdict,
        Circumstance(zero=common),
        right=as_it_is(comparison, left),
        missing=as_sum(difference, comparison.solved),
        tending=tending,
        example=example,
    )


def as_it_is(comparison: Comparison, vector: Vector) -> Tree:
    """What the left side is, in the form in which a derivation has it."""
    name, heads, setting = comparison.claim.left, comparison.solved.heads, comparison.setting
    if isinstance(name, Call) and name.argument == Name(OUTPUT) and len(heads) == 1:
        return mean_output(NoisyAttention(comparison.solved), heads[0], 0)
    if isinstance(name, Name) and name.name == OUTPUT and not comparison.seen.shifts:
        if name.index or len(heads) == 1:
            return fraction(comparison.solved, heads[int(name.index[0]) - 1 if name.index else 0])
        return joined(comparison.solved)
    shown = {member: setting.tidy(share) for member, share in vector.items()}
    kept = {member: share for member, share in shown.items() if share != ZERO}
    return as_sum(kept, comparison.solved) if kept else ZERO


def related(difference: Vector, setting: Setting) -> Tree:
    """A relation between vectors, the first of them once: v_a - 3 v_b."""
    first = next(iter(difference.values()))
    return as_tree(
        {member: setting.tidy(over(share, first)) for member, share in difference.items()}, setting
    )


def as_vector(side: Tree | Vector) -> Vector:
    """A vector; the number 0 is one too."""
    if isinstance(side, dict):
        return side
    if side == ZERO:
        return {}
    raise ExpressionError("a number and a vector cannot be compared")
