"""What was written for one step, number by number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from attnsolve.verifier.records import Written


@dataclass(frozen=True, eq=False)
class Grid:
    """The numbers of a step by their places; `right` is what a person has seen to be right.

    It never changes, and all who wrote the same share it: what is known of it is found out once.
    """

    shape: tuple[int, int]
    cells: Mapping[tuple[int, int], Written] = field(default_factory=dict)
    right: bool = False
    notes: tuple[str, ...] = ()

    @cached_property
    def numbers(self) -> tuple[tuple[int, int, Written], ...]:
        """Every number that can be judged, in reading order."""
        return tuple(
            (i, j, written) for (i, j), written in sorted(self.cells.items()) if written.state == "number"
        )

    @cached_property
    def whole(self) -> bool:
        """Whether there is a number in every place."""
        return len(self.numbers) == self.shape[0] * self.shape[1]

    @cached_property
    def places(self) -> int:
        """The decimals of the longest number; 0 where there is none."""
        return max((written.places or 0 for _, _, written in self.numbers), default=0)

    @property
    def empty(self) -> bool:
        """Whether nothing stands in it."""
        return not (self.cells or self.right)

    @property
    def unread(self) -> list[Written]:
        """What somebody wrote and nobody could read."""
        return [written for written in self.cells.values() if written.state in ("unread", "illegible")]

    def seen_right(self) -> Grid:
        """The same as if a person had seen that all of it is right."""
        return replace(self, cells={}, right=True)
