"""Costs as plain data: counts for each step, for each plan, and the sizes they are wanted for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import add

from attnsolve.costs.crossover import Crossover, crossover
from attnsolve.exact.counting import Counts
from attnsolve.exact.polynomials import ONE, Polynomial


@dataclass(frozen=True, slots=True)
class StepCost:
    """What one step counts; its name is that of its result."""

    name: str
    counts: Counts
    why: str = ""  # it is not counted


@dataclass(frozen=True, slots=True)
class Cost:
    """What a plan counts, carried out `times` over: once, or once for each token."""

    name: str
    steps: tuple[StepCost, ...]
    times: Polynomial = ONE

    @property
    def once(self) -> Counts:
        """All steps together."""
        return reduce(add, [step.counts for step in self.steps], Counts())

    @property
    def uncounted(self) -> tuple[StepCost, ...]:
        """The steps that the sums are without."""
        return tuple(step for step in self.steps if step.why)

    @property
    def total(self) -> Counts:
        """All steps, as often as they are carried out."""
        return self.once.times(self.times)


@dataclass(frozen=True, slots=True)
class Costs:
    """Some plans and what they are compared with; `sizes` are the exercise's own, `asked` the others."""

    plans: tuple[Cost, ...]
    beside: Cost | None
    sizes: Mapping[str, int]
    asked: tuple[Mapping[str, int], ...] = ()

    @property
    def everything(self) -> tuple[Cost, ...]:
        """The plans, and last what they are compared with."""
        return self.plans if self.beside is None else (*self.plans, self.beside)

    def crossovers(self) -> dict[str, Crossover]:
        """For each plan that is counted to the end, where it needs fewer multiplications than `beside`."""
        if self.beside is None:
            return {}
        below = self.beside.total.multiplications
        counted = [plan for plan in self.plans if not plan.uncounted]
        return {plan.name: crossover(plan.total.multiplications, below) for plan in counted}
