"""The key of all variants: for each code every value that is asked for, part by part."""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from attnsolve.papers import Paper
from attnsolve.problem import Part, Problem
from attnsolve.problem_set import Asked, Exercise, ProblemSet, exercises_of, in_sheet, name_in
from attnsolve.prose import blocks
from attnsolve.prose.tree import Blocks, Figure
from attnsolve.rendering.booklets import Words, words
from attnsolve.rendering.key_legend import rounding, typed_names, value_headers
from attnsolve.rendering.key_values import KeyValue, Rows, key_value
from attnsolve.rendering.pages import notation_for
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.tables import Table
from attnsolve.rendering.text import Segments, say
from attnsolve.rendering.trace_json import target_text
from attnsolve.trace import Trace

if TYPE_CHECKING:
    from attnsolve.rendering.letter_tables import Ticked
    from attnsolve.rendering.stated_keys import StatedKey

# The answers of a paper stay on one page unless they have more lines: that would leave too much empty.
MOST_TOGETHER = 15


class KeyPart(NamedTuple):
    """What one part asks for."""

    label: str  # `(b)`, or nothing where there is only one
    values: tuple[KeyValue, ...]


class KeyRow(NamedTuple):
    """The answers of one paper."""

    code: Words
    student: Words
    parts: tuple[KeyPart, ...]
    together: bool  # on one page
    cells: tuple[Rows, ...] = ()  # below the heading of a table; empty for what the paper does not have
    lineup: str = ""  # its exercises by their numbers in the sheet, where papers have different ones


class KeyWords(NamedTuple):
    """The answer in words to a part, and the papers that have it; none are named where all do."""

    label: str
    codes: Words
    words: Blocks


class KeyView(NamedTuple):
    """The whole key."""

    rounding: Segments
    names: Segments  # what values are called where answers are typed
    header: tuple[Segments, ...]  # of a table with a column for each value
    rows: tuple[KeyRow, ...]
    has_students: bool
    in_words: tuple[KeyWords, ...] = ()
    letters: tuple[Table, ...] = ()  # to be ticked on each paper
    has_lineups: bool = False
    stated: tuple[StatedKey, ...] = ()  # what is right about symbols on each paper

    @property
    def has_values(self) -> bool:
        """Whether some paper asks for values; without symbols, papers are listed anyway."""
        return not self.stated or any(row.parts for row in self.rows)


