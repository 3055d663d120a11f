"""An exercise as a page to type into: its questions, and a grid in its shape for every value."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

from attnsolve.languages import translated
from attnsolve.practice.drill import Drill, Value, ValueKind
from attnsolve.practice.events import Showing, Shown
from attnsolve.practice.excerpts import excerpt_of
from attnsolve.problem import Target
from attnsolve.rendering.boxes import asked
from attnsolve.rendering.text import Segments
from attnsolve.rendering.web_templates import fill_web


class FieldView(NamedTuple):
    """One place to type into."""

    label: str
    wanted: bool


class ValueView(NamedTuple):
    """A value with its grid."""

    name: str
    kind: str
    heading: Segments
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[FieldView, ...]], ...]  # each with its number
    has_map: bool = False  # whether it is drawn as an attention map
    is_judged: bool = True  # whether anything that is typed there is


class PartView(NamedTuple):
    """A question as markup, and its values."""

    id: str
    question: str
    values: tuple[ValueView, ...]


def body(drill: Drill) -> str:
    """The exercise as markup, without the page around it."""
    groups = groupby(drill.values, key=lambda value: value.part.id)
    parts = [
        PartView(id, question(drill, id), tuple(value_view(drill, one) for one in some))
        for id, some in groups
    ]
    return fill_web("exercise", parts=parts)


def question(drill: Drill, part: str) -> str:
    """The question of a part as markup; the first has the opening of the sheet above it."""
    return excerpt_of(drill, Shown(Showing.QUESTION, part, opens=part == drill.values[0].part.id), to="html")


def value_view(drill: Drill, value: Value) -> ValueView:
    """A value with a place for every number, called by its row and column as the sheet counts."""
    heading = drill.heading(value)
    if value.kind is not ValueKind.NUMBERS:
        field = FieldView(value.name, wanted=True)
        judged = value.kind is ValueKind.LETTERS or value.part.abstract is not None
        return ValueView(value.name, value.kind, heading, ("1",), (("1", (field,)),), is_judged=judged)
    _, rows, columns = asked(Target(value.name), drill.notation(value))
    made = tuple(
        (row, tuple(field_view(value, i, j, row, column) for j, column in enumerate(columns)))
        for i, row in enumerate(rows)
    )
    return ValueView(value.name, value.kind, heading, columns, made, value.name in value.part.plots)


def field_view(value: Value, i: int, j: int, row: str, column: str) -> FieldView:
    """A place with what a screen reader calls it."""
    called = translated("{name}, row {row}, column {column}", name=value.name, row=row, column=column)
    return FieldView(called, not value.wanted or (i, j) in value.wanted)
