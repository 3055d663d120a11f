"""What several commands let their user choose."""

from __future__ import annotations

from pathlib import Path

import click

from attnsolve.errors import UsageError
from attnsolve.languages import CODES
from attnsolve.pdf_engines import Engine
from attnsolve.rendering.dialects import DIALECTS, DIALECTS_BY_ENDING, OF_PAPERS, PDF, TARGETS

# Written out here so that --help loads neither the engine nor the templates; a test compares them.
SHEETS = ("solution", "exercise", "markscheme")
DETAILS = ("result", "matrices", "cells", "products")
NUMBERS = ("fractions", "decimals", "source")
FLAVOURS = ("github", "pandoc", "myst", "jupyter", "quarto")
WRAPS = ("none", "exercise")
WORKING = ("fade", "all")
SLIPS = ("text", *OF_PAPERS)
LIBRARIES = ("torch", "numpy")
DTYPES = ("float64", "float32", "bfloat16")

LIMIT = click.option(
    "--limit", "raises", multiple=True, metavar="NAME=N", help="Raise a limit, such as tokens=128."
)
FORCE = click.option("--force", is_flag=True, help="Overwrite files that are there already.")
TO = click.option(
    "--to", type=click.Choice(TARGETS), help="Format (default: by the ending of -o, else markdown)."
)
DETAIL = click.option(
    "--detail", type=click.Choice(DETAILS), default="products", show_default=True, help="How much working."
)
FADE = click.option(
    "--working",
    type=click.Choice(WORKING),
    default="fade",
    show_default=True,
    help="First row and head in full, or all.",
)
FORM = click.option(
    "--numbers", type=click.Choice(NUMBERS), help="How exact numbers print (default: as the file says)."
)
PLACES = click.option(
    "--places", type=click.IntRange(0, 30), help="Decimal places (default: as the file says)."
)
LANG = click.option(
    "--lang", type=click.Choice(CODES), help="Language of what is printed (default: as the file says)."
)
FLAVOUR = click.option(
    "--flavour", type=click.Choice(FLAVOURS), default="pandoc", show_default=True, help="Kind of Markdown."
)

WRAP = click.option(
    "--wrap",
    type=click.Choice(WRAPS),
    help="exercise: blocks of a book with hidden solutions, --flavour myst or quarto (there the default).",
)
ENCODING = click.option(
    "--encoding",
    default="",
    metavar="NAME",
    help="How the roster was saved, where it is not UTF-8: cp1252, ….",
)
STYLE = click.option(
    "--style", type=click.Path(path_type=Path), help="House style: a folder with style.yaml, or such a file."
)
INK = click.option(
    "--save-ink", "saves_ink", is_flag=True, help="No colours and shades, smaller letters and margins."
)
ENGINE = click.option(
    "--engine",
    type=click.Choice(tuple(engine.value for engine in Engine)),
    help="What makes a PDF (default: typst), or will print the LaTeX (default: pdflatex).",
)


def engine_for(to: str, chosen: str | None) -> Engine:
    """The engine that was chosen, or the usual one of a format; LaTeX is not printed by Typst."""
    if chosen is None:
        return Engine.TYPST if to == PDF else Engine.PDFLATEX
    if to != PDF and chosen == Engine.TYPST:
        raise UsageError("--engine typst makes PDFs: say --to pdf, or -o with a name that ends in .pdf")
    return Engine(chosen)


def target_of(output: str | None) -> str:
    """The format that the name of the output asks for."""
    ending = Path(output).suffix if output and not output.endswith("/") else ""
    if ending and ending not in DIALECTS_BY_ENDING and not Path(output or "").is_dir():
        known = f"{', '.join(TARGETS[:-1])} or {TARGETS[-1]}"
        raise UsageError(f"'{output}': {ending} is not a format of ours; say --to {known}")
    return DIALECTS_BY_ENDING.get(ending, DIALECTS[0]).name
