"""What was written for one step, number by number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from attnsolve.exact.infinity import HIDDEN
from attnsolve.found_once import found_once
from attnsolve.notes import Note
from attnsolve.submission import Numbers, State, Written
from attnsolve.verifier.digits import numbers_meant

# So many zeros at most are taken to have been left out behind a whole number.
ZEROS = 2
# Nobody rounds to a whole number of one digit.
TWO_DIGITS = 10


@dataclass(frozen=True, eq=False)
class Grid:
    """The numbers of a step by their places; `right` is what a person has seen to be right.

    It never changes, and all who wrote the same share it: what is known of it is found out once.
    """

    shape: tuple[int, int]
    cells: Mapping[tuple[int, int], Written] = field(default_factory=dict)
    right: bool = False
    notes: tuple[Note, ...] = ()
    # Of a square one that the course prints with its tokens as columns: as if they were typed as rows.
    other: Grid | None = None
    _meant: dict[bool, Mapping[tuple[int, int], Any]] = field(default_factory=dict, init=False, repr=False)

    @found_once
    def numbers(self) -> Numbers:
        """Every number that can be judged, in reading order."""
        longest = min(self.places, ZEROS)
        return [
            (i, j, written if written.places else with_zeros(written, longest))
            for (i, j), written in sorted(self.cells.items())
            if written.state is State.NUMBER
        ]

    def meant(self, *, truncation: bool) -> Mapping[tuple[int, int], Any]:
        """The ball of what each number stands for, made once; None for -∞."""
        if truncation not in self._meant:
            self._meant[truncation] = {
                (i, j): None if written.cell is HIDDEN else numbers_meant(written, truncation=truncation)
                for i, j, written in self.numbers
            }
        return self._meant[truncation]

    @found_once
    def whole(self) -> bool:
        """Whether there is a number in every place."""
        return len(self.numbers) == self.shape[0] * self.shape[1]

    @found_once
    def places(self) -> int:
        """The decimals of the longest number; 0 where there is none."""
        return max([w.places or 0 for w in self.cells.values() if w.state is State.NUMBER], default=0)

    @found_once
    def decimals(self) -> Mapping[int, int]:
        """How many numbers have so many decimals; whole numbers tell nothing."""
        counts: dict[int, int] = {}
        for _, _, written in self.numbers:
            if written.places and not written.padded:
                counts[written.places] = counts.get(written.places, 0) + 1
        return counts

    @found_once
    def is_degenerate(self) -> bool:
        """Whether somebody wrote all zeros, all the same, or an identity."""
        if len(self.numbers) < 2:
            return False
        first = self.numbers[0][2].fraction
        if all(written.fraction == first for _, _, written in self.numbers):
            return True
        return all(written.fraction == int(i == j) for i, j, written in self.numbers)

    @found_once
    def says_something(self) -> bool:
        """Whether there are numbers to go on from, or somebody has seen that they are right."""
        return self.right or bool(self.numbers)

    @found_once
    def is_empty(self) -> bool:
        """Whether nothing stands in it."""
        return not (self.cells or self.right)

    @found_once
    def unread(self) -> list[Written]:
        """What somebody wrote and nobody could read."""
        lost = (State.UNREAD, State.ILLEGIBLE)
        return [written for written in self.cells.values() if written.state in lost]

    def seen_right(self) -> Grid:
        """The same as if a person had seen that all of it is right."""
        return replace(self, cells={}, right=True)


def with_zeros(written: Written, longest: int) -> Written:
    """A whole number with the zeros that were left out behind it: 4 is 4.00, and no 4.5 that was rounded.

    One of two digits or more may have been rounded, where no number beside it has decimals.
    """
    value = written.fraction if written.places == 0 else None
    if value is None:
        return written
    return written._replace(places=ZEROS if abs(value) < TWO_DIGITS else longest, padded=True)
