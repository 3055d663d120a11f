"""The verdict on what was written for one step, and the words for too few digits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from attnsolve.report import Named, StepReport
from attnsolve.verifier.written import Written

COARSE = "too few digits"
EARLY = "rounded too early"
ANYTHING = "from these numbers almost anything would follow"


class Compared(NamedTuple):
    """The verdict on what was written for a step, and what more was seen on the way."""

    report: StepReport
    fits: bool = False  # whether every number goes with the right value
    tells: bool = True  # whether what is right here shows that something was done before it
    hidden: tuple[Named, ...] = ()  # the mistakes that so few digits would hide
    turned: bool = False  # whether every number is that of the transpose
    rerouted: bool = False  # whether it is right by another route, and the right value is gone on with
    off: int = 0  # how many numbers are wrong

    @property
    def blamed(self) -> tuple[Named, ...]:
        """The mistakes that were made, or may have been."""
        return self.report.mistakes or self.hidden

    @property
    def hangs_on_later(self) -> bool:
        """Whether what was written after it has a say in the verdict."""
        return self.turned or self.rerouted


def too_few(written: Written, asked: int) -> str:
    """What is said of a number with fewer digits than were asked for."""
    return f"{COARSE}: {written.text}; {asked} places were asked for"


def too_early(written: Written, asked: int) -> str:
    """What is said of a number that is not the right one because too few digits were gone on with."""
    return f"{EARLY}: {written.text}; {asked} places were asked for"


def is_coarse(notes: Sequence[str]) -> bool:
    """Whether a step was written, or gone on from, with too few digits."""
    return is_said(COARSE, notes) or is_said(EARLY, notes)


def is_said(words: str, notes: Sequence[str]) -> bool:
    """Whether one of the notes begins with these words."""
    return any(note.startswith(words) for note in notes)
