"""What makes PDFs, by name; loaded by the command line for its choices."""

from __future__ import annotations

from enum import StrEnum


class Engine(StrEnum):
    """Typst needs no TeX; `latex` is whichever of the other two has all the letters."""

    TYPST = "typst"
    LATEX = "latex"
    PDFLATEX = "pdflatex"
    LUALATEX = "lualatex"

    @property
    def source(self) -> str:
        """The format that it prints."""
        return "typst" if self is Engine.TYPST else "latex"
