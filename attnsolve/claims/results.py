"""Whether somebody's claims state a result: how much of it, and which claim goes wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from attnsolve.claims.verdict import Judgement, Verdict
from attnsolve.claims.wanted import Wanted, Ways, bound_of, is_about
from attnsolve.derivations.attention import Solved
from attnsolve.errors import AttnsolveError
from attnsolve.statements.claim import Statement

ALL, HALF, NOTHING = Fraction(1), Fraction(1, 2), Fraction(0)
Judge = Callable[[Statement], Judgement]


@dataclass(frozen=True, slots=True)
class Stated:
    """How much of a result is stated rightly; what was written for it, and the first claim that is wrong."""

    share: Fraction
    claims: tuple[Statement, ...] = ()
    wrong: Statement | None = None
    is_undecided: bool = False


def stated(ways: Ways, claims: Sequence[Statement], solved: Solved, judge: Judge) -> Stated:
    """The way on which most is right; each thing that is wanted counts alike."""
    return max(
        (_on_way(way, claims, solved, judge) for way in ways), key=lambda one: (one.share, one.claims != ())
    )


def _on_way(way: tuple[Wanted, ...], claims: Sequence[Statement], solved: Solved, judge: Judge) -> Stated:
    share, used, wrong, undecided = NOTHING, [], None, False
    for wanted in way:
        written = [claim for claim in claims if is_about(claim, wanted, solved)]
        shares = [_share(claim, wanted, solved, judge) for claim in written]
        used += written
        for claim, one in zip(written, shares, strict=True):
            undecided = undecided or one is None
            wrong = claim if wrong is None and one is not None and one < ALL else wrong
        # Whoever states two things of one has what the worse of them is worth.
        share += min((one or NOTHING for one in shares), default=NOTHING)
    return Stated(share / len(way), tuple(dict.fromkeys(used)), wrong, undecided)


def _share(claim: Statement, wanted: Wanted, solved: Solved, judge: Judge) -> Fraction | None:
    """How much of what is wanted a claim is worth; None where nobody can tell."""
    if wanted.threshold is not None:
        return _threshold_share(claim, wanted, solved)
    found = judge(claim)
    if found.verdict is Verdict.UNDECIDED:
        return None
    if found.verdict is Verdict.TRUE:
        return ALL
    if found.verdict is not Verdict.CONDITIONAL:
        return NOTHING
    if found.apart and not (found.condition.zero or found.bounds):
        return ALL  # q · k_i = 0, without saying that i is another key
    if wanted.variable is not None:
        return ALL  # it grows, but for the case in which it stands still
    return HALF if wanted.approach is not None and found.condition.positive else NOTHING


def _threshold_share(claim: Statement, wanted: Wanted, solved: Solved) -> Fraction | None:
    """All for the exact threshold, half for a sound but larger one."""
    bound = bound_of(claim, wanted)
    assert bound is not None and wanted.threshold is not None
    try:
        value = solved.expansion.scalar(bound[1])
        return (
            ALL
            if bound[0] is wanted.threshold.relation and solved.setting.same(value, wanted.threshold.bound)
            else NOTHING
        )
    except AttnsolveError:
        return None
