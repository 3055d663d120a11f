"""Sheets filled in: sheets have the order and the wording, dialects the markup."""

from __future__ import annotations

from typing import Any

from attnsolve.rendering.completion import LETTERS, MATRICES, completed
from attnsolve.rendering.dialects import DIALECTS_BY_NAME, Pictures
from attnsolve.rendering.styling import current
from attnsolve.rendering.templates import filled


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
