"""What became of one person's step: the verdict, what more was seen, and what it shows to have been done."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from attnsolve.causes import NamedMistake
from attnsolve.exact import Matrix
from attnsolve.report import StepReport
from attnsolve.verifier.grids import Grid

ALL = Fraction(1)  # of what a step is worth, or of what was to be written


class Compared(NamedTuple):
    """The verdict on what was written for a step, and what more was seen on the way."""

    report: StepReport
    fits: bool = False  # whether every number goes with the right value
    tells: bool = True  # whether what is right here shows that something was done before it
    hidden: tuple[NamedMistake, ...] = ()  # the mistakes that so few digits would hide
    turned: bool = False  # whether every number is that of the transpose
    rerouted: bool = False  # whether it is right by another route, and the right value is gone on with
    off: int = 0  # how many numbers are wrong
    from_wrong: bool = False  # whether it was made from numbers that are not the right ones
    by_itself: bool = False  # whether it hangs on nothing but its numbers and what they follow from

    @property
    def blamed(self) -> tuple[NamedMistake, ...]:
        """The mistakes that were made, or may have been."""
        return self.report.mistakes or self.hidden

    @property
    def hangs_on_later(self) -> bool:
        """Whether what was written after it has a say in the verdict."""
        return self.turned or self.rerouted


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
    partly: bool = False  # whether some of it was not written, or could not be read
    is_open: bool = False  # whether it, or some of it, may still be shown by what comes after it
    unsure: bool = False
    value: Matrix | None = None
    shows_itself: bool = field(init=False)  # that all of it was done, and nothing else
    charges_another: bool = field(init=False)  # whether some step pays for a mistake that was made elsewhere

    def __post_init__(self) -> None:
        name, own = self.report.name, self.shows[0] if len(self.shows) == 1 else None
        self.shows_itself = own == Shown(name, ALL) and not self.report.verdict.is_off
        self.charges_another = any([one.roughly and not one.leads_back for one in self.shows])

    def of_another(self) -> Outcome:
        """The same for somebody who came to it on another way, before anything follows from it."""
        return Outcome(
            self.report,
            self.strayed,
            self.degenerate,
            self.coarse,
            self.fits,
            self.shows,
            self.made_from,
            self.from_wrong,
            self.taken_as,
            self.partly,
            self.is_open,
        )
