"""A plan in plain torch functions, one after another, from the givens to any of its values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import torch

from attnsolve.companion.conditioning import Input, cancelled, rounded, tolerance
from attnsolve.companion.tensors import Precision, options, tensor
from attnsolve.graph import graph_of
from attnsolve.trace import Step, Trace


def twin_of(step: Step) -> Callable[..., torch.Tensor]:
    """The step's op as torch has it, with its settings put in."""
    return partial(step.call.op.twin, **options(step))


def cancelled_in(steps: Iterable[Step]) -> dict[str, Input]:
    """What cancels inside the twins of some steps, by the names of their results."""
    return {
        step.call.out: cancelled(step.call.op.cancelling(*map(tensor, step.inputs), **options(step)))
        for step in steps
        if step.call.op.cancelling is not None
    }


def step_tolerance(step: Step, form: Precision) -> torch.Tensor:
    """What a correct float calculation of one step may be off."""
    twin, lost = twin_of(step), cancelled_in([step])
    inputs = [rounded(tensor(value)) for value in step.inputs]

    def compute(*values: torch.Tensor) -> torch.Tensor:
        return sum(values[len(inputs) :], start=twin(*values[: len(inputs)]))

    return tolerance(compute, [*inputs, *lost.values()], form)


class Chain:
    """Every value of a trace as a function of the givens, by the ops' twins."""

    def __init__(self, trace: Trace, form: Precision) -> None:
        self.trace = trace
        self.form = form
        self.steps = {step.call.out: step for step in trace.steps}
        self._known: dict[str, torch.Tensor] = {}

    def needed(self, name: str) -> list[Step]:
        """The steps that lead to a value, in order."""
        calls = graph_of(self.trace.problem).behind({self.trace.problem.resolve(name)})
        return [self.steps[call.out] for call in calls]

    def inputs(self, steps: list[Step]) -> dict[str, Input]:
        """The matrices of the file that some steps use."""
        used = {argument for step in steps for argument in step.call.args}
        givens = self.trace.problem.givens
        return {name: rounded(tensor(given.value)) for name, given in givens.items() if name in used}

    def tolerance(self, name: str) -> torch.Tensor:
        """What a correct float calculation of a value, from the givens on, may be off."""
        if name not in self._known:
            self._known[name] = self._tolerance(self.needed(name))
        return self._known[name]

    def _tolerance(self, steps: list[Step]) -> torch.Tensor:
        givens, lost = self.inputs(steps), cancelled_in(steps)
        twins = [(step.call, twin_of(step)) for step in steps]

        def compute(*numbers: torch.Tensor) -> torch.Tensor:
            values = dict(zip(givens, numbers, strict=False))
            roundings = dict(zip(lost, numbers[len(givens) :], strict=True))
            for call, twin in twins:
                made = twin(*(values[argument] for argument in call.args))
                values[call.out] = made + roundings[call.out] if call.out in roundings else made
            return values[twins[-1][0].out]

        return tolerance(compute, [*givens.values(), *lost.values()], self.form, steps=len(steps))
