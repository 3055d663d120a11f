"""Two variants side by side: the givens and the answers in which they differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from attnsolve.exams.answers import answers_of
from attnsolve.problem import Call, Problem
from attnsolve.problem_set import Exercise, Solved, exercises_of
from attnsolve.rendering.trace_json import option_text
from attnsolve.trace import Trace
from attnsolve.variants.effort import effort

Rows = Sequence[Sequence[str]]
Tables = Mapping[str, Rows]
Block = tuple[str, Rows, Rows]  # what it is, and how it is in each
GAP = "   "


def compared(names: tuple[str, str], solved: tuple[Solved, Solved]) -> Iterator[str]:
    """The lines of the comparison, exercise by exercise where there are several."""
    first, second = map(exercises_of, solved)
    for (exercise, one), (other_exercise, other) in pairs_of_exercises(first, second):
        if exercise is not None and other_exercise is not None:
            here, there = exercise.number, other_exercise.number
            both = f"{here} of {names[0]}, {there} of {names[1]}"
            yield f"Exercise {here if here == there else both}"
        yield from compared_traces(names, (one, other))
    for name, own, others in ((names[0], first, second), (names[1], second, first)):
        for exercise, trace in own:
            if exercise is not None and exercise.identity not in map(identity, others):
                yield f"Exercise {exercise.number} of {name} alone: {trace.problem.title}"


Exercises = Sequence[tuple[Exercise | None, Trace]]


def identity(one: tuple[Exercise | None, Trace]) -> int:
    """Which exercise of its sheet it is."""
    return 0 if one[0] is None else one[0].identity


def pairs_of_exercises(
    first: Exercises, second: Exercises
) -> Iterator[tuple[tuple[Exercise | None, Trace], tuple[Exercise | None, Trace]]]:
    """Each exercise that both have, wherever it stands on their papers."""
    for one in first:
        other = next((other for other in second if identity(other) == identity(one)), None)
        if other is not None:
            yield one, other


def compared_traces(names: tuple[str, str], traces: tuple[Trace, Trace]) -> Iterator[str]:
    """The lines about one problem; only a heading and the work when all is alike."""
    first, second = traces
    blocks: list[Block] = [("work", [[str(effort(first.problem))]], [[str(effort(second.problem))]])]
    blocks += pairs(givens_of(first.problem), givens_of(second.problem), "given ")
    blocks += pairs(plans_of(first.problem), plans_of(second.problem), "")
    blocks += pairs(answers_of(first), answers_of(second), "")
    yield from columns([("", [[names[0]]], [[names[1]]]), *blocks])
    if len(blocks) == 1:
        yield "no givens and no answers differ"


def pairs(first: Tables, second: Tables, prefix: str) -> list[Block]:
    """What differs of two sets of tables, by name."""
    return [
        (f"{prefix}{name}", first.get(name, ()), second.get(name, ()))
        for name in dict.fromkeys([*first, *second])
        if first.get(name) != second.get(name)
    ]


def givens_of(problem: Problem) -> Tables:
    """The givens as the file types them."""
    made: dict[str, Rows] = {}
    for name, given in problem.givens.items():
        value = given.value.T if problem.convention.types_transposed(given.role) else given.value
        made[name] = value.texts()
    return made


def plans_of(problem: Problem) -> Tables:
    """What each part does with its numbers: a choice between variants shows there."""
    return {
        f"{part.id}: plan": [[call_text(call)] for call in part.calls] for part in problem.parts if part.calls
    }


def call_text(call: Call) -> str:
    """`b.T = divide(b.S, by=sqrt(2))`."""
    options = [f"{name}={option_text(value)}" for name, value in call.options.items()]
    return f"{call.out} = {call.op.name}({', '.join([*call.args, *options])})"


def columns(blocks: Sequence[Block]) -> Iterator[str]:
    """Blocks of rows, one beside the other."""
    left = max(len(name) for name, _, _ in blocks)
    texts = [(name, lines(first), lines(second)) for name, first, second in blocks]
    middle = max((len(line) for _, first, _ in texts for line in first), default=0)
    for name, first, second in texts:
        for number, (a, b) in enumerate(zip_longest(first, second, fillvalue="")):
            head = name if number == 0 else ""
            yield f"{head:<{left}}{GAP}{a:<{middle}}{GAP}{b}".rstrip()


def lines(rows: Rows) -> list[str]:
    """A table with its numbers under one another."""
    return list(aligned(rows, right=True)) or ["-"]


def aligned(rows: Rows, *, right: bool = False) -> Iterator[str]:
    """Rows with their cells under one another."""
    columns = zip_longest(*rows, fillvalue="")
    widths = [max(map(len, column)) for column in columns]
    for row in rows:
        cells = zip(row, widths, strict=False)
        if right:
            yield " ".join(cell.rjust(width) for cell, width in cells)
        else:
            yield GAP.join(cell.ljust(width) for cell, width in cells).rstrip()
