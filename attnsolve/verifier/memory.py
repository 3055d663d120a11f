"""What was found out about one person's step, kept for the next who wrote the same and came from the same."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, NamedTuple, TypeVar

from attnsolve.exact import Matrix
from attnsolve.report import StepReport

Value = TypeVar("Value")

# About as many numbers are kept, whatever a class may write: some tens of megabytes.
MOST_NUMBERS = 50_000


class Shown(NamedTuple):
    """A step that must have been done, how much of it, and whether only its method shows."""

    name: str
    share: Fraction
    roughly: bool = False
    leads_back: bool = True  # whether it shows the steps before it too


@dataclass(eq=False, slots=True)
class Outcome:
    """What became of a step: the verdict with its marks, and what somebody goes on with, once that is wanted.

    It stands for itself: two people have the same one only where all that leads to it is the same.
    """

    report: StepReport
    strayed: bool = False
    degenerate: bool = False  # zeros or an identity, where they do not belong
    coarse: bool = False  # too few digits, here or before it where nothing is written
    fits: bool = False  # whether every number goes with the right value
    shows: tuple[Shown, ...] = ()  # what it shows to have been done, here and before
    method: Fraction = Fraction(0)  # what its method alone is worth
    partly: bool = False  # whether some of it was not written, or could not be read
    unsure: bool = False
    value: Matrix | None = None


class Kept(Generic[Value]):
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
