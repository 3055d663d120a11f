"""Small matrices of whole numbers, as flint has them: for searches that multiply them over and over."""

from __future__ import annotations

from collections.abc import Iterator

from flint import fmpz_mat

# They can be multiplied, turned round, and changed in place: `matrix[i, j] = 3`.
Integers = fmpz_mat


def rows_of(matrix: Integers) -> Iterator[tuple[int, ...]]:
    """The numbers, row by row."""
    return (tuple(map(int, row)) for row in matrix.tolist())
