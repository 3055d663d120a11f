"""What was found out, kept within a bound for the next person who wrote the same and came from the same."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import Any, Generic, TypeVar, cast

Value = TypeVar("Value")
Reads = TypeVar("Reads", bound=Callable[..., Any])  # a text, and what else decides

# About as many numbers are kept, whatever a class may write: some tens of megabytes.
MOST_NUMBERS = 50_000
# So many texts are kept, none of them longer than this.
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
        self._numbers += numbers + 1
        if self._numbers > self.most:
            self._values.clear()
            self._numbers = numbers + 1
        self._values[cause] = value
        return value


def remember_texts(read: Reads) -> Reads:
    """A function that reads a text once, unless it is long: a class writes the same over and over."""
    remembered = lru_cache(maxsize=MOST_TEXTS)(read)

    @wraps(read)
    def reading(text: str, *more: Any) -> Any:
        return (remembered if len(text) <= LONGEST_TEXT else read)(text, *more)

    return cast(Reads, reading)
