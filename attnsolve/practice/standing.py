"""How each value stands: open, right, right for one's own numbers, wrong, looked at."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from attnsolve.practice.answers import judged, missing
from attnsolve.practice.drill import Drill, Value, ValueKind
from attnsolve.practice.progress import Progress
from attnsolve.report import Report, StepReport, Verdict


class Stand(StrEnum):
    """How a value stands."""

    OPEN = "open"
    PARTLY = "partly"  # right as far as it goes
    RIGHT = "right"
    FOLLOWS = "follows"  # from earlier numbers that are not the right ones
    WRONG = "wrong"
    UNCLEAR = "unclear"  # not read, or undecided
    SHOWN = "shown"
    PASSED = "passed"  # not typed, but what comes after it is right

    @property
    def is_settled(self) -> bool:
        """Whether there is nothing more to do."""
        return self in (Stand.RIGHT, Stand.FOLLOWS, Stand.SHOWN, Stand.PASSED)


class Standing(NamedTuple):
    """How all values stand, and the report that says so."""

    report: Report
    stands: dict[str, Stand]

    def step(self, name: str) -> StepReport | None:
        """The verdict on a value."""
        return next((step for step in self.report.steps if step.name == name), None)

    @property
    def open(self) -> list[str]:
        """The values that there is still something to do for."""
        return [name for name, stand in self.stands.items() if not stand.is_settled]


def standing(drill: Drill, progress: Progress) -> Standing:
    """How all values stand, by what was typed for them."""
    report = judged(drill, progress)
    steps = {step.name: step for step in report.steps}
    stands = {value.name: stand_of(value, steps.get(value.name), progress) for value in drill.values}
    for value in drill.values:
        if stands[value.name] is Stand.RIGHT and value.kind is ValueKind.NUMBERS:
            passed = [name for name in drill.before(value) if stands[name] is Stand.OPEN]
            stands |= dict.fromkeys(passed, Stand.PASSED)
    return Standing(report, stands)


def stand_of(value: Value, step: StepReport | None, progress: Progress) -> Stand:
    """How one value stands by its own verdict."""
    work = progress.work(value.name)
    if value.kind is ValueKind.WORDS:
        return Stand.SHOWN if work.shown else Stand.OPEN
    if not work.cells or step is None or step.verdict is Verdict.NOT_WRITTEN:
        return Stand.SHOWN if work.shown else Stand.OPEN
    if step.verdict.is_off:
        return Stand.WRONG
    if step.verdict in (Verdict.RIGHT, Verdict.FOLLOWS):
        if value.kind is ValueKind.NUMBERS and missing(value, work.cells):
            return Stand.PARTLY
        return Stand.RIGHT if step.verdict is Verdict.RIGHT else Stand.FOLLOWS
    return Stand.UNCLEAR
