"""Exam papers as plain records: the title page, the questions, and where to write the answers."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple
from unicodedata import combining

from attnsolve.languages import translated
from attnsolve.marks import in_figures
from attnsolve.papers import Cover, Paper
from attnsolve.problem import Part, Problem
from attnsolve.rendering.boxes import Box, boxes, ruled_lines, working_room
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.text import Segments, prose, say, sentence
from attnsolve.rendering.views import DocumentView, PartView, document, notation_for

PAGES = {"a4": "a4paper", "letter": "letterpaper"}
# A name longer than this is cut; a word longer than that may be broken over lines, a few letters at a time.
LONGEST_TEXT, LONGEST_WORD, FEW = 120, 20, 6

# Untrusted text in pieces between which a line may end, besides after its spaces.
Words = tuple[str, ...]


class CoverView(NamedTuple):
    """What the title pages of all papers say."""

    title: Segments
    course: Segments
    date: Segments
    minutes: int
    instructions: tuple[Segments, ...]
    page: str


class AnswerView(NamedTuple):
    """Where the answer to one question goes."""

    boxes: tuple[Box, ...]
    lines: int
    room: int = 0  # for working, in millimetres


class PaperView(NamedTuple):
    """One person's paper."""

    code: Words
    student: Words
    name: Words
    doc: DocumentView
    answers: tuple[AnswerView, ...]
    marks: tuple[tuple[str, str], ...]  # by part, and in all; nothing when one line says it

    @property
    def questions(self) -> tuple[tuple[PartView, AnswerView], ...]:
        """Each question with the place for its answer."""
        return tuple(zip(self.doc.parts, self.answers, strict=True))


def cover_view(cover: Cover, problem: Problem | None, *, titled: str = "{title}") -> CoverView:
    """The title page; without a title of its own it has the problem's. `titled` says what document it is."""
    if cover.page not in PAGES:
        raise ValueError(f"page is {cover.page!r}; it must be one of {', '.join(PAGES)}")
    own = prose(problem.title) if problem is not None else ()
    return CoverView(
        title=say(titled, title=sentence(cover.title) if cover.title else own),
        course=sentence(cover.course),
        date=sentence(cover.date),
        minutes=cover.minutes,
        instructions=tuple(
            sentence(" ".join(block.split()))
            for block in (cover.instructions or usual_instructions(problem)).split("\n\n")
            if block.strip()
        ),
        page=PAGES[cover.page],
    )


def usual_instructions(problem: Problem | None) -> str:
    """What holds for every exercise; how precise the answers must be is said above the questions."""
    return translated("Show your working.") if problem is not None and any(problem.calls()) else ""


def paper_view(paper: Paper, settings: Settings) -> PaperView:
    """A paper with its questions and, on a sheet with questions only, the places for its answers."""
    problem = paper.trace.problem
    return PaperView(
        code=words(paper.code),
        student=words(paper.student),
        name=words(paper.name),
        doc=document(paper.trace, settings)._replace(source=()),  # where it was found is nobody's help
        answers=tuple(answer_view(problem, part, settings) for part in problem.parts),
        marks=marks_by_part(problem),
    )


def answer_view(problem: Problem, part: Part, settings: Settings) -> AnswerView:
    """Grids and lines, where the answers themselves are not shown."""
    if settings.sheet == "solution":
        return AnswerView((), 0)
    grids = boxes(part, notation_for(problem, part, settings))
    return AnswerView(grids, ruled_lines(part), working_room(part))


def marks_by_part(problem: Problem) -> tuple[tuple[str, str], ...]:
    """The marks of each part that has some, for the table in which they are entered."""
    marked = [(f"({part.id})", in_figures(Fraction(part.total))) for part in problem.parts if part.total]
    total = sum((Fraction(part.total) for part in problem.parts), Fraction(0))
    return (*marked, (translated("total"), in_figures(total))) if len(marked) > 1 else ()


def words(text: str) -> Words:
    """Text from a roster, which may be anything: cut when it is endless, long words in pieces."""
    if len(text) > LONGEST_TEXT:
        text = text[:LONGEST_TEXT] + "…"
    made = [""]
    for word in text.split():
        made[-1] += " " if made[-1] else ""
        first, *rest = pieces(word)
        made[-1] += first
        made += rest
    return tuple(made) if made[0] else ()


def pieces(word: str) -> tuple[str, ...]:
    """A word that fits into a line as it is, or a few letters at a time; accents stay on their letter."""
    if len(word) <= LONGEST_WORD:
        return (word,)
    made = [""]
    for letter in word:
        if len(made[-1]) >= FEW and not combining(letter):
            made.append("")
        made[-1] += letter
    return tuple(made)
