"""The scripts of the other classes, in every spelling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from verifier.simulated.careful import carrying, exact
from verifier.simulated.exercises import Exercise
from verifier.simulated.inventions import invented
from verifier.simulated.mistaken import mistaken
from verifier.simulated.scripts import Complaint, Script
from verifier.simulated.slips import slipping
from verifier.simulated.spellings import SPELLINGS, write

from attnsolve.report import Report

WRITERS: tuple[Callable[[Random, Exercise], Script | None], ...] = (
    exact,
    carrying,
    mistaken,
    mistaken,
    slipping,
    invented,
)


def outline(report: Report) -> list[tuple[object, ...]]:
    """What must not hang on the spelling: verdicts, names of mistakes, marks, and what was not read."""
    steps: list[tuple[object, ...]] = [
        (step.name, step.verdict, tuple(named.name for named in step.mistakes), str(step.earned))
        for step in report.steps
    ]
    return [*steps, ("unread", len(report.unread))]


def same_in_all(reports: Sequence[Report]) -> list[Complaint]:
    """All spellings have the same report."""
    expected = outline(reports[0])
    differing = []
    for spelling, report in zip(list(SPELLINGS)[1:], reports[1:], strict=True):
        changed = [
            f"{a[0]} {a[1:]} -> {b[1:]}" for a, b in zip(expected, outline(report), strict=True) if a != b
        ]
        if changed:
            said = f" ({report.unread[0]})" if report.unread else ""
            differing.append(Complaint(spelling, f"{'; '.join(changed)}{said}"))
    return differing


def spelled(random: Random, exercise: Exercise) -> Script | None:
    """A script of another class in all spellings, plain decimals first."""
    script = random.choice(WRITERS)(random, exercise)
    if script is None or script.hand is None:
        return None
    first, *others = (
        write(script.hand.texts, columns=exercise.columns, spelling=spelling)
        for spelling in SPELLINGS.values()
    )
    return Script(exercise, first, same_in_all, script.traits, others=tuple(others))
