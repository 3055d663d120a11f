"""The letters to be ticked on each paper, as the key of an exam lists them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from attnsolve.choice_options import options_of, right_letters
from attnsolve.papers import Paper
from attnsolve.problem import Part, Problem
from attnsolve.problem_set import Exercise, exercises_of, in_sheet
from attnsolve.rendering.tables import Table
from attnsolve.rendering.text import say, sentence

# As many lines as a page holds: a table is not broken.
MOST_ROWS = 45
Label = Callable[[Problem, Part, Exercise | None], str]


class Ticked(NamedTuple):
    """What is to be ticked on one paper."""

    code: str
    student: str
    letters: dict[str, str]  # by the names of their parts


def ticked_on(paper: Paper, label: Label) -> Ticked:
    """The letters of a paper, and whose it is."""
    return Ticked(paper.code, f"{paper.student} {paper.name}".strip(), letters_of(paper, label))


def letter_tables(papers: Sequence[Ticked]) -> tuple[Table, ...]:
    """A line for each paper, by code, with a column for each question of choice, as the sheet calls it."""
    found = sorted(papers, key=lambda one: one.code)
    columns = sorted({name for one in found for name in one.letters})
    has_students = any(one.student for one in papers)
    heads = (say("code"), *((say("student"),) if has_students else ()), *map(sentence, columns))
    rows = [
        tuple(
            map(
                sentence,
                (
                    one.code,
                    *((one.student,) if has_students else ()),
                    *(one.letters.get(name, "") for name in columns),
                ),
            )
        )
        for one in found
    ]
    return tuple(
        Table((), heads, tuple(rows[start : start + MOST_ROWS])) for start in range(0, len(rows), MOST_ROWS)
    )


def letters_of(paper: Paper, label: Label) -> dict[str, str]:
    """The letters of one paper by the names of their parts."""
    return {
        label(trace.problem, part, exercise and in_sheet(exercise)) or f"({part.id})": ", ".join(
            right_letters(options_of(trace, part))
        )
        for exercise, trace in exercises_of(paper.trace)
        for part in trace.problem.parts
        if part.choice is not None
    }
