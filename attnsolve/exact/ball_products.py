"""Products of matrices of balls: number by number while they are small, beyond that by flint's matrices."""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from typing import Any

from attnsolve.exact.flint_parts import arb

# Loading flint's matrices takes about as long as multiplying so many numbers one by one.
MANY = 20_000

Numbers = Sequence[Sequence[arb]] | Sequence[Sequence[int]]


def dot(row: Sequence[Any], column: Sequence[Any]) -> Any:
    """Σ a·b; short rows, which are most, without a loop."""
    length = len(row)
    if length == 2:
        return row[0] * column[0] + row[1] * column[1]
    if length == 3:
        return row[0] * column[0] + row[1] * column[1] + row[2] * column[2]
    return sum(map(mul, row, column))


def is_large(rows: int, inner: int, columns: int) -> bool:
    """Whether a product of matrices of these sizes is left to flint."""
    return rows * inner * columns >= MANY


def ball_product(left: Sequence[Sequence[arb]], right: Numbers) -> list[list[arb]]:
    """left·right, at the working precision."""
    width = len(right[0])
    if not is_large(len(left), len(right), width):
        columns = list(zip(*right, strict=True))
        return [[dot(row, column) for column in columns] for row in left]
    from flint.types.arb_mat import arb_mat

    numbers = (arb_mat(left) * arb_mat(right)).entries()  # ten times as fast
    return [numbers[at : at + width] for at in range(0, len(numbers), width)]
