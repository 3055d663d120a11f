"""Small matrices of whole numbers, as flint has them: for searches that multiply them over and over."""

from __future__ import annotations

from flint import fmpz_mat

# They can be multiplied, turned round, and changed in place: `matrix[i, j] = 3`.
Integers = fmpz_mat


def rows_of(matrix: Integers) -> list[tuple[int, ...]]:
    """The numbers, row by row."""
    numbers, width = tuple(map(int, matrix.entries())), matrix.ncols()
    return [numbers[start : start + width] for start in range(0, len(numbers), width)]
