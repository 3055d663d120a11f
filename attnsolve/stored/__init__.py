"""Files that attnsolve keeps and reads back: each format is described once, and what is read is checked.

A kept file may have been edited, cut off, merged by version control, or written by a later release. Whatever
it holds, it is read whole or refused with its place, what belongs there, and how to go on.
"""

from attnsolve.stored.files import Damaged, Stored, lines_of, loads
from attnsolve.stored.journals import line_of, records_in
from attnsolve.stored.kinds import (
    TEXT,
    Field,
    Flag,
    Listed,
    Mapped,
    OneOf,
    Ratio,
    Record,
    StoredKind,
    Text,
    Unsuitable,
    Whole,
)

__all__ = [
    "TEXT",
    "Damaged",
    "Field",
    "Flag",
    "Listed",
    "Mapped",
    "OneOf",
    "Ratio",
    "Record",
    "Stored",
    "StoredKind",
    "Text",
    "Unsuitable",
    "Whole",
    "line_of",
    "lines_of",
    "loads",
    "records_in",
]
