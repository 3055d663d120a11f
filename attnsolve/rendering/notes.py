"""What was noted about a step, in words: the only place that has sentences for the kinds of a report."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import reduce

from attnsolve.causes import NamedMistake, Slip, SlipKind, Spread
from attnsolve.languages import message, translated, translated_count
from attnsolve.notes import Note, NoteKind
from attnsolve.rendering.reasons import reason_words
from attnsolve.report import PartMark, StepReport

# Fragments, as a table has them too; their places are the fields of the note.
WORDS = {
    NoteKind.UNREAD: message("'{typed}' was not read: {meant}"),
    NoteKind.UNCLEAR_COMMA: message("'{typed}' was not read: {meant}"),
    NoteKind.NO_OPTION: message("'{typed}' was not read: it is none of the letters {meant}"),
    NoteKind.DECIMAL_COMMA: message("'{typed}' was read as {meant}; decimals use a point"),
    NoteKind.STRUCK: message("{typed} was struck out"),
    NoteKind.CROSSED: message("'~' was read as crossed out; write ≈ for 'about'"),
    NoteKind.DOTS: message("read as {meant}, cut off there"),
    NoteKind.FIRST_FORM: message("'{typed}' was read as its first form"),
    NoteKind.SHORT_ROW: message("row {place} has fewer numbers ({number}) than the longest row ({total})"),
    NoteKind.TWICE: message("written twice; the last one counts"),
    NoteKind.TURNED: message("rows and columns are exchanged; it was read the other way round"),
    NoteKind.TOKENS_AS_ROWS: message("read with a token in each row; the sheet has them as columns"),
    NoteKind.CUT_OFF: message("cut off instead of rounded"),
    NoteKind.TOO_FEW_DIGITS: message("too few digits: {typed}; {number} places were asked for"),
    NoteKind.ANYTHING_FOLLOWS: message("too few digits: from these numbers almost anything would follow"),
    NoteKind.ROUNDED_EARLY: message("rounded too early: {typed}; {number} places were asked for"),
    NoteKind.USED_TURNED: message("written with rows and columns exchanged, and used so"),
    NoteKind.DIVIDED_BEFORE: message("already divided by the scale"),
    NoteKind.QUERIES_DIVIDED: message("the queries are divided by the scale already"),
    NoteKind.MASKED_ALREADY: message("masked already"),
    NoteKind.MASKED_BEFORE_SCALING: message("masked before the scores are scaled"),
    NoteKind.LARGEST_TAKEN_OFF: message("the largest score of each row is taken off first"),
    NoteKind.NUMBERS_OFF: message("{number} of {total} numbers are off"),
    NoteKind.NOT_SEARCHED: message(
        "the search for known mistakes was given up: there are too many numbers"
    ),
    NoteKind.UNDECIDED: "{meant}",
    NoteKind.UNKNOWN_BEFORE: message("it cannot be told what follows from the numbers before it"),
    NoteKind.METHOD_SHOWN: message("what comes after it shows the method, not the numbers"),
    NoteKind.NOT_ALL_STATED: message("right as far as it goes, but not all that was asked for"),
    NoteKind.MARK_CUT: message("{typed} was given by hand, but {meant} is the most there is"),
}
EARLIER_DIGITS = message("rounded too early: the numbers before it have too few digits")
# Where a fragment with a capital and a full stop would be no sentence.
SENTENCES = {
    NoteKind.CUT_OFF: message("The numbers are cut off instead of rounded."),
    NoteKind.TOO_FEW_DIGITS: message("There are too few digits: {typed}; {number} places were asked for."),
    NoteKind.ANYTHING_FOLLOWS: message(
        "There are too few digits: from these numbers almost anything would follow."
    ),
    NoteKind.ROUNDED_EARLY: message("It was rounded too early: {typed}; {number} places were asked for."),
    NoteKind.TWICE: message("It is written twice; the last one counts."),
    NoteKind.TOKENS_AS_ROWS: message("It was read with a token in each row; the sheet has them as columns."),
    NoteKind.USED_TURNED: message("It is written with rows and columns exchanged, and used so."),
    NoteKind.DIVIDED_BEFORE: message("It is already divided by the scale."),
    NoteKind.MASKED_ALREADY: message("It is masked already."),
    NoteKind.MASKED_BEFORE_SCALING: message("It is masked before the scores are scaled."),
}
EARLIER_DIGITS_SENTENCE = message("It was rounded too early: the numbers before it have too few digits.")
SLIPS = {
    SlipKind.SIGN: message("the sign is wrong"),
    SlipKind.EXCHANGED: message("row and column are exchanged"),
    SlipKind.POINT_RIGHT: message("the decimal point is one place too far to the right"),
    SlipKind.POINT_LEFT: message("the decimal point is one place too far to the left"),
    SlipKind.PRODUCT_SIGN: message("product {product} of the sum has the wrong sign"),
    SlipKind.PRODUCT_MISSING: message("product {product} of the sum is left out"),
    SlipKind.PRODUCT_TWICE: message("product {product} of the sum is taken twice"),
    SlipKind.NEIGHBOUR: message("this is the number beside it"),
    SlipKind.DIGITS_SWAPPED: message("two digits are swapped"),
}
SPREADS = {
    Spread.ONE_STEP: "{mistake}",
    Spread.EVERY_HEAD: message("{mistake} in every head"),
    Spread.EVERY_STEP: message("{mistake} in every step"),
}


def fragment(note: Note) -> str:
    """A note as a few words in a table."""
    if note.is_early and not note.typed:
        return translated(EARLIER_DIGITS)
    words = translated(WORDS[note.kind], **places_of(note))
    return words.rstrip(": \u00a0")  # where there is no reason


def places_of(note: Note) -> dict[str, object]:
    """What stands at the places of a note's sentence."""
    return note._asdict() | {"meant": reason_words(note.meant)}


