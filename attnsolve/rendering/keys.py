"""The key of all variants: a row for each code with the answers that a marker looks for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from attnsolve.exact import Rounded
from attnsolve.papers import Paper
from attnsolve.problem import Part, Problem
from attnsolve.rendering import numerals
from attnsolve.rendering.answers import sliced
from attnsolve.rendering.booklets import Words, words
from attnsolve.rendering.boxes import asked
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.text import Segments, formula, sentence
from attnsolve.rendering.views import notation_for
from attnsolve.trace import Trace

# A larger value is shown by its first and its last row.
MOST_NUMBERS = 40
# How the width of the table is shared, in thousandths: codes and names have theirs, answers the rest.
ALL, CODE, STUDENT = 1000, 70, 130
# How many characters of the small print a page is wide, and how many a line loses at its ragged end.
CHARACTERS, RAGGED = 125, 10


# The rows of a value, each as `a b c`.
Rows = tuple[Segments, ...]


class KeyRow(NamedTuple):
    """The answers of one paper."""

    code: Words
    student: Words
    answers: tuple[Rows, ...]


class KeyView(NamedTuple):
    """The whole key."""

    rounding: Segments
    header: tuple[Segments, ...]
    rows: tuple[KeyRow, ...]
    shares: tuple[int, ...]  # of the width, in thousandths, for each column
    unbroken: tuple[bool, ...]  # for each answer, whether its column is wide enough for a row of it
    has_students: bool


def key_view(papers: Sequence[Paper]) -> KeyView:
    """The key, sorted by code; all papers are variants of one problem."""
    rows = tuple(key_row(paper) for paper in sorted(papers, key=lambda paper: paper.code))
    if not rows:
        return KeyView((), (), (), (), (), False)
    problem = papers[0].trace.problem
    has_students = any(row.student for row in rows)
    head = [sentence("code"), *([sentence("student")] if has_students else [])]
    fixed = [CODE, *([STUDENT] if has_students else [])]
    columns = list(zip(*(row.answers for row in rows), strict=True))
    lengths = [max(sum(length(line) + 2 for line in value) for value in column) for column in columns]
    widest = [max(length(line) for value in column for line in value) for column in columns]
    widths = shares(fixed, lengths)
    return KeyView(
        rounding=rounding(problem, tiny=any(map(has_tiny, rows))),
        header=(*head, *(part_header(problem, part) for part in problem.parts if part.find)),
        rows=rows,
        shares=widths,
        unbroken=tuple(
            (one + 2) * ALL <= share * CHARACTERS
            for one, share in zip(widest, widths[len(fixed) :], strict=True)
        ),
        has_students=has_students,
    )


def rounding(problem: Problem, *, tiny: bool) -> Segments:
    """What is said once, so that no number needs its own sign."""
    if problem.rounding is not None:
        return sentence(f"Numbers are carried with {problem.rounding.carry} places, as the sheet asks.")
    small = " (those that would be 0 to three digits)" if tiny else ""
    return sentence(f"Numbers are rounded to {problem.places} places{small}; those with fewer are exact.")


def has_tiny(row: KeyRow) -> bool:
    """Whether some number of a paper is written with a power of ten."""
    return any(is_maths for value in row.answers for line in value for is_maths, _ in line)


def part_header(problem: Problem, part: Part) -> Segments:
    """`(b) Z`: the part and what is shown of it."""
    symbol = asked(part.find[-1], notation_for(problem, part, Settings()))[0]
    return sentence(f"({part.id}) " if len(problem.parts) > 1 else "", formula(symbol))


def key_row(paper: Paper) -> KeyRow:
    """One paper's line."""
    problem = paper.trace.problem
    answers = tuple(last_value(paper.trace, part) for part in problem.parts if part.find)
    return KeyRow(words(paper.code), words(f"{paper.student} {paper.name}"), answers)


def last_value(trace: Trace, part: Part) -> Rows:
    """The last value a part asks for, laid as the course lays it."""
    notation = notation_for(trace.problem, part, Settings())
    target = part.find[-1]
    rows = numbers(trace, part, notation)
    shown = list(zip(*rows, strict=True)) if notation.transposed(target.name) else rows
    if sum(map(len, shown)) > MOST_NUMBERS and len(shown) > 2:
        return spaced(shown[0]), sentence("…"), spaced(shown[-1])
    return tuple(map(spaced, shown))


def numbers(trace: Trace, part: Part, notation: Notation) -> list[list[tuple[bool, str]]]:
    """The numbers of the last value as a student should have them."""
    target = part.find[-1]
    step = trace.step(target.name)
    _, value = sliced(target, step.carried, notation)
    if step.carried is not step.value:
        return [[(False, minus(text)) for text in row] for row in notation.carried_rows(value)]
    return [[number(cell) for cell in row] for row in notation.decimals(value)]


def number(cell: Rounded) -> tuple[bool, str]:
    """A rounded number as text, a tiny one as maths."""
    text = numerals.rounded(cell)
    return (False, minus(text)) if cell.power is None and not cell.infinite else formula(text)


def minus(text: str) -> str:
    """A number with a real minus sign."""
    return text.replace("-", "−")


def spaced(row: Sequence[tuple[bool, str]]) -> Segments:
    """Numbers with spaces between them."""
    return sentence(row[:1], *([(False, " "), cell] for cell in row[1:]))


def shares(fixed: list[int], lengths: list[int]) -> tuple[int, ...]:
    """How wide each column is: the answers share what is left by their length."""
    left = ALL - sum(fixed)
    wanted = [length + RAGGED for length in lengths]
    return (*fixed, *(left * one // sum(wanted) for one in wanted))


def length(segments: Segments) -> int:
    """How many characters a row of numbers has, roughly."""
    return sum(len(piece) for _, piece in segments)
