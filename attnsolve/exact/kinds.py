"""Which kind of matrix holds given numbers, and which kind goes on where another has no closed form."""

from __future__ import annotations

from collections.abc import Sequence

from attnsolve.exact.attention import Exponentials, Mixtures
from attnsolve.exact.balls import Balls, Enclosed
from attnsolve.exact.cells import Cell
from attnsolve.exact.masked import masked_of_cells
from attnsolve.exact.matrices import Matrix
from attnsolve.exact.surds import surds_of_cells


def next_kind(matrix: Matrix, factor: Cell | None) -> Matrix:
    """SymPy where a form can still be read; balls for attention rows and for whatever already is one."""
    if isinstance(matrix, (Exponentials, Mixtures)) or isinstance(factor, Enclosed):
        return Balls.of(matrix)
    from attnsolve.exact.symbolic import Expressions

    return Expressions.of(matrix)


def matrix_of_cells(rows: Sequence[Sequence[Cell]]) -> Matrix:
    """A matrix from single numbers, in the simplest kind that holds them all."""
    simple = masked_of_cells(rows) or surds_of_cells(rows)
    if simple is not None:
        return simple
    if any(isinstance(cell, Enclosed) for row in rows for cell in row):
        kept = [list(row) for row in rows]
        return Balls((len(kept), len(kept[0])), lambda: [[cell.enclosure() for cell in row] for row in kept])
    from attnsolve.exact.symbolic import Expressions

    return Expressions([[cell.sympy() for cell in row] for row in rows])
