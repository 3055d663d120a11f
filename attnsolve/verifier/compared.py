"""The verdict on what was written for one step, and what more was seen on the way."""

from __future__ import annotations

from typing import NamedTuple

from attnsolve.report import NamedMistake, StepReport


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

    @property
    def blamed(self) -> tuple[NamedMistake, ...]:
        """The mistakes that were made, or may have been."""
        return self.report.mistakes or self.hidden

    @property
    def hangs_on_later(self) -> bool:
        """Whether what was written after it has a say in the verdict."""
        return self.turned or self.rerouted
