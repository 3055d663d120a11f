"""Sheets filled in: sheets have the order and the wording, dialects the markup."""

from __future__ import annotations

import re
from typing import Any

from attnsolve.rendering import prose
from attnsolve.rendering.dialects import DIALECTS_BY_NAME, Pictures
from attnsolve.rendering.matrix_columns import room_for_columns
from attnsolve.rendering.styling import current
from attnsolve.rendering.templates import filled

# Stands in a preamble for what the letters of the document need, which is known when all of it is written.
LETTERS = "% <letters>"
# And for its widest matrix.
MATRICES = "% <matrices>\n"
PLAIN_LETTERS = "\\usepackage[utf8]{inputenc}"
FOR_LUALATEX = "% !TeX program = lualatex\n"


def fill(sheet: str, dialect: str, *, is_piece: bool = False, **values: Any) -> str:
    """A sheet in a dialect; a piece of a document is to be joined to others and `completed` then."""
    manner = current()
    values |= {
        "dialect": f"dialects/{dialect}.j2",
        "maps_inside": DIALECTS_BY_NAME[dialect].pictures is Pictures.INSIDE,
        "letters": LETTERS,
        "matrices": MATRICES.rstrip(),
        "style": manner.style,
        "fragment": manner.fragment,
        "head_logo": values.get("head_logo"),
        "sides": values.get("sides", ""),
        "cells": values.get("cells", False),
        "is_wrapped": values.get("is_wrapped", False),
    }
    if manner.style.saves_ink:
        values |= {"maps_inside": False, "maps_beside": False}
    if manner.style.templates:
        from attnsolve.rendering.sandbox import filled_apart  # only templates that are not ours need it

        whole = {name: tuple(value) if name == "papers" else value for name, value in values.items()}
        text = filled_apart(manner, sheet, whole)
    else:
        text = filled(f"sheets/{sheet}.j2", values)
    return text if is_piece else completed(text, dialect)


def completed(text: str, dialect: str) -> str:
    """A whole document with its last touch; blank lines that templates leave behind are drawn together."""
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    text = text.strip().replace(prose.EMPTY_LINE, "") + "\n"
    if LETTERS in text:
        text = lettered(text.replace(MATRICES, room_for_columns(text), 1))
    finish = DIALECTS_BY_NAME[dialect].finish
    return text if finish is None else finish(text)


def lettered(text: str) -> str:
    """A LaTeX document with what its letters need in its preamble."""
    text = text.replace("\u00a0", "~")
    if text.isascii():
        return text.replace(LETTERS, in_place(PLAIN_LETTERS), 1)
    from attnsolve.rendering.scripts import scripts_in  # few documents have other letters

    scripts = scripts_in(text)
    unprintable = tuple(script for script in scripts if script.needs_lualatex)
    needed = filled("letters/latex.j2", {"scripts": scripts, "unprintable": unprintable}).strip()
    made = text.replace(LETTERS, in_place(needed), 1)
    return FOR_LUALATEX + made if unprintable else made


def in_place(needed: str) -> str:
    """What a preamble needs, or in a body without one a comment that says so."""
    return re.sub("^", "% ", needed, flags=re.MULTILINE) if current().fragment else needed
