"""A feedback slip for each student, in files whose names are safe whatever somebody is called."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from unicodedata import normalize

from attnsolve.batch import write
from attnsolve.grading.assignment import Assignment
from attnsolve.grading.records import Graded
from attnsolve.rendering.feedback import feedback

ENDINGS = {"text": ".txt", "markdown": ".md", "latex": ".tex"}
# Names that Windows keeps for itself.
DEVICES = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])", re.IGNORECASE)
LONGEST = 80


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


def safe(name: str) -> str:
    """A student as a file name: letters, digits and hyphens, nothing that leads to another folder."""
    plain = normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    made = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST].strip("-")
    return f"{made}-" if DEVICES.fullmatch(made) else made or "student"
