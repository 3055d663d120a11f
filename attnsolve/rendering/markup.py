"""Small pieces of maths markup: indices, matrices in brackets, numbers as they were typed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from attnsolve.records import NamedTuple
from attnsolve.rendering.widths import BEGIN, END, WIDEST_MATRIX, matrix_width, remembered, width

# Larger matrices are shown by their corners in the working: nobody reads a table that runs off the page.
MOST_ROWS = 16
KEPT_FIRST, KEPT_LAST = 6, 2
# So many rows and columns are shown whatever stands in them.
ALL_SHOWN = KEPT_LAST + 2
# A prime, or what is raised or lowered, at the end of a symbol; braces may be nested twice.
NESTED = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}"
LAST_SCRIPT = re.compile(rf"(?:([\^_])({NESTED}|\\[A-Za-z]+|[^\\{{}}\s])|('))$")


SHORT = {"new": "+", "encoder": r"\mathrm{enc}"}
BRACKETS = (
    ("head", "(", ")"),
    ("tile", "(", ")"),
    ("case", "[", "]"),
    ("layer", r"\langle ", r"\rangle"),
)


def mark(group: str) -> str:
    """Head 2 and tile 2 are marked (2), case 1 is marked [1], layer 2 is marked <2>, another part by its id.

    A step in time is not marked: its vectors have its number below them. What comes after a step of gradient
    descent has a + above it, what an encoder makes its first letters.
    """
    if re.fullmatch(r"step\d+", group):
        return ""
    if group in SHORT:
        return SHORT[group]
    for word, before, after in BRACKETS:
        if re.fullmatch(rf"{word}\d+", group):
            return f"{before}{group.removeprefix(word)}{after}"
    return f"\\mathrm{{{group}}}"


class Scripts(NamedTuple):
    """A symbol taken apart: `q'^{(1)}_{i}` is q with one prime, (1) above and i below."""

    base: str
    primes: str
    above: str
    below: str


@lru_cache(maxsize=1024)  # the symbols of a page come again at each of their entries
def taken_apart(symbol: str) -> Scripts:
    """The scripts at the end of a symbol; those inside its braces and brackets belong to its base."""
    rest, primes, found = symbol, "", {"^": "", "_": ""}
    while script := LAST_SCRIPT.search(rest):
        sign, content = script[1] or script[3], script[2]
        if sign == "'":
            primes += sign
        elif found[sign]:
            break  # a second script of a kind sits on what stands before it
        else:
            found[sign] = content[1:-1] if content.startswith("{") else content
        rest = rest[: script.start()]
    return Scripts(rest, primes, found["^"], found["_"])


def raised(symbol: str, above: str) -> str:
    """A symbol with something above it on the right, beside what may stand there already: K^{(1) \\top}."""
    if not above:
        return symbol
    apart = taken_apart(symbol)
    if not apart.above and not (apart.primes and apart.below):
        return f"{symbol}^{{{above}}}"
    together = f"{apart.above} {above}" if apart.above else above
    return f"{apart.base}{apart.primes}^{{{together}}}" + (f"_{{{apart.below}}}" if apart.below else "")


def powered(symbol: str, exponent: str) -> str:
    """A symbol to a power; in brackets where something else stands above it."""
    apart = taken_apart(symbol)
    return f"({symbol})^{{{exponent}}}" if apart.above or apart.primes else f"{symbol}^{{{exponent}}}"


def indexed(base: str, above: str, indices: Sequence[str]) -> str:
    """base^{above}_{indices}; a base that has a subscript already is put in brackets."""
    head = raised(base, above)
    if not indices:
        return head
    letters = all(not index.isdigit() for index in indices)
    below = "".join(indices) if letters else ",".join(indices)
    return f"({head})_{{{below}}}" if taken_apart(head).below else f"{head}_{{{below}}}"


def bmatrix(rows: Sequence[Sequence[str]]) -> str:
    """A matrix in square brackets, with all its numbers; who makes one will want to know how wide it is."""
    text = BEGIN + r" \\ ".join(map(" & ".join, rows)) + END
    remembered(text, matrix_width(rows))
    return text


def corners(rows: Sequence[Sequence[str]]) -> str:
    """A matrix in square brackets; a very large one by its first and last rows and columns."""
    shown = rows
    if len(rows) > MOST_ROWS:
        shown = [*rows[:KEPT_FIRST], [r"\vdots"] * len(rows[0]), *rows[-KEPT_LAST:]]
    text, first = bmatrix(shown), len(rows[0]) - KEPT_LAST - 1
    while first > 1 and width(text) > WIDEST_MATRIX:
        first -= 1
        text = bmatrix([(*row[:first], r"\cdots", *row[-KEPT_LAST:]) for row in shown])
    return text


def is_elided(maths: str) -> bool:
    """Whether dots stand for numbers of a matrix."""
    return r"\cdots" in maths or r"\vdots" in maths


def typed_number(text: str) -> str | None:
    """A number as the file spells it: `-3/2` as a fraction, `-1.5` as it is; else None."""
    simple = re.fullmatch(r"(-?)(\d+)/(\d+)", text)
    if simple:
        return f"{simple[1]}\\tfrac{{{simple[2]}}}{{{simple[3]}}}"
    if re.fullmatch(r"[+-]?\d*\.?\d*", text):
        return text
    return r"-\infty" if text == "-inf" else None
