"""`1,500` where it can only be a decimal: its writer uses decimal commas, or three places were asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction

from attnsolve.exact import Rational
from attnsolve.expressions import normalise
from attnsolve.report import Note, NoteKind
from attnsolve.submission import Answer, State, Submission, Table, Written

EITHER = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}")
DECIMAL = re.compile(r"[+-]?[0-9]+,[0-9]+")
PLACES = 3  # which a comma for the thousands has behind it, too


def is_unclear(written: Written) -> bool:
    """Whether a number was not read because its comma may be a decimal comma or one for the thousands."""
    return any(note.kind is NoteKind.UNCLEAR_COMMA for note in written.notes) and bool(plain(written, EITHER))


def is_decimal_comma(written: Written) -> bool:
    """Whether a comma cannot be anything but a decimal comma: 1,5 or 0,284."""
    return written.state is State.NUMBER and "," in written.text and bool(plain(written, DECIMAL))


def plain(written: Written, pattern: re.Pattern[str]) -> re.Match[str] | None:
    """The number without the signs of other keyboards, if it is of some form."""
    return pattern.fullmatch(normalise(written.text).strip())


def written_in(answers: Iterable[Answer]) -> Iterator[Written]:
    """Every place of some answers."""
    return (written for answer in answers for row in answer.rows for written in row)


def consistent(answers: tuple[Answer, ...]) -> tuple[Answer, ...]:
    """One person's answers; who writes decimal commas elsewhere writes them everywhere."""
    if has_unclear(answers) and any(map(is_decimal_comma, written_in(answers))):
        return tuple(map(as_decimals, answers))
    return answers


def has_unclear(answers: tuple[Answer, ...]) -> bool:
    """Whether it is open what some comma means."""
    return any(map(is_unclear, written_in(answer for answer in answers if answer.rows.unread)))


def settled(submission: Submission) -> Submission:
    """The answers with every unclear comma as a decimal comma."""
    return replace(submission, answers=tuple(map(as_decimals, submission.answers)))


def as_decimals(answer: Answer) -> Answer:
    """An answer with every unclear comma as a decimal comma."""
    return answer._replace(rows=Table(tuple(map(as_decimal, row)) for row in answer.rows))


def as_decimal(written: Written) -> Written:
    """A number whose unclear comma is a decimal comma, with the usual hint."""
    if not is_unclear(written):
        return written
    point = normalise(written.text).strip().replace(",", ".")
    note = Note(NoteKind.DECIMAL_COMMA, written.text, point)
    return Written(written.text, State.NUMBER, Rational(Fraction(point)), PLACES, (note,))
