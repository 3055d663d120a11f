"""The manifest: who has which code, and where its problem file is; for programs and for spreadsheets."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from attnsolve.exams.lock import STATUSES, Entry, Lock
from attnsolve.exams.lockfile import CODE_TEXT, HASH
from attnsolve.exams.tables import table
from attnsolve.stored import TEXT, Field, Listed, OneOf, Record, Stored, Whole, lines_of, loads

COLUMNS = ("code", "student", "name", "seat", "issue", "status", "effort", "choices", "file", "sha256")


def restored_students(*, variants: tuple[tuple[str, str], ...], **_: Any) -> dict[str, str]:
    """Who has which code; all else is for other programs."""
    return dict(variants)


def restored_row(*, code: str, student: str, **_: Any) -> tuple[str, str]:
    """A code and who has it."""
    return code, student


ROW = Record(
    restored_row,
    {
        "code": CODE_TEXT,
        **dict.fromkeys(("student", "name", "seat"), TEXT),
        "issue": Whole(1),
        "status": OneOf.of(STATUSES),
        "effort": Whole(),
        **dict.fromkeys(("choices", "file"), TEXT),
        "sha256": HASH,
        "exercises": Field(Listed(Whole(1)), is_optional=True),
    },
)
# It may be edited: a spare is given to somebody by his name in its line.
MANIFEST = Stored(
    "the manifest of an exam",
    1,
    Record(
        restored_students,
        {**dict.fromkeys(("problem", "release", "lock"), TEXT), "variants": Listed(ROW)},
    ),
    "delete it, and the command that made the exam writes it anew",
)


def manifest_json(lock: Lock) -> Iterator[bytes]:
    """The manifest for programs, line by line; `attnsolve grade` reads it."""
    source = lock.source
    head = {"problem": source.problem, "release": source.release, "lock": "lock.json"}
    return lines_of(MANIFEST, head, "variants", lambda: map(row, lock.entries))


def read_students(text: str, path: Path) -> dict[str, str]:
    """Who has which code, as a manifest says."""
    return loads(text, path, MANIFEST)


def manifest_csv(lock: Lock) -> str:
    """The same for spreadsheets."""
    columns = list(dict.fromkeys([*COLUMNS, *(name for entry in lock.entries for name in row(entry))]))
    rows = ([cell(row(entry).get(name, "")) for name in columns] for entry in lock.entries)
    return table(chain([columns], rows))


def cell(value: Any) -> str:
    """A value of the manifest in a table; numbers of exercises with spaces between them."""
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def row(entry: Entry) -> dict[str, Any]:
    """A line of the manifest."""
    seat = entry.seat
    values = (
        entry.code,
        seat.student,
        seat.name,
        seat.identity,
        entry.issue,
        entry.status,
        entry.effort,
        entry.selection,
        entry.file,
        entry.sha256,
    )
    lineup = {"exercises": list(entry.lineup)} if entry.lineup else {}
    return dict(zip(COLUMNS, values, strict=True)) | lineup
