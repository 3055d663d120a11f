"""One person's calculation while it is followed, step by step."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any

from attnsolve.exact import Matrix
from attnsolve.trace import Step
from attnsolve.verifier.following.softmax_parts import EXPONENTIALS, beside
from attnsolve.verifier.grids import Grid
from attnsolve.verifier.outcomes import Outcome

WorkOut = Callable[["Calculation", Step], Matrix]


class Calculation:
    """One person's numbers while they are followed: what became of each step, and its value for them."""

    def __init__(
        self,
        givens: Mapping[str, Matrix],
        steps: Mapping[str, Step],
        grids: dict[str, Grid],
        places: int,
        work_out: WorkOut,
    ) -> None:
        self.steps = steps
        self.grids = grids
        self.places = places  # how many decimals this person works with
        self.outcomes: dict[str, Outcome] = {}
        self.values = Own(givens, self, work_out)

    def is_unsure(self, step: Step, reach: Matrix | None) -> bool:
        """Whether it cannot be told what somebody should have had at a step."""
        return reach is None or any(before.unsure for before in self.inputs(step))

    def is_astray(self, step: Step) -> bool:
        """Whether a step starts from numbers that are not the right ones."""
        return any(before.strayed for before in self.inputs(step))

    def is_degenerate(self, step: Step) -> bool:
        """Whether a step starts from something that makes it trivial."""
        return any(before.degenerate for before in self.inputs(step))

    def is_coarse(self, step: Step) -> bool:
        """Whether a step starts from numbers with too few digits."""
        return any(before.coarse for before in self.inputs(step))

    def inputs(self, step: Step) -> Iterator[Outcome]:
        """What became of the steps that a step starts from."""
        return (self.outcomes[name] for name in step.call.args if name in self.outcomes)

    def before(self, step: Step) -> Hashable:
        """All that decides what a step can be made of: how somebody came to its inputs."""
        came_by = tuple(map(self.outcomes.get, step.call.args))
        if step.call.op.powers is None:
            return self.places, step.call.out, came_by
        return self.places, step.call.out, came_by, self.outcomes.get(beside(step, EXPONENTIALS))


class Own(dict[str, Matrix]):
    """Somebody's own values by name, each worked out when something wrong has to be followed, not before."""

    def __init__(self, givens: Mapping[str, Matrix], calculation: Calculation, work_out: WorkOut) -> None:
        super().__init__(givens)
        self._calculation = calculation
        self._work_out = work_out

    def __missing__(self, name: str) -> Matrix:
        judged, steps = self._calculation.outcomes, self._calculation.steps
        if name not in judged:
            raise KeyError(name)
        wanted = {name}
        for other in reversed(judged):  # a plan may be so long that its steps cannot call each other
            if other in wanted and other not in self:
                wanted.update(steps[other].call.args)
        for first in judged:
            if first in wanted and first not in self:
                self[first] = self._work_out(self._calculation, steps[first])
        return self[name]

    def get(self, name: str, default: Any = None) -> Any:
        """A value by name, or the default when it has none."""
        return self[name] if name in self or name in self._calculation.outcomes else default
