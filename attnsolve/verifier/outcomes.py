"""What became of one person's step: the verdict with its marks, and what it shows to have been done."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from attnsolve.exact import Matrix
from attnsolve.report import StepReport
from attnsolve.verifier.grids import Grid


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
    made_from: tuple[str, ...] = ()  # the values that it was made from
    from_wrong: bool = False  # whether some of those are not the right ones
    taken_as: Grid | None = None  # what counts as written, where that is not what was typed
    method: Fraction = Fraction(0)  # what its method alone is worth
    partly: bool = False  # whether some of it was not written, or could not be read
    unsure: bool = False
    value: Matrix | None = None
