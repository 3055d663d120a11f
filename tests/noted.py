"""What a report or a reading notes, in words, for tests that look at what people read."""

from collections.abc import Iterable

from attnsolve.notes import Note
from attnsolve.rendering.notes import fragment


def words(notes: Iterable[Note]) -> tuple[str, ...]:
    """Each note as the words a table has for it."""
    return tuple(map(fragment, notes))
