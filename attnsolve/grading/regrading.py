"""Who moved when something was changed and all was graded again, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from attnsolve.grading.gradebook import decimal
from attnsolve.grading.graded import Graded
from attnsolve.marks import in_figures, out_of
from attnsolve.report import PartMark, StepReport, Verdict


@dataclass(frozen=True, slots=True)
class Move:
    """A student whose marks or verdicts are others than before."""

    student: str
    before: Fraction | None  # None: there was no report
    after: Fraction | None
    reasons: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.student}: {told(self.before)} -> {told(self.after)} ({'; '.join(self.reasons)})"

    def record(self) -> dict[str, Any]:
        """The move for a program."""
        moved = {"before": shown(self.before), "after": shown(self.after)}
        return {"student": self.student, **moved, "reasons": list(self.reasons)}


def shown(marks: Fraction | None) -> str:
    """Marks for a program, or that there were none."""
    return "no marks" if marks is None else decimal(marks)


def told(marks: Fraction | None) -> str:
    """The same for a person."""
    return "no marks" if marks is None else in_figures(marks)


def moves(before: Mapping[tuple[str, str], Graded], after: Sequence[Graded]) -> Iterator[Move]:
    """Everybody who has moved, in the order of the class."""
    for graded in after:
        old = before.get((graded.source, graded.student))
        if old is None or (old.report, old.trouble) == (graded.report, graded.trouble):
            continue
        reasons = tuple(differences(old, graded))
        if reasons:
            yield Move(graded.student or graded.source, earned(old), earned(graded), reasons)


def earned(graded: Graded) -> Fraction | None:
    """The marks of somebody, if any."""
    return None if graded.report is None else graded.report.earned


def differences(old: Graded, new: Graded) -> Iterator[str]:
    """Each step whose verdict or mark is another one."""
    if old.trouble != new.trouble:
        yield new.trouble or f"was {old.trouble}"
    steps = {} if old.report is None else {step.name: step for step in old.report.steps}
    for step in () if new.report is None else new.report.steps:
        was = steps.pop(step.name, None) or unlisted(step)
        if was is None:
            if old.report is not None:
                yield f"{step.name} is new: {step.verdict} {of(step)}"
        elif step.verdict != was.verdict:
            yield f"{step.name} {was.verdict} {of(was)} -> {step.verdict} {of(step)}"
        elif (step.earned, step.possible) != (was.earned, was.possible):
            yield f"{step.name} {of(was)} -> {of(step)}"
    yield from part_differences(old, new)
    for was in () if new.report is None else steps.values():
        now = unlisted(was)
        if now is None:
            yield f"{was.name} is no step any more: was {was.verdict} {of(was)}"
        elif was.verdict != now.verdict:
            yield f"{was.name} {was.verdict} {of(was)} -> {now.verdict} {of(now)}"


def unlisted(step: StepReport) -> StepReport | None:
    """What a report that does not list a step says of it: a value inside another one is not written."""
    return None if step.possible else replace(step, verdict=Verdict.NOT_WRITTEN)


def part_differences(old: Graded, new: Graded) -> Iterator[str]:
    """Each part whose total was given by hand, before or now, and is another one."""
    before, after = (
        {} if one.report is None else {part.name: of(part) for part in one.report.parts} for one in (old, new)
    )
    for name in {**before, **after}:
        if before.get(name) != after.get(name):
            was, now = before.get(name, "as its steps"), after.get(name, "as its steps")
            yield f"part {name} {was} -> {now}, by hand"


def of(step: StepReport | PartMark) -> str:
    """`1 of 2`: the marks of a step or a part, and what can be had."""
    return out_of(step.earned, step.possible)