class Key:
    """What the key says of each paper that has gone by; their solutions are forgotten but for a few.

    All papers are variants of one problem, or of one sheet with its pools.
    """

    def __init__(self, papers: Iterable[Paper] = ()) -> None:
        self.asked: Asked | None = None
        self._found: dict[int, tuple[Exercise | None, Trace]] = {}  # the first of each exercise
        self._rows: list[tuple[str, KeyRow, dict[str, Rows]]] = []
        self._words: dict[tuple[str, str], list[str]] = {}
        self._ticked: list[Ticked] = []
        self._stated: list[tuple[str, StatedKey]] = []
        for paper in papers:
            self.add(paper)

    def add(self, paper: Paper) -> None:
        """One more paper."""
        self.asked = self.asked or paper.trace.problem
        self._rows.append((paper.code, *key_row(paper)))
        for exercise, trace in exercises_of(paper.trace):
            self._found.setdefault(0 if exercise is None else exercise.identity, (exercise, trace))
            for part in trace.problem.parts:
                if part.discuss:
                    own = None if exercise is None else in_sheet(exercise)
                    label = part_label(trace.problem, part, own)
                    self._words.setdefault((label, part.discuss), []).append(paper.code)
        if self._ticked or any(part.choice for part in paper.trace.problem.parts):
            from attnsolve.rendering.letter_tables import ticked_on

            self._ticked.append(ticked_on(paper, part_label))

        if any(trace.problem.assumptions is not None for _, trace in exercises_of(paper.trace)):
            from attnsolve.rendering.stated_keys import stated_key

            found = stated_key(paper)
            self._stated += [] if found is None else [(paper.code, found)]

    @property
    def exercises(self) -> tuple[tuple[Exercise | None, Trace], ...]:
        """Each exercise that some paper has, from the first that has it, in the order of the sheet."""
        return tuple(self._found[number] for number in sorted(self._found))

    def view(self) -> KeyView:
        """The key, sorted by code."""
        if not self._rows:
            return KeyView((), (), (), (), False)
        exercises = tuple((None if one is None else in_sheet(one), trace) for one, trace in self.exercises)
        headers = list(value_headers(exercises))
        rows = tuple(
            row._replace(cells=tuple(values.get(name, ()) for name, _ in headers))
            for _, row, values in sorted(self._rows, key=itemgetter(0))
        )
        has_students, has_lineups = any(row.student for row in rows), any(row.lineup for row in rows)
        head = [say("code"), *([say("student")] if has_students else [])]
        head += [say("exercises")] if has_lineups else []
        return KeyView(
            rounding=rounding(exercises, tiny=any(map(has_tiny, rows))),
            names=typed_names(exercises),
            header=(*head, *(words for _, words in headers)),
            rows=rows,
            has_students=has_students,
            in_words=self.in_words(),
            letters=self.letters(),
            has_lineups=has_lineups,
            stated=tuple(found for _, found in sorted(self._stated, key=itemgetter(0))),
        )

    def letters(self) -> tuple[Table, ...]:
        """The letters of all papers, if there is anything to tick."""
        if not self._ticked:
            return ()
        from attnsolve.rendering.letter_tables import letter_tables

        return letter_tables(self._ticked)

    def in_words(self) -> tuple[KeyWords, ...]:
        """What parts are answered with in words: once where all have it; figures are for solutions."""
        found = sorted(self._words.items(), key=lambda item: (item[0][0], min(item[1])))
        return tuple(
            KeyWords(
                label,
                () if len(codes) == len(self._rows) else words(", ".join(sorted(codes))),
                tuple(block for block in blocks(text) if not isinstance(block, Figure)),
            )
            for (label, text), codes in found
        )


def part_label(problem: Problem, part: Part, exercise: Exercise | None) -> str:
    """`(b)`, `2b`, or nothing where there is only one part."""
    if exercise is not None:
        return exercise.label(part.id)
    return f"({part.id})" if len(problem.parts) > 1 else ""


def has_tiny(row: KeyRow) -> bool:
    """Whether some number of a paper is written with a power of ten."""
    values = (value for part in row.parts for value in part.values if not value.has_letters)
    return any(is_maths for value in values for line in value.rows for is_maths, _ in line)


def key_row(paper: Paper) -> tuple[KeyRow, dict[str, Rows]]:
    """One paper's answers, and the same by the names in the sheet that head the columns of a table."""
    parts = tuple(
        key_part(trace, part, exercise)
        for exercise, trace in exercises_of(paper.trace)
        for part in trace.problem.parts
        if part.find
    )
    lines = sum(max(len(value.rows) for value in part.values) for part in parts)
    student = words(f"{paper.student} {paper.name}")
    problem = paper.trace.problem
    values = [value for part in parts for value in part.values]
    own = [
        name_in(None if exercise is None else in_sheet(exercise), target_text(target, trace.problem))
        for exercise, trace in exercises_of(paper.trace)
        for part in trace.problem.parts
        for target in part.find
    ]
    rows = {name: value.rows for name, value in zip(own, values, strict=True)}
    lineup = problem.lineup if isinstance(problem, ProblemSet) else ()
    together = lines <= MOST_TOGETHER
    return KeyRow(words(paper.code), student, parts, together, (), ", ".join(map(str, lineup))), rows


def key_part(trace: Trace, part: Part, exercise: Exercise | None = None) -> KeyPart:
    """Every value a part asks for, laid as the course lays it."""
    notation = notation_for(trace.problem, part, Settings())
    return KeyPart(
        part_label(trace.problem, part, exercise),
        tuple(key_value(trace, target, notation) for target in part.find),
    )
