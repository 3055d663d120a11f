"""The manifest: who has which code, and where its problem file is; for programs and for spreadsheets."""

from __future__ import annotations

from typing import Any

from attnsolve.exams.lock import Entry, Lock
from attnsolve.exams.lockfile import as_lines
from attnsolve.exams.tables import table

FORMAT = 1
COLUMNS = ("code", "student", "name", "seat", "issue", "status", "effort", "choices", "file", "sha256")


def manifest_json(lock: Lock) -> str:
    """The manifest for programs; `attnsolve grade` reads it."""
    source = lock.source
    head = {"format": FORMAT, "problem": source.problem, "release": source.release, "lock": "lock.json"}
    return as_lines(head, "variants", [row(entry) for entry in lock.entries])


def manifest_csv(lock: Lock) -> str:
    """The same for spreadsheets."""
    rows = [row(entry) for entry in lock.entries]
    columns = list(dict.fromkeys([*COLUMNS, *(name for one in rows for name in one)]))
    return table([columns, *([cell(one.get(name, "")) for name in columns] for one in rows)])


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
