"""What was found out about one person's step, kept for the next who wrote the same and came from the same."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from attnsolve.exact import Matrix
from attnsolve.report import StepReport

# About as many numbers are kept, whatever a class may write: some tens of megabytes.
MOST_NUMBERS = 50_000


@dataclass(eq=False, slots=True)
class Outcome:
    """What became of a step: the verdict, and what somebody goes on with, once that is wanted.

    It stands for itself: two people have the same one only where all that leads to it is the same.
    """

    report: StepReport
    strayed: bool = False
    degenerate: bool = False
    fits: bool = False  # whether every number goes with the right value
    tells: bool = True  # whether what is right here shows what was done before it
    shown: frozenset[str] = frozenset()  # the steps that a mistake made here goes through, right
    unsure: bool = False
    value: Matrix | None = None


class Memory:
    """Outcomes by all that decides them; forgotten all at once when they have become too many."""

    def __init__(self, most: int = MOST_NUMBERS) -> None:
        self.most = most
        self._numbers = 0
        self._outcomes: dict[Hashable, Outcome] = {}
        self._reaches: dict[Hashable, Matrix | None] = {}

    def get(self, cause: Hashable) -> Outcome | None:
        """What became of the same before."""
        return self._outcomes.get(cause)

    def keep(self, cause: Hashable, outcome: Outcome, numbers: int) -> None:
        """Remember what became of a step of so many numbers."""
        self._make_room(numbers)
        self._outcomes[cause] = outcome

    def reach(self, cause: Hashable) -> tuple[Matrix | None] | None:
        """What a step gives from the same inputs, in a tuple of its own since it may be nothing."""
        return (self._reaches[cause],) if cause in self._reaches else None

    def keep_reach(self, cause: Hashable, reach: Matrix | None, numbers: int) -> None:
        """Remember what a step of so many numbers gives."""
        self._make_room(numbers)
        self._reaches[cause] = reach

    def _make_room(self, numbers: int) -> None:
        self._numbers += numbers + 1
        if self._numbers > self.most:
            self._outcomes.clear()
            self._reaches.clear()
            self._numbers = numbers + 1
