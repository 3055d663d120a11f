"""What a reader may choose about a document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from attnsolve.languages import CODES
from attnsolve.rendering.dialects import PRINTED, TARGETS

SHEETS = ("solution", "exercise", "markscheme")
DETAILS = ("result", "matrices", "cells", "products")
NUMBERS = ("fractions", "decimals", "source")
FLAVOURS = ("github", "pandoc", "myst", "jupyter")
WORKING = ("fade", "all")


@dataclass(frozen=True, slots=True)
class Settings:
    """Format, sheet and how much is shown; None means what the problem file says."""

    to: str = "markdown"
    sheet: str = "solution"
    detail: str = "products"
    numbers: str | None = None
    places: int | None = None
    flavour: str = "pandoc"
    working: str = "fade"
    lang: str | None = None
    maps: bool = False  # whether figures are written beside the document

    def __post_init__(self) -> None:
        choices = (
            ("to", self.to, TARGETS),
            ("sheet", self.sheet, SHEETS),
            ("detail", self.detail, DETAILS),
            ("numbers", self.numbers, (None, *NUMBERS)),
            ("flavour", self.flavour, FLAVOURS),
            ("working", self.working, WORKING),
            ("lang", self.lang, (None, *CODES)),
        )
        for name, value, allowed in choices:
            if value not in allowed:
                raise ValueError(f"{name} is {value!r}; it must be one of {', '.join(filter(None, allowed))}")
        if self.places is not None and not 0 <= self.places <= 30:
            raise ValueError(f"places is {self.places}; it must be from 0 to 30")


def every_page() -> Iterator[Settings]:
    """Each sheet, in one of the formats that differ only in their markup, and what is for programs."""
    for sheet in SHEETS:
        yield Settings(to=PRINTED[0], sheet=sheet)
    for to in TARGETS:
        if to not in PRINTED:
            yield Settings(to=to)
