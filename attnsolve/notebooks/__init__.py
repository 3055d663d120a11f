"""Jupyter notebooks: the working as cells, code that recomputes it, cells that check what is typed."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

from attnsolve.languages import speaking, translated
from attnsolve.notebooks.cells import Cell, Mark, Numbered, cut, written
from attnsolve.notebooks.checking import blanks, checker
from attnsolve.notebooks.computing import Recomputed, given_cell, recomputed
from attnsolve.notebooks.embedding import embedded
from attnsolve.problem import Part
from attnsolve.problem_set import Exercise, Solved, exercises_of
from attnsolve.rendering import Document, Settings, render
from attnsolve.trace import Trace

__all__ = ["render_notebook"]


def render_notebook(solved: Solved, settings: Settings) -> Document:
    """A solved problem or problem set as a notebook; an exercise sheet has cells to fill in."""
    page = render(solved, settings=replace(settings, to="markdown", flavour="jupyter", maps=True, cells=True))
    shown = [piece._replace(text=embedded(piece.text, page)) for piece in cut(page.text)]
    with speaking(settings.lang or solved.problem.lang):
        has_letters = any(trace.problem.assumptions is not None for _, trace in exercises_of(solved))
        kinds = {"solution": solution_cells, "exercise": exercise_cells}
        beside = None if has_letters else kinds.get(settings.sheet)
        cells = [Cell.markdown(piece) for piece in shown] if beside is None else beside(solved, shown)
    return Document(written(Numbered(cells), solved.problem.title))


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


def exercise_cells(solved: Solved, shown: list[Mark]) -> list[Cell]:
    """The questions, what is given as arrays, and below each part a cell that checks what is typed there."""
    owners = owners_of(solved)
    made: list[Cell] = []
    opened: set[int] = set()
    for mark, pieces in by_part(shown):
        exercise, trace, part = owners.get(mark, (None, None, None))
        if not opened:
            made += [Cell.markdown(piece) for piece in pieces] if trace is None else []
            made += checker(solved)
            opened.add(-1)
            if trace is None:
                continue
        number = 0 if exercise is None else exercise.number
        if trace is not None and number not in opened:
            opened.add(number)
            made += given_cell(trace, "" if exercise is None else f"{number}.")
        made += [Cell.markdown(piece) for piece in pieces]
        if trace is not None and part is not None:
            made += blanks(trace, part, exercise)
    return made


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
