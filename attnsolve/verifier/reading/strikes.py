"""What was struck out in Markdown's way: in `~~3.5~~ 4.5` the number is 4.5, and 3.5 has no place of its own.

The rule is local, since nobody knows here how many numbers belong there. A ~~3.5~~ with nothing behind it is
a place that was crossed out; and so is every one where the numbers would else be too few by just as many.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from attnsolve.notes import Note, NoteKind
from attnsolve.submission import State, Written

STRIKE = re.compile(r"~~([^~\n]+)~~[ \t]*")
MARK = "\ue000"  # stands for a strike while a row is taken apart


def hide_strikes(row: str) -> tuple[str, list[str]]:
    """The row with a mark for every strike, right before the next number, and what each mark stands for."""
    strikes = STRIKE.findall(row)
    return STRIKE.sub(MARK, row), strikes


def show_strikes(text: str, strikes: Iterator[str]) -> str:
    """A number with its strikes again; they are met in the order of the row."""
    return "".join(f"~~{next(strikes)}~~ " if character == MARK else character for character in text).strip()


def with_struck(written: Written, struck: str) -> Written:
    """The number that stands for one that was struck out."""
    return written._replace(notes=(*written.notes, Note(NoteKind.STRUCK, struck)))


def with_crossed_places(row: Sequence[Written]) -> list[Written]:
    """The row with a crossed-out place for everything that was struck out in it."""
    made: list[Written] = []
    for written in row:
        others = tuple(note for note in written.notes if note.kind is not NoteKind.STRUCK)
        made += [Written("~~", State.CROSSED)] * (len(written.notes) - len(others))
        made.append(written._replace(notes=others))
    return made
