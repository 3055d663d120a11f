"""What a reader may choose about a document."""

from __future__ import annotations

from collections.abc import Iterator

from attnsolve.languages import CODES
from attnsolve.pdf_engines import Engine
from attnsolve.records import NamedTuple
from attnsolve.rendering.dialects import DIALECTS_BY_NAME, PDF, PRINTED, TARGETS

SHEETS = ("solution", "exercise", "markscheme")
DETAILS = ("result", "matrices", "cells", "products")
NUMBERS = ("fractions", "decimals", "source")
FLAVOURS = ("github", "pandoc", "myst", "jupyter", "quarto")
WRAPS = ("none", "exercise")
# The flavours that have blocks for an exercise and its solution.
OF_BOOKS = ("myst", "quarto")
WORKING = ("fade", "all")


class Settings(NamedTuple):
    """Format, sheet and how much is shown; None means what the problem file says."""

    to: str = "markdown"
    sheet: str = "solution"
    detail: str = "products"
    numbers: str | None = None
    places: int | None = None
    flavour: str = "pandoc"
    wrap: str | None = None  # none | exercise: blocks of a book; None: what is usual in the flavour
    working: str = "fade"
    lang: str | None = None
    engine: Engine = Engine.TYPST  # what makes a PDF
    maps: bool = False  # whether figures are written beside the document
    cells: bool = False  # whether parts and steps are marked, for a document that is cut into cells

    def __post_init__(self) -> None:
        choices = (
            ("to", self.to, TARGETS),
            ("sheet", self.sheet, SHEETS),
            ("detail", self.detail, DETAILS),
            ("numbers", self.numbers, (None, *NUMBERS)),
            ("flavour", self.flavour, FLAVOURS),
            ("wrap", self.wrap, (None, *WRAPS)),
            ("working", self.working, WORKING),
            ("lang", self.lang, (None, *CODES)),
        )
        for name, value, allowed in choices:
            if value not in allowed:
                raise ValueError(f"{name} is {value!r}; it must be one of {', '.join(filter(None, allowed))}")
        if self.places is not None and not 0 <= self.places <= 30:
            raise ValueError(f"places is {self.places}; it must be from 0 to 30")
        if self.wrap == "exercise" and not self.is_wrapped:
            raise ValueError("wrap is for solutions and exercises in Markdown of the flavour myst or quarto")

    @property
    def is_wrapped(self) -> bool:
        """Whether an exercise and its solution are blocks of a book."""
        chosen = self.wrap or ("exercise" if self.flavour == "quarto" else "none")
        fits = self.to == "markdown" and self.flavour in OF_BOOKS and self.sheet != "markscheme"
        return fits and chosen == "exercise"


def every_page() -> Iterator[Settings]:
    """Each sheet, in one of the formats that differ only in their markup, and what is for programs."""
    for sheet in SHEETS:
        yield Settings(to=PRINTED[0], sheet=sheet)
    for to in TARGETS:
        if to not in (*PRINTED, PDF) and not DIALECTS_BY_NAME[to].made_of:
            yield Settings(to=to)
