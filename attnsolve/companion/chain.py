"""A plan in plain torch functions, one after another, from the givens to any of its values."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import torch

from attnsolve.companion.conditioning import tolerance
from attnsolve.companion.tensors import Precision, options, tensor
from attnsolve.graph import graph_of
from attnsolve.trace import Step, Trace


def twin_of(step: Step) -> Callable[..., torch.Tensor]:
    """The step's op as torch has it, with its settings put in."""
    return partial(step.call.op.twin, **options(step))


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

    def givens(self, name: str) -> list[str]:
        """The matrices of the file that a value depends on."""
        used = {argument for step in self.needed(name) for argument in step.call.args}
        return [given for given in self.trace.problem.givens if given in used]

    def function(self, name: str) -> Callable[..., torch.Tensor]:
        """The value as a function of those matrices."""
        steps, names = self.needed(name), self.givens(name)
        twins = [(step, twin_of(step)) for step in steps]

        def compute(*inputs: torch.Tensor) -> torch.Tensor:
            values = dict(zip(names, inputs, strict=True))
            for step, twin in twins:
                values[step.call.out] = twin(*(values[argument] for argument in step.call.args))
            return values[steps[-1].call.out]

        return compute

    def inputs(self, name: str) -> list[torch.Tensor]:
        """The numbers of those matrices."""
        return [tensor(self.trace.problem.givens[given].value) for given in self.givens(name)]

    def tolerance(self, name: str) -> torch.Tensor:
        """What a correct float calculation of a value, from the givens on, may be off."""
        if name not in self._known:
            found = tolerance(self.function(name), self.inputs(name), self.form, steps=len(self.needed(name)))
            self._known[name] = found
        return self._known[name]
