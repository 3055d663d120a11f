"""Names of values as a file writes them: `A`, `weights`, `head2.A`, `b.Z`, `A[2]`, `A[2, 1]`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from attnsolve.documents import Node
from attnsolve.loader.reader import Reader, did_you_mean
from attnsolve.ops import Frame
from attnsolve.problem import Target
from attnsolve.recipes.heads import LETTERS

TARGET = re.compile(r"([A-Za-z0-9_.-]+?)\s*(?:\[\s*(\d{1,6})\s*(?:,\s*(\d{1,6})\s*)?\])?")


def read_target(
    reader: Reader, node: Node, path: str, part: str, frames: Mapping[str, Frame], aliases: Mapping[str, str]
) -> Target | None:
    """The value that a text names, looked up in this part first."""
    text = reader.word(node, path, "a name such as A, head2.A or A[2, 1]")
    if text is None:
        return None
    match = TARGET.fullmatch(text)
    if match is None:
        reader.fault(node, path, f"'{text}' is not a name; write A, head2.A, b.Z, A[2] or A[2, 1]")
        return None
    name = full_name(match[1], part, frames, aliases)
    if name is None:
        own = [key.removeprefix(f"{part}.") for key in frames if key.startswith(f"{part}.")]
        words = [word for word, letter in LETTERS.items() if letter in own]
        hint = did_you_mean(match[1], [*own, *words]) or f"; this part has {', '.join(own) or 'no results'}"
        reader.fault(node, path, f"there is no '{match[1]}'{hint}")
        return None
    places = [int(group) - reader.index_from for group in match.groups()[1:] if group is not None]
    frame = frames[name]
    for place, axis, what in zip(places, (frame.rows, frame.columns), ("row", "column"), strict=False):
        if position(axis.tokens, axis.size, place) is None:
            reader.fault(node, path, f"'{text}': {match[1]} is {frame} and has no {what} {place + reader.index_from}")
            return None
    found = [position(a.tokens, a.size, p) for a, p in zip((frame.rows, frame.columns), places, strict=False)]
    return Target(name, *found)


def position(tokens: tuple[int, ...] | None, size: int, place: int) -> int | None:
    """Where a token stands in a side; with only some of the queries, `A[2]` is still the second token's row."""
    if tokens is not None:
        return tokens.index(place) if place in tokens else None
    return place if 0 <= place < size else None


def full_name(name: str, part: str, frames: Mapping[str, Frame], aliases: Mapping[str, str]) -> str | None:
    """The kept name: `A` and `weights` of part b are `b.A`; `head1.A` may be another part's."""
    head, dot, last = name.rpartition(".")
    letter = f"{head}{dot}{LETTERS.get(last, last)}"
    for candidate in (f"{part}.{name}", f"{part}.{letter}", name, letter):
        for alias, target in aliases.items():
            if candidate.startswith(f"{alias}."):
                candidate = target + candidate[len(alias) :]
        if candidate in frames:
            return candidate
    return None
