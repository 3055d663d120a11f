"""From a trace to plain records of str, int, bool and tuples: all that a template ever sees."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from attnsolve.marks import in_figures, in_words
from attnsolve.prose.tree import Blocks
from attnsolve.records import NamedTuple
from attnsolve.rendering.forms import kept_of_plan
from attnsolve.rendering.givens import named_tokens
from attnsolve.rendering.pages import Page, WorkedOut, notation_on
from attnsolve.rendering.parts import PartView, in_set, part_view
from attnsolve.rendering.pictures import illustrated
from attnsolve.rendering.precision import precision_note, rounding_note
from attnsolve.rendering.prose import as_paragraph
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.text import Segments, prose
from attnsolve.trace import Trace

if TYPE_CHECKING:
    from attnsolve.problem_set import Asked, Exercise


class DocumentView(NamedTuple):
    """A whole sheet."""

    name: str
    title: Segments
    source: Segments
    intro: Blocks
    parts: tuple[PartView, ...]
    marks: str  # of all parts, in figures
    several: bool
    rounding: Segments
    precision: Segments
    detail: str
    number: str = ""  # in a problem set


class TotalMarks(NamedTuple):
    """The marks of all parts as they are printed; nothing where there are none."""

    figures: str
    words: str


@kept_of_plan
def total_marks(asked: Asked) -> TotalMarks:
    """What all questions are worth together."""
    total = sum((Fraction(part.total) for part in asked.parts), Fraction(0))
    if not total:
        return TotalMarks("", "")
    return TotalMarks(in_figures(total), in_words(total).replace(" ", "\u00a0"))


def document(trace: Trace, settings: Settings) -> DocumentView:
    """A problem and its solution as a reader sees them."""
    problem = trace.problem
    shown: set[str] = set()
    worked = WorkedOut()
    notations = [notation_on(settings, problem, part) for part in problem.parts]
    pages = [Page(trace, notation.part, notation, settings, worked) for notation in notations]
    return DocumentView(
        name=problem.name,
        title=prose(problem.title),
        source=prose(problem.source),
        intro=(*illustrated(problem.intro, problem, settings.to), *map(as_paragraph, named_tokens(problem))),
        parts=tuple(part_view(page, shown) for page in pages),
        marks=total_marks(problem).figures,
        several=len(problem.parts) > 1,
        rounding=rounding_note(problem),
        precision=precision_note(problem, settings) if settings.sheet == "exercise" else (),
        detail=settings.detail,
    )


def numbered(doc: DocumentView, exercise: Exercise | None) -> DocumentView:
    """A problem as an exercise of a set, where its values have other names."""
    if exercise is None:
        return doc
    doc = doc._replace(parts=tuple(part._replace(typed=in_set(part.typed, exercise)) for part in doc.parts))
    if any(part.worksheet for part in doc.parts):
        from attnsolve.rendering import worksheets

        parts = (part._replace(worksheet=worksheets.in_set(part.worksheet, exercise)) for part in doc.parts)
        doc = doc._replace(parts=tuple(parts))
    return doc._replace(number=str(exercise.number))


def precision_once(docs: list[DocumentView]) -> tuple[Segments, list[DocumentView]]:
    """What all exercises say about the places asked for, if they say the same, and they without it."""
    notes = {doc.precision for doc in docs if doc.precision}
    return (notes.pop(), [doc._replace(precision=()) for doc in docs]) if len(notes) == 1 else ((), docs)
