"""One person's calculation while it is followed, step by step."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator

from attnsolve.exact import Matrix
from attnsolve.found_once import found_once
from attnsolve.problem import Call
from attnsolve.trace import Step
from attnsolve.verifier.exercise import Exercise
from attnsolve.verifier.grids import Grid
from attnsolve.verifier.outcomes import Outcome

WorkOut = Callable[[Step, "Calculation"], Matrix]


class Calculation:
    """What one person wrote, what became of each step so far, and its value for that person."""

    def __init__(self, exercise: Exercise, grids: dict[str, Grid], places: int, work_out: WorkOut) -> None:
        self.exercise = exercise
        self.grids = grids
        self.starts = exercise.inner.starts_in(grids)  # the steps that may be made from values inside them
        self.places = places  # how many decimals this person works with
        self.outcomes: dict[str, Outcome] = {}
        self.values = OwnValues(self, work_out)

    def call_of(self, step: Step) -> Call:
        """The call that leads to a step here: a softmax goes on from written exponentials."""
        return self.exercise.inner.call_of(step, self.grids) if step.call.out in self.starts else step.call

    def is_wrong_inside(self, step: Step) -> bool:
        """Whether values inside a step are written and wrong: that is what one goes on from."""
        call = self.call_of(step)
        return call is not step.call and any(one.report.verdict.is_off for one in self.inputs(call))

    def unwritten_behind(self, step: Step) -> tuple[Call, ...]:
        """The call that makes a step and those of unwritten steps that lead to it, in order."""
        name = step.call.out
        return self.exercise.graph.behind((name,), known=self.written - {name})

    @found_once
    def written(self) -> frozenset[str]:
        """The steps of which something is written; a grid that takes the place of another says as much."""
        return frozenset([name for name, grid in self.grids.items() if grid.says_something])

    def is_unsure(self, step: Step, reach: Matrix | None) -> bool:
        """Whether it cannot be told what somebody should have had at a step."""
        return reach is None or any(before.unsure for before in self.inputs(self.call_of(step)))

    def is_astray(self, call: Call) -> bool:
        """Whether a call starts from numbers that are not the right ones."""
        return any(before.strayed for before in self.inputs(call))

    def inputs(self, call: Call) -> Iterator[Outcome]:
        """What became of the steps that a call starts from."""
        return (self.outcomes[name] for name in call.args if name in self.outcomes)

    def before(self, step: Step) -> Hashable:
        """All that decides what a step can be made of: how somebody came to its inputs."""
        call = step.call
        came_by = tuple(map(self.outcomes.get, call.args))
        if call.out in self.starts:
            call = self.call_of(step)
        if call is step.call:
            return self.places, call.out, came_by
        return self.places, step.call.out, tuple(map(self.outcomes.get, call.args)), came_by


class OwnValues(dict[str, Matrix]):
    """Somebody's values by name, each worked out when something wrong has to be followed, not before."""

    def __init__(self, calculation: Calculation, work_out: WorkOut) -> None:
        super().__init__(calculation.exercise.givens)
        self._calculation = calculation
        self._work_out = work_out

    def __missing__(self, name: str) -> Matrix:
        calculation, judged = self._calculation, self._calculation.outcomes
        steps = calculation.exercise.steps
        if name not in judged:
            raise KeyError(name)
        known = judged[name].value
        if known is not None:  # by somebody else who came to it in the same way
            self[name] = known
            return known
        wanted = {name}
        for other in reversed(judged):  # a plan may be so long that its steps cannot call each other
            if other in wanted and other not in self and judged[other].value is None:
                wanted.update(steps[other].call.args, calculation.call_of(steps[other]).args)
        for first in judged:
            if first in wanted and first not in self:
                self[first] = self._work_out(steps[first], calculation)
        return self[name]
