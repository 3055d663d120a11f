"""Pages that are made for browsers alone: their templates, and sentences as markup."""

from __future__ import annotations

from typing import Any

from attnsolve.rendering.completion import completed
from attnsolve.rendering.escaping import html_code
from attnsolve.rendering.mathml import converted
from attnsolve.rendering.templates import filled
from attnsolve.rendering.text import Segments
from attnsolve.style import PLAIN


def fill_web(template: str, /, **values: Any) -> str:
    """A template of web pages, filled with plain data."""
    usual = {"style": PLAIN, "fragment": True, "head_logo": None, "maps_beside": False, "maps_inside": True}
    text = filled(f"web/{template}.j2", {**usual, "flavour": "", **values})
    return completed(text, "html")


def markup(segments: Segments) -> str:
    """A sentence of words and formulas as markup."""
    pieces = (converted(text, display=False) if is_maths else html_code(text) for is_maths, text in segments)
    return "".join(pieces)
