"""What somebody should have had at a step, from what was written before: one way first, then all others."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import partial
from typing import NamedTuple

from attnsolve.errors import AttnsolveError
from attnsolve.exact import Matrix
from attnsolve.exact.masked import Masked
from attnsolve.ops.exponentials import SUMS_OP, added_up
from attnsolve.problem import Call
from attnsolve.report import Verdict
from attnsolve.trace import Step
from attnsolve.verifier.exercise import Exercise
from attnsolve.verifier.following.calculation import Calculation
from attnsolve.verifier.following.inner_rounding import InnerRounding
from attnsolve.verifier.following.own_values import (
    before_rounding,
    kept_right,
    reached,
    typed_sums,
    unwritten,
    written_down,
)
from attnsolve.verifier.grids import Grid
from attnsolve.verifier.memory import Memory
from attnsolve.verifier.outcomes import Outcome


class Way(NamedTuple):
    """What a step may give for somebody, and whether that starts from numbers that are not the right ones."""

    value: Matrix
    astray: bool


class Follower:
    """Works out what people should have had at the steps of one problem."""

    def __init__(self, exercise: Exercise) -> None:
        self.exercise = exercise
        self.scheme = exercise.scheme
        self.inner_rounding = InnerRounding(exercise)
        self._reaches: Memory[tuple[Matrix | None]] = Memory()
        # People who came to the same numbers on other ways go on with the same values, and come to the same.
        self._given: Memory[tuple[Matrix | None]] = Memory()
        self._goes_on_with: Memory[Matrix] = Memory()

    def follow(
        self, step: Step, calculation: Calculation, before: Hashable | None = None
    ) -> Matrix | None:
        """What a step gives from somebody's own numbers; None where that has no value or cannot be told."""
        before = before or calculation.before(step)
        known = self._reaches.get(before)
        if known is None:
            value = self._reach(step, calculation.call_of(step), calculation)
            known = self._reaches.keep(before, (value,), step.value.shape[0] * step.value.shape[1])
        return known[0]

    def _reach(self, step: Step, call: Call, calculation: Calculation) -> Matrix | None:
        """What a call gives from somebody's own numbers; the right value itself where those are right."""
        if call is step.call and self.starts_right(step, calculation):
            return step.value
        if call is not step.call and step.call.op is SUMS_OP:
            added = self.added_as_typed(call, calculation)
            if added is not None:
                return added
        if call is not step.call:
            return reached(call, calculation.values)
        try:
            inputs = tuple([calculation.values[name] for name in call.args])
        except AttnsolveError:
            return None
        known = self._given.get((call.out, inputs))
        if known is None:
            value = reached(call, calculation.values)
            known = self._given.keep((call.out, inputs), (value,), step.value.shape[0] * step.value.shape[1])
        return known[0]

    def added_as_typed(self, call: Call, calculation: Calculation) -> Matrix | None:
        """The sums of written exponentials; None where the sums have more places than those."""
        exponentials, sums = calculation.grids[call.args[0]], calculation.grids.get(call.out)
        longer = sums is not None and sums.places > exponentials.places
        return None if longer else typed_sums(exponentials)

    def added_unrounded(self, call: Call, calculation: Calculation) -> Matrix:
        """The sums of written exponentials, some of them wrong, as they were before they were rounded."""
        name = call.args[0]
        grid, reach = calculation.grids[name], self.follow(self.exercise.steps[name], calculation)
        others = self.exercise.steps[name].value if reach is None else reach
        return added_up(before_rounding(grid, others, truncation=self.scheme.truncation))

    def other_ways(self, step: Step, calculation: Calculation) -> Iterator[Way]:
        """What a step may also give: straight from the scores, or with numbers rounded inside it."""
        call = calculation.call_of(step)
        if calculation.is_wrong_inside(step):
            if step.call.op is SUMS_OP:
                yield Way(self.added_unrounded(call, calculation), astray=True)
            return
        if call is not step.call:
            straight = self._reach(step, step.call, calculation)
            if straight is not None:
                yield Way(straight, calculation.is_astray(step.call))
        astray = calculation.is_astray(step.call)
        yield from (Way(value, astray) for value in self.inner_rounding.rounded_inside(step, calculation))
        yield from (
            Way(value, astray) for value in self.inner_rounding.by_rounded_divisors(step, calculation)
        )

    def own(self, step: Step, calculation: Calculation) -> Matrix:
        """What somebody goes on with after a step, found once for all who came to the same."""
        outcome, grid = calculation.outcomes[step.call.out], calculation.grids.get(step.call.out)
        if outcome.value is None:
            if grid is not None and outcome.report.verdict is Verdict.RIGHT and not grid.cells:
                outcome.value = step.value
            else:
                outcome.value = self._goes_on(step, grid or Grid(step.value.shape), outcome, calculation)
        return outcome.value

    def _goes_on(self, step: Step, grid: Grid, outcome: Outcome, calculation: Calculation) -> Matrix:
        """What was written, and where nothing was, what may have been; the right value if that is unknown."""
        truncation, places = self.scheme.truncation, calculation.places
        if outcome.fits and grid.whole and not isinstance(step.value, Masked):
            same = self.starts_right(step, calculation)
            kept = partial(kept_right, grid, step, places, same=same, truncation=truncation)
            return self._once((grid, places, same), kept)
        reach = self.follow(step, calculation)
        if not grid.whole and calculation.is_unsure(step, reach):
            outcome.unsure = True
        others = reach if reach is not None else step.value
        if grid.whole:
            written = partial(written_down, grid, step, others, places, truncation=truncation)
            return self._once((grid, places, others), written)
        if reach is None or calculation.call_of(step) is not step.call:
            return self._partly_unseen(step, grid, reach, calculation)
        inputs = tuple([calculation.values[name] for name in step.call.args])
        unseen = partial(self._partly_unseen, step, grid, reach, calculation)
        return self._once((step.call.out, grid if grid.cells else None, places, inputs, reach), unseen)

    def _partly_unseen(
        self, step: Step, grid: Grid, reach: Matrix | None, calculation: Calculation
    ) -> Matrix:
        """What somebody goes on with who did not write all numbers of a step."""
        truncation, places = self.scheme.truncation, calculation.places
        unknown = reach is None or calculation.is_wrong_inside(step)
        inside = () if unknown else self.inner_rounding.rounded_inside(step, calculation)
        others = step.value if reach is None else reach
        unseen = unwritten((others, *inside), places, truncation=truncation)
        return unseen if not grid.cells else written_down(grid, step, unseen, places, truncation=truncation)

    def _once(self, cause: Hashable, work_out: Callable[[], Matrix]) -> Matrix:
        """A value that somebody goes on with, found out once for all who came to it from the same."""
        known = self._goes_on_with.get(cause)
        if known is None:
            known = work_out()
            self._goes_on_with.keep(cause, known, known.shape[0] * known.shape[1])
        return known

    def starts_right(self, step: Step, calculation: Calculation) -> bool:
        """Whether somebody's inputs are the right ones themselves."""
        own, inputs = calculation.values, zip(step.call.args, step.inputs, strict=True)
        return all(own[name] is value for name, value in inputs)
