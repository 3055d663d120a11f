"""What somebody typed into a web editor, as plain lines: HTML without its markup and its scripts."""

from __future__ import annotations

import re
from html.parser import HTMLParser

# What starts a line of its own.
BLOCKS = frozenset(
    (
        *("address", "article", "blockquote", "br", "dd", "div", "dl", "dt", "figure", "footer", "header"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "main", "ol", "p", "pre", "section", "table"),
        *("tbody", "tfoot", "thead", "tr", "ul"),
    )
)
CELLS = frozenset(("td", "th"))
# What no reader of the page sees.
HIDDEN = frozenset(("script", "style", "head", "template", "title", "noscript"))
# Struck out: the compact form writes ~~0.47~~.
STRUCK = frozenset(("s", "del", "strike"))
TAG = re.compile(
    r"</?(?:p|br|div|span|table|tr|td|strong|em|b|i|u|ol|ul|li|sub|sup|pre)\b[^<>]*>", re.IGNORECASE
)


def looks_like_html(text: str) -> bool:
    """Whether a text has tags in it that an editor writes."""
    return bool(TAG.search(text))


def plain_text(html: str) -> str:
    """The words and numbers of a page, a line for each paragraph and each row of a table."""
    reader = Reader()
    reader.feed(html)
    reader.close()
    lines = "".join(reader.pieces).split("\n")
    return "\n".join(line for line in (" ".join(line.split()) for line in lines) if line)


class Reader(HTMLParser):
    """Collects what is seen on a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A new line, the edge of a cell, a raised or lowered number."""
        if tag in HIDDEN:
            self.hidden += 1
        self.add(opening(tag))

    def handle_endtag(self, tag: str) -> None:
        """The end of what was opened."""
        if tag in HIDDEN and self.hidden:
            self.hidden -= 1
        self.add(closing(tag))

    def handle_data(self, data: str) -> None:
        """Text: its own line ends mean no more than blanks."""
        self.add(data.replace("\n", " ").replace("\r", " ").replace("\u200b", ""))

    def add(self, piece: str) -> None:
        """Keep something that is seen."""
        if piece and not self.hidden:
            self.pieces.append(piece)


def opening(tag: str) -> str:
    """What stands in a plain line where a tag opens."""
    if tag in STRUCK:
        return " ~~"
    return {"sup": "^(", "sub": "_"}.get(tag, "\n" if tag in BLOCKS else " " if tag in CELLS else "")


def closing(tag: str) -> str:
    """What stands in a plain line where a tag ends."""
    if tag in STRUCK:
        return "~~ "
    return {"sup": ")"}.get(tag, "\n" if tag in BLOCKS else "")
