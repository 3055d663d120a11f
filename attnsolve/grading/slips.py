"""A feedback slip for each student, in files whose names are safe whatever somebody is called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from attnsolve.batch import write
from attnsolve.exams.tables import safe_name as safe
from attnsolve.grading.assignment import Assignment
from attnsolve.grading.records import Graded
from attnsolve.rendering.feedback import feedback

ENDINGS = {"text": ".txt", "markdown": ".md", "latex": ".tex"}


def write_slips(
    assignment: Assignment, marks: Sequence[Graded], folder: Path, *, to: str, force: bool
) -> int:
    """Write what each student gets to read; how many there are."""
    count = 0
    for name, graded in zip(names(marks), marks, strict=True):
        if graded.report is not None:
            document = feedback(assignment.trace(graded.variant), graded.report, to=to)
            write(document, folder / f"{name}{ENDINGS[to]}", force=force, say=silent)
            count += 1
    return count


def silent(_: str) -> None:
    """Nobody wants a thousand file names."""


def names(marks: Sequence[Graded]) -> Iterator[str]:
    """A name for each file, none twice."""
    taken: set[str] = set()
    for graded in marks:
        name = stem = safe(graded.student or Path(graded.source).stem)
        number = 1
        while name in taken:
            number += 1
            name = f"{stem}-{number}"
        taken.add(name)
        yield name
