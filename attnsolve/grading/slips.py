"""A feedback slip for each student, in files whose names are safe whatever somebody is called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from attnsolve.errors import AttnsolveError
from attnsolve.exams.tables import safe_name as safe
from attnsolve.grading.assignment import Assignment
from attnsolve.grading.graded import Graded
from attnsolve.grading.outputs import Output
from attnsolve.grading.people import key
from attnsolve.rendering.dialects import DIALECTS_BY_NAME, PRINTED
from attnsolve.rendering.feedback import feedback

ENDINGS = {"text": ".txt"} | {name: DIALECTS_BY_NAME[name].endings[0] for name in PRINTED}


def slips(
    assignment: Assignment, marks: Sequence[Graded], folder: Path, *, to: str, lang: str | None = None
) -> list[Output]:
    """A slip for everybody who has marks; nothing is written yet."""
    return [
        Output.of_text(
            folder / f"{name}{ENDINGS[to]}",
            feedback(assignment.trace(graded.variant), graded.report, to=to, lang=lang).text,
        )
        for name, graded in zip(names(marks), marks, strict=True)
        if graded.report is not None
    ]


def texts(
    assignment: Assignment, marks: Sequence[Graded], *, to: str, lang: str | None = None
) -> dict[str, str]:
    """The slips by student; of whoever handed in more than once, one after the other."""
    made: dict[str, str] = {}
    for graded in marks:
        if graded.report is not None:
            text = feedback(assignment.trace(graded.variant), graded.report, to=to, lang=lang).text
            made[key(graded.student)] = "\n".join(filter(None, (made.get(key(graded.student)), text)))
    return made


def check_folder(folder: Path) -> None:
    """Refuse a place for slips that is no folder, before anything is graded."""
    if folder.exists() and not folder.is_dir():
        raise AttnsolveError(f"'{folder}' is no folder; name another place for the slips")


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
