"""The last touch to documents for Typst: levels of headings, and what stays together on a page."""

from __future__ import annotations

import re
from itertools import pairwise

HEADING = re.compile(r"(?<!\\)#heading\(level: (\d)\)")
# A paragraph begins with words, or with something that stands in a line; displays and tables are calls.
PARAGRAPH = re.compile(r"(?!\.\.|//)(?:[^#\[\](),;\s}]|#(?:strong|emph|formula|raw|link)\b)")
DISPLAY = re.compile(r"#(?:shown|ruled-table|attention-map|list|enum|options|answer-box)\(")
BRACKET = re.compile(r"(?<!\\)[\[\]]")


def arranged(text: str) -> str:
    """A document whose headings step down one by one, and whose paragraphs stay with what they open."""
    level = 0

    def next_level(match: re.Match[str]) -> str:
        nonlocal level
        level = min(int(match[1]), level + 1)
        return f"#heading(level: {level})"

    return kept_together(HEADING.sub(next_level, text))


def kept_together(text: str) -> str:
    """A document in which no page ends between a paragraph and the formula, list or table below it."""
    chunks = text.split("\n\n")
    for place, (chunk, following) in enumerate(pairwise(chunks)):
        if DISPLAY.match(following) and PARAGRAPH.match(chunk) and is_whole(chunk):
            chunks[place] = f"#keep[{chunk}];"
    return "\n\n".join(chunks)


def is_whole(chunk: str) -> bool:
    """Whether every bracket of a piece has its partner in it."""
    depth = 0
    for bracket in BRACKET.findall(chunk):
        depth += 1 if bracket == "[" else -1
        if depth < 0:
            return False
    return depth == 0
