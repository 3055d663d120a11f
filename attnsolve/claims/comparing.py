"""The verdict on one claim whose indices are told apart."""

from __future__ import annotations

from attnsolve.claims.comparison import Comparison
from attnsolve.claims.growing import TRENDS, judged_limit, judged_order, judged_trend
from attnsolve.claims.numbers import equal, ordered, unequal
from attnsolve.claims.tendency import ALONE
from attnsolve.claims.vectors import as_vector, judged_vectors
from attnsolve.claims.verdict import Judgement
from attnsolve.claims.worlds import shifted
from attnsolve.derivations.monotony import with_derivatives
from attnsolve.errors import ExpressionError, Undecided
from attnsolve.statements.claim import Relation
from attnsolve.statements.tree import Call, Function, Order, walk


def is_about_means(asked: Comparison) -> bool:
    """Whether a claim speaks of expectations."""
    pieces = (*walk(asked.claim.left), *walk(asked.claim.right))
    return any(isinstance(one, Call) and one.function is Function.EXPECTATION for one in pieces)


def judged(asked: Comparison) -> Judgement:
    """The verdict."""
    relation = asked.claim.relation
    if is_about_means(asked) and (relation in TRENDS or asked.seen.approach is not None):
        raise Undecided("how means grow, and what they tend to, is not decided here")
    if relation in TRENDS:
        return judged_trend(asked)
    if any(isinstance(piece, Order) for piece in walk(asked.claim.right)):
        return judged_order(asked)
    expansion = asked.solved.expansion
    sides = (
        with_derivatives(asked.setting, side, expansion.scalar)
        for side in (asked.claim.left, asked.claim.right)
    )
    left, right = (expansion.worked_out(side) for side in sides)
    if isinstance(left, dict) or isinstance(right, dict):
        return judged_vectors(asked, as_vector(left), as_vector(right))
    left, right = (shifted(side, asked.seen.shifts) for side in (left, right))
    if asked.seen.approach is not None:
        if relation.is_order:
            raise ExpressionError("a limit is claimed with = or ->, not with an inequality")
        return judged_limit(asked, {ALONE: left}, {ALONE: right})
    if relation is Relation.TENDS:
        raise ExpressionError("say as what: alpha_a -> 1/2 as c -> oo")
    if relation.is_order:
        return ordered(asked, left, right)
    if relation is Relation.UNEQUAL:
        return unequal(asked, left, right)
    return equal(asked, left, right)
