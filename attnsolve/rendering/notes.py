"""What was noted about a step, in words: the only place that has sentences for the kinds of a report."""

from __future__ import annotations

import re
from collections.abc import Iterable

from attnsolve.report import NamedMistake, Note, NoteKind, PartMark, Slip, SlipKind, Spread, StepReport

# Fragments, as a table has them too; `{}` are the fields of the note.
WORDS = {
    NoteKind.UNREAD: "'{typed}' was not read: {meant}",
    NoteKind.UNCLEAR_COMMA: "'{typed}' was not read: {meant}",
    NoteKind.DECIMAL_COMMA: "'{typed}' was read as {meant}; decimals use a point",
    NoteKind.STRUCK: "{typed} was struck out",
    NoteKind.CROSSED: "'~' was read as crossed out; write ≈ for 'about'",
    NoteKind.DOTS: "read as {meant}, cut off there",
    NoteKind.FIRST_FORM: "'{typed}' was read as its first form",
    NoteKind.SHORT_ROW: "row {place} has {number} number{s}, the longest row {total}",
    NoteKind.TWICE: "written twice; the last one counts",
    NoteKind.TURNED: "rows and columns are exchanged; it was read the other way round",
    NoteKind.TOKENS_AS_ROWS: "read with a token in each row; the sheet has them as columns",
    NoteKind.CUT_OFF: "cut off instead of rounded",
    NoteKind.TOO_FEW_DIGITS: "too few digits: {typed}; {number} places were asked for",
    NoteKind.ANYTHING_FOLLOWS: "too few digits: from these numbers almost anything would follow",
    NoteKind.ROUNDED_EARLY: "rounded too early: {typed}; {number} places were asked for",
    NoteKind.USED_TURNED: "written with rows and columns exchanged, and used so",
    NoteKind.DIVIDED_BEFORE: "already divided by the scale",
    NoteKind.QUERIES_DIVIDED: "the queries are divided by the scale already",
    NoteKind.MASKED_ALREADY: "masked already",
    NoteKind.MASKED_BEFORE_SCALING: "masked before the scores are scaled",
    NoteKind.LARGEST_TAKEN_OFF: "the largest score of each row is taken off first",
    NoteKind.NUMBERS_OFF: "{number} of {total} numbers are off",
    NoteKind.NOT_SEARCHED: "the search for known mistakes was given up: there are too many numbers",
    NoteKind.UNDECIDED: "{meant}",
    NoteKind.UNKNOWN_BEFORE: "it cannot be told what follows from the numbers before it",
    NoteKind.METHOD_SHOWN: "what comes after it shows the method, not the numbers",
    NoteKind.MARK_CUT: "{typed} was given by hand, but {meant} is the most there is",
}
EARLIER_DIGITS = "rounded too early: the numbers before it have too few digits"
# What makes a sentence of such a fragment.
OPENINGS = {
    NoteKind.CUT_OFF: "The numbers are ",
    NoteKind.TOO_FEW_DIGITS: "There are ",
    NoteKind.ANYTHING_FOLLOWS: "There are ",
    NoteKind.ROUNDED_EARLY: "It was ",
    NoteKind.TWICE: "It is ",
    NoteKind.TOKENS_AS_ROWS: "It was ",
    NoteKind.USED_TURNED: "It is ",
    NoteKind.DIVIDED_BEFORE: "It is ",
    NoteKind.MASKED_ALREADY: "It is ",
    NoteKind.MASKED_BEFORE_SCALING: "It is ",
}
SLIPS = {
    SlipKind.SIGN: "the sign is wrong",
    SlipKind.EXCHANGED: "row and column are exchanged",
    SlipKind.POINT_RIGHT: "the decimal point is one place too far to the right",
    SlipKind.POINT_LEFT: "the decimal point is one place too far to the left",
    SlipKind.PRODUCT_SIGN: "product {product} of the sum has the wrong sign",
    SlipKind.PRODUCT_MISSING: "product {product} of the sum is left out",
    SlipKind.PRODUCT_TWICE: "product {product} of the sum is taken twice",
    SlipKind.NEIGHBOUR: "this is the number beside it",
    SlipKind.DIGITS_SWAPPED: "two digits are swapped",
}
SPREADS = {Spread.ONE_STEP: "", Spread.EVERY_HEAD: " in every head", Spread.EVERY_STEP: " in every step"}


def fragment(note: Note) -> str:
    """A note as a few words in a table."""
    if note.is_early and not note.typed:
        return EARLIER_DIGITS
    words = WORDS[note.kind].format(**note._asdict(), s="s" * (note.number != 1))
    return words.removesuffix(": ")  # where there is no reason


def sentences(notes: Iterable[Note], *, counts: bool) -> list[str]:
    """Each note once, as a sentence; with `counts` also how many numbers are off, which tells a little."""
    kept = [note for note in dict.fromkeys(notes) if counts or note.kind is not NoteKind.NUMBERS_OFF]
    return [made for note in kept if (made := sentence_of(note))]


def sentence_of(note: Note) -> str:
    """A note as a sentence; nothing where there is nothing to say."""
    if note.kind is NoteKind.NUMBERS_OFF:
        return how_many(note.number, note.total)
    return as_sentence(OPENINGS.get(note.kind, "") + fragment(note))


def by_hand(step: StepReport | PartMark) -> str:
    """That a person has given the marks, and why, if a reason is there."""
    return f"marked by hand: {step.reason.rstrip('.')}" if step.reason else "marked by hand"


def slip_words(slips: Iterable[Slip]) -> str:
    """What probably happened, in a few words."""
    return " or ".join(SLIPS[slip.kind].format(product=slip.product) for slip in slips)


def mistake_words(named: NamedMistake) -> str:
    """A mistake by its name, and where it was made if that was not only here."""
    return f"{named.name}{SPREADS[named.spread]}"


def as_sentence(text: str) -> str:
    """A fragment with a capital and a full stop."""
    if re.match(r"[a-z]{2,} ", text):  # but not q = …, and no name
        text = text[0].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."


def how_many(off: int, written: int) -> str:
    """How many numbers are off; of one number that is known already."""
    if written == 1:
        return ""
    if off == written:
        return "Both numbers are off." if off == 2 else f"All {off} numbers are off."
    return f"{off} of {written} numbers {'is' if off == 1 else 'are'} off."
