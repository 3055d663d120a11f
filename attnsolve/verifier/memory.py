"""What was found out, kept within a bound for the next person who wrote the same and came from the same."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")

# About as many numbers are kept, whatever a class may write: some tens of megabytes.
MOST_NUMBERS = 50_000
# What goes around the numbers of one value, such as a report, takes as much room as so many numbers.
AROUND = 12
# So many texts that a class writes over and over are read once, none of them longer than this.
MOST_TEXTS, LONGEST_TEXT = 4096, 1_000


class Memory(Generic[Value]):
    """Values by all that decides them; forgotten all at once when they have become too many."""

    def __init__(self, most: int = MOST_NUMBERS) -> None:
        self.most = most
        self._numbers = 0
        self._values: dict[Hashable, Value] = {}
        self.get = self._values.get  # asked for every step of every person

    def keep(self, cause: Hashable, value: Value, numbers: int = 1) -> Value:
        """Remember a value of so many numbers."""
        self._numbers += numbers + AROUND
        if self._numbers > self.most:
            self._values.clear()
            self._numbers = numbers + AROUND
        self._values[cause] = value
        return value
