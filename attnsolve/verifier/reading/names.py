"""Where an answer starts and which value it is for: `A`, `head2.A`, `b.Z`, `A[2]`, `A[2, 1]`."""

from __future__ import annotations

import re
from typing import NamedTuple

from attnsolve.expressions import normalise
from attnsolve.submission import printable
from attnsolve.verifier.reading.translation import FUNCTIONS

WORD = r"[^\W\d][\w'′]{0,39}"
# A part may be called 1 or 2b, and 1.A is then a name; 1.e5 is a number.
PART = r"[A-Za-z0-9]{1,20}(?:-[A-Za-z0-9]{1,20}){0,3}"
NAME = rf"(?!\d+\.?[eE][+-]?\d)(?:{PART}\.)?{WORD}(?:\.{WORD}|-{WORD}){{0,6}}"
INDEX = re.compile(r"\[\s*(\d{1,6})\s*(?:(?:,|\]\s*\[)\s*(\d{1,6})\s*)?\]", re.ASCII)
START = re.compile(rf"\s*(?:\$\$?|\\\[|\\\()?\s*({NAME})(?=\s|\[|:|=|≈|$)")
# A name as LaTeX has it, which must be followed by = since it may also start a number: W_{Q} =, \\hat{s} =.
DRESSED = re.compile(
    r"\s*(?:\$\$?|\\\[|\\\()?\s*((?:\\(?:hat|tilde|bar|vec|math\w\w|boldsymbol)\s*\{?\s*){0,3}"
    r"\\?[A-Za-z]{1,20}\}*(?:_\{?[\w,]{1,12}\}?)?)(?=\s{0,9}:?=)"
)
DRESS = re.compile(r"\\(?:hat|tilde|bar|vec|math\w\w|boldsymbol)\b|[\\{}\s]")
ASSIGNED = re.compile(r"\s*(?::=|:|=)?\s*")
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


def starts_answer(text: str, at: int = 0, *, goes_on: bool = True) -> bool:
    """Whether a new answer starts here: a name with a blank, '[', ':' or '=' behind it.

    `goes_on` says that an answer stands before it, which `ln2` or `ln 2` may be the next number of.
    """
    match = START.match(text, at)
    if match is None:
        return DRESSED.match(text, at) is not None
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
    match = START.match(text) or DRESSED.match(text)
    if match is None:
        return None
    name, end = DRESS.sub("", match[1]), match.end()
    tight = text[end : end + 1] == "["
    index = INDEX.match(text, end + len(text[end:]) - len(text[end:].lstrip()))
    if index:
        behind = text[index.end() :].lstrip()
        if tight or (behind and behind[0] not in "[,;'.^"):
            end = ASSIGNED.match(text, index.end()).end()  # type: ignore[union-attr]
            return Place(name, int(index[1]), int(index[2]) if index[2] else None, end)
    end = ASSIGNED.match(text, end).end()  # type: ignore[union-attr]
    return Place(name, end=end)


def read_key(text: str) -> Place:
    """The value that a key of a map or a heading of a table names; any text is a name."""
    key = printable(normalise(text[:LONGEST])).strip()
    index = INDEX.search(key)
    if index is None or not index.start() or index.end() < len(key):
        return Place(key)
    return Place(key[: index.start()].rstrip(), int(index[1]), int(index[2]) if index[2] else None)
