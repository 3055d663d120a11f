"""Where written numbers are laid: as the engine keeps them, and the other way where both fit."""

from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.verifier.grids import Grid
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.reading.placing import Placing

COLUMNS = """
format: 1
title: Two tokens
convention: {convention}
given: {{X: 1 0; 0 1, W: 1 2; 3 4}}
parts:
  - ask: Find Z.
    self_attention: {{input: X, W_Q: W, W_K: W, W_V: W}}
"""


def laid(typed: str, *, convention: str = "columns") -> Grid:
    """The values, as they are laid."""
    placing = Placing(solve(loads(COLUMNS.format(convention=convention))))
    return placing.grids(read_submission(typed))[0]["a.V"]


def texts(grid: Grid | None) -> list[str]:
    """What stands in a grid, row by row."""
    assert grid is not None
    return [grid.cells[place].text for place in sorted(grid.cells)]


def test_square_of_columns_is_offered_the_other_way_too() -> None:
    grid = laid("V 1 2; 3 4")
    assert ["1", "3", "2", "4"] == texts(grid)
    assert ["1", "2", "3", "4"] == texts(grid.other)


def test_cell_that_is_added_is_in_both() -> None:
    grid = laid("V 1 2; 3 4\nV[1, 2] 5")
    assert ["1", "3", "5", "4"] == texts(grid)
    assert ["1", "5", "3", "4"] == texts(grid.other)


def test_rows_have_one_way_only() -> None:
    assert laid("V 1 2; 3 4", convention="rows").other is None
