"""Which exercises of a sheet are on which papers, and how much work that makes of them."""

from __future__ import annotations

from collections import Counter

from attnsolve.papers import Fairness
from attnsolve.rendering.tables import Table
from attnsolve.rendering.text import Segments, say, sentence


def combinations(fairness: Fairness) -> dict[tuple[int, ...], list[str]]:
    """The codes of all papers by their exercises, in whatever order; nothing where all have the same."""
    found: dict[tuple[int, ...], list[str]] = {}
    for code, lineup in fairness.lineups.items():
        found.setdefault(tuple(sorted(lineup)), []).append(code)
    return dict(sorted(found.items())) if len(found) > 1 else {}


def uses_table(fairness: Fairness) -> Table:
    """How often each exercise is handed out that not every paper has."""
    counts = Counter(number for lineup in fairness.lineups.values() for number in lineup)
    header = (say("exercise"), say("papers"))
    rows = [
        (sentence(str(number)), sentence(str(count)))
        for number, count in sorted(counts.items())
        if count < len(fairness.lineups)
    ]
    return Table((), header, tuple(rows))


def combinations_table(fairness: Fairness) -> Table:
    """Each combination of exercises: how many papers have it, their work, and their codes."""
    header = (say("exercises"), say("papers"), say("work"), say("codes"))
    rows = []
    for numbers, codes in combinations(fairness).items():
        efforts = sorted(fairness.efforts[code] for code in codes)
        cells = (", ".join(map(str, numbers)), str(len(codes)), span(efforts[0], efforts[-1]))
        rows.append((*map(sentence, cells), sentence(", ".join(sorted(codes)))))
    return Table((), header, tuple(rows))


def span(least: int, most: int) -> Segments | str:
    """`107 to 118`."""
    return str(least) if least == most else say("{least} to {most}", least=least, most=most)
