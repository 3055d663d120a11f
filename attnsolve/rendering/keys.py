"""The key of all variants: for each code every value that is asked for, part by part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from attnsolve.exact import Rounded
from attnsolve.papers import Paper
from attnsolve.problem import Part, Problem, Target
from attnsolve.rendering import numerals
from attnsolve.rendering.answers import in_decimals, in_full, sliced
from attnsolve.rendering.booklets import Words, words
from attnsolve.rendering.boxes import asked
from attnsolve.rendering.notation import Notation, is_selection
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.text import Segments, formula, say, say_count, sentence
from attnsolve.rendering.trace_json import target_text
from attnsolve.rendering.views import notation_for
from attnsolve.trace import Trace

# The answers of a paper stay on one page unless they have more lines: that would leave too much empty.
MOST_TOGETHER = 15

# The rows of a value, each as `a b c`.
Rows = tuple[Segments, ...]


class KeyValue(NamedTuple):
    """One asked value of a paper: its equations in maths, and its rows for a table."""

    equations: tuple[str, ...]
    rows: Rows


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


class KeyView(NamedTuple):
    """The whole key."""

    rounding: Segments
    names: Segments  # what values are called where answers are typed
    header: tuple[Segments, ...]  # of a table with a column for each value
    rows: tuple[KeyRow, ...]
    has_students: bool


def key_view(papers: Sequence[Paper]) -> KeyView:
    """The key, sorted by code; all papers are variants of one problem."""
    rows = tuple(key_row(paper) for paper in sorted(papers, key=lambda paper: paper.code))
    if not rows:
        return KeyView((), (), (), (), False)
    problem = papers[0].trace.problem
    has_students = any(row.student for row in rows)
    head = [say("code"), *([say("student")] if has_students else [])]
    return KeyView(
        rounding=rounding(problem, tiny=any(map(has_tiny, rows))),
        names=typed_names(problem),
        header=(*head, *(value_header(problem, part, one) for part in problem.parts for one in part.find)),
        rows=rows,
        has_students=has_students,
    )


def rounding(problem: Problem, *, tiny: bool) -> Segments:
    """What is said once, so that no number needs its own sign."""
    if problem.rounding is not None:
        return say_count(
            "Numbers are carried with {count} place, as the sheet asks.",
            "Numbers are carried with {count} places, as the sheet asks.",
            problem.rounding.carry,
        )
    if tiny:
        return say_count(
            "Numbers are rounded to {count} place (those that would be 0 to three digits); those with fewer "
            "are exact.",
            "Numbers are rounded to {count} places (those that would be 0 to three digits); those with fewer "
            "are exact.",
            problem.places,
        )
    return say_count(
        "Numbers are rounded to {count} place; those with fewer are exact.",
        "Numbers are rounded to {count} places; those with fewer are exact.",
        problem.places,
    )


def has_tiny(row: KeyRow) -> bool:
    """Whether some number of a paper is written with a power of ten."""
    values = (value for part in row.parts for value in part.values)
    return any(is_maths for value in values for line in value.rows for is_maths, _ in line)


def typed_names(problem: Problem) -> Segments:
    """`S̃ is a.T, α is a.A; …`: every step by the name under which its numbers are typed."""
    return joined([part_names(problem, part) for part in problem.parts if part.calls], "; ")


def part_names(problem: Problem, part: Part) -> Segments:
    """The steps of one part."""
    notation = notation_for(problem, part, Settings())
    steps = [call for call in part.calls if not is_selection(call)]
    named = [
        say("{symbol} is {name}", symbol=formula(notation.symbol(call.out)), name=call.out) for call in steps
    ]
    return joined(named, ", ")


def joined(pieces: Sequence[Segments], between: str) -> Segments:
    """Sentences put together."""
    return sentence(*pieces[:1], *(more for piece in pieces[1:] for more in (between, piece)))


def value_header(problem: Problem, part: Part, target: Target) -> Segments:
    """`Z, b.Z`: a value as it is printed and as it is typed."""
    symbol = asked(target, notation_for(problem, part, Settings()))[0]
    return sentence(formula(symbol), f" {target_text(target, problem)}")


def key_row(paper: Paper) -> KeyRow:
    """One paper's answers."""
    problem = paper.trace.problem
    parts = tuple(key_part(paper.trace, part) for part in problem.parts if part.find)
    lines = sum(max(len(value.rows) for value in part.values) for part in parts)
    student = words(f"{paper.student} {paper.name}")
    return KeyRow(words(paper.code), student, parts, lines <= MOST_TOGETHER)


def key_part(trace: Trace, part: Part) -> KeyPart:
    """Every value a part asks for, laid as the course lays it."""
    notation = notation_for(trace.problem, part, Settings())
    label = f"({part.id})" if len(trace.problem.parts) > 1 else ""
    return KeyPart(
        label,
        tuple(
            KeyValue(key_equations(trace, target, notation), table_rows(trace, target, notation))
            for target in part.find
        ),
    )


def key_equations(trace: Trace, target: Target, notation: Notation) -> tuple[str, ...]:
    """`A ≈ …`, in decimals as a student should have them; several where one is too wide for a page."""
    step = trace.step(target.name)
    left, value = sliced(target, step.carried, notation)
    if step.carried is step.value:
        return in_decimals(left, target, value, notation)
    relation = numerals.relation(step.carried.same(step.value) is True)
    return in_full(left, relation, target, notation, notation.carried_rows(value))


def table_rows(trace: Trace, target: Target, notation: Notation) -> Rows:
    """The same numbers in rows, as they can be typed."""
    rows = numbers(trace, target, notation)
    shown = list(zip(*rows, strict=True)) if notation.transposed(target.name) else rows
    return tuple(map(spaced, shown))


def numbers(trace: Trace, target: Target, notation: Notation) -> list[list[tuple[bool, str]]]:
    """The numbers of a value as a student should have them."""
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
    return joined([(cell,) for cell in row], " ")
