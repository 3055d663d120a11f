"""Matrices of whole numbers, and a whole matrix as one long number: a lane of bits for each of its own.

With powers of two as weights of rows and columns, Σ S_ij · 2^(lane of i, j) is linear in S. So what products
make of a matrix is worked out with a few long numbers, and only the result is taken apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import mul
from struct import Struct

Row = tuple[int, ...]
Rows = Sequence[Row]
STRUCTS = {4: "i", 8: "q"}  # lanes that Python takes apart at once, by their bytes


class Lanes:
    """Where each number of a matrix stands in the long one; no number may be larger than a bound."""

    def __init__(self, shape: tuple[int, int], bound: int) -> None:
        height, width = shape
        bits = bound.bit_length() + 1  # and its sign
        size = next((size for size in STRUCTS if bits <= 8 * size), -(-bits // 8))
        self.rows = tuple([1 << 8 * size * width * i for i in range(height)])
        self.columns = tuple([1 << 8 * size * j for j in range(width)])
        # Lanes below 0 borrow from the next; with half a lane more in each none does.
        self.half = sum(self.rows) * sum(self.columns) << (8 * size - 1)
        self.bytes = height * width * size
        self.rows_in = unpacking(width, size)

    def unpacked(self, number: int) -> Iterator[Row]:
        """The rows of the matrix."""
        half = self.half
        return self.rows_in(((number + half) ^ half).to_bytes(self.bytes, "little"))


def unpacking(width: int, size: int) -> Callable[[bytes], Iterator[Row]]:
    """What takes bytes apart into rows of so many numbers of so many bytes."""
    if size in STRUCTS:
        return Struct(f"<{width}{STRUCTS[size]}").iter_unpack

    def slowly(data: bytes) -> Iterator[Row]:
        starts = range(0, len(data), size)
        numbers = [int.from_bytes(data[at : at + size], "little", signed=True) for at in starts]
        return (tuple(numbers[at : at + width]) for at in range(0, len(numbers), width))

    return slowly


def rows_of(numbers: Sequence[Sequence[int]]) -> list[Row]:
    """The matrix of some numbers."""
    return list(map(tuple, numbers))


def columns_of(rows: Rows) -> list[Row]:
    """The matrix turned round."""
    return list(zip(*rows, strict=True))


def times(factors: Sequence[int], lines: Rows) -> list[int]:
    """Σ factor · number along each line: a row times a matrix given by its columns."""
    return [sum(map(mul, factors, line)) for line in lines]
