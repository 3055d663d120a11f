"""Whole answers as typed or pasted: `1 2; 3 4`, LaTeX, numpy, MATLAB, a block of a spreadsheet."""

from __future__ import annotations

import re
from functools import lru_cache

from attnsolve.errors import AttnsolveError
from attnsolve.exact.infinity import HIDDEN
from attnsolve.loader.reader import shortened
from attnsolve.notes import Note, NoteKind
from attnsolve.reasons import reason
from attnsolve.submission import State, Table, Written, printable
from attnsolve.verifier.digits import BITS
from attnsolve.verifier.memory import LONGEST_TEXT, MOST_TEXTS
from attnsolve.verifier.reading.budget import Budget
from attnsolve.verifier.reading.layouts import split_layout
from attnsolve.verifier.reading.numbers import ABOUT, read_number, read_plain, unread
from attnsolve.verifier.reading.separators import RELATION, Typed
from attnsolve.verifier.reading.strikes import with_crossed_places

# The separators of other keyboards; the numbers themselves are kept as they were typed.
SEPARATORS = str.maketrans("，；［］（）＆\u00a0\u2009\u202f\u3000", ",;[]()&    ")
CHARACTERS_PER_NUMBER = 32
PIECES_PER_NUMBER = 4
# How MATLAB shows large numbers, 1.0e+03 * 0.0045, which have as many digits as they show.
POWER_OF_TEN = re.compile(r"1(?:\.0*)?[eE]([+-]?[0-9]{1,3})")
SHOWN = re.compile(r"[+-]?[0-9]*\.?[0-9]+")
# A plain decimal, as most of a class writes it; number by number, since a pattern for lines may backtrack.
DECIMAL = re.compile(r"-?(?:[0-9]{1,9}(?:\.[0-9]{1,9})?|\.[0-9]{1,9})", re.ASCII)


def read_table(text: str, budget: Budget) -> Table:
    """The rows of an answer, all equally long; too many numbers are an AttnsolveError."""
    limits = budget.limits
    is_short = len(text) <= LONGEST_TEXT and len(text) <= limits.characters
    table = read_decimals(text, limits.bits) if is_short else None
    if table is None:
        return _read_table(text, budget)
    budget.count(table.size)
    return table


@lru_cache(maxsize=MOST_TEXTS)
def read_decimals(text: str, bits: int) -> Table | None:
    """The rows of plain decimals, read once for a whole class: they cost a budget nothing but their count."""
    if "\t" in text:
        return None
    rows = [row for row in map(str.split, text.replace("\n", ";").split(";")) if row]
    read = []
    for row in rows:
        numbers = [written for written in [read_decimal(typed, bits) for typed in row] if written]
        if len(numbers) < len(row):
            return None
        read.append(numbers)
    return fill_up(read) if rows else None


@lru_cache(maxsize=MOST_TEXTS)
def read_decimal(typed: str, bits: int) -> Written | None:
    """A plain decimal of at most so many bits, or None; a class writes the same few over and over."""
    try:
        return read_plain(typed, bits) if DECIMAL.fullmatch(typed) else None
    except AttnsolveError:  # a number that is too long
        return None


def _read_table(text: str, budget: Budget) -> Table:
    """The rows of an answer that is more than plain decimals, within the budget."""
    # What stands before the whole answer would hide the commas of its numbers.
    about = ABOUT.match(text.lstrip()) if len(RELATION.findall(text)) == 1 else None
    text = text if about is None else text.lstrip()[about.end() :]
    most = budget.limits.numbers * CHARACTERS_PER_NUMBER
    if len(text) > most:
        raise AttnsolveError(
            reason("an answer of {length} characters; the limit is {limit}", length=len(text), limit=most)
        )
    pieces = len(text.split()) + sum(map(text.count, ",;&"))
    if pieces > PIECES_PER_NUMBER * budget.limits.numbers:  # seen before it is taken apart with care
        raise AttnsolveError(
            reason(
                "an answer of {pieces} pieces; the limit is {limit} numbers",
                pieces=pieces,
                limit=budget.limits.numbers,
            )
        )
    rows, turned, factor = split_layout(text.translate(SEPARATORS).strip())
    if not rows:
        return Table.of_one(Written(printable(shortened(text)), State.BLANK))
    budget.count(sum(map(len, rows)))
    check_ragged(list(map(len, rows)), budget)
    read = [[read_typed(typed, budget) for typed in row] for row in rows]
    if factor:
        read = [[multiplied(written, factor, budget) for written in row] for row in read]
    filled = fill_up(read)
    return Table(zip(*filled, strict=True)) if turned else filled


def check_ragged(lengths: list[int], budget: Budget) -> None:
    """Refuse rows of such different lengths that they are too many numbers once they are filled up."""
    if len(lengths) * max(lengths, default=0) > budget.limits.numbers:
        raise AttnsolveError(
            reason(
                "rows of such different lengths; the limit is {limit} numbers", limit=budget.limits.numbers
            )
        )


def fill_up(rows: list[list[Written]]) -> Table:
    """Rows of one length: a row that is only `-` or `?` is that all along, a short one ends in blanks."""
    width = max(map(len, rows))
    made = []
    for number, row in enumerate(rows, start=1):
        if len(row) < width:
            if len(with_crossed_places(row)) == width:
                row = with_crossed_places(row)
            elif (
                len(row) == 1
                and row[0].state in (State.BLANK, State.ILLEGIBLE, State.CROSSED)
                and row[0].cell is None
            ):
                row = row * width
            else:
                note = Note(NoteKind.SHORT_ROW, number=len(row), total=width, place=number)
                row = row + [Written("", State.BLANK, notes=(note,))] * (width - len(row))
        made.append(tuple(row))
    return Table(made)


def read_typed(typed: Typed, budget: Budget) -> Written:
    """A number of a row, or what is unclear about it."""
    if not typed.doubt:
        return read_number(typed.text, budget)
    kind = NoteKind.UNCLEAR_COMMA if typed.comma else NoteKind.UNREAD
    return unread(typed.text, typed.doubt, kind=kind)


def multiplied(written: Written, factor: str, budget: Budget) -> Written:
    """A number of a matrix times the factor before it; what is no number stays what it is."""
    if written.state is not State.NUMBER:
        return written
    power = POWER_OF_TEN.fullmatch(factor)
    if power and SHOWN.fullmatch(written.text):
        return read_number(f"{written.text}e{power[1]}", budget)
    if written.cell is not HIDDEN:
        return read_number(f"({factor})*({written.text})", budget)
    share = read_number(factor, budget)
    if share.cell is None or share.cell is HIDDEN or not share.cell.ball(BITS) > 0:
        return unread(f"{factor} * {written.text}", reason("only a factor above 0 leaves -∞ as it is"))
    return written
