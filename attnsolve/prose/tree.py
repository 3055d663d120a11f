"""A lecturer's text as a small tree: paragraphs, lists, tables, figures, and what stands in a sentence."""

from __future__ import annotations

from enum import Enum

from attnsolve.records import NamedTuple


class Words(NamedTuple):
    """Plain text."""

    text: str


class Formula(NamedTuple):
    """Maths in a sentence, without its dollars."""

    source: str


class Code(NamedTuple):
    """Code in a sentence."""

    text: str


class Emphasis(NamedTuple):
    """Words that are stressed."""

    inside: Inlines


class Strong(NamedTuple):
    """Words in bold print."""

    inside: Inlines


class Link(NamedTuple):
    """Words that lead to an address; the address itself where nothing else is written."""

    inside: Inlines
    address: str
    bare: bool = False


class Break(NamedTuple):
    """The end of a line within a paragraph."""


Inline = Words | Formula | Code | Emphasis | Strong | Link | Break
Inlines = tuple[Inline, ...]


class Paragraph(NamedTuple):
    """Sentences."""

    inside: Inlines


class Display(NamedTuple):
    """Maths on lines of its own."""

    source: str


class CodeBlock(NamedTuple):
    """Lines of code."""

    lines: tuple[str, ...]
    language: str = ""


class Bullets(NamedTuple):
    """A list whose items have no order."""

    items: tuple[Blocks, ...]
    tight: bool = True


class Numbered(NamedTuple):
    """A list whose items are counted."""

    items: tuple[Blocks, ...]
    tight: bool = True
    first: int = 1


class Side(Enum):
    """Where the contents of a column stand."""

    LEFT = "left"
    CENTRE = "centre"
    RIGHT = "right"


class Grid(NamedTuple):
    """A table."""

    header: tuple[Inlines, ...]
    rows: tuple[tuple[Inlines, ...], ...]
    sides: tuple[Side, ...]


class Figure(NamedTuple):
    """A picture from a file beside the problem; `width` in percent of the text, or 0 for its own."""

    file: str
    alt: str
    caption: Inlines = ()
    width: int = 0


Block = Paragraph | Display | CodeBlock | Bullets | Numbered | Grid | Figure
Blocks = tuple[Block, ...]
