"""Paragraphs on a terminal: words wrapped to its width, whatever is bold and however wide letters are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from attnsolve.terminal.boxes import width_of

BOLD, DIM, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"
STYLE = re.compile("\x1b\\[[0-9;]*m")
# What could move the cursor or colour the screen: a document never does.
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class Piece(NamedTuple):
    """Some words of a paragraph, how they look, and whether they stay on one line, as a formula does."""

    text: str
    style: str = ""
    is_whole: bool = False


def shown_width(text: str) -> int:
    """How many columns a text takes; styles take none."""
    return width_of(STYLE.sub("", text))


def styled(text: str, style: str) -> str:
    """A text that looks so, and nothing after it."""
    return f"{style}{text}{PLAIN}" if style and text.strip() else text


def wrapped(pieces: Iterable[Piece], width: int) -> Iterator[str]:
    """The lines of a paragraph."""
    line, used = "", 0
    for text, blank in words_of(pieces):
        if text == "\n":
            yield line
            line, used = "", 0
            continue
        needed = shown_width(text) + (1 if blank and used else 0)
        if used and blank and used + needed > width:
            yield line
            line, used = "", 0
        line += (" " if blank and used else "") + text
        used = shown_width(line)
    if line:
        yield line


def words_of(pieces: Iterable[Piece]) -> Iterator[tuple[str, bool]]:
    """The words of a paragraph, each with whether a blank stands before it; a break is a word."""
    blank = False
    glued = ""
    for piece in pieces:
        text = CONTROL.sub("", piece.text) if piece.text != "\n" else piece.text
        if text == "\n":
            if glued:
                yield glued, blank
            yield "\n", False
            glued, blank = "", False
            continue
        parts = [text] if piece.is_whole else re.split(r"([ \t\n]+)", text)
        for part in parts:
            if not part:
                continue
            if not piece.is_whole and part.isspace() and "\u00a0" not in part:
                if glued:
                    yield glued, blank
                glued, blank = "", True
                continue
            glued += styled(part.replace("\u00a0", " "), piece.style)
    if glued:
        yield glued, blank
