"""Maths taken apart: commands and characters with their places."""

from __future__ import annotations

import re

from attnsolve.records import NamedTuple

TOKEN = re.compile(r"\\(?:begin|end)\s*\{[^{}]*\}|\\operatorname\*|\\[A-Za-z]+|\\.|\^\^|\S", re.DOTALL)
ENVIRONMENT = re.compile(r"\\(begin|end)\s*\{([^{}]*)\}")


class Token(NamedTuple):
    """A command or a character, where it stands, and whether blanks stand before it."""

    text: str
    offset: int
    apart: bool


def tokens_of(source: str) -> list[Token]:
    """Maths in its commands and characters."""
    made, end = [], 0
    for match in TOKEN.finditer(source):
        made.append(
            Token(
                re.sub(r"\s", "", match[0]) if len(match[0]) > 2 else match[0],
                match.start(),
                match.start() > end,
            )
        )
        end = match.end()
    return made
