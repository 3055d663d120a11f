"""The formats of documents, a record for each: adding one is its templates and a line here.

This is loaded by the command line for its choices, so it imports nothing that starts slowly.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from attnsolve.rendering.escaping import markdown, tex


class Pictures(Enum):
    """Where the maps and charts of a document are."""

    BESIDE = "in files beside it, or else as tables"
    INSIDE = "drawn in the document itself"
    NONE = "nowhere: it is for programs"


class Dialect(NamedTuple):
    """One format: `templates/dialects/<name>.j2` has its markup, and `<name>-papers.j2` what exams add."""

    name: str
    endings: tuple[str, ...]  # of its files, the usual one first
    pictures: Pictures
    escape: Callable[[str], str] | None = None  # plain text in this markup; None where no sheet is filled in
    finish: Callable[[str], str] | None = None  # the last touch to a filled sheet
    follows: bool = False  # whether a document may stand behind another in one text

    @property
    def fills_sheets(self) -> bool:
        """Whether it has templates: what is for programs has none."""
        return self.escape is not None


def joined_displays(text: str) -> str:
    """LaTeX without blank lines before displays: they would let the page break there."""
    return text.replace("\n\n\\[\n", "\n\\[\n")


DIALECTS: tuple[Dialect, ...] = (
    Dialect("markdown", (".md", ".markdown"), Pictures.BESIDE, escape=markdown, follows=True),  # the default
    Dialect("latex", (".tex",), Pictures.INSIDE, escape=tex, finish=joined_displays),
    Dialect("json", (".json",), Pictures.NONE),
)

DIALECTS_BY_NAME = {dialect.name: dialect for dialect in DIALECTS}
DIALECTS_BY_ENDING = {ending: dialect for dialect in DIALECTS for ending in dialect.endings}
TARGETS = tuple(DIALECTS_BY_NAME)
# Those in which sheets, exams and slips are printed.
PRINTED = tuple(dialect.name for dialect in DIALECTS if dialect.fills_sheets)


def pictures_beside(to: str) -> bool:
    """Whether a document in this format has its pictures in files beside it."""
    return DIALECTS_BY_NAME[to].pictures is Pictures.BESIDE
