"""Small matrices of whole numbers, as flint has them: for searches that multiply them over and over."""

from __future__ import annotations

from flint import fmpz_mat

# They can be multiplied, turned round, and changed in place: `matrix[i, j] = 3`.
Integers = fmpz_mat


def rows_of(matrix: Integers) -> list[list[int]]:
    """The numbers, row by row."""
    return [list(map(int, row)) for row in matrix.tolist()]
