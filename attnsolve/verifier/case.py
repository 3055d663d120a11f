"""The case at hand: what one person wrote for one step, and how that person came to it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from attnsolve.exact import Cell, Matrix
from attnsolve.exact.matrices import BallRows
from attnsolve.found_once import found_once
from attnsolve.problem import Call, Part
from attnsolve.submission import Numbers
from attnsolve.trace import Step
from attnsolve.verifier.digits import BITS
from attnsolve.verifier.following.calculation import Calculation
from attnsolve.verifier.following.follower import Follower, Way
from attnsolve.verifier.grids import Grid


@dataclass(eq=False)
class Case:
    """A step as somebody wrote it, and what can be reached from the numbers before it."""

    part: Part
    step: Step
    title: str
    grid: Grid
    before: Hashable  # all that decides what the step can be made of
    calculation: Calculation
    follower: Follower

    def __post_init__(self) -> None:
        self.name = self.step.call.out
        self.numbers: Numbers = self.grid.numbers  # what was written and can be judged, in reading order
        self.call = self.calculation.call_of(self.step)  # that leads to the step for this person
        self.inputs = tuple(self.calculation.inputs(self.call))  # what became of the steps it starts from
        self.is_astray = self.is_degenerate = self.is_coarse = self.uses_wrong = False
        for before in self.inputs:
            if before.strayed:
                self.is_astray = True  # the numbers before it are not right
            if before.degenerate:
                self.is_degenerate = True  # zeros or an identity before it make the step trivial
            if before.coarse:
                self.is_coarse = True  # the numbers before the step have too few digits
            if before.strayed or before.from_wrong:
                self.uses_wrong = True  # a number behind it is wrong, though those before it may be right

    @found_once
    def reach(self) -> Matrix | None:
        """What the step gives from the numbers before it; None where that cannot be told."""
        return self.follower.follow(self.step, self.calculation, self.before)

    @found_once
    def reach_balls(self) -> BallRows | None:
        """The same as balls."""
        if self.reach is self.step.value:
            return self.calculation.exercise.key.balls(self.step)
        return None if self.reach is None else self.reach.balls(BITS)

    def ways(self) -> Iterator[Way]:
        """Everything the step may give for this person, the plain way first."""
        if self.reach is not None:
            yield Way(self.reach, self.is_astray)
        yield from self.follower.other_ways(self.step, self.calculation)

    @found_once
    def unwritten_behind(self) -> list[Call]:
        """The call of the step and those of the unwritten ones of its part that lead to it, in order."""
        behind = self.calculation.unwritten_behind(self.step)
        return [call for call in behind if call.part == self.part.id]

    @property
    def is_unsure(self) -> bool:
        """Whether it cannot be told what should stand here."""
        return self.calculation.is_unsure(self.step, self.reach)

    def expected(self, i: int, j: int) -> Cell:
        """What should stand in a place, from the numbers before it."""
        return (self.reach if self.reach is not None else self.step.value).cell(i, j)
