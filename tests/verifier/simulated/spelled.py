"""The scripts of the other classes, in every spelling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from random import Random

from verifier.simulated.calculation import carry_out
from verifier.simulated.careful import carrying, exact
from verifier.simulated.exercises import Exercise
from verifier.simulated.hands import Hand
from verifier.simulated.inventions import invented
from verifier.simulated.mistaken import mistaken
from verifier.simulated.scripts import Complaint, Script
from verifier.simulated.slips import slipping
from verifier.simulated.spellings import SPELLINGS, as_fraction, write

from attnsolve.report import Report

WRITERS: tuple[Callable[[Random, Exercise], Script | None], ...] = (
    exact,
    carrying,
    mistaken,
    mistaken,
    slipping,
    invented,
)
# The spellings that are compared with plain decimals; what is exact may be a fraction, too.
OTHER_SPELLINGS = (*list(SPELLINGS)[1:], "fraction")


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
    for spelling, report in zip(OTHER_SPELLINGS, reports[1:], strict=True):
        changed = [
            f"{a[0]} {a[1:]} -> {b[1:]}" for a, b in zip(expected, outline(report), strict=True) if a != b
        ]
        if changed:
            said = f" ({report.unread[0]})" if report.unread else ""
            differing.append(Complaint(spelling, f"{'; '.join(changed)}{said}"))
    return differing


def with_fractions(hand: Hand) -> dict[str, list[list[str]]]:
    """The same texts with a fraction for every decimal that is exactly the right number."""
    right = carry_out(hand.exercise, Hand(hand.exercise)).values
    return {
        name: [
            [
                as_fraction(cell) if "/" not in cell and Decimal(cell) == exact else cell
                for cell, exact in zip(row, exacts, strict=True)
            ]
            for row, exacts in zip(rows, right[name], strict=True)
        ]
        for name, rows in hand.texts.items()
    }


def spelled(random: Random, exercise: Exercise) -> Script | None:
    """A script of another class in all spellings, plain decimals first."""
    script = random.choice(WRITERS)(random, exercise)
    if script is None or script.hand is None:
        return None
    texts = script.hand.texts
    first, *others = (
        write(texts, columns=exercise.columns, spelling=spelling) for spelling in SPELLINGS.values()
    )
    others.append(write(with_fractions(script.hand), columns=exercise.columns))
    return Script(exercise, first, same_in_all, others=tuple(others))
