"""A piece of a document, and where each of its characters stands in the file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from attnsolve.records import NamedTuple

ESCAPE_LENGTHS = {"x": 4, "u": 6, "U": 10}
BLANK_ESCAPES = "nrtNLP_ "


class NodeKind(StrEnum):
    """What a piece of a document is."""

    TEXT = "text"
    LIST = "list"  # of nodes
    MAP = "map"  # from text to nodes


class Node(NamedTuple):
    """A piece of a document, and where it stands."""

    kind: NodeKind
    line: int
    column: int
    text: str = ""
    quoted: str = ""  # ', ", |, > or nothing
    items: tuple[Node, ...] = ()
    entries: tuple[tuple[Node, Node], ...] = ()
    last_line: int = 0
    end: tuple[int, int] = (0, 0)  # the line and column after it, counted from 0
    comment_follows: bool = False
    broken: bool = False  # its fault is known already, so nothing more is said about it
    source: Sequence[str] = ()  # the lines of the file
    typed: str = ""  # its text in the file, where something was filled in since
    origins: Sequence[int] = ()  # and where in that each character of the text comes from, and its end

    @property
    def is_text(self) -> bool:
        """Whether it is a scalar: all of them are read as text."""
        return self.kind is NodeKind.TEXT

    @property
    def is_list(self) -> bool:
        """Whether it is a list of nodes."""
        return self.kind is NodeKind.LIST

    @property
    def is_map(self) -> bool:
        """Whether it is a map from text to nodes."""
        return self.kind is NodeKind.MAP

    def get(self, key: str) -> Node | None:
        """The value of a key, or None."""
        return next((value for name, value in self.entries if name.text == key), None)

    def items_of(self, key: str) -> tuple[Node, ...]:
        """What is listed under a key, if it is there."""
        value = self.get(key)
        return () if value is None else value.items

    def place(self, offset: int) -> tuple[int, int]:
        """The line and column of a character of the text, whatever quotes and folds YAML took away."""
        if self.origins:
            whole = self._replace(text=self.typed, typed="", origins=())
            return whole.place(self.origins[min(offset, len(self.text))])
        line, column = self.line - 1, self.column - 1
        if self.quoted in ("|", ">"):
            line, column = line + 1, 0
        elif self.quoted:
            column += 1
        length = 0
        for character in self.text[: offset + 1]:
            if character.isspace():
                continue
            line, column = self._next_dark(line, column + length)
            length = self._length(line, column)
        return line + 1, column + 1 + (length if offset >= len(self.text) else 0)

    def _next_dark(self, line: int, column: int) -> tuple[int, int]:
        """The next place that holds a character other than white space, from here on."""
        while line < len(self.source):
            rest = self.source[line][column:]
            blank = len(rest) - len(rest.lstrip())
            if blank < len(rest) and not (
                self.quoted == '"' and re.match(rf"\\[{BLANK_ESCAPES}]", rest[blank:])
            ):
                if rest[blank:] != "\\":  # a line break that double quotes hide
                    return line, column + blank
                blank = len(rest)
            line, column = (line, column + blank + 2) if blank < len(rest) else (line + 1, 0)
        return self.line - 1, self.column - 1

    def _length(self, line: int, column: int) -> int:
        """How many characters of the file stand for the one of the text that is written here."""
        here = self.source[line][column : column + 2] if line < len(self.source) else ""
        if self.quoted == "'" and here == "''":
            return 2
        return ESCAPE_LENGTHS.get(here[1:], 2) if self.quoted == '"' and here[:1] == "\\" else 1
