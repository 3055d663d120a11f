"""`1,500` and `1/18,5` where the comma can only be a decimal comma: its writer uses such commas elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from attnsolve.expressions import normalise
from attnsolve.notes import Note, NoteKind
from attnsolve.submission import Answer, State, Submission, Written
from attnsolve.verifier.reading.budget import Budget
from attnsolve.verifier.reading.numbers import read_number

# A number that may have a decimal comma or one for the thousands.
EITHER = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}")
PLACES = 3  # which a comma for the thousands has behind it, too


def has_note(written: Written, kind: NoteKind) -> bool:
    """Whether something of this kind was noted about a number."""
    return any(note.kind is kind for note in written.notes)


def may_be_thousands(written: Written) -> bool:
    """Whether a number was not read because its comma may be a decimal comma or one for the thousands."""
    return has_note(written, NoteKind.UNCLEAR_COMMA) and bool(EITHER.fullmatch(normalise(written.text)))


def written_in(answers: Iterable[Answer]) -> Iterator[Written]:
    """Every place of some answers."""
    return (written for answer in answers for row in answer.rows for written in row)


def has_unclear(answers: tuple[Answer, ...]) -> bool:
    """Whether some comma may be a decimal comma or one for the thousands."""
    unread = [answer for answer in answers if answer.rows.unread]
    return any(map(may_be_thousands, written_in(unread)))


def consistent(answers: tuple[Answer, ...], budget: Budget) -> tuple[Answer, ...]:
    """One person's answers; who writes decimal commas elsewhere writes them everywhere, and is told once."""
    noted = [answer for answer in answers if answer.rows.noted]
    if not any(has_note(written, NoteKind.DECIMAL_COMMA) for written in written_in(noted)):
        return answers
    return told_once(as_decimals(answer, budget) if answer.rows.unread else answer for answer in answers)


def settled(submission: Submission) -> Submission:
    """The answers with every comma that may be one for the thousands as a decimal comma."""
    budget = Budget()
    return replace(submission, answers=told_once(as_decimals(a, budget) for a in submission.answers))


def as_decimals(answer: Answer, budget: Budget) -> Answer:
    """An answer with every unclear comma as a decimal comma."""
    return answer._replace(rows=answer.rows.each(lambda written: as_decimal(written, budget)))


def as_decimal(written: Written, budget: Budget) -> Written:
    """A number whose unclear comma is a decimal comma, with the usual hint; as it was if it then has two."""
    if not has_note(written, NoteKind.UNCLEAR_COMMA):
        return written
    point = normalise(written.text).replace(",", ".")
    number = read_number(point, budget)
    if number.state is not State.NUMBER:
        return written
    return number._replace(
        text=written.text, notes=(Note(NoteKind.DECIMAL_COMMA, written.text, point), *number.notes)
    )


def told_once(answers: Iterable[Answer]) -> tuple[Answer, ...]:
    """The answers with the hint on decimal commas at the first of their numbers only."""
    told = False

    def once(written: Written) -> Written:
        nonlocal told
        others = tuple(note for note in written.notes if note.kind is not NoteKind.DECIMAL_COMMA)
        if others == written.notes or not told:
            told = told or others != written.notes
            return written
        return written._replace(notes=others)

    return tuple(
        answer._replace(rows=answer.rows.each(once)) if answer.rows.noted else answer for answer in answers
    )
