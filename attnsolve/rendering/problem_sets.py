"""A problem set as one document: the sheet of each exercise, and around them what is said once."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from attnsolve.errors import AttnsolveError
from attnsolve.languages import message
from attnsolve.marks import in_figures, in_words
from attnsolve.problem import Problem
from attnsolve.problem_set import Exercise, ProblemSet, SolvedSet
from attnsolve.prose import blocks
from attnsolve.prose.tree import Blocks
from attnsolve.rendering import Document, figures_of, headed, logo_of, pictures_of
from attnsolve.rendering.filling import fill
from attnsolve.rendering.markscheme import SchemeView, scheme_view
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.styling import current
from attnsolve.rendering.tables import Table
from attnsolve.rendering.text import Segments, prose, say, sentence
from attnsolve.rendering.views import DocumentView, document, numbered, precision_once
from attnsolve.scheme import total_of

if TYPE_CHECKING:
    from attnsolve.rendering.letterheads import FieldView

# What holds for all exercises alike, and the sheet of each.
Sheets = tuple[tuple[Segments, ...], Sequence[DocumentView | SchemeView]]
TITLES = {
    "solution": message("Solution: {title}"),
    "exercise": "{title}",
    "markscheme": message("Mark scheme: {title}"),
}


class ExerciseView(NamedTuple):
    """One exercise: its heading, and its sheet."""

    number: int
    title: Segments
    marks: str  # `10 marks`, or nothing
    doc: DocumentView | SchemeView
    pool: Segments = ()  # what is said at the first exercise of a pool


SIGNED = ("declaration", "signature")


class SetView(NamedTuple):
    """The whole document."""

    title: Segments
    about: Segments  # course, term and date
    instructions: Blocks
    shared: tuple[Segments, ...]  # what holds for all exercises alike
    points: Table | None
    exercises: tuple[ExerciseView, ...]
    fields: tuple[FieldView, ...] = ()  # what is filled in, where the sheet asks for it

    @property
    def filled_in(self) -> tuple[FieldView, ...]:
        """The fields for which a line is enough."""
        return tuple(field for field in self.fields if field.kind not in SIGNED)

    @property
    def signed(self) -> tuple[FieldView, ...]:
        """What is declared and signed."""
        return tuple(field for field in self.fields if field.kind in SIGNED)


def render_set(solved: SolvedSet, settings: Settings) -> Document:
    """A problem set as one document in a dialect."""
    view = set_view(solved, settings)
    letterhead = solved.problem.letterhead.over(current().style.letterhead)
    outer = f"dialects/{settings.to}.j2"
    text = fill(
        "set",
        settings.to,
        set=view,
        kind=settings.sheet,
        outer=outer,
        flavour=settings.flavour,
        cells=settings.cells,
        maps_beside=settings.maps and settings.sheet != "markscheme",
        head_logo=logo_of(letterhead, settings),
    )
    documents = [one.doc for one in view.exercises if isinstance(one.doc, DocumentView)]
    maps = tuple(figure for doc in documents for figure in figures_of(doc, settings))
    return Document(text, maps, headed(pictures_of_all(solved, settings), letterhead, settings))


def pictures_of_all(solved: SolvedSet, settings: Settings) -> tuple[tuple[str, bytes], ...]:
    """The figures of all exercises; two of one name must be the same."""
    found: dict[str, bytes] = {}
    for one, _ in solved:
        for name, data in pictures_of(one.problem, settings):
            if found.setdefault(name, data) != data:
                said = f"exercise {one.number} has another figure '{name}' than one before it; rename it"
                raise AttnsolveError(said)
    return tuple(found.items())


def set_view(solved: SolvedSet, settings: Settings) -> SetView:
    """A problem set as a reader sees it; what all exercises say alike is said once."""
    asked = solved.problem
    scheme = settings.sheet == "markscheme"
    shared, sheets = (scheme_sheets if scheme else question_sheets)(solved, settings)
    return SetView(
        title=say(TITLES[settings.sheet], title=prose(asked.title)),
        about=sentence(", ".join(filter(None, (asked.course, asked.term, asked.date)))),
        instructions=blocks(asked.instructions) if settings.sheet == "exercise" else (),
        shared=shared,
        points=points_table(asked) if scheme else None,
        exercises=tuple(
            ExerciseView(
                one.number,
                prose(one.problem.title),
                marks_of(one.problem, scheme=scheme),
                doc,
                pool_words(asked, one.number),
            )
            for one, doc in zip(asked.exercises, sheets, strict=True)
        ),
        fields=fields_of(asked) if settings.sheet == "exercise" else (),
    )


def fields_of(asked: ProblemSet) -> tuple[FieldView, ...]:
    """What is filled in at the head of a sheet: what the sheet itself asks for, and nothing usually."""
    if asked.letterhead.fields is None and not asked.letterhead.declaration:
        return ()
    from attnsolve.rendering.letterheads import field_views

    return field_views(asked.letterhead)


def pool_words(asked: ProblemSet, number: int) -> Segments:
    """What stands below the heading of the first exercise of a pool: how many of them somebody gets."""
    pool = asked.pool(number)
    if pool is None or number != pool.numbers[0]:
        return ()
    return say(
        "Exercises {first} to {last} are a pool: every paper of the exam has {choose} of these {size}.",
        choose=pool.choose,
        first=pool.numbers[0],
        last=pool.numbers[-1],
        size=len(pool.numbers),
    )


def question_sheets(solved: SolvedSet, settings: Settings) -> Sheets:
    """The questions or solutions of all exercises; how precise answers must be stands above all, if alike."""
    precision, views = precision_once([numbered(document(trace, settings), one) for one, trace in solved])
    return (precision,) if precision else (), views


def scheme_sheets(solved: SolvedSet, settings: Settings) -> Sheets:
    """The mark schemes of all exercises; rules that hold for all of them stand above them."""
    views = [scheme_view(trace, settings, exercise=one) for one, trace in solved]
    shared = tuple(rule for rule in views[0].rules if all(rule in view.rules for view in views))
    own = [view._replace(rules=tuple(rule for rule in view.rules if rule not in shared)) for view in views]
    return shared, own


def marks_of(problem: Problem, *, scheme: bool) -> str:
    """What an exercise is worth; on the sheets for students only where the file says so."""
    if not scheme and not any(part.total for part in problem.parts):
        return ""
    total = exercise_total(problem)
    return in_words(total).replace(" ", "\u00a0") if total else ""


def exercise_total(problem: Problem) -> Fraction:
    """All that can be had for an exercise."""
    return sum((total_of(problem, part) for part in problem.parts), Fraction(0))


def points_table(asked: ProblemSet) -> Table:
    """What each part of each exercise is worth, and all together."""
    header = (say("exercise"), say("part"), say("marks"))
    rows = [row for one in asked.exercises for row in (*points_rows(one), *pool_rows(asked, one))]
    last = (say("together"), (), sentence(in_figures(set_total(asked))))
    return Table((), header, (*rows, last), has_sums=True)


def set_total(asked: ProblemSet) -> Fraction:
    """All that one person can get: of a pool, as many exercises as a paper has of it."""
    first_of_pool = {pool.numbers[0]: pool.choose for pool in asked.pools}
    return sum(
        (
            exercise_total(one.problem) * first_of_pool.get(one.number, 1)
            for one in asked.exercises
            if one.number in first_of_pool or asked.pool(one.number) is None
        ),
        Fraction(0),
    )


def pool_rows(asked: ProblemSet, exercise: Exercise) -> list[tuple[Segments, ...]]:
    """After the last exercise of a pool, what somebody can get for those that are drawn."""
    pool = asked.pool(exercise.number)
    if pool is None or exercise.number != pool.numbers[-1]:
        return []
    said = say(
        "{choose} of {first} to {last}", choose=pool.choose, first=pool.numbers[0], last=pool.numbers[-1]
    )
    return [(said, (), sentence(in_figures(exercise_total(exercise.problem) * pool.choose)))]


def points_rows(exercise: Exercise) -> list[tuple[Segments, ...]]:
    """The lines of one exercise: its parts, or itself where it has only one."""
    problem = exercise.problem
    worths = [in_figures(total_of(problem, part)) for part in problem.parts]
    if len(worths) == 1:
        return [(sentence(str(exercise.number)), (), sentence(worths[0]))]
    return [
        (sentence("" if place else str(exercise.number)), sentence(f"({part.id})"), sentence(worth))
        for place, (part, worth) in enumerate(zip(problem.parts, worths, strict=True))
    ]
