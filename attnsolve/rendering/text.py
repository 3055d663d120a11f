"""Sentences for readers: pieces of plain text and of maths, escaped later by the dialect that prints them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attnsolve import maths

# (is maths?, text or maths without delimiters)
Segments = tuple[tuple[bool, str], ...]


def prose(text: str) -> Segments:
    """A lecturer's text, in which $…$ is maths."""
    pieces = maths.segments(" ".join(text.split()))
    return tuple((is_maths, piece.strip() if is_maths else piece) for is_maths, piece in pieces)


def sentence(*pieces: str | tuple[bool, str] | Iterable[tuple[bool, str]]) -> Segments:
    """Plain strings and maths pieces put together; neighbouring texts are joined."""
    made: list[tuple[bool, str]] = []
    for piece in pieces:
        parts: Iterable[tuple[bool, str]]
        if isinstance(piece, str):
            parts = [(False, piece)]
        elif isinstance(piece, tuple) and len(piece) == 2 and isinstance(piece[0], bool):
            parts = [piece]
        else:
            parts = piece
        for is_maths, text in parts:
            if made and not is_maths and not made[-1][0]:
                made[-1] = (False, made[-1][1] + text)
            elif text:
                made.append((is_maths, text))
    return tuple(made)


def listed(items: Sequence[tuple[bool, str]]) -> list[tuple[bool, str]]:
    """a, b and c."""
    made: list[tuple[bool, str]] = []
    for place, item in enumerate(items):
        if place:
            made.append((False, " and " if place == len(items) - 1 else ", "))
        made.append(item)
    return made


def formula(source: str) -> tuple[bool, str]:
    """A piece of maths inside a sentence."""
    return True, source
