"""Does PyTorch agree? Each step against its op's twin, and whole layers against torch's own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import torch

from attnsolve.companion.chain import step_tolerance, twin_of
from attnsolve.companion.comparison import Comparison, compare
from attnsolve.companion.diagnosis import likely_cause
from attnsolve.companion.layers import check_layers
from attnsolve.companion.tensors import Precision, precision, tensor
from attnsolve.trace import Step, Trace

__all__ = ["Check", "Comparison", "check"]


@dataclass(frozen=True, slots=True)
class Check:
    """What torch says about a problem: the steps one by one, and the layers end to end."""

    problem: str
    torch: str
    steps: tuple[Comparison, ...]
    layers: tuple[Comparison, ...]

    @property
    def fine(self) -> bool:
        """Whether torch agrees with everything."""
        return all(found.fine for found in (*self.steps, *self.layers))


def check(trace: Trace, *, dtype: str = "float64") -> Check:
    """Compare a trace with torch, in one of torch's precisions; one with letters at chosen numbers."""
    if trace.problem.assumptions is not None and trace.steps:
        from attnsolve.companion.letters import at_numbers

        trace = at_numbers(trace)
    # More threads make small matrices slower, and sums in another order.
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        form = precision(dtype)
        steps = tuple(placed(trace, check_step(step, form)) for step in trace.steps)
        # Rounded values are carried on by hand, which no layer does.
        rounded = trace.problem.rounding is not None
        layers = () if rounded else tuple(placed(trace, found) for found in check_whole(trace, form))
    finally:
        torch.set_num_threads(before)
    return Check(trace.problem.name, torch.__version__, steps, layers)


def placed(trace: Trace, found: Comparison) -> Comparison:
    """A comparison that knows where the sheet has the number that is furthest off."""
    if found.cell is None:
        return found
    problem = trace.problem
    turned = problem.convention.turns(None, problem.frames[problem.resolve(found.name)])
    row, column = (index + problem.index_from for index in found.cell)
    return replace(found, place=(column, row) if turned else (row, column))


def check_step(step: Step, form: Precision) -> Comparison:
    """One step, from its own inputs, against its op's twin."""
    twin, inputs = twin_of(step), [tensor(value) for value in step.inputs]
    exactly = compare_step(step, twin(*inputs), precision("float64"))
    if not exactly.fine:
        return replace(exactly, cause=exactly.cause or likely_cause(step, twin(*inputs)))
    if form.dtype == torch.float64:
        return exactly
    try:
        found = twin(*(x.to(form.dtype) for x in inputs)).double()
    except (RuntimeError, TypeError) as error:
        reason = f"torch has no {step.call.op.name} in {form.name}: {str(error).splitlines()[0][:80]}"
        return replace(exactly, precision=form.name, explained=(reason,))
    return as_precision(compare_step(step, found, form))


def compare_step(step: Step, found: torch.Tensor, form: Precision) -> Comparison:
    """What torch found for a step against its exact result."""
    against = (step.call.op.twin.__doc__ or step.call.op.name).splitlines()[0].rstrip(".")
    return compare(step.call.out, against, step.value, found, step_tolerance(step, form), form)


def check_whole(trace: Trace, form: Precision) -> Iterator[Comparison]:
    """The layers; in a coarser precision their differences are shown, and held against float64 first."""
    exactly = list(check_layers(trace, precision("float64")))
    if form.dtype == torch.float64:
        yield from exactly
        return
    for fine, coarse in zip(exactly, check_layers(trace, form), strict=True):
        yield as_precision(coarse) if fine.fine else fine


def as_precision(found: Comparison) -> Comparison:
    """A difference that float64 does not have is no disagreement: it shows what the precision does."""
    return found if found.fine else replace(found, verdict="precision")
