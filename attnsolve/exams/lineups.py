"""Which exercises of a sheet are on whose paper, and in which order, for all who are drawn at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from attnsolve.exams.drawing import Pattern, drawer_of
from attnsolve.exams.lock import Entry
from attnsolve.exams.seating import Plan
from attnsolve.exams.set_drawing import SetDrawer
from attnsolve.variants import Drawer


def lineups_of(
    drawer: Drawer | SetDrawer, identities: Sequence[str], out: Mapping[int, int] | None = None
) -> dict[str, tuple[int, ...]]:
    """The exercises of everybody by their numbers; none are named where all papers have the same.

    `out` says how often each exercise is handed out already.
    """
    if isinstance(drawer, SetDrawer) and drawer.has_lineups:
        return drawer.lineups(identities, out)
    return dict.fromkeys(identities, ())


def with_lineups(plan: Plan, pattern: Pattern) -> Plan:
    """A plan with the exercises of everybody who is new; what is printed stays, and counts as handed out."""
    new = [wish.identity for wish in plan.wishes if not wish.lineup]
    if not new:
        return plan
    kept = [entry for entry in plan.entries if isinstance(entry, Entry) and entry.is_printed]
    out = Counter(number for entry in kept for number in entry.lineup)
    lineups = lineups_of(drawer_of(pattern), new, out)
    return Plan(
        tuple(
            one if isinstance(one, Entry) or one.lineup else replace(one, lineup=lineups[one.identity])
            for one in plan.entries
        )
    )
