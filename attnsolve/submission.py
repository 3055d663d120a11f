"""What a person wrote down, as it was read: numbers with their digits, blanks, what could not be read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, NamedTuple, Self

from attnsolve.exact import Cell
from attnsolve.found_once import found_once
from attnsolve.notes import Note
from attnsolve.reasons import Reason


class State(StrEnum):
    """What a written place may be; only a number is judged, none of the others is ever wrong."""

    NUMBER = "number"
    BLANK = "blank"
    ILLEGIBLE = "illegible"
    CROSSED = "crossed"  # out, and nothing in its place
    UNREAD = "unread"
    WORDS = "words"  # an answer to a question that only a person marks


class Written(NamedTuple):
    """One number as typed: its exact value, and how many decimals it was written with (None: no rounding)."""

    text: str
    state: State = State.NUMBER
    cell: Cell | None = None
    places: int | None = None
    notes: tuple[Note, ...] = ()  # why it could not be read, or how: 0,67 as 0.67
    ball: Any = None  # of a form with decimals in it, the ball of what it may be worth: e^2.598
    padded: bool = False  # whether `places` counts zeros that were left out behind a whole number

    @property
    def is_decimal(self) -> bool:
        """Whether digits were written behind the point, however that is spelled: 0.5, 0,5 or 50%."""
        return bool(self.places) and not self.padded

    @property
    def fraction(self) -> Fraction | None:
        """The value, where it is a fraction; None for other numbers, and where there is no number."""
        return None if self.cell is None else self.cell.rational()

    def __hash__(self) -> int:
        """Of all but the ball, which has none."""
        return hash(self[:5])


BLANK = Written("-", State.BLANK)
Numbers = Sequence[tuple[int, int, Written]]  # with their places, in reading order


class Table(tuple[tuple[Written, ...], ...]):
    """The rows of an answer, which know their hash: a class writes the same ones, and much hangs on them."""

    @classmethod
    def of_one(cls, written: Written) -> Self:
        """A table with one place."""
        return cls([(written,)])

    def each(self, change: Callable[[Written], Written]) -> Self:
        """The same places, each of them changed."""
        return type(self)(tuple(map(change, row)) for row in self)

    @found_once
    def size(self) -> int:
        """How many places there are."""
        return sum(map(len, self))

    @found_once
    def noted(self) -> bool:
        """Whether there is something to say about how it was read."""
        return any([written.notes for row in self for written in row])

    @found_once
    def unread(self) -> bool:
        """Whether something in it could not be read."""
        return any([written.state is State.UNREAD for row in self for written in row])

    @found_once
    def in_words(self) -> bool:
        """Whether it is the text of an answer that is not judged."""
        # A row of a table may be empty: `S |`.
        return bool(self and self[0]) and self[0][0].state is State.WORDS

    @found_once
    def _hash(self) -> int:
        return hash(tuple([written.text for row in self for written in row]))

    def __hash__(self) -> int:
        return self._hash


NO_ROWS = Table()


class Answer(NamedTuple):
    """What was written for one value: all of it, or one row or cell, with places as the sheet counts them."""

    name: str  # as typed: A, weights, head2.A, b.Z, or the letter of a vector: s
    row: int | None
    column: int | None
    rows: Table
    line: int = 1
    right: bool = False  # `s ok`: whoever typed it has seen that it is right
    part: str = ""  # of the heading above it: (a)
    exercise: str = ""  # the number of an exercise that a heading names: Exercise 2

    @property
    def in_words(self) -> bool:
        """Whether it is the text of an answer that is not judged."""
        return self.rows.in_words


class Override(NamedTuple):
    """A mark that a person has given, with the reason; it is kept whatever the verifier thinks."""

    name: str
    marks: str  # "1/2" of what can be had, or "1"
    reason: str
    line: int = 1
    part: str = ""  # of the heading above it: (a)
    exercise: str = ""  # the same: Exercise 2


@dataclass(frozen=True, slots=True)
class Submission:
    """Everything that one person handed in."""

    student: str = ""
    variant: str = ""
    answers: tuple[Answer, ...] = ()
    overrides: tuple[Override, ...] = ()
    remarks: tuple[str | Reason, ...] = ()  # of a person, or ours
    unread: tuple[Reason, ...] = ()  # whole lines that could not be read, each with its place and why
    source: str = ""


def printable(text: str) -> str:
    """The text without what a terminal or a page would obey instead of showing it."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " if c.isspace() else "\ufffd" for c in text)
