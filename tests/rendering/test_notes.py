"""Notes and slips in words: each kind has some, as a fragment and as a sentence."""

import pytest

from attnsolve.causes import Slip, SlipKind
from attnsolve.notes import Note, NoteKind
from attnsolve.rendering.notes import fragment, sentences, slip_words

NOTES = [
    (Note(NoteKind.CUT_OFF), "The numbers are cut off instead of rounded."),
    (
        Note(NoteKind.TOO_FEW_DIGITS, ".18", number=4),
        "There are too few digits: .18; 4 places were asked for.",
    ),
    (Note(NoteKind.ROUNDED_EARLY), "It was rounded too early: the numbers before it have too few digits."),
    (Note(NoteKind.TURNED), "Rows and columns are exchanged; it was read the other way round."),
    (Note(NoteKind.UNREAD, "foo", "column 1: no number"), "'foo' was not read: column 1: no number."),
    (Note(NoteKind.UNREAD, "?"), "'?' was not read."),
    (Note(NoteKind.DECIMAL_COMMA, "0,67", "0.67"), "'0,67' was read as 0.67; decimals use a point."),
    (
        Note(NoteKind.SHORT_ROW, number=1, total=3, place=2),
        "Row 2 has fewer numbers (1) than the longest row (3).",
    ),
    (Note(NoteKind.NUMBERS_OFF, number=1, total=4), "1 of 4 numbers is off."),
    (Note(NoteKind.NUMBERS_OFF, number=2, total=4), "2 of 4 numbers are off."),
    (Note(NoteKind.NUMBERS_OFF, number=2, total=2), "Both numbers are off."),
    (Note(NoteKind.NUMBERS_OFF, number=4, total=4), "All 4 numbers are off."),
]


@pytest.mark.parametrize(("note", "said"), NOTES)
def test_notes_are_sentences(note: Note, said: str) -> None:
    assert [said] == sentences([note, note], counts=True)


@pytest.mark.parametrize("kind", NoteKind)
def test_every_kind_of_note_has_words(kind: NoteKind) -> None:
    note = Note(kind, "typed", "meant", 1, 2, 3)
    assert fragment(note) and "{" not in fragment(note)


@pytest.mark.parametrize("kind", SlipKind)
def test_every_kind_of_slip_has_words(kind: SlipKind) -> None:
    assert slip_words([Slip(kind, 2)]) and "{" not in slip_words([Slip(kind, 2)])


def test_of_one_number_it_is_not_said_that_one_is_off() -> None:
    assert [] == sentences([Note(NoteKind.NUMBERS_OFF, number=1, total=1)], counts=True)
