"""How many digits of a float a script may show, and which of its zeros are only left over from rounding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attnsolve.companion.floats import number
from attnsolve.errors import Undecided
from attnsolve.exact import Matrix, Rounded
from attnsolve.exact.infinity import HIDDEN

# Digits that a float64 still has right after the few hundred operations of an exercise.
SURE_DIGITS = 13
# And those above which a number beside larger ones is no mere left-over of rounding.
CLEAR_DIGITS = 12
# The least power of ten that float64 has in full.
SMALLEST_POWER = -307


def whole_digits(values: Iterable[Matrix]) -> int:
    """How many digits stand before the point of the largest number."""
    cells = (cell for value in values for _, _, cell in value.cells() if cell is not HIDDEN)
    largest = max((abs(number(cell)) for cell in cells), default=0.0)
    return len(str(int(largest))) if largest >= 1 else 0


def decimals(value: Matrix, places: int) -> Iterator[Rounded]:
    """The certified decimals of a matrix, as far as they can be decided."""
    for _, _, cell in value.cells():
        try:
            yield cell.decimals(places)
        except Undecided:
            continue


def noise(seen: list[Rounded], digits: int) -> str:
    """Below which size a number stands for one of the zeros that are shown; nothing when there are none."""
    finite = [cell for cell in seen if not cell.infinite]
    orders = [order(cell) for cell in finite if cell.digits and order(cell) >= SMALLEST_POWER]
    if len(orders) == len(finite):
        return ""
    return f"1e{min([digits - CLEAR_DIGITS, *(power - 1 for power in orders)])}"


def order(cell: Rounded) -> int:
    """The power of ten of a number's first digit."""
    return len(str(abs(cell.digits))) - 1 - cell.places if cell.power is None else cell.power
