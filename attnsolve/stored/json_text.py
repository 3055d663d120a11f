"""JSON with places: what is no JSON is told with its line, and any value in a text can be found again."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple, NoReturn

from attnsolve.input_files import CONFLICT, MERGED

BLANK = re.compile(r"[ \t\r\n]*")
DECODER = json.JSONDecoder()
# No whole number that we write comes near it.
MOST_DIGITS = 40


class NotJson(ValueError):
    """A text that is not JSON: what is wrong, and at which character."""

    def __init__(self, said: str, offset: int = 0) -> None:
        super().__init__(said)
        self.said = said
        self.offset = offset


class Place(NamedTuple):
    """A line and a column, counted from 1."""

    line: int
    column: int


def read(text: str) -> Any:
    """The value that a text of JSON stands for; a key that stands there twice, or NaN, is refused."""
    try:
        return json.loads(
            text, object_pairs_hook=_once, parse_constant=_refuse_constant, parse_int=_within_reason
        )
    except json.JSONDecodeError as error:
        conflict = CONFLICT.search(text)
        if conflict is not None:
            raise NotJson(MERGED, conflict.start()) from None
        raise NotJson(f"not valid JSON: {error.msg.lower()}", error.pos) from None
    except RecursionError:
        raise NotJson("nested too deep") from None


def place_of(text: str, way: tuple[str | int, ...]) -> Place:
    """Where the value stands that some keys and places in lists lead to, or the last that is there."""
    return place_at(text, _find(text, _skip(text, 0), way))


def place_at(text: str, offset: int) -> Place:
    """The line and column of a character."""
    return Place(text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))


def _find(text: str, start: int, way: tuple[str | int, ...]) -> int:
    """The offset of a value inside the one that starts here."""
    if not way or text[start] not in "{[":
        return start
    at = _skip(text, start + 1)
    number = 0
    while text[at] not in "}]":
        key: str | int = number
        if text[start] == "{":
            key, at = DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        if key == way[0]:
            return _find(text, at, way[1:])
        at = _skip(text, DECODER.raw_decode(text, at)[1])
        at = _skip(text, at + 1) if text[at] == "," else at
        number += 1
    return start


def _skip(text: str, at: int) -> int:
    """The next character that is no white space."""
    found = BLANK.match(text, at)
    return at if found is None else found.end()


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise NotJson(f"the key {twice[:40]!r} stands twice in one map")
    return made


def _within_reason(digits: str) -> int:
    """A whole number; of one that fills pages not even the decimals are worked out."""
    if len(digits) > MOST_DIGITS:
        raise NotJson(f"a number with {len(digits)} digits")
    return int(digits)


def _refuse_constant(name: str) -> NoReturn:
    raise NotJson(f"{name} is no number of JSON")
