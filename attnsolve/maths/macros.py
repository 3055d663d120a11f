"""Commands that a file defines for itself: they are written out before anything is checked or printed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from attnsolve.maths.commands import ARGUMENTS
from attnsolve.maths.grammar import Refused
from attnsolve.maths.tokens import TOKEN
from attnsolve.records import NamedTuple

# What a macro stands for, and maths with its macros written out, have at most so many characters.
LONGEST = 2_000
MOST_ARGUMENTS = 4
NAME = re.compile(r"[A-Za-z]{1,30}")
PLACE = re.compile(r"#([1-9])")
# Code, escaped signs, displays and maths in a line: what stands between dollars may have macros.
PIECES = re.compile(r"(`+)(?:(?!\1).)*\1|\\.|(\$\$?)(.*?)\2", re.DOTALL)


class Macro(NamedTuple):
    """What a command stands for, with #1 … for its arguments."""

    name: str
    body: str

    @property
    def arguments(self) -> int:
        """How many arguments it takes: as many as it has places for."""
        return max((int(place) for place in PLACE.findall(self.body)), default=0)


class Expanded(NamedTuple):
    """A text with its macros written out, and for each character where it comes from."""

    text: str
    origins: Sequence[int]

    def origin(self, offset: int) -> int:
        """Where a character of it comes from in what was typed."""
        return self.origins[min(offset, len(self.origins) - 1)] if self.origins else 0


class Written:
    """Characters with where they come from, while macros are written out."""

    def __init__(self) -> None:
        self.characters: list[str] = []
        self.origins: list[int] = []

    def add(self, text: str, start: int, *, step: int = 1) -> None:
        """Text that comes from `start` on, or all of it from there."""
        self.characters.append(text)
        self.origins += [start + step * place for place in range(len(text))]
        if len(self.origins) > LONGEST:
            raise Refused(f"macros make more than {LONGEST} characters of this", start)

    @property
    def whole(self) -> Expanded:
        """All that was added."""
        return Expanded("".join(self.characters), tuple(self.origins))


def written_out(source: str, macros: Mapping[str, Macro], start: int = 0) -> Expanded:
    """Maths without macros; `start` is where it stands in a longer text."""
    made, place, before = Written(), 0, ""
    while place < len(source):
        token = TOKEN.match(source, place)
        if token is None:  # a blank
            made.add(source[place], start + place)
            place += 1
            continue
        macro = macros.get(token[0][1:]) if token[0][0] == "\\" else None
        if macro is None:
            made.add(token[0], start + place)
            place = token.end()
        else:
            place = put_in(made, macro, macros, source, token.start(), start, before)
        before = token[0]
    return made.whole


def put_in(
    made: Written, macro: Macro, macros: Mapping[str, Macro], source: str, place: int, start: int, before: str
) -> int:
    """Write out one use of a macro; the place after it."""
    end = place + 1 + len(macro.name)
    arguments: list[Expanded] = []
    for number in range(macro.arguments):
        found = argument(source, end)
        if found is None:
            noun = "its argument" if macro.arguments == 1 else f"argument {number + 1} of {macro.arguments}"
            raise Refused(f"'\\{macro.name}' lacks {noun} in {{ }}", start + place)
        first, last, end = found
        arguments.append(written_out(source[first:last], macros, start + first))
    # A sign above or below, and a single argument, is one thing: in braces it stays so.
    grouped = before in ("^", "_") or before[1:] in ARGUMENTS
    here = start + place
    made.add("{" if grouped else " " * (before[-1:].isalpha() and before[:1] == "\\"), here, step=0)
    for text, number in body_pieces(macro.body):
        made.add(text, here, step=0)
        if number:
            for character, origin in zip(
                arguments[number - 1].text, arguments[number - 1].origins, strict=True
            ):
                made.add(character, origin)
    made.add("}" if grouped else " " * (re.search(r"\\[A-Za-z]+$", macro.body) is not None), here, step=0)
    return end


def body_pieces(body: str) -> Iterator[tuple[str, int]]:
    """(text, the argument after it, or 0)."""
    pieces = PLACE.split(body)
    for place in range(0, len(pieces), 2):
        yield pieces[place], int(pieces[place + 1]) if place + 1 < len(pieces) else 0


def argument(source: str, place: int) -> tuple[int, int, int] | None:
    """Where the next argument begins and ends, and what comes after it: a group, or one sign."""
    while place < len(source) and source[place].isspace():
        place += 1
    token = TOKEN.match(source, place)
    if token is None or token[0] in ("}", "^", "_", "&", "\\\\"):
        return None
    if token[0] != "{":
        return place, token.end(), token.end()
    depth, inner = 0, place
    for found in TOKEN.finditer(source, place):
        depth += (found[0] == "{") - (found[0] == "}")
        if depth == 0:
            return inner + 1, found.start(), found.end()
    return None


def expanded(text: str, macros: Mapping[str, Macro]) -> Expanded:
    """A lecturer's text with the macros in its maths written out."""
    pieces: list[str] = []
    origins: list[int] = []

    def keep(start: int, end: int) -> None:
        pieces.append(text[start:end])
        origins.extend(range(start, end))

    place = 0
    for found in PIECES.finditer(text):
        if found[2] is None:
            continue
        keep(place, found.start(3))
        made = written_out(found[3], macros, found.start(3))
        pieces.append(made.text)
        origins += made.origins
        place = found.end(3)
    keep(place, len(text))
    return Expanded("".join(pieces), tuple(origins))


def resolved(bodies: Mapping[str, str]) -> Iterator[tuple[str, Macro | Refused]]:
    """Every macro with the macros in it written out, or why that cannot be."""
    done: dict[str, Macro] = {}
    for name in bodies:
        try:
            yield name, resolve(name, bodies, done, ())
        except Refused as refused:
            yield name, refused


def resolve(name: str, bodies: Mapping[str, str], done: dict[str, Macro], inside: tuple[str, ...]) -> Macro:
    """One macro, and before it those that it uses; none may use itself."""
    if name in inside:
        chain = " uses ".join(f"\\{one}" for one in (*inside[inside.index(name) :], name))
        raise Refused(f"{chain}: a macro must not use itself", 0)
    if name not in done:
        used = {token[0][1:] for token in TOKEN.finditer(bodies[name]) if token[0][0] == "\\"} & bodies.keys()
        for other in sorted(used):
            resolve(other, bodies, done, (*inside, name))
        done[name] = Macro(name, written_out(bodies[name], done).text.strip())
    return done[name]
