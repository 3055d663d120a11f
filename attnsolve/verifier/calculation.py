"""One person's calculation while it is followed, step by step."""

from __future__ import annotations

from dataclasses import dataclass, field

from attnsolve.exact import Matrix
from attnsolve.trace import Step
from attnsolve.verifier.carrying import Own
from attnsolve.verifier.placing import Grid


@dataclass
class Calculation:
    """One person's numbers while they are followed: what each value is for them, and which have strayed."""

    values: Own
    grids: dict[str, Grid]
    strayed: set[str]
    degenerate: set[str]  # values replaced by something that makes the rest trivial
    places: int  # how many decimals this person works with
    unsure: set[str] = field(default_factory=set)  # unwritten, and not to be told from what was written

    def is_unsure(self, step: Step, reach: Matrix | None) -> bool:
        """Whether it cannot be told what somebody should have had at a step."""
        return reach is None or any(name in self.unsure for name in step.call.args)
