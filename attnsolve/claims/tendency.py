"""Claims about limits: what formulas tend to, case by case, against what is claimed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from attnsolve.assumptions import Approach
from attnsolve.claims.verdict import Verdict
from attnsolve.derivations.derivation import Circumstance
from attnsolve.derivations.limits import Tending
from attnsolve.derivations.setting import HasSetting
from attnsolve.derivations.vectors import Member
from attnsolve.errors import Undecided
from attnsolve.statements.tree import MINUS_ONE, ZERO, Name, Product, Sum, Tree, names, put_in

# Formulas by the vector that they multiply; a number stands alone.
Shares = Mapping[Member, Tree]
ALONE = Member("")
INFINITE = Name("oo")


@dataclass(frozen=True, slots=True)
class Tendency:
    """What was found: in which case it holds, and what the limits are in one where it does not."""

    verdict: Verdict
    holds: Circumstance = field(default_factory=Circumstance)
    also: tuple[Circumstance, ...] = ()
    limits: Shares | None = None
    why: str = ""


def tends(solved: HasSetting, approach: Approach, left: Shares, right: Shares | None) -> Tendency:
    """Whether left tends to right; without a right side, whether it stays bounded."""
    try:
        for tree in left.values():
            check_that_others_stay(solved, approach, tree)
        cases = list(limits_by_case(solved, approach, left))
    except Undecided as error:
        return Tendency(Verdict.UNDECIDED, why=str(error))
    fits = [is_wanted(solved, found, right) for _, found in cases]
    if all(fits):
        only = cases[0][0] if len(cases) == 1 else Circumstance()
        return Tendency(Verdict.CONDITIONAL if only.positive else Verdict.TRUE, only)
    failing = next(found for (_, found), fit in zip(cases, fits, strict=True) if not fit)
    if any(fits):
        holds, *also = (case for (case, _), fit in zip(cases, fits, strict=True) if fit)
        return Tendency(Verdict.CONDITIONAL, holds, tuple(also), failing)
    for tree, names_tied in ties(cases):
        if right is not None and holds_in_tie(solved, approach, left, right, names_tied):
            return Tendency(Verdict.CONDITIONAL, Circumstance(zero=(tree,)), limits=failing)
    return Tendency(Verdict.FALSE, limits=failing)


def limits_by_case(
    solved: HasSetting, approach: Approach, left: Shares
) -> Iterator[tuple[Circumstance, dict[Member, Tree]]]:
    """The limits of all formulas in every case; infinite ones are oo."""
    tending = Tending(solved, approach, *left.values())
    by_share = {member: tending.cases(tree) for member, tree in left.items()}
    always = Circumstance()
    circumstances = dict.fromkeys(case for cases in by_share.values() for case, _ in cases)
    several = [case for case in circumstances if case != always] or [always]
    for case in several:
        found: dict[Member, Tree] = {}
        for member, cases in by_share.items():
            limit = [value for one, value in cases if one in (case, always)]
            if len(limit) != 1:
                raise Undecided("the cases of the limits do not fit together")
            found[member] = INFINITE if limit[0] is None else limit[0]
        yield case, found


def is_wanted(solved: HasSetting, found: Shares, right: Shares | None) -> bool:
    """Whether limits are those that are claimed."""
    if right is None:
        return INFINITE not in found.values()
    for member, value in found.items():
        wanted = right.get(member, ZERO)
        if INFINITE in (value, wanted):
            if value != wanted:
                return False
        elif not solved.setting.same(value, wanted):
            return False
    return True


def ties(cases: list[tuple[Circumstance, dict[Member, Tree]]]) -> Iterator[tuple[Tree, dict[Name, Tree]]]:
    """Symbols that the cases leave out as equal: λ_b = λ_a."""
    seen = set()
    for case, _ in cases:
        for tree in case.positive:
            match tree:
                case Sum((Name() as one, Product((sign, Name() as other)))) if sign == MINUS_ONE:
                    if (one, other) not in seen:
                        seen.add((one, other))
                        yield tree, {other: one}


def holds_in_tie(
    solved: HasSetting, approach: Approach, left: Shares, right: Shares, tied: dict[Name, Tree]
) -> bool:
    """Whether a claim holds where two symbols are equal."""
    try:
        same = {member: put_in(tree, tied) for member, tree in left.items()}
        wanted = {member: put_in(tree, tied) for member, tree in right.items()}
        return all(is_wanted(solved, found, wanted) for _, found in limits_by_case(solved, approach, same))
    except Undecided:
        return False


def check_that_others_stay(solved: HasSetting, approach: Approach, tree: Tree) -> None:
    """A larger m needs a larger d where d ≥ m is assumed: then d cannot stay where it is."""
    followers = [name for name in names(tree) if solved.setting.domain(name).above == approach.variable.name]
    if approach.at_infinity and followers:
        raise Undecided(
            f"{followers[0].name} is at least {approach.variable.name} and would have to grow too"
        )
