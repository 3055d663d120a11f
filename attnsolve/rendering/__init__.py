"""From a trace to a document: sheets in dialects, or JSON for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attnsolve.languages import speaking
from attnsolve.pace import Pace, Work
from attnsolve.pdf_engines import Engine
from attnsolve.records import NamedTuple
from attnsolve.rendering.dialects import DIALECTS_BY_NAME, PDF, pictures_beside
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.styling import current

if TYPE_CHECKING:  # the command line reads the formats before it knows whether there is anything to solve
    from attnsolve.letterhead import Letterhead
    from attnsolve.problem import Problem
    from attnsolve.problem_set import Solved
    from attnsolve.rendering.letterheads import LogoView
    from attnsolve.rendering.views import DocumentView
    from attnsolve.trace import Trace


class Document(NamedTuple):
    """A rendered text, and what stands beside it by file name: figures of ours, pictures of the file."""

    text: str
    figures: tuple[tuple[str, str], ...] = ()
    pictures: tuple[tuple[str, bytes], ...] = ()
    pdf: bytes = b""  # what an engine made of the text, where that is wanted

    @property
    def content(self) -> str | bytes:
        """What is written into its file."""
        return self.pdf or self.text


def render(solved: Solved, *, settings: Settings | None = None, **choices: Any) -> Document:
    """A solved problem or problem set as a document; `choices` are fields of Settings."""
    from attnsolve.trace import Trace

    chosen = settings or Settings(**choices)
    if chosen.to == PDF:
        made = render(solved, settings=chosen._replace(to=chosen.engine.source, maps=True))
        return printed(made, chosen.engine)
    if not DIALECTS_BY_NAME[chosen.to].fills_sheets:
        from attnsolve.rendering.trace_json import dumps

        return Document(dumps(solved, chosen) + "\n")
    with speaking(chosen.lang or solved.problem.lang):
        if chosen.is_wrapped:
            from attnsolve.rendering.books import render_wrapped  # few write books

            return render_wrapped(solved, chosen)
        if isinstance(solved, Trace):
            return render_trace(solved, chosen)
        from attnsolve.rendering.problem_sets import render_set

        return render_set(solved, chosen)


def printed(document: Document, engine: Engine = Engine.TYPST) -> Document:
    """A document as a PDF, which has its pictures inside."""
    from attnsolve.rendering.pdf import pdf_of

    Pace.begin(Work.PRINTING)
    made = pdf_of(document.text, dict(document.pictures), engine)
    return Document(document.text, pdf=made)


def render_trace(trace: Trace, chosen: Settings) -> Document:
    """A solved problem as a sheet in a dialect."""
    from attnsolve.rendering.filling import fill

    letterhead = current().style.letterhead
    pictures = headed(pictures_of(trace.problem, chosen), letterhead, chosen)
    values: dict[str, Any] = {
        "flavour": chosen.flavour,
        "cells": chosen.cells,
        "is_wrapped": chosen.is_wrapped,
        "head_logo": logo_of(letterhead, chosen),
    }
    if chosen.sheet == "markscheme":
        from attnsolve.rendering.markscheme import scheme_view

        marks = scheme_view(trace, chosen)
        return Document(
            fill(chosen.sheet, chosen.to, doc=marks, maps_beside=False, **values), pictures=pictures
        )
    from attnsolve.rendering.views import document

    view = document(trace, chosen)
    text = fill(chosen.sheet, chosen.to, doc=view, maps_beside=chosen.maps, **values)
    return Document(text, figures_of(view, chosen), pictures)


def logo_of(letterhead: Letterhead, chosen: Settings) -> LogoView | None:
    """The logo at the head of a document; few have one, and a body without a head has none."""
    if letterhead.logo is None or current().fragment:
        return None
    from attnsolve.rendering.letterheads import logo_view

    return logo_view(letterhead, chosen.to)


def headed(
    pictures: tuple[tuple[str, bytes], ...], letterhead: Letterhead, chosen: Settings
) -> tuple[tuple[str, bytes], ...]:
    """The pictures that are copied to where a document is written, its logo among them."""
    if letterhead.logo is None or current().fragment or not chosen.maps:
        return pictures
    from attnsolve.rendering.letterheads import with_logo

    return with_logo(pictures, letterhead, chosen.to)


def pictures_of(problem: Problem, chosen: Settings) -> tuple[tuple[str, bytes], ...]:
    """The figures of a lecturer's texts, which are copied to where the document is written."""
    if not (problem.pictures and chosen.maps) or DIALECTS_BY_NAME[chosen.to].embeds:
        return ()
    from attnsolve.rendering.pictures import to_be_copied

    return to_be_copied(problem, chosen)


def figures_of(view: DocumentView, chosen: Settings) -> tuple[tuple[str, str], ...]:
    """The pictures that stand beside a document, by their file names."""
    if not (chosen.maps and pictures_beside(chosen.to)) or current().style.saves_ink:
        return ()
    return tuple((drawn.file, drawn.svg) for part in view.parts for drawn in part.figures)


__all__ = ["Document", "Settings", "figures_of", "headed", "logo_of", "pictures_of", "printed", "render"]
