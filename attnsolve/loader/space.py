"""The room that a paper leaves for an answer: none, lines, 8 lines, 6cm, page."""

from __future__ import annotations

import re

from attnsolve.documents import Node
from attnsolve.loader.reader import Reader, shortened
from attnsolve.problem import Space

# What a page holds: more is written as pages.
MOST_MILLIMETRES, MOST_LINES, MOST_PAGES = 240, 25, 9
SPACE = re.compile(
    r"none|lines|(?P<lines>[0-9]{1,3}) lines?|(?P<pages>[0-9]{1,2}) pages?|page"
    r"|(?P<size>[0-9]{1,3})(?P<half>\.5)? ?(?P<unit>cm|mm)"
)


def read_space(reader: Reader, node: Node, path: str) -> Space | None:
    """How much room there is for the answer to a part."""
    text = reader.word(node, path, "the room for an answer, such as 6cm")
    if text is None:
        return None
    found = SPACE.fullmatch(text)
    space = None if found is None else _space(text, found)
    if space is None:
        said = f"'{shortened(text)}' is no room on a paper; write none, lines, 8 lines, 6cm, page or 2 pages"
        most = f"at most {MOST_LINES} lines, {MOST_MILLIMETRES // 10}cm or {MOST_PAGES} pages"
        reader.fault(node, path, f"{said} ({most})")
    return space


def _space(text: str, found: re.Match[str]) -> Space | None:
    """The room that a text asks for; None where that is none, or too much."""
    size = int(found["size"] or 0) * (10 if found["unit"] == "cm" else 1)
    if found["half"]:
        size += 5 if found["unit"] == "cm" else 1
    lines, pages = int(found["lines"] or 0), int(found["pages"] or (text == "page"))
    space = Space(size, lines, is_ruled=text == "lines" or bool(lines), pages=pages)
    if size > MOST_MILLIMETRES or lines > MOST_LINES or pages > MOST_PAGES:
        return None
    return space if any(space) or text == "none" else None
