"""Pieces of the sheet that a session shows."""

from __future__ import annotations

from attnsolve.practice.drill import Drill, ValueKind
from attnsolve.practice.events import Showing, Shown
from attnsolve.rendering.excerpts import answer_in_words, question, worked_step


def excerpt_of(drill: Drill, wanted: Shown, *, to: str) -> str:
    """A piece of the sheet in a dialect."""
    if wanted.what is Showing.QUESTION:
        part = drill.part(wanted.name)
        assert part is not None
        return question(drill.trace, part, to=to, opens=wanted.opens)
    value = drill.by_name[wanted.name]
    if value.kind is ValueKind.NUMBERS:
        return worked_step(drill.trace, value.part, value.name, to=to)
    return answer_in_words(drill.trace, value.part, to=to)
