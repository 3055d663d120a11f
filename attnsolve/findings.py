"""Is a number right? How it goes with the exact one, and what was found about those of a sheet's own key."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from attnsolve.problem import Target


class Fit(StrEnum):
    """How a number that somebody wrote or printed goes with the exact one."""

    RIGHT = "right"  # it is the value itself
    ROUNDED = "rounded"
    CUT_OFF = "truncated"
    LAST_DIGIT = "last digit"  # of three or more, off by one
    NOISE = "machine noise"  # many digits, of which those are right that single precision has
    FOLLOWS = "follows"  # not the right one, but what rounding on the way makes of it
    WRONG = "wrong"
    UNDECIDED = "undecided"

    @property
    def is_fine(self) -> bool:
        """Whether nobody has to do anything about it."""
        return self in (Fit.RIGHT, Fit.ROUNDED)


class Finding(NamedTuple):
    """How one number of the sheet's own key goes with the exact one, and where it stands in the file."""

    target: Target
    fit: Fit
    typed: str
    expected: str
    line: int = 1
    column: int = 1
