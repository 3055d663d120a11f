"""The numbers of one row, taken apart: blanks and commas separate, unless they belong to a number."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from attnsolve.expressions import normalise
from attnsolve.reasons import Reason, reason
from attnsolve.verifier.reading.strikes import MARK, hide_strikes, show_strikes
from attnsolve.verifier.reading.translation import FUNCTIONS

ITEM = re.compile(r"\s*,\s*|\s+|[(){}]|[^\s,(){}]+")
SIMPLE = re.compile(r"[-.\d\s]*", re.ASCII)
COMMANDS = r"\\(?:cdot|times|div|ast|approx|simeq|[tdc]?frac|sqrt|ln|log|exp|left|right)"
GOES_ON = re.compile(rf"(?:.*[*/^√×·÷]|[≈≃≅≐=+]|\\phantom\{{.*|(?:.*[^A-Za-z])?{COMMANDS})", re.DOTALL)
# The name of a function, perhaps with a factor before it; what it is taken of may stand behind a blank.
CALL = re.compile(rf"(?:.*[^A-Za-z])?(?:{'|'.join(sorted(FUNCTIONS))})", re.DOTALL)
OPERANDS = tuple("(0123456789.")
GOES_BACK = re.compile(r"[*/^%{×·÷]|\\(?:cdot|times|div|ast|%)")
RELATION = re.compile(r"[≈≃≅≐=]|\\(?:approx|simeq|doteq)")
THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:\.[0-9]{3})+")
WHOLE = re.compile(r"[+-]?[0-9]+")
AFTER_COMMA = re.compile(r"[0-9]+(?:[eE][+-]?[0-9]+)?%?")
# An operator or a function in it; a comma that is not between digits, two in one number, a point.
FORM = re.compile(r"[/*^×·√(+]|[0-9]e\^")
NO_FORM = re.compile(r"(?<![0-9]),|,(?![0-9])|,[0-9]+,|\.")
TIGHT, SPACED, BLANK = ",", ", ", " "


class Item(NamedTuple):
    """A text between two separators, and the one before it."""

    text: str
    before: str = BLANK


class Typed(NamedTuple):
    """A number still as text, or what is unclear about it."""

    text: str
    doubt: Reason | None = None
    comma: bool = False  # whether the doubt is about a comma, which other numbers of its writer may settle


def split_row(row: str, *, bracketed: bool = False) -> list[Typed]:
    """The numbers of a row, still as text."""
    if SIMPLE.fullmatch(row):
        return [Typed(text) for text in row.split()]
    if "~~" in row and MARK not in row:
        row, found = hide_strikes(row)
        strikes = iter(found)
        typed = separate(_join_operators(_items(row)), bracketed=bracketed)
        return [one._replace(text=show_strikes(one.text, strikes)) for one in typed]
    return separate(_join_operators(_items(row)), bracketed=bracketed)


def _items(row: str) -> list[Item]:
    """The row cut at blanks and commas outside brackets; brackets that never close keep nothing together."""
    found = _cut(row, grouped=True)
    return _cut(row, grouped=False) or [] if found is None else found


def _cut(row: str, *, grouped: bool) -> list[Item] | None:
    """The row cut at blanks and commas; with `grouped` not inside brackets, and None if they do not match."""
    items: list[Item] = []
    parts: list[str] = []
    before, depth = BLANK, 0
    for match in ITEM.finditer(row.strip()):
        token = match[0]
        separates = "," in token or token.isspace()
        if grouped and depth and separates:
            parts.append(token)
        elif separates:
            if parts or "," in token:  # nothing between two commas is a blank
                items.append(Item("".join(parts), before))
            parts = []
            before = BLANK if "," not in token else TIGHT if token == "," else SPACED
        else:
            depth += (token in "({") - (token in ")}")
            if depth < 0 and grouped:
                return None
            parts.append(token)
    if depth and grouped:
        return None
    return [*items, Item("".join(parts), before)] if parts else items


def _join_operators(items: list[Item]) -> list[Item]:
    """Blanks around an operator separate nothing: `1 / 2`, `≈ 0.58`, `58.5 %`, `sqrt (2)`."""
    made: list[list[str]] = []
    befores: list[str] = []
    # In `≈ 0.5 ≈ 0.3` every number has its sign; in `2/3 ≈ 0.67` the sign stands between two forms of one.
    between = not (items and RELATION.match(items[0].text))
    for text, before in items:
        last = made[-1][-1] if made else ""
        belongs = before == BLANK and bool(made)
        called = text[:1] in OPERANDS and CALL.fullmatch(last)
        if belongs and (
            called
            or GOES_ON.fullmatch(last)
            or GOES_BACK.match(text)
            or text == "+"
            or (between and RELATION.match(text))
        ):
            made[-1].append(text)
        else:
            made.append([text])
            befores.append(before)
    return [Item(" ".join(texts), before) for texts, before in zip(made, befores, strict=True)]


def separate(items: list[Item], *, bracketed: bool) -> list[Typed]:
    """The items as numbers, once it is decided which commas are decimal commas."""
    chains: list[list[str]] = []
    for text, before in items:
        if before == TIGHT and chains:
            chains[-1].append(text)
        else:
            chains.append([text])
    spaced = any(before == SPACED for _, before in items)
    alone = len(chains) == 1
    return [
        typed
        for chain in chains
        for typed in _decide_commas(chain, beside_commas=spaced, alone=alone, bracketed=bracketed)
    ]


def _decide_commas(chain: list[str], *, beside_commas: bool, alone: bool, bracketed: bool) -> list[Typed]:
    """What texts with nothing but a comma between them are: one decimal, several numbers, or unclear."""
    whole, listed = ",".join(chain), bracketed and alone
    if len(chain) == 1:
        return [Typed(chain[0])]
    plain = [normalise(text).lstrip(MARK) for text in chain]
    if len(chain) == 2 and WHOLE.fullmatch(plain[0]) and AFTER_COMMA.fullmatch(plain[1]):
        point = ".".join(chain)
        if beside_commas:
            doubt = reason(
                "'{typed}' beside other commas may be one number or two; write {point}, or a space after "
                "every comma",
                typed=whole,
                point=point,
            )
            return [Typed(whole, doubt, comma=True)]
        if not listed:
            return [Typed(whole)]
    form = looks_like_form(plain)
    if form and not (alone or beside_commas):
        return [Typed(whole)]  # blanks separate the numbers here
    if looks_decimal(plain) or (form and not listed):
        doubt = reason(
            "the commas of '{typed}' may stand between numbers or inside them; write decimals with a point",
            typed=whole,
        )
        return [Typed(whole, doubt, comma=True)]
    return [Typed(text) for text in chain]


def looks_like_form(chain: list[str]) -> bool:
    """Whether the texts may be one form with decimal commas, such as 2,72/18,5 or e^2,598."""
    whole = ",".join(chain)
    return FORM.search(whole) is not None and not NO_FORM.search(whole) and whole.count("/") < 2


def looks_decimal(chain: list[str]) -> bool:
    """Whether some pair would be a likely decimal: 0,67 or 1,05 or 1,000.5."""
    if any(THOUSANDS.fullmatch(text) for text in chain[:-1]):  # 1.234,56
        return WHOLE.fullmatch(chain[-1]) is not None
    for first, second in pairwise(chain):
        digits = re.match(r"[0-9]*", second)
        after = digits[0] if digits else ""
        if not WHOLE.fullmatch(first) or len(after) < 2:
            continue
        if after[0] == "0" or first.lstrip("+-") == "0" or ("." in second and len(after) == 3):
            return True
    return False
