"""Where a student writes: an empty grid in the shape of each asked value, ruled lines for words."""

from __future__ import annotations

from collections.abc import Collection
from math import ceil
from typing import NamedTuple

from attnsolve.languages import translated
from attnsolve.problem import Part, Target
from attnsolve.rendering.formulas import COLUMNS_FROM, ROWS_FROM
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.trace_json import target_text

# What a page holds when every cell is wide and high enough to write in by hand.
MOST_COLUMNS, MOST_ROWS = 8, 20
# Ruled lines for an answer in words.
LINES_A_MARK, FEWEST_LINES, MOST_LINES = 3, 4, 24
# Millimetres for working: so many for a mark, at least and at most.
ROOM_A_MARK, LEAST_ROOM, MOST_ROOM = 8, 20, 80


class Box(NamedTuple):
    """An empty grid for a value, laid as the course lays it; rows and columns by their numbers."""

    symbol: str
    name: str  # under which its numbers are typed
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    part: str  # which piece of a value that is too large for one grid, or nothing


def boxes(part: Part, notation: Notation, *, without: Collection[str] = ()) -> tuple[Box, ...]:
    """A grid for all that a part asks for, but for values that have a place elsewhere or are ticked."""
    wanted = [target for target in part.find if target.name not in without and part.choice is None]
    return tuple(box for target in wanted for box in boxes_of(target, notation))


def boxes_of(target: Target, notation: Notation) -> list[Box]:
    """The grid of one value, row or cell; in pieces when a page is too small for it."""
    symbol, rows, columns = asked(target, notation)
    name = target_text(target, notation.problem)
    across, down = bands(columns, MOST_COLUMNS), bands(rows, MOST_ROWS)
    return [
        Box(symbol, name, some_rows, some_columns, piece(some_rows, some_columns, len(down), len(across)))
        for some_rows in down
        for some_columns in across
    ]


def asked(target: Target, notation: Notation) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """The symbol of what is asked for, and the numbers of its rows and columns as they are displayed."""
    first = notation.problem.index_from
    height, width = notation.frame(target.name).shape
    down, across = range(height), range(width)
    symbol = notation.symbol(target.name)
    if target.row is not None:
        down = range(target.row, target.row + 1)
        symbol = notation.vector(target.name, target.row)
        if target.column is not None:
            across = range(target.column, target.column + 1)
            symbol = notation.entry(target.name, target.row, target.column)
    rows, columns = (tuple(str(place + first) for place in side) for side in (down, across))
    return (symbol, columns, rows) if notation.transposed(target.name) else (symbol, rows, columns)


def bands(places: tuple[str, ...], most: int) -> list[tuple[str, ...]]:
    """Places in groups of nearly equal size, none larger than `most`."""
    groups = -(-len(places) // most)
    size = -(-len(places) // groups)
    return [places[start : start + size] for start in range(0, len(places), size)]


def piece(rows: tuple[str, ...], columns: tuple[str, ...], down: int, across: int) -> str:
    """`rows 1 to 8`, where a value stands in several grids."""
    sides = ((ROWS_FROM, rows, down), (COLUMNS_FROM, columns, across))
    return ", ".join(
        translated(from_to, first=places[0], last=places[-1]) for from_to, places, parts in sides if parts > 1
    )


def ruled_lines(part: Part) -> int:
    """How many lines an answer gets: as many as its file says, or words in proportion to their marks."""
    if part.lines is not None:
        return part.lines
    if part.choice is not None and not part.explain and not part.in_words:
        return 0
    space = part.space
    is_ruled = space is not None and space.is_ruled
    if space is not None and (space.lines or (not is_ruled and not part.find)):
        return space.lines  # or none: a question in words has blank room instead
    if not is_ruled and part.find and not part.discuss:
        return 0
    return min(MOST_LINES, max(FEWEST_LINES, ceil(LINES_A_MARK * (part.in_words or part.total))))


def working_room(part: Part) -> int:
    """How many millimetres there are for working: as the file says, or by the marks of what is computed."""
    if part.space is not None:
        return part.space.millimetres
    if not part.find:
        return 0
    return min(MOST_ROOM, max(LEAST_ROOM, ceil(ROOM_A_MARK * (part.total - part.in_words))))
