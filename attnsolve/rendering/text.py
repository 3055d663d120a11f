"""Sentences for readers: pieces of plain text and of maths, escaped later by the dialect that prints them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from string import Formatter

from attnsolve import maths
from attnsolve.languages import worded, worded_count

# (is maths?, text or maths without delimiters)
Segments = tuple[tuple[bool, str], ...]
# What may stand at a named place of a sentence.
Piece = str | int | tuple[bool, str] | Sequence[tuple[bool, str]]


def say(text: str, /, **places: Piece) -> Segments:
    """A sentence in the reader's language, or in the words of a style, with its named places filled in."""
    said = worded(text, places)
    return with_places(said, places) if places else without_places(said)


def say_count(one: str, many: str, count: int, /, **places: Piece) -> Segments:
    """The same for a number of things: the form that goes with it; `{count}` is that number."""
    named: dict[str, Piece] = {"count": count, **places}
    return with_places(worded_count(one, many, count, named), named)


def with_places(text: str, places: dict[str, Piece]) -> Segments:
    """A sentence with its places filled in by words and by maths."""
    return sentence(*[places[piece] if is_place else piece for is_place, piece in words_and_places(text)])


@lru_cache(maxsize=1024)
def without_places(text: str) -> Segments:
    """A sentence that is the same wherever it is said."""
    return with_places(text, {})


@lru_cache(maxsize=1024)
def words_and_places(text: str) -> tuple[tuple[bool, str], ...]:
    """The words of a sentence and the names of its places: (is a place?, either)."""
    pairs = (((False, words), (True, name)) for words, name, _, _ in Formatter().parse(text))
    return tuple((is_place, piece) for pair in pairs for is_place, piece in pair if piece)


def prose(text: str) -> Segments:
    """A lecturer's text, in which $…$ is maths."""
    pieces = maths.segments(" ".join(text.split()))
    return tuple((is_maths, piece.strip() if is_maths else piece) for is_maths, piece in pieces)


def sentence(*pieces: Piece) -> Segments:
    """Plain strings and maths pieces put together; most of them are said on every page."""
    try:
        return said_before(*pieces)
    except TypeError:  # a list has no hash
        return put_together(*pieces)


def put_together(*pieces: Piece) -> Segments:
    """The same, said for the first time; neighbouring texts are joined."""
    made: list[tuple[bool, str]] = []
    for piece in pieces:
        parts: Iterable[tuple[bool, str]]
        if isinstance(piece, (str, int)):  # quicker than a union, and asked often
            parts = [(False, str(piece))]
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


# Types are told apart, for True is 1 and neither is said like the other.
said_before: Callable[..., Segments] = lru_cache(maxsize=4096, typed=True)(put_together)


def listed(items: Sequence[Piece]) -> Segments:
    """a, b and c."""
    if len(items) < 2:
        return sentence(*items)
    most = [piece for item in items[1:-1] for piece in (", ", item)]
    return say("{most} and {last}", most=sentence(items[0], *most), last=items[-1])


def in_a_row(sentences: Iterable[Segments]) -> Segments:
    """Sentences of one paragraph, a space between them."""
    pieces: list[Piece] = []
    for said in sentences:
        pieces += [" ", said] if pieces else [said]
    return sentence(*pieces)


def formula(source: str) -> tuple[bool, str]:
    """A piece of maths inside a sentence."""
    return True, source
