"""Where an answer starts and which value it is for: `A`, `head2.A`, `b.Z`, `A[2]`, `A[2, 1]`."""

from __future__ import annotations

import re
from typing import NamedTuple

from attnsolve.expressions import normalise
from attnsolve.submission import printable
from attnsolve.verifier.reading.printed_names import OPENING, PART, behind_symbols, printed_name
from attnsolve.verifier.reading.translation import FUNCTIONS

WORD = r"[^\W\d][\w'′]{0,39}"
# With a part of digits, 1.A is a name; 1.e5 is a number.
NAME = rf"(?!\d+\.?[eE][+-]?\d)(?:{PART}\.)?{WORD}(?:\.{WORD}|-{WORD}){{0,6}}"
INDEX = re.compile(r"\[\s*(\d{1,6})\s*(?:,\s*:|(?:,|\]\s*\[)\s*(\d{1,6})\s*)?\s*\]", re.ASCII)
# A question of a problem set by itself, before words: 2c because …
QUESTION = r"[0-9]{1,2}[a-z](?=\s+[^\W\d]|\s?[:=])"
START = re.compile(rf"{OPENING}({NAME}|{QUESTION})(?=\s|\[|:|=|≈|$)")
LONGEST = 200
ASSIGNS = ("[", ":", "=", "≈")
CALLED_BARE = ("ln", "log", "sqrt")
# `ln2` is a number, unless it is all that may name what stands behind it.
BARE_CALL = re.compile(r"(?:ln|log|sqrt)[0-9]+")
# Words that stand for a number or for the lack of one, so that they start no answer.
NO_NAMES = {"nan", "na", "none", "null", "ok", "inf", "pi", "π"}


class Place(NamedTuple):
    """A value, or one row or cell of it, and where its number starts in the text."""

    name: str
    row: int | None = None
    column: int | None = None
    end: int = 0
    turned: bool = False  # whether its rows are given as columns: S^T = …
    part: str = ""  # of the heading above it
    exercise: str = ""  # and the exercise of such headings


def starts_answer(text: str, at: int = 0, *, goes_on: bool = True) -> bool:
    """Whether a new answer starts here: a name with a blank, '[', ':' or '=' behind it.

    `goes_on` says that an answer stands before it, which `ln2` or `ln 2` may be the next number of.
    """
    match = START.match(text, at)
    if match is None:
        return printed_name(text, at) is not None
    if match[1].lower() in NO_NAMES:
        return False
    behind = text[match.end() : match.end() + 80].lstrip()
    if (
        goes_on
        and behind[:1] not in ASSIGNS
        and (BARE_CALL.fullmatch(match[1]) or (match[1] in CALLED_BARE and behind[:1].isdigit()))
    ):
        return False
    return not (behind.startswith("&") or (behind.startswith("(") and match[1] in FUNCTIONS))


def read_place(text: str) -> Place | None:
    """The value that a text starts with; `A[2]` is a row, but `A [2, 1]` with nothing behind it a vector."""
    match, printed = START.match(text), printed_name(text)
    if match is None and printed is None:
        return None
    if printed is not None and (match is None or printed.end >= match.end()):
        return Place(printed.name, end=behind_symbols(text, printed.end), turned=printed.turned)
    assert match is not None
    name, end = match[1], match.end()
    tight = text[end : end + 1] == "["
    index = INDEX.match(text, end + len(text[end:]) - len(text[end:].lstrip()))
    if index:
        behind = text[index.end() :].lstrip()
        if tight or (behind and behind[0] not in "[,;'.^"):
            end = behind_symbols(text, index.end())
            return Place(name, int(index[1]), int(index[2]) if index[2] else None, end)
    return Place(name, end=behind_symbols(text, end))


def read_key(text: str) -> Place:
    """The value that a key of a map or a heading of a table names; any text is a name."""
    key = printable(normalise(text[:LONGEST])).strip()
    index = INDEX.search(key)
    if index is None or not index.start() or index.end() < len(key):
        printed = printed_name(f"{key} =")
        if printed is not None and printed.end == len(key):
            return Place(printed.name, turned=printed.turned)
        return Place(key)
    return Place(key[: index.start()].rstrip(), int(index[1]), int(index[2]) if index[2] else None)
