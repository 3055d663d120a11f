"""One person's calculation while it is followed, step by step."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from attnsolve.exact import Matrix
from attnsolve.trace import Step
from attnsolve.verifier.carrying import Own
from attnsolve.verifier.extras import EXPONENTIALS, beside
from attnsolve.verifier.memory import Outcome
from attnsolve.verifier.placing import Grid


@dataclass
class Calculation:
    """One person's numbers while they are followed: what each value is for them, and which have strayed."""

    values: Own
    grids: dict[str, Grid]
    places: int  # how many decimals this person works with
    outcomes: dict[str, Outcome] = field(default_factory=dict)

    def is_unsure(self, step: Step, reach: Matrix | None) -> bool:
        """Whether it cannot be told what somebody should have had at a step."""
        return reach is None or any(before.unsure for before in self.inputs(step))

    def is_astray(self, step: Step) -> bool:
        """Whether a step starts from numbers that are not the right ones."""
        return any(before.strayed for before in self.inputs(step))

    def is_degenerate(self, step: Step) -> bool:
        """Whether a step starts from something that makes it trivial."""
        return any(before.degenerate for before in self.inputs(step))

    def inputs(self, step: Step) -> Iterator[Outcome]:
        """What became of the steps that a step starts from."""
        return (self.outcomes[name] for name in step.call.args if name in self.outcomes)

    def before(self, step: Step) -> Hashable:
        """All that decides what a step can be made of: how somebody came to its inputs."""
        came_by = tuple(map(self.outcomes.get, step.call.args))
        if step.call.op.powers is None:
            return self.places, step.call.out, came_by
        return self.places, step.call.out, came_by, self.outcomes.get(beside(step, EXPONENTIALS))
