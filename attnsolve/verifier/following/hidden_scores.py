"""Scores that a mask hides later: nobody has to work them out, and they may be hidden already."""

from __future__ import annotations

from attnsolve.exact import Rationals
from attnsolve.exact.masked import Masked, visible
from attnsolve.ops import OPS_BY_NAME, Family
from attnsolve.trace import Trace

DIVIDE = OPS_BY_NAME["divide"]


def hidden_later(trace: Trace) -> dict[str, Rationals]:
    """For each step that goes into a mask, scaled or not, 1 where its numbers stay and 0 where they go."""
    found: dict[str, Rationals] = {}
    for step in reversed(trace.steps):
        first = step.call.args[0] if step.call.args else ""
        if step.call.op.family is Family.MASK and not all(map(all, visible(step.value).rows)):
            found[first] = visible(step.value)
        elif step.call.op is DIVIDE and step.call.out in found:
            found[first] = found[step.call.out]
    return found


def needed(trace: Trace) -> dict[str, Rationals]:
    """The same, with the weights that a mask makes 0: 1 where there is something to work out."""
    weights = (step for step in trace.steps if step.inputs and isinstance(step.inputs[0], Masked))
    return hidden_later(trace) | {
        step.call.out: visible(step.inputs[0]) for step in weights if step.value.shape == step.inputs[0].shape
    }
