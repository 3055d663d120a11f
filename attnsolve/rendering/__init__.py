"""From a trace to a document: sheets in dialects, or JSON for programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from attnsolve.rendering.dialects import DIALECTS_BY_NAME, pictures_beside
from attnsolve.rendering.settings import Settings

if TYPE_CHECKING:  # the command line reads the formats before it knows whether there is anything to solve
    from attnsolve.trace import Trace


@dataclass(frozen=True, slots=True)
class Document:
    """A rendered text, and the figures that stand beside it by file name."""

    text: str
    figures: tuple[tuple[str, str], ...] = ()


def render(trace: Trace, *, settings: Settings | None = None, **choices: Any) -> Document:
    """A solved problem as a document; `choices` are fields of Settings."""
    chosen = settings or Settings(**choices)
    if not DIALECTS_BY_NAME[chosen.to].fills_sheets:
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
    beside = chosen.maps and pictures_beside(chosen.to)
    figures = tuple((drawn.file, drawn.svg) for part in view.parts for drawn in part.maps) if beside else ()
    return Document(text, figures)


__all__ = ["Document", "Settings", "render"]
