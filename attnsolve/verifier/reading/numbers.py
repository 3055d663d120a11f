"""One number as a person wrote it: its exact value, its digits, or why it could not be read."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from attnsolve.errors import AttnsolveError, ExpressionError
from attnsolve.exact import Cell, Rational
from attnsolve.exact.cells import multiply, subtract
from attnsolve.exact.infinity import HIDDEN, MINUS_INFINITY
from attnsolve.expressions import PLAIN, normalise, number
from attnsolve.expressions.plain import plain_value
from attnsolve.limits import Limits
from attnsolve.loader.numbers import INVISIBLE, likely_cause
from attnsolve.loader.reader import shortened
from attnsolve.notes import Note, NoteKind
from attnsolve.published import printed_places
from attnsolve.reasons import Reason, reason
from attnsolve.submission import State, Written, printable
from attnsolve.verifier.reading.budget import Budget
from attnsolve.verifier.reading.rounded_forms import valued
from attnsolve.verifier.reading.strikes import STRIKE, with_struck
from attnsolve.verifier.reading.translation import translate

BLANKS = {"", "-", "--", "---", "—", "_", "nan", "na", "n/a", "none", "null"}
ILLEGIBLE = re.compile(r"[-+.,/0-9]*\?[-+.,/0-9?]*")
ABOUT = re.compile(r"(?:[≈≃≅≐=]|\\approx|\\simeq|\\doteq|approx\.)\s*")
RELATION = re.compile(r"\s*(?:[≈≃≅≐=]|\\approx|\\simeq|\\doteq)\s*")
PERCENT = re.compile(r"\s*\\?%$")
CUT_OFF = re.compile(r"\s*(?:\.\.\.|…|\\[lc]?dots)$")
COMMA = re.compile(r"([+-]?)([0-9]+),([0-9]+(?:[eE][+-]?[0-9]+)?)")
RAISED_POINT = re.compile(r"[-+−]?[0-9]*·[0-9]+")  # how some write a decimal by hand
THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]*)?")
STRAY_COMMA = re.compile(r"(?<![0-9]),|,(?![0-9])")
TWO_ARGUMENTS = re.compile(r"log\s*\(")
UNCLEAR_INSIDE = re.compile(r"(?<![0-9,])[1-9][0-9]{0,2},[0-9]{3}(?![0-9])")
MIXED = re.compile(r"([+-]?)([0-9]{1,9})\s+([0-9]{1,9})/([0-9]{1,9})")  # one place of a table: 4 1/2
DIGITS = r"(?:\{\s*[0-9]+\s*\}|[0-9])"
MIXED_LATEX = re.compile(rf"(?<![0-9.])[0-9]+\s*\\[tdc]?frac\s*{DIGITS}\s*{DIGITS}")
POWER_OF_TEN = re.compile(
    r"\s*([+-]?)\s*([0-9]+\.?[0-9]*|\.[0-9]+)\s*\*\s*10\s*\^\s*\(?\s*([+-]?\s*[0-9]+)\s*\)?\s*"
)
PERCENT_CELL = Rational(Fraction(1, 100))


class UnclearComma(ExpressionError):
    """A comma that may be a decimal comma or one for the thousands."""


class Value(NamedTuple):
    """What a form says: its value, the places of a decimal, a hint, what decimals inside it leave open."""

    cell: Cell
    places: int | None = None
    notes: tuple[Note, ...] = ()
    ball: Any = None


def read_number(text: str, budget: Budget) -> Written:
    """What one place of an answer says; nothing that is typed there raises an error."""
    typed = text.strip()
    limit = budget.limits.characters
    if len(typed) > limit:
        return unread(typed, reason("longer than {limit} characters", limit=limit), column=limit + 1)
    normal = typed
    try:
        plain = read_plain(typed, budget.limits.bits)
        if plain is not None:
            return plain
        normal = normalise(typed.translate(UNSEEN))
        return _read_marked(printable(typed), normal, budget)
    except UnclearComma as error:
        return unread(typed, error.reason, kind=NoteKind.UNCLEAR_COMMA)
    except ExpressionError as error:
        better = None if "\\" in normal or "," in normal else likely_cause(normal)
        return unread(typed, better or error.reason, column=1 if better else error.column)
    except AttnsolveError as error:
        return unread(typed, error.reason)


UNSEEN = str.maketrans("", "", INVISIBLE)


def unread(text: str, why: Reason, *, column: int = 1, kind: NoteKind = NoteKind.UNREAD) -> Written:
    """A place that could not be read, with the reason."""
    typed = printable(shortened(text))
    said = reason("column {column}: {why}", column=column, why=why.each(printable))
    return Written(typed, State.UNREAD, notes=(Note(kind, typed, said),))


def _read_marked(typed: str, normal: str, budget: Budget) -> Written:
    """A text that is no plain number: blank, illegible, crossed out, or a longer form of a number."""
    if normal.lower() in BLANKS:
        return Written(typed, State.BLANK)
    if RAISED_POINT.fullmatch(typed):
        point, times = typed.replace("·", "."), typed.replace("·", "*")
        raise ExpressionError(
            reason(
                "'{typed}' may be a decimal or a product; write {point} or {times}",
                typed=typed,
                point=point,
                times=times,
            )
        )
    if ILLEGIBLE.fullmatch(normal):
        return Written(typed, State.ILLEGIBLE)
    strike = STRIKE.match(normal)
    if strike:
        behind = normal[strike.end() :]
        inside = read_number(behind or strike[1], budget)
        if not behind or inside.state is State.BLANK:
            return Written(typed, State.CROSSED, inside.cell, inside.places)
        return with_struck(inside, printable(shortened(strike[1].strip())))
    if normal.startswith("~"):
        below = normal[1:].strip()
        inside = read_number(below, budget) if below and not below.startswith("~") else Written("")
        said = (Note(NoteKind.CROSSED),) if inside.cell is not None else ()
        return Written(typed, State.CROSSED, inside.cell, inside.places, said)
    cell, places, notes, ball = _read_form(normal, budget)
    return Written(typed, State.NUMBER, cell, _places_behind_point(places), notes, ball)


def _read_form(normal: str, budget: Budget) -> Value:
    """The value of a number with all that may stand around it: ≈, %, dots that go on, $."""
    body, first = normal.strip("$ "), len(normal) - len(normal.lstrip("$ "))
    about = ABOUT.match(body)
    if about:
        body, first = body[about.end() :], first + about.end()
    percent, dots = PERCENT.search(body), CUT_OFF.search(body)
    body = body[: percent.start()] if percent else body[: dots.start()] if dots else body
    if not body:
        raise ExpressionError(reason("a number is missing here; left out is '-'"), column=first + 1)
    try:
        cell, places, notes, ball = _read_equals(body, budget)
    except ExpressionError as error:
        raise type(error)(error.reason, column=error.column + first) from None
    if dots:
        if places is None and not RELATION.search(body):
            raise ExpressionError(reason("only a decimal can go on with …"), column=first + dots.start() + 1)
        notes = notes or (Note(NoteKind.DOTS, meant=body),)
    if percent:
        cell, places = multiply(cell, PERCENT_CELL), None if places is None else places + 2
        ball = None if ball is None else ball / 100
    return Value(cell, places, notes, ball)


def _read_equals(body: str, budget: Budget) -> Value:
    """`2/3 ≈ 0.67` is 2/3, the first of several forms of one number; different numbers are not read."""
    if RELATION.search(body) is None:
        return _read_value(body, budget)
    start, read = 0, []
    for stop in (*(match.span() for match in islice(RELATION.finditer(body), 4)), (len(body), len(body))):
        try:
            read.append(_read_value(body[start : stop[0]], budget))
        except ExpressionError as error:
            raise type(error)(error.reason, column=error.column + start) from None
        start = stop[1]
    first = read[0]
    for other in read[1:]:
        if first.cell.same(other.cell) is not True and not _is_rounded(first.cell, other.cell, other.places):
            raise ExpressionError(reason("these are different numbers; write one of them"))
    return first._replace(notes=first.notes or (Note(NoteKind.FIRST_FORM, body),))


def _is_rounded(cell: Cell, decimal: Cell, places: int | None) -> bool:
    """Whether a decimal is the number, rounded in any way: less than one of its last place away."""
    if places is None or places < 0:
        return False
    return bool(abs(multiply(subtract(cell, decimal), Rational(Fraction(10**places))).ball(256)) <= 1)


def _read_value(body: str, budget: Budget) -> Value:
    """The value of one form: -∞, a mixed number, a decimal with a comma, or an expression."""
    infinite = body.replace("\\infty", "∞").replace(" ", "")
    if MINUS_INFINITY.fullmatch(infinite):
        return Value(HIDDEN)
    mixed = MIXED.fullmatch(body)
    if mixed and int(mixed[3]) < int(mixed[4]):
        return Value(number(f"{mixed[1]}({mixed[2]}+{mixed[3]}/{mixed[4]})", limits=budget.limits))
    if MIXED_LATEX.search(body):
        said = reason("this may be a mixed number or a product; write 9/2 or 4 * 1/2, for example")
        raise ExpressionError(said)
    comma = COMMA.fullmatch(body.replace("{,}", ","))
    if THOUSANDS.fullmatch(body):
        raise UnclearComma(_thousands(body))
    if comma:
        point = f"{comma[1]}{comma[2]}.{comma[3]}"
        note = Note(NoteKind.DECIMAL_COMMA, body, point)
        return Value(number(point, limits=budget.limits), printed_places(point), (note,))
    if "," in body and "." not in body:
        return _read_commas(body, budget)
    translated = translate(body)
    text = _without_brackets(translated.text)
    ten = POWER_OF_TEN.fullmatch(text)
    if ten:
        text = f"{ten[1]}{ten[2]}e{ten[3].replace(' ', '')}"
    try:
        budget.spend(text)
        value = _value_or_fault(text, budget.limits)
        if not isinstance(value, Value):
            raise ExpressionError(value[0], column=value[1])
        return value
    except ExpressionError as error:
        lost = 0 if ten or text == translated.text else translated.text.index(text)
        column = 1 if ten else translated.column(error.column + lost)
        at_end = not ten and error.column + lost > len(translated.text)
        raise ExpressionError(error.reason, column=len(body) + 1 if at_end else column) from None


def _thousands(body: str) -> Reason:
    """Why `1,500` is not read."""
    return reason(
        "'{typed}' may have a decimal comma or a comma for the thousands; write {point} or {whole}",
        typed=body,
        point=body.replace(",", ".", 1),
        whole=body.replace(",", ""),
    )


def _read_commas(body: str, budget: Budget) -> Value:
    """A longer form whose commas all stand between digits, where they can only be decimal commas: e^2,598."""
    plain = body.replace("{,}", ",")
    stray = STRAY_COMMA.search(plain)
    if stray:
        raise ExpressionError(reason("a comma cannot stand here"), column=stray.start() + 1)
    if TWO_ARGUMENTS.search(plain):
        said = reason(
            "'{typed}' has a comma, and it may be one number or two, the base and the number; write decimals "
            "with a point",
            typed=plain,
        )
        raise UnclearComma(said)
    point = plain.replace(",", ".")
    if UNCLEAR_INSIDE.search(plain):
        said = reason(
            "'{typed}' may have decimal commas or commas for the thousands; write {point}",
            typed=plain,
            point=point,
        )
        raise UnclearComma(said)
    return _read_value(point, budget)._replace(notes=(Note(NoteKind.DECIMAL_COMMA, plain, point),))


def _without_brackets(text: str) -> str:
    """A decimal in brackets is still that decimal: (0.50)."""
    inside = text.strip()
    while inside.startswith("(") and inside.endswith(")"):
        inside = inside[1:-1].strip()
    return inside if PLAIN.fullmatch(inside) else text


@lru_cache(maxsize=4096)
def read_plain(typed: str, bits: int) -> Written | None:
    """A plain number, or None; a class writes the same few over and over."""
    normal = typed if typed.isascii() else normalise(typed.translate(UNSEEN))
    plain = PLAIN.fullmatch(normal)
    if plain is None:
        return None
    _, _, after, only_after, exponent, below = plain.groups()
    limits = limits_of(bits)
    cell = Rational(plain_value(plain, limits, 1))
    if below:  # 4.5/3
        return Written(typed, State.NUMBER, cell, ball=valued(normal, limits=limits)[1])
    places = len(after or only_after or "") - int(exponent or 0)
    return Written(typed, State.NUMBER, cell, _places_behind_point(places))


@lru_cache(maxsize=64)
def limits_of(bits: int) -> Limits:
    """The limits that numbers of so many bits are read with."""
    return Limits(bits=bits)


def _places_behind_point(places: int | None) -> int | None:
    """The places behind the point: 1e9 has none, and does not stand for everything that begins with 1."""
    return None if places is None else max(0, places)


@lru_cache(maxsize=1024)
def _value_or_fault(text: str, limits: Limits) -> Value | tuple[Reason, int]:
    """The exact value, or why there is none and in which column; that may take as long to find out."""
    try:
        cell, ball = valued(text, limits=limits)
    except ExpressionError as error:
        return error.reason, error.column  # the error itself would keep the frames it was raised through
    return Value(cell, printed_places(text), ball=ball)