def sentences(notes: Iterable[Note], *, counts: bool) -> list[str]:
    """Each note once, as a sentence; with `counts` also how many numbers are off, which tells a little."""
    kept = [note for note in dict.fromkeys(notes) if counts or note.kind is not NoteKind.NUMBERS_OFF]
    return [made for note in kept if (made := sentence_of(note))]


def sentence_of(note: Note) -> str:
    """A note as a sentence; nothing where there is nothing to say."""
    if note.kind is NoteKind.NUMBERS_OFF:
        return how_many(note.number, note.total)
    if note.is_early and not note.typed:
        return translated(EARLIER_DIGITS_SENTENCE)
    if note.kind in SENTENCES:
        return translated(SENTENCES[note.kind], **places_of(note))
    return as_sentence(fragment(note))


def by_hand(step: StepReport | PartMark) -> str:
    """That a person has given the marks, and why, if a reason is there."""
    if not step.reason:
        return translated("marked by hand")
    return translated("marked by hand: {reason}", reason=step.reason.rstrip("."))


def slip_words(slips: Iterable[Slip]) -> str:
    """What probably happened, in a few words; nothing where nobody knows."""
    told = [translated(SLIPS[slip.kind], product=slip.product) for slip in slips]
    if not told:
        return ""
    return reduce(lambda one, other: translated("{one} or {other}", one=one, other=other), told)


def mistake_words(named: NamedMistake) -> str:
    """A mistake by its name, and where it was made if that was not only here."""
    return translated(SPREADS[named.spread], mistake=named.name)


def as_sentence(text: str) -> str:
    """A fragment with a capital and a full stop."""
    if re.match(r"[^\W\d_]{2,} ", text):  # but not q = …, and no name
        text = text[0].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."


def how_many(off: int, written: int) -> str:
    """How many numbers are off; of one number that is known already."""
    if written == 1:
        return ""
    if off == written:
        if off == 2:
            return translated("Both numbers are off.")
        return translated("All {number} numbers are off.", number=off)
    return translated_count(
        "{count} of {total} numbers is off.", "{count} of {total} numbers are off.", off, total=written
    )
