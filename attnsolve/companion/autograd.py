"""torch's own gradients against those of a plan: autograd goes back through the forward steps alone."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from attnsolve.companion.chain import Chain, twin_of
from attnsolve.companion.comparison import Comparison, compare
from attnsolve.companion.tensors import Precision, tensor
from attnsolve.problem import Derivative
from attnsolve.trace import Step, Trace


def check(trace: Trace, chain: Chain, form: Precision) -> Iterator[Comparison]:
    """Every whole gradient of the trace."""
    found = [step for step in trace.steps if is_whole(step)]
    groups: dict[tuple[str, str], list[Step]] = {}
    for step in found:
        derivative = step.call.derivative
        assert derivative is not None
        groups.setdefault((derivative.of, derivative.start), []).append(step)
    for (of, start), steps in groups.items():
        values = [derivative_of(step).value for step in steps]
        for step, gradient in zip(steps, gradients(trace, of, start, values, form), strict=True):
            name = step.call.out
            yield compare(name, "torch.autograd", step.value, gradient.double(), chain.tolerance(name), form)


def is_whole(step: Step) -> bool:
    """Whether a step makes a gradient, not only a share in it."""
    derivative = step.call.derivative
    return derivative is not None and not derivative.through


def derivative_of(step: Step) -> Derivative:
    """What a step's gradient is the gradient of."""
    assert step.call.derivative is not None
    return step.call.derivative


def gradients(
    trace: Trace, of: str, start: str, wanted: list[str], form: Precision
) -> tuple[torch.Tensor, ...]:
    """The gradients of some values in a result, whose own gradient is `start`, by autograd."""
    known: dict[str, torch.Tensor] = {
        name: tensor(given.value).to(form.dtype).requires_grad_()
        for name, given in trace.problem.givens.items()
    }
    for step in trace.steps:
        known[step.call.out] = twin_of(step)(*(known[name] for name in step.call.args))
        if step.call.out == of:
            break
    first = tensor(trace.value(start)).to(form.dtype)
    found = torch.autograd.grad(known[of], [known[name] for name in wanted], first, allow_unused=True)
    pairs = zip(found, wanted, strict=True)
    return tuple(torch.zeros_like(known[name]) if grad is None else grad for grad, name in pairs)
