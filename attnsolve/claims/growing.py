"""Claims about growth: limits, orders and trends."""

from __future__ import annotations

from collections.abc import Callable

from attnsolve.claims.comparison import Comparison
from attnsolve.claims.examples import search
from attnsolve.claims.tendency import ALONE, Shares, tends
from attnsolve.claims.verdict import Judgement, Verdict
from attnsolve.claims.worlds import shifted
from attnsolve.derivations.derivation import Circumstance, Outcome
from attnsolve.derivations.monotony import trend
from attnsolve.derivations.steps import as_sum
from attnsolve.errors import ExpressionError
from attnsolve.statements.claim import Relation
from attnsolve.statements.tree import ZERO, Name, Order, Sum, Tree, minus, over, total

TRENDS = {
    Relation.INCREASES: (Outcome.INCREASES, Outcome.NEVER_DECREASES),
    Relation.DECREASES: (Outcome.DECREASES, Outcome.NEVER_INCREASES),
}


def judged_limit(comparison: Comparison, left: Shares, right: Shares | None) -> Judgement:
    """The verdict on a limit."""
    approach = comparison.seen.approach
    assert approach is not None
    found = tends(comparison.solved, approach, left, right)
    limit: Tree | None = None
    if found.limits is not None:
        kept = {member: value for member, value in found.limits.items() if value != ZERO}
        is_number = list(left) == [ALONE]
        limit = found.limits[ALONE] if is_number else as_sum(kept, comparison.solved) if kept else ZERO
    return Judgement(comparison.claim, found.verdict, found.holds, found.also, right=limit, why=found.why)


def judged_order(comparison: Comparison) -> Judgement:
    """left = main + O(bound) as something tends somewhere."""
    claim, expansion = comparison.claim, comparison.solved.expansion
    terms = claim.right.terms if isinstance(claim.right, Sum) else (claim.right,)
    orders = [term for term in terms if isinstance(term, Order)]
    if len(orders) != 1 or comparison.seen.approach is None:
        raise ExpressionError("write … + O(…) as c -> oo")
    main = total(term for term in terms if term is not orders[0])
    left = expansion.scalar(minus(claim.left, main))
    ratio = over(left, expansion.scalar(orders[0].body))
    return judged_limit(comparison, {ALONE: ratio}, None)


def judged_trend(comparison: Comparison) -> Judgement:
    """increases with, decreases with."""
    claim, setting = comparison.claim, comparison.setting
    variable = claim.right
    if not isinstance(variable, Name) or variable.name not in setting.assumptions.symbols:
        raise ExpressionError("say in which symbol: alpha_a increases with c")
    tree = shifted(comparison.solved.expansion.scalar(claim.left), comparison.seen.shifts)
    outcome, still, slope = trend(setting, tree, variable)
    strict, weak = TRENDS[claim.relation]
    if outcome is strict:
        return Judgement(claim, Verdict.TRUE, trend=outcome)
    if outcome is weak and still.zero:
        moving = Circumstance(nonzero=still.zero)
        return Judgement(claim, Verdict.CONDITIONAL, moving, trend=outcome, missing=slope)
    if outcome is not Outcome.UNDECIDED:
        return Judgement(claim, Verdict.FALSE, trend=outcome, missing=slope)
    rising = claim.relation is Relation.INCREASES
    fails: Callable[[int], bool] = (lambda sign: sign < 0) if rising else (lambda sign: sign > 0)
    example = search(slope, ZERO, setting, fails)
    return Judgement(claim, Verdict.FALSE if example else Verdict.UNDECIDED, missing=slope, example=example)
