"""Answers to questions about letters as people write them: `t = 1 or t = 2`, `no solution`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from enum import Enum

from attnsolve.errors import ExpressionError
from attnsolve.reasons import reason
from attnsolve.statements.tokens import LETTERS


class Extent(Enum):
    """How much solves something, where no number does or every number."""

    NOTHING = "nothing"
    EVERYTHING = "everything"


# English, German, Portuguese, French; # stands for the letter.
SPOKEN = {
    Extent.NOTHING: (
        "no solution", "no solutions", "there is no solution", "there are no solutions", "no #", "no such #",
        "for no #", "there is no #", "there is no such #", "no value of #", "never", "none", "impossible",
        "keine lösung", "es gibt keine lösung", "keine lösungen", "kein #", "für kein #", "nie", "unlösbar",
        "sem solução", "não há solução", "nenhuma solução", "nenhum #", "para nenhum #", "nunca",
        "aucune solution", "pas de solution", "il n'y a pas de solution", "aucun #", "pour aucun #", "jamais",
        "# in {}", "# in ∅", "# in emptyset", "# in varnothing", "∅", "emptyset", "varnothing",
    ),
    Extent.EVERYTHING: (
        "all #", "every #", "any #", "for all #", "for every #", "for any #", "all real #", "for all real #",
        "always", "all values of #", "every value of #", "für alle #", "für jedes #", "alle #", "immer",
        "para todo #", "para qualquer #", "todo #", "sempre", "pour tout #", "tout #", "toujours",
        "# in r", "# in ℝ",
    ),
}  # fmt: skip
OR = re.compile(r"\s*(?:\b(?:or|oder|ou)\b|∨|\\(?:lor|vee)(?![a-zA-Z]))\s*")
RELATION = re.compile(r"<=|>=|->|!=|~=|[=≈≃<>≤≥≠→⟶]|\\(?:approx|leq?|geq?|to|rightarrow)(?![a-zA-Z])")
WORDS = re.compile(r"\\(?:text|mbox|mathbb)\s*\{([^{}]*)\}")
UNCLEAR = re.compile(r"(?<![\w.])\d+,\d+(?![\w.])")
WITHIN = r"(?:∈|\\in(?![a-z])|\bin\b)"
PLUS_MINUS = re.compile(r"±|\\pm(?![a-zA-Z])")
MOST_SOLUTIONS = 20  # in one line
OPENING, CLOSING = "([{", ")]}"
INFINITE = re.compile(r"[-+]?\s*(?:∞|oo|\\infty|infinity|inf)")
MATRIX = re.compile(r"\\begin\s*\{[bpv]?matrix\}(.*?)\\end\s*\{[bpv]?matrix\}", re.DOTALL)


def extent(text: str, letter: str) -> Extent | None:
    """Whether somebody says that nothing solves something, or everything."""
    plain = re.sub(rf"{WITHIN}", " in ", WORDS.sub(r" \1 ", text)).replace("\\", "").strip(" .$")
    said = " ".join(re.sub(rf"(?<!\w){re.escape(letter)}(?!\w)", "#", plain).lower().split())
    return next((found for found, spellings in SPOKEN.items() if said in spellings), None)


def solutions(text: str, letter: str) -> Iterator[str]:
    """Every solution that a line names for a letter, as a claim of its own: `t = 1`, `t = -1`."""
    name = rf"(?<![\w\\]){re.escape(letter)}"
    text = WORDS.sub(r" \1 ", text)
    text = re.sub(rf"{name}_(?:\d+|\{{[\d,\s]*\}})", letter, text)  # t_1 = 1, t_{1,2} = ±1
    text = re.sub(rf"{name}\s*{WITHIN}\s*\\?\{{(.*?)\\?\}}", rf"{letter} = \1", text)
    if interval := re.fullmatch(rf"\s*{name}\s*{WITHIN}\s*([\[(\]])(.+)([\])\[])\s*", text):
        yield from ends(letter, *interval.groups())
        return
    before, found = "", list(pieces(text))
    if len(found) > MOST_SOLUTIONS:
        said = reason(
            "{count} solutions in one line; the limit is {limit}", count=len(found), limit=MOST_SOLUTIONS
        )
        raise ExpressionError(said)
    for piece in found:
        if (relation := RELATION.search(piece)) is not None:
            before = piece[: relation.end()]
        elif before:
            piece = f"{before} {piece}"
        yield from both_signs(piece)


def pieces(text: str) -> Iterator[str]:
    """What stands between commas, semicolons and `or`, outside all brackets."""
    for part in OR.split(text):
        if (unclear := UNCLEAR.search(part)) is not None:
            said = reason("'{number}' may be one number or two; write 1.5, or 1; 5", number=unclear[0])
            raise ExpressionError(said)
        yield from filter(str.strip, at_top(part, ",;"))


def at_top(text: str, signs: str) -> list[str]:
    """A text cut at some signs that stand outside all brackets."""
    made, depth = [""], 0
    for sign in text:
        depth += (sign in OPENING) - (sign in CLOSING)
        if sign in signs and not depth:
            made.append("")
        else:
            made[-1] += sign
    return made


def both_signs(text: str) -> Iterator[str]:
    """`t = ±1` as two claims."""
    if PLUS_MINUS.search(text) is None:
        yield text
        return
    yield PLUS_MINUS.sub("+", text)
    yield PLUS_MINUS.sub("-", text)


def ends(letter: str, opening: str, inside: str, closing: str) -> Iterator[str]:
    """`t ∈ (1, ∞)` as inequalities."""
    low, *high = at_top(inside, ",;")
    if len(high) != 1:
        raise ExpressionError(reason("an interval has two ends: {letter} in (1, oo)", letter=letter))
    if not INFINITE.fullmatch(low.strip()):
        yield f"{letter} {'>=' if opening == '[' else '>'} {low}"
    if not INFINITE.fullmatch(high[0].strip()):
        yield f"{letter} {'<=' if closing == ']' else '<'} {high[0]}"


def entry_by_entry(text: str, letters: Collection[str], *, first: int = 1) -> Iterator[str]:
    """`alpha -> (0, 1, 0) as t -> oo` as a claim for each number; any other line as it is."""
    for sign, name in LETTERS.items():
        text = text.replace(sign, name) if name in letters else text
    text = MATRIX.sub(lambda found: "(" + found[1].replace(r"\\", ";").replace("&", ",") + ")", text)
    names = "|".join(sorted(map(re.escape, letters), key=len, reverse=True))
    left = re.search(rf"(?:^|\W)(?P<name>{names})\s*(?P<relation>{RELATION.pattern})\s*(?=[(\[])", text)
    stop = len(text) if left is None else closed(text, left.end())
    rows = [] if left is None else rows_of(text[left.end() + 1 : stop - 1])
    if left is None or sum(map(len, rows)) < 2:
        yield text
        return
    for i, row in enumerate(rows, start=first):
        for j, number in enumerate(row, start=first):
            place = str(j) if len(rows) == 1 else f"{i},{j}"
            yield f"{text[: left.end('name')]}_{{{place}}} {left['relation']} {number} {text[stop:]}"


def rows_of(text: str) -> list[list[str]]:
    """`a, b; c, d` or `[a, b], [c, d]` as rows."""
    rows = [at_top(row, ",") for row in at_top(text, ";")]
    cells = [cell.strip() for cell in rows[0]]
    nested = all(cell[:1] in ("(", "[") and closed(cell, 0) == len(cell) for cell in cells)
    inside = [at_top(cell[1:-1], ",") for cell in cells] if nested and len(rows) == 1 else []
    return inside if sum(map(len, inside)) > len(inside) else rows


def closed(text: str, start: int) -> int:
    """Where the bracket that opens at a place has been closed."""
    depth = 0
    for place in range(start, len(text)):
        depth += (text[place] in OPENING) - (text[place] in CLOSING)
        if not depth:
            return place + 1
    return len(text)
