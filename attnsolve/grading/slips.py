"""A feedback slip for each student, in files whose names are safe whatever somebody is called."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from attnsolve.batch import write
from attnsolve.errors import AttnsolveError
from attnsolve.exams.tables import safe_name as safe
from attnsolve.grading.assignment import Assignment
from attnsolve.grading.journal import hash_of
from attnsolve.grading.records import Graded
from attnsolve.rendering import Document
from attnsolve.rendering.feedback import feedback

ENDINGS = {"text": ".txt", "markdown": ".md", "latex": ".tex"}


class Slip(NamedTuple):
    """What one student gets to read, and where."""

    path: Path
    text: str

    @property
    def hash(self) -> str:
        """What the journal knows it by."""
        return hash_of(self.text)


def slips(assignment: Assignment, marks: Sequence[Graded], folder: Path, *, to: str) -> list[Slip]:
    """A slip for everybody who has marks; nothing is written yet."""
    return [
        Slip(
            folder / f"{name}{ENDINGS[to]}",
            feedback(assignment.trace(graded.variant), graded.report, to=to).text,
        )
        for name, graded in zip(names(marks), marks, strict=True)
        if graded.report is not None
    ]


def check_folder(folder: Path) -> None:
    """Refuse a place for slips that is no folder, before anything is graded."""
    if folder.exists() and not folder.is_dir():
        raise AttnsolveError(f"'{folder}' is no folder; name another place for the slips")


def check_places(made: Sequence[Slip], own: Container[str], *, force: bool) -> None:
    """Refuse to write over files that are not ours; `own` has the hashes of the slips that we wrote."""
    for slip in made:
        path = slip.path
        if path.is_symlink():
            raise AttnsolveError(f"'{path}' is a symbolic link; name another folder for the slips")
        if path.exists() and not path.is_file():
            raise AttnsolveError(f"'{path}' is no file; name another folder for the slips")
        if force or not path.exists():
            continue
        there = path.read_bytes().decode("utf-8", "replace")
        if there != slip.text and hash_of(there) not in own:
            raise AttnsolveError(f"'{path}' was changed since, or is not ours; --force overwrites it")


def write_slips(made: Sequence[Slip]) -> None:
    """Write all of them; what is in the way was looked at before."""
    for slip in made:
        write(Document(slip.text), slip.path, force=True, say=silent)


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
