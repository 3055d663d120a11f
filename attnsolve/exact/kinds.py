"""Which kind of matrix holds given numbers, and which kind goes on where another has no closed form."""

from __future__ import annotations

from collections.abc import Sequence

from attnsolve.exact.attention import Exponentials, Mixtures
from attnsolve.exact.balls import Balls, Enclosed
from attnsolve.exact.cells import Cell, Rational
from attnsolve.exact.masked import masked_of_cells
from attnsolve.exact.matrices import Matrix
from attnsolve.exact.rationals import Rationals
from attnsolve.exact.surds import surds_of_cells


def next_kind(matrix: Matrix, factor: Cell | None) -> Matrix:
    """SymPy where a form can still be read; balls for attention rows and for whatever already is one."""
    if factor is not None and factor.has_letters:
        from attnsolve.exact.formulas.matrices import Formulas

        return Formulas.beside(matrix, factor)
    if isinstance(matrix, (Exponentials, Mixtures)) or isinstance(factor, Enclosed):
        return Balls.of(matrix)
    from attnsolve.exact.symbolic import Expressions

    return Expressions.of(matrix)


def matrix_of_cells(rows: Sequence[Sequence[Cell]]) -> Matrix:
    """A matrix from single numbers, in the simplest kind that holds them all."""
    simple = masked_of_cells(rows) or surds_of_cells(rows)
    if simple is not None:
        return simple
    if any(cell.has_letters for row in rows for cell in row):
        from attnsolve.exact.formulas.matrices import Formulas

        return Formulas.of_cells(rows)
    if any(isinstance(cell, Enclosed) for row in rows for cell in row):
        kept = [list(row) for row in rows]
        return Balls((len(kept), len(kept[0])), lambda on: [list(map(on.number, row)) for row in kept])
    from attnsolve.exact.symbolic import Expressions

    return Expressions([[cell.sympy() for cell in row] for row in rows])


def simplified(matrix: Matrix) -> Matrix:
    """The same matrix, its numbers as fractions where they are proven to be some; most kinds know at once."""
    if matrix.kind not in ("symbolic", "certified", "formula"):
        return matrix
    found = (cell.rational() for _, _, cell in matrix.cells())
    if matrix.kind != "symbolic" and any(value is None for value in found):
        return matrix  # all or none: a kind of many numbers is left at the first that is no fraction
    rows, columns = map(range, matrix.shape)
    values = [[matrix.cell(i, j).rational() for j in columns] for i in rows]
    if all(value is not None for row in values for value in row):
        return Rationals.of(values)  # type: ignore[arg-type]
    if all(value is None for row in values for value in row):
        return matrix
    return matrix_of_cells(
        [
            [matrix.cell(i, j) if value is None else Rational(value) for j, value in enumerate(row)]
            for i, row in enumerate(values)
        ]
    )
