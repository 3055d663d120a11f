"""Which cells stand where: code below the working of each part, cells to fill in below each question."""

from __future__ import annotations

from itertools import groupby

from attnsolve.languages import translated
from attnsolve.notebooks.cells import Cell, Mark
from attnsolve.notebooks.checking import blanks, checker, how_to_answer
from attnsolve.notebooks.computing import Recomputed, given_cell, recomputed
from attnsolve.problem import Part
from attnsolve.problem_set import Exercise, Solved, exercises_of
from attnsolve.trace import Trace


def solution_cells(solved: Solved, shown: list[Mark]) -> list[Cell]:
    """The working, each part followed by what recomputes it; at the end the same with PyTorch."""
    owners = owners_of(solved)
    code: dict[str, Recomputed] = {}
    made: list[Cell] = []
    for mark, pieces in by_part(shown):
        exercise, trace, part = owners.get(mark, (None, None, None))
        if trace is not None and part is not None:
            label = "" if exercise is None else f"{exercise.number}."
            if label not in code:
                code[label] = recomputed(trace, label)
                made += code[label].opening
            made += [Cell.markdown(piece) for piece in pieces]
            made += code[label].parts.get(part.id, [])
        else:
            made += [Cell.markdown(piece) for piece in pieces]
    closing = [cell for each in code.values() for cell in each.closing]
    if closing:
        heading = translated("The same with PyTorch")
        made += [Cell("torch", "markdown", f"## {heading}"), *closing]
    return made


def exercise_cells(solved: Solved, shown: list[Mark], *, checks: bool = True) -> list[Cell]:
    """The questions, what is given as arrays, and below each part a cell for its answers, which it checks."""
    owners = owners_of(solved)
    made: list[Cell] = []
    opened: set[int] = set()
    for mark, pieces in by_part(shown):
        exercise, trace, part = owners.get(mark, (None, None, None))
        if not opened:
            made += [Cell.markdown(piece) for piece in pieces] if trace is None else []
            made += checker(solved) if checks else how_to_answer()
            opened.add(-1)
            if trace is None:
                continue
        number = 0 if exercise is None else exercise.number
        if trace is not None and number not in opened:
            opened.add(number)
            made += given_cell(trace, "" if exercise is None else f"{number}.")
        made += [Cell.markdown(piece) for piece in pieces]
        if trace is not None and part is not None:
            made += blanks(trace, part, exercise, checks=checks)
    return made


def has_letters(solved: Solved) -> bool:
    """Whether symbols stand for numbers, which no library computes with."""
    return any(trace.problem.assumptions is not None for _, trace in exercises_of(solved))


def owners_of(solved: Solved) -> dict[str, tuple[Exercise | None, Trace, Part]]:
    """Whose part a mark of a page is: `a`, or `2.a` in a problem set."""
    return {
        part.id if exercise is None else f"{exercise.number}.{part.id}": (exercise, trace, part)
        for exercise, trace in exercises_of(solved)
        for part in trace.problem.parts
    }


def by_part(shown: list[Mark]) -> list[tuple[str, list[Mark]]]:
    """The pieces of a page, those of one part together."""
    return [(part, list(pieces)) for part, pieces in groupby(shown, key=lambda mark: mark.part)]
