"""The key of all variants: for each code every value that is asked for, part by part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from attnsolve.papers import Paper
from attnsolve.problem import Part, Problem
from attnsolve.problem_set import Exercise, ProblemSet, exercises_of, in_sheet, name_in, one_of_each
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


def key_view(papers: Sequence[Paper]) -> KeyView:
    """The key, sorted by code; all papers are variants of one problem, or of one sheet with its pools."""
    if not papers:
        return KeyView((), (), (), (), False)
    exercises = tuple(
        (None if one is None else in_sheet(one), trace)
        for one, trace in one_of_each(paper.trace for paper in papers)
    )
    headers = list(value_headers(exercises))
    names = [name for name, _ in headers]
    rows = tuple(key_row(paper, names) for paper in sorted(papers, key=lambda paper: paper.code))
    has_students, has_lineups = any(row.student for row in rows), any(row.lineup for row in rows)
    head = [say("code"), *([say("student")] if has_students else [])]
    head += [say("exercises")] if has_lineups else []
    return KeyView(
        rounding=rounding(exercises, tiny=any(map(has_tiny, rows))),
        names=typed_names(exercises),
        header=(*head, *(words for _, words in headers)),
        rows=rows,
        has_students=has_students,
        in_words=answers_in_words(papers),
        letters=letters_to_tick(papers),
        has_lineups=has_lineups,
    )


def letters_to_tick(papers: Sequence[Paper]) -> tuple[Table, ...]:
    """The letters of all papers, if there is anything to tick."""
    if not any(part.choice for paper in papers for part in paper.trace.problem.parts):
        return ()
    from attnsolve.rendering.letter_tables import letter_tables

    return letter_tables(papers, part_label)


def answers_in_words(papers: Sequence[Paper]) -> tuple[KeyWords, ...]:
    """What parts are answered with in words: once where all papers have it; figures are for solutions."""
    found: dict[tuple[str, str], list[str]] = {}
    for paper in sorted(papers, key=lambda paper: paper.code):
        for exercise, trace in exercises_of(paper.trace):
            for part in trace.problem.parts:
                if part.discuss:
                    own = None if exercise is None else in_sheet(exercise)
                    label = part_label(trace.problem, part, own)
                    found.setdefault((label, part.discuss), []).append(paper.code)
    return tuple(
        KeyWords(
            label,
            () if len(codes) == len(papers) else words(", ".join(codes)),
            tuple(block for block in blocks(text) if not isinstance(block, Figure)),
        )
        for (label, text), codes in sorted(found.items(), key=lambda item: item[0][0])
    )


def part_label(problem: Problem, part: Part, exercise: Exercise | None) -> str:
    """`(b)`, `2b`, or nothing where there is only one part."""
    if exercise is not None:
        return exercise.label(part.id)
    return f"({part.id})" if len(problem.parts) > 1 else ""


def has_tiny(row: KeyRow) -> bool:
    """Whether some number of a paper is written with a power of ten."""
    values = (value for part in row.parts for value in part.values)
    return any(is_maths for value in values for line in value.rows for is_maths, _ in line)


def key_row(paper: Paper, names: Sequence[str]) -> KeyRow:
    """One paper's answers, and where they stand in a table of all values by their names in the sheet."""
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
    return KeyRow(
        words(paper.code),
        student,
        parts,
        lines <= MOST_TOGETHER,
        tuple(rows.get(name, ()) for name in names),
        ", ".join(map(str, lineup)),
    )


def key_part(trace: Trace, part: Part, exercise: Exercise | None = None) -> KeyPart:
    """Every value a part asks for, laid as the course lays it."""
    notation = notation_for(trace.problem, part, Settings())
    return KeyPart(
        part_label(trace.problem, part, exercise),
        tuple(key_value(trace, target, notation) for target in part.find),
    )
