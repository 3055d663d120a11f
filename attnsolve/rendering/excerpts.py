"""Pieces of a sheet for whoever works through it: a question, one worked step, an answer in words."""

from __future__ import annotations

from typing import Any

from attnsolve.problem import Part
from attnsolve.rendering.filling import fill
from attnsolve.rendering.notation import is_selection
from attnsolve.rendering.pages import Page, WorkedOut, notation_for
from attnsolve.rendering.parts import PartView, part_view
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.steps import step_view
from attnsolve.rendering.styling import styled
from attnsolve.rendering.views import DocumentView, document
from attnsolve.trace import Trace


def question(trace: Trace, part: Part, *, to: str, opens: bool) -> str:
    """A question with all that is given for it; `opens` puts the opening of the sheet above it."""
    settings = Settings(to=to, sheet="exercise")
    doc, view = excerpt(trace, part, settings)
    return filled(to, doc=doc, asked=(view,), opens=opens)


def worked_step(trace: Trace, part: Part, name: str, *, to: str) -> str:
    """One step with all its working, whatever was worked out before it."""
    settings = Settings(to=to, sheet="solution")
    number = 1 + [call.out for call in part.calls if not is_selection(call)].index(name)
    page = Page(trace, part, notation_for(trace.problem, part, settings), settings, WorkedOut())
    return filled(to, steps=(step_view(page, trace.step(name), number, faded=False),))


def answer_in_words(trace: Trace, part: Part, *, to: str) -> str:
    """What a question without numbers is answered with, and what things cost where that is asked."""
    settings = Settings(to=to, sheet="solution", detail="result")
    _, view = excerpt(trace, part, settings)
    return filled(to, answered=(view,))


def excerpt(trace: Trace, part: Part, settings: Settings) -> tuple[DocumentView, PartView]:
    """A sheet and one of its parts, with everything that the part needs although others have shown it."""
    page = Page(trace, part, notation_for(trace.problem, part, settings), settings, WorkedOut())
    view = part_view(page, set())
    doc = document(trace, Settings(to=settings.to, sheet="exercise"))
    parts = tuple(view if one.id == part.id else one for one in doc.parts)
    return doc._replace(parts=parts), view


def filled(to: str, **values: Any) -> str:
    """An excerpt in a dialect, without the beginning and the end of a document."""
    given: dict[str, Any] = {"asked": (), "steps": (), "answered": (), "opens": False, **values}
    with styled(fragment=True):
        return fill("excerpt", to, maps_beside=False, flavour="pandoc", **given)
