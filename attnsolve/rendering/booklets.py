"""Exam papers as plain records: the title page, the questions, and where to write the answers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple
from unicodedata import combining

from attnsolve.languages import translated
from attnsolve.letterhead import UNHEADED, Letterhead
from attnsolve.marks import in_figures
from attnsolve.papers import Cover, Paper
from attnsolve.problem import CHOICE, WORDS, Part
from attnsolve.problem_set import Asked, Exercise, ProblemSet, exercises_of
from attnsolve.prose import blocks
from attnsolve.prose.tree import Blocks
from attnsolve.rendering.boxes import Box, boxes, ruled_lines, working_room
from attnsolve.rendering.forms import kept_of_part, kept_of_plan
from attnsolve.rendering.letterheads import FieldView, LogoView, field_views, logo_view
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.pages import plain_notation
from attnsolve.rendering.parts import PartView
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.styling import current
from attnsolve.rendering.text import Segments, prose, say, sentence
from attnsolve.rendering.views import DocumentView, document, numbered, precision_once, total_marks
from attnsolve.rendering.worksheets import names_on
from attnsolve.trace import Trace

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
    of_sheet: Blocks = ()  # the instructions of a sheet file, where nobody has said others
    fields: tuple[FieldView, ...] = ()  # what is filled in
    logo: LogoView | None = None


class AnswerView(NamedTuple):
    """Where the answer to one question goes."""

    boxes: tuple[Box, ...]
    lines: int
    room: int = 0  # for working, in millimetres
    pages: int = 0  # for working


class PaperView(NamedTuple):
    """One person's paper."""

    code: Words
    student: Words
    name: Words
    exercises: tuple[PaperExercise, ...]  # of a problem set; a problem by itself is one without a number
    total: str  # of all marks, in figures
    marks: tuple[tuple[str, str], ...]  # by part, and in all; nothing when one line says it
    precision: Segments = ()  # how precise answers must be, where all exercises say the same
    sharing: Words = ()  # the codes that a solution is for, where there are several but not all


class PaperExercise(NamedTuple):
    """The questions of one problem, with the places for their answers."""

    number: str
    title: Segments
    marks: str
    doc: DocumentView
    answers: tuple[AnswerView, ...]

    @property
    def questions(self) -> tuple[tuple[PartView, AnswerView], ...]:
        """Each question with the place for its answer."""
        return tuple(zip(self.doc.parts, self.answers, strict=True))


def letterhead_of(problem: Asked | None) -> Letterhead:
    """What a sheet file says about the head of its documents, and what the style says besides."""
    own = problem.letterhead if isinstance(problem, ProblemSet) else UNHEADED
    return own.over(current().style.letterhead)


def cover_view(cover: Cover, problem: Asked | None, *, titled: str = "{title}", to: str = "") -> CoverView:
    """The title page, with what a problem or a sheet says itself. `titled` says what document it is.

    A document in a format that has a title page, `to`, shows what is filled in there and the logo.
    """
    if isinstance(problem, ProblemSet):
        cover = filled_from(cover, problem)
    if cover.page not in PAGES:
        raise ValueError(f"page is {cover.page!r}; it must be one of {', '.join(PAGES)}")
    own = prose(problem.title) if problem is not None else ()
    own_words = sheet_words(cover, problem)
    return CoverView(
        title=say(titled, title=sentence(cover.title) if cover.title else own),
        course=sentence(cover.course),
        date=sentence(cover.date),
        minutes=cover.minutes,
        instructions=() if own_words else instructions(cover, problem),
        page=PAGES[cover.page],
        of_sheet=own_words,
        fields=field_views(letterhead_of(problem)) if to else (),
        logo=logo_view(letterhead_of(problem), to) if to else None,
    )


def instructions(cover: Cover, problem: Asked | None) -> tuple[Segments, ...]:
    """What the title page asks of students: what was said now, else the usual."""
    said = cover.instructions or usual_instructions(problem)
    return tuple(sentence(" ".join(block.split())) for block in said.split("\n\n") if block.strip())


