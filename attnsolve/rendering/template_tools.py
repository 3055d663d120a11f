"""What templates can do with plain data, and how they are written, whoever wrote them."""

from __future__ import annotations

import re
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from attnsolve.languages import ENGLISH, decimal_maths, translated
from attnsolve.languages import spoken as language
from attnsolve.rendering import prose
from attnsolve.rendering.dialects import DIALECTS
from attnsolve.rendering.escaping import line_start, tex_sentence
from attnsolve.rendering.maps import colour, spoken
from attnsolve.rendering.styling import current
from attnsolve.rendering.text import say, say_count
from attnsolve.rendering.widths import BEGIN, END

if TYPE_CHECKING:
    from jinja2 import Environment

# What ends a row of a matrix, and a row of fractions, which would touch the next one.
ROW_END, APART = r" \\ ", r" \\[4pt] "
# How many lines of a display are kept together on a page.
TALLEST = 16


def blocks(rows: tuple[tuple[str, str], ...]) -> list[list[tuple[str, str]]]:
    """The rows of a long aligned display in pieces between which a page may end."""
    made: list[list[tuple[str, str]]] = [[]]
    used = 0
    for left, right in rows:
        height = 1 + right.count("\\\\")  # a matrix is as high as its rows
        if made[-1] and used + height > TALLEST and left:
            made.append([])
            used = 0
        made[-1].append((left, right))
        used += height
    return made


def hanging(text: str, width: int) -> str:
    """Text behind a bullet: its later lines are indented."""
    return re.sub(r"\n(?=[^\n])", "\n" + " " * width, text)


def behind(text: str, mark: str) -> str:
    """Text with a mark before every line."""
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return "\n".join((mark + line).rstrip() for line in text.strip("\n").split("\n"))


def has_fractions(maths: str) -> bool:
    """Whether a matrix has fractions in it, so that its rows have to stand further apart."""
    begin = maths.find(BEGIN)
    while begin >= 0 and (place := maths.find("frac{", begin)) >= 0:
        if maths.find(END, maths.rfind(BEGIN, begin, place) + len(BEGIN), place) < 0:
            return True
        begin = maths.find(BEGIN, place)  # that one stands behind a matrix
    return False


def spread(maths: str) -> str:
    """Maths whose matrices of fractions have their rows further apart, for dialects without row stretch."""
    first, *rest = maths.split(BEGIN)
    for piece in rest:
        inside, end, behind = piece.partition(END)
        first += BEGIN + (inside.replace(ROW_END, APART) if "frac{" in inside else inside) + end + behind
    return first


def hyphenation() -> str:
    """What LaTeX's babel calls the spoken language; nothing for English, which TeX hyphenates anyway."""
    return "" if language() is ENGLISH else language().hyphenation


def language_code() -> str:
    """The spoken language, as web pages name it."""
    return language().code


def web_page_parts() -> Any:
    """What is the same in all web pages: looks, script, and what they may load."""
    from attnsolve.rendering.web_pages import parts

    return parts(current().style)


TOOLS: dict[str, Any] = {
    "say": say,
    "say_count": say_count,
    "translated": translated,
    "hyphenation": hyphenation,
    "language_code": language_code,
    "web_page_parts": web_page_parts,
}
FILTERS: dict[str, Any] = {
    **{
        f"{dialect.name}{kind}": escape
        for dialect in DIALECTS
        for kind, escape in dialect.escapes.items()
        if escape is not None
    },
    "latex_sentence": tex_sentence,
    "line_start": line_start,
    "spoken": spoken,
    "colour": colour,
    "blocks": blocks,
    "prose": prose.printed,
    "quoted": prose.quoted,
    "inside": prose.inside_item,
    "hanging": hanging,
    "behind": behind,
    "has_fractions": has_fractions,
    "spread": spread,
    "decimals": decimal_maths,
}


# What Jinja has itself, for templates that are filled without it.
JINJAS: dict[str, Any] = {
    "length": len,
    "list": list,
    "min": min,
    "int": int,
    "round": round,
    "first": itemgetter(0),
    "last": itemgetter(-1),
    "join": lambda pieces, between="": between.join(map(str, pieces)),
    "trim": str.strip,
    "upper": str.upper,
    "lower": str.lower,
    "replace": str.replace,
}


def item(owner: Any, key: Any) -> Any:
    """What stands at a key of a table, at a place of a list, or under a name in a record."""
    return getattr(owner, key) if isinstance(owner, tuple) and isinstance(key, str) else owner[key]


def add_tools(made: Environment) -> None:
    """Let templates that Jinja fills itself do the same."""
    made.globals |= TOOLS
    made.filters |= FILTERS


# How templates are written, whoever wrote them.
JINJA: dict[str, Any] = {
    "autoescape": False,
    "trim_blocks": True,
    "lstrip_blocks": True,
    "keep_trailing_newline": True,
    "block_start_string": "<%",
    "block_end_string": "%>",
    "variable_start_string": "<<",
    "variable_end_string": ">>",
    "comment_start_string": "<#",
    "comment_end_string": "#>",
}
