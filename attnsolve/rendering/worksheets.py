"""Worksheets: for each step of a part an empty matrix in its shape, with the numbers in it that are given."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

from attnsolve.problem import Part, Target, Worksheet
from attnsolve.problem_set import Exercise
from attnsolve.rendering import numerals
from attnsolve.rendering.boxes import MOST_COLUMNS, MOST_ROWS, asked, bands, piece
from attnsolve.rendering.notation import Notation, is_selection
from attnsolve.rendering.pages import Page
from attnsolve.rendering.text import Segments
from attnsolve.trace import Step, Trace

# The numbers of a value as they are kept, each with whether it is the value itself or was rounded.
Numbers = list[list[tuple[str, bool]]]


class Blank(NamedTuple):
    """A matrix to fill in, laid as the course lays it; a cell that is given has its number in it."""

    symbol: str
    relation: str
    name: str  # under which its numbers are typed
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    part: str  # which piece of a value that is too large for one grid, or nothing


class BlankGroup(NamedTuple):
    """The blanks of one head or case, or of the steps that belong to none."""

    title: Segments
    blanks: tuple[Blank, ...]


def worksheet(page: Page) -> tuple[BlankGroup, ...]:
    """What is to be filled in for a part; nothing where its file asks for no worksheet."""
    from attnsolve.rendering.groups import group_title

    chosen = None if page.part.space is None else page.part.space.worksheet
    if chosen is None:
        return ()
    groups = groupby(steps_on(page.part, page.trace), key=lambda step: step.call.group)
    return tuple(
        BlankGroup(
            group_title(group, page.notation) if group else (),
            tuple(blank for step in steps for blank in blanks_of(step, chosen, page.notation)),
        )
        for group, steps in groups
    )


def steps_on(part: Part, trace: Trace) -> list[Step]:
    """The steps of a part that its worksheet has blanks for."""
    named = names_on(part)
    return [step for step in trace.of_part(part.id) if step.call.out in named]


def names_on(part: Part) -> tuple[str, ...]:
    """The names of their values."""
    chosen = None if part.space is None else part.space.worksheet
    if chosen is None:
        return ()
    made = [call.out for call in part.calls if not is_selection(call)]
    return tuple([name for name in made if not chosen.steps or name in chosen.steps])


def blanks_of(step: Step, chosen: Worksheet, notation: Notation) -> list[Blank]:
    """The matrix of one step; in pieces when a page is too small for it."""
    name = step.call.out
    symbol, rows, columns = asked(Target(name), notation)
    cells, exact = filled_cells(step, chosen, notation)
    laid = notation.laid(name, cells)
    across, down = bands(columns, MOST_COLUMNS), bands(rows, MOST_ROWS)
    made, top = [], 0
    for some_rows in down:
        left = 0
        for some_columns in across:
            block = [row[left : left + len(some_columns)] for row in laid[top : top + len(some_rows)]]
            place = piece(some_rows, some_columns, len(down), len(across))
            made.append(
                Blank(
                    symbol, numerals.relation(exact), name, some_rows, some_columns,
                    tuple(map(tuple, block)), place,
                )
            )  # fmt: skip
            left += len(some_columns)
        top += len(some_rows)
    return made


def filled_cells(step: Step, chosen: Worksheet, notation: Notation) -> tuple[list[list[str]], bool]:
    """The numbers that are given and nothing in the other cells; whether all that are given are exact."""
    height, width = notation.frame(step.call.out).shape
    given = {
        (i, j) for i in range(height) for j in range(width) if is_given(step, chosen, i, j, (height, width))
    }
    numbers = numbers_of(step, notation) if given else []
    cells = [[numbers[i][j][0] if (i, j) in given else "" for j in range(width)] for i in range(height)]
    return cells, all(numbers[i][j][1] for i, j in given)


def is_given(step: Step, chosen: Worksheet, i: int, j: int, shape: tuple[int, int]) -> bool:
    """Whether a cell is given: its file names it, or its row is one of the first."""
    if any(
        target.name == step.call.out and target.row in (None, i) and target.column in (None, j)
        for target in chosen.filled
    ):
        return True
    # Of a single row the first numbers are given, and nothing where that would be all of it.
    place, size = (i, shape[0]) if shape[0] > 1 else (j, shape[1])
    return place < chosen.rows < size


def numbers_of(step: Step, notation: Notation) -> Numbers:
    """The numbers of a step as a student should have them: proven decimals, or those that are carried."""
    if step.carried is not step.value:
        exact = step.carried.same(step.value) is True
        return [[(text, exact) for text in row] for row in notation.carried_rows(step.carried)]
    rounded = notation.decimals(step.value)
    return [[(numerals.rounded(cell), cell.exact) for cell in row] for row in rounded]


def in_set(groups: tuple[BlankGroup, ...], exercise: Exercise) -> tuple[BlankGroup, ...]:
    """The same with the names that its values have in a problem set."""
    return tuple(
        group._replace(
            blanks=tuple(blank._replace(name=exercise.outer(blank.name)) for blank in group.blanks)
        )
        for group in groups
    )