def sheet_words(cover: Cover, problem: Asked | None) -> Blocks:
    """The instructions of a sheet file, unless others were said."""
    return blocks(problem.instructions) if isinstance(problem, ProblemSet) and not cover.instructions else ()


def filled_from(cover: Cover, asked: ProblemSet) -> Cover:
    """A title page on which a sheet file says what nobody has said otherwise."""
    return replace(
        cover,
        course=cover.course or ", ".join(filter(None, (asked.course, asked.term))),
        date=cover.date or asked.date,
    )


def usual_instructions(problem: Asked | None) -> str:
    """What holds for every exercise; how precise the answers must be is said above the questions."""
    computed = problem is not None and any(is_worked_out(part) for part in problem.parts)
    return translated("Show your working.") if computed else ""


def is_worked_out(part: Part) -> bool:
    """Whether steps have to be shown: where an option is ticked, only if they have marks."""
    return bool(part.calls) and (part.choice is None or bool(set(part.marks) - {CHOICE, WORDS}))


def paper_view(paper: Paper, settings: Settings) -> PaperView:
    """A paper with its questions and, on a sheet with questions only, the places for its answers."""
    asked = paper.trace.problem
    exercises = [paper_exercise(one, trace, settings) for one, trace in exercises_of(paper.trace)]
    precision: Segments = ()
    if len(exercises) > 1:
        precision, docs = precision_once([one.doc for one in exercises])
        exercises = [one._replace(doc=doc) for one, doc in zip(exercises, docs, strict=True)]
    shared = paper.solves is not None and len(paper.solves) > 1 and settings.sheet == "solution"
    return PaperView(
        code=words(paper.code) if not shared else () if paper.is_for_all else words(f"{paper.code} …"),
        student=() if shared else words(paper.student),
        name=() if shared else words(paper.name),
        exercises=tuple(exercises),
        total=total_marks(asked).figures,
        marks=marks_by_part(asked),
        precision=precision,
        sharing=listed_codes(paper) if shared and not paper.is_for_all else (),
    )


def listed_codes(paper: Paper) -> Words:
    """The codes of all papers that share a solution; a line may end after any of them."""
    *most, last = paper.solves or (paper.code,)
    return (*(f"{code}, " for code in most), last)


def paper_exercise(exercise: Exercise | None, trace: Trace, settings: Settings) -> PaperExercise:
    """The questions of a problem; where it was found is nobody's help."""
    problem = trace.problem
    number = "" if exercise is None else str(exercise.number)
    return PaperExercise(
        number=number,
        title=prose(problem.title),
        marks=total_marks(problem).words,
        doc=numbered(document(trace, settings), exercise)._replace(source=()),
        answers=tuple(answer_view(trace, part, settings, exercise) for part in problem.parts),
    )


def answer_view(trace: Trace, part: Part, settings: Settings, exercise: Exercise | None = None) -> AnswerView:
    """Grids and lines, where the answers themselves are not shown; what a worksheet has needs no other."""
    if settings.sheet == "solution":
        return AnswerView((), 0)
    room = answer_room(plain_notation(trace.problem, part))
    if exercise is None:
        return room
    return room._replace(boxes=tuple(box._replace(name=exercise.outer(box.name)) for box in room.boxes))


@kept_of_part
def answer_room(notation: Notation) -> AnswerView:
    """The same in a problem by itself."""
    part = notation.part
    pages = 0 if part.space is None else part.space.pages
    own = boxes(part, notation, without=names_on(part))
    return AnswerView(own, ruled_lines(part), working_room(part), pages)


@kept_of_plan
def marks_by_part(asked: Asked) -> tuple[tuple[str, str], ...]:
    """The marks of each part that has some, for the table in which they are entered."""
    sign = "{}" if isinstance(asked, ProblemSet) else "({})"
    marked = [
        (sign.format(part.id), in_figures(Fraction(part.total))) for part in asked.parts if part.total
    ]
    return (*marked, (translated("total"), total_marks(asked).figures)) if len(marked) > 1 else ()


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
