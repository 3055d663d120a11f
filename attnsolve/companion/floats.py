"""The float64 next to an exact number."""

from __future__ import annotations

from math import inf

from attnsolve.exact import Cell
from attnsolve.exact.infinity import HIDDEN

# Balls of this many bits have more digits than any precision of torch's.
BITS = 256


def number(cell: Cell) -> float:
    """The float64 next to an exact number."""
    if cell is HIDDEN:
        return float("-inf")
    value = cell.rational()
    try:
        return float(cell.ball(BITS).mid()) if value is None else value.numerator / value.denominator
    except OverflowError:  # as float64 itself has it
        return inf if cell.ball(BITS) > 0 else -inf
