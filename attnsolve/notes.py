"""What may be noted about a step, as data: how it was read, its digits, its route, its marks."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from attnsolve.reasons import Reason


class NoteKind(StrEnum):
    """What may be noted about a step; behind each, the fields of its `Note`."""

    # How something was read.
    UNREAD = "unread"  # typed, meant: why
    UNCLEAR_COMMA = "unclear comma"  # typed, meant: why
    NO_OPTION = "no option"  # typed, meant: the letters there are
    DECIMAL_COMMA = "decimal comma"  # typed, meant
    STRUCK = "struck"  # typed: what was struck out before the number that counts
    CROSSED = "crossed"
    DOTS = "dots"  # meant
    FIRST_FORM = "first form"  # typed
    SHORT_ROW = "short row"  # place: which row, number: its numbers, total: those of the longest
    TWICE = "twice"
    TURNED = "turned"
    TOKENS_AS_ROWS = "tokens as rows"
    # Digits.
    CUT_OFF = "cut off"
    TOO_FEW_DIGITS = "too few digits"  # typed, number: the places asked for
    ANYTHING_FOLLOWS = "anything follows"
    ROUNDED_EARLY = "rounded early"  # typed, number: the places asked for; or nothing: the numbers before it
    # Other sound routes.
    USED_TURNED = "used turned"
    DIVIDED_BEFORE = "divided before"
    QUERIES_DIVIDED = "queries divided"
    MASKED_ALREADY = "masked already"
    MASKED_BEFORE_SCALING = "masked before scaling"
    LARGEST_TAKEN_OFF = "largest taken off"
    # What is wrong or open.
    NUMBERS_OFF = "numbers off"  # number, total
    NOT_SEARCHED = "not searched"
    UNDECIDED = "undecided"  # meant: why
    UNKNOWN_BEFORE = "unknown before"
    # Marks.
    METHOD_SHOWN = "method shown"
    NOT_ALL_STATED = "not all stated"
    MARK_CUT = "mark cut"  # typed: the mark by hand, meant: the most there is


class Note(NamedTuple):
    """Something worth a word about a step, as data; `rendering.notes` has the words."""

    kind: NoteKind
    typed: str = ""
    meant: str | Reason = ""
    number: int = 0
    total: int = 0
    place: int = 0

    @property
    def is_unread(self) -> bool:
        """Whether something was written that nobody could read."""
        return self.kind in (NoteKind.UNREAD, NoteKind.UNCLEAR_COMMA, NoteKind.NO_OPTION)

    @property
    def is_early(self) -> bool:
        """Whether numbers are not the right ones because too few digits were gone on with."""
        return self.kind is NoteKind.ROUNDED_EARLY

    @property
    def is_short(self) -> bool:
        """Whether a step was written, or gone on from, with fewer digits than were asked for."""
        return self.kind in (NoteKind.TOO_FEW_DIGITS, NoteKind.ANYTHING_FOLLOWS)

    @property
    def is_coarse(self) -> bool:
        """Whether digits are missing, here or in the numbers before."""
        return self.is_short or self.is_early
