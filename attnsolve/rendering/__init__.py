"""From a trace to a document: sheets in dialects, or JSON for programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from attnsolve.rendering.settings import Settings
from attnsolve.trace import Trace

SUFFIXES = {"markdown": ".md", "latex": ".tex", "json": ".json"}


@dataclass(frozen=True, slots=True)
class Document:
    """A rendered text, and the figures that stand beside it by file name."""

    text: str
    figures: tuple[tuple[str, str], ...] = ()


def render(trace: Trace, *, settings: Settings | None = None, **choices: Any) -> Document:
    """A solved problem as a document; `choices` are fields of Settings."""
    chosen = settings or Settings(**choices)
    if chosen.to == "json":
        from attnsolve.rendering.records import dumps

        return Document(dumps(trace, chosen) + "\n")
    from attnsolve.rendering.environment import fill

    if chosen.sheet == "markscheme":
        from attnsolve.rendering.markscheme import scheme_view

        marks = scheme_view(trace, chosen)
        return Document(fill(chosen.sheet, chosen.to, doc=marks, flavour=chosen.flavour, maps_beside=False))
    from attnsolve.rendering.views import document

    view = document(trace, chosen)
    text = fill(chosen.sheet, chosen.to, doc=view, flavour=chosen.flavour, maps_beside=chosen.maps)
    beside = chosen.maps and chosen.to == "markdown"
    figures = tuple((drawn.file, drawn.svg) for part in view.parts for drawn in part.maps) if beside else ()
    return Document(text, figures)


__all__ = ["SUFFIXES", "Document", "Settings", "render"]
