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
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.text import Segments, formula, sentence
from attnsolve.rendering.views import notation_for
from attnsolve.trace import Trace

# A larger value is shown by its first and its last row.
MOST_NUMBERS = 40
# How the width of the table is shared, in thousandths: codes and names have theirs, answers the rest.
ALL, CODE, STUDENT, LEAST = 1000, 80, 140, 60


class KeyRow(NamedTuple):
    """The answers of one paper."""

    code: Words
    student: Words
    answers: tuple[Segments, ...]


class KeyView(NamedTuple):
    """The whole key."""

    rounding: Segments
    header: tuple[Segments, ...]
    rows: tuple[KeyRow, ...]
    shares: tuple[int, ...]  # of the width, in thousandths, for each column
    has_students: bool


def key_view(papers: Sequence[Paper]) -> KeyView:
    """The key, sorted by code; all papers are variants of one problem."""
    rows = tuple(key_row(paper) for paper in sorted(papers, key=lambda paper: paper.code))
    if not rows:
        return KeyView((), (), (), (), False)
    problem = papers[0].trace.problem
    has_students = any(row.student for row in rows)
    head = [sentence("code"), *([sentence("student")] if has_students else [])]
    header = (*head, *(part_header(problem, part) for part in problem.parts if part.find))
    fixed = [CODE, *([STUDENT] if has_students else [])]
    return KeyView(rounding(problem), header, rows, shares(fixed, rows), has_students)


def rounding(problem: Problem) -> Segments:
    """What is said once, so that no number needs its own sign."""
    if problem.rounding is not None:
        return sentence(f"Numbers are carried with {problem.rounding.carry} places, as the sheet asks.")
    return sentence(f"Numbers are rounded to {problem.places} places; those with fewer are exact.")


def part_header(problem: Problem, part: Part) -> Segments:
    """`(b) Z`: the part and what is shown of it."""
    notation = notation_for(problem, part, Settings())
    target = part.find[-1]
    symbol = notation.symbol(target.name)
    if target.row is not None:
        symbol = notation.vector(target.name, target.row)
        if target.column is not None:
            symbol = notation.entry(target.name, target.row, target.column)
    return sentence(f"({part.id}) " if len(problem.parts) > 1 else "", formula(symbol))


def key_row(paper: Paper) -> KeyRow:
    """One paper's line."""
    problem = paper.trace.problem
    answers = tuple(last_value(paper.trace, part) for part in problem.parts if part.find)
    return KeyRow(words(paper.code), words(f"{paper.student} {paper.name}"), answers)


def last_value(trace: Trace, part: Part) -> Segments:
    """The last value a part asks for, laid as the course lays it: a b; c d."""
    notation = notation_for(trace.problem, part, Settings())
    target = part.find[-1]
    rows = numbers(trace, part, notation)
    shown = list(zip(*rows, strict=True)) if notation.transposed(target.name) else rows
    if sum(map(len, shown)) > MOST_NUMBERS:
        return sentence(*spaced(shown[0]), "; …; ", *spaced(shown[-1]))
    pieces: list[tuple[bool, str]] = []
    for row in shown:
        pieces += [(False, "; ")] if pieces else []
        pieces += spaced(row)
    return sentence(pieces)


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


def spaced(row: Sequence[tuple[bool, str]]) -> list[tuple[bool, str]]:
    """Numbers with spaces between them."""
    pieces: list[tuple[bool, str]] = []
    for cell in row:
        pieces += [(False, " "), cell] if pieces else [cell]
    return pieces


def shares(fixed: list[int], rows: Sequence[KeyRow]) -> tuple[int, ...]:
    """How wide each column is: the answers share what is left by their length."""
    lengths = [max(length(row.answers[i]) for row in rows) for i in range(len(rows[0].answers))]
    left, total = ALL - sum(fixed), sum(lengths) or 1
    wanted = [max(LEAST, left * one // total) for one in lengths]
    scale = sum(wanted) or 1
    return (*fixed, *(left * one // scale for one in wanted))


def length(segments: Segments) -> int:
    """How many characters an answer has, roughly."""
    return sum(len(piece) for _, piece in segments)
