"""Numbers people write that are no step of ours: the exponentials of a softmax, and their sums."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from attnsolve.exact import Matrix
from attnsolve.exact.rationals import ones
from attnsolve.ops import Axis, Formula, Frame, Op
from attnsolve.problem import Call
from attnsolve.trace import Step, Trace

EXPONENTIALS, SUMS = "exp", "sum"
EXTRA = "extra "  # before the name of an op of ours, because there is an op called sum


def with_extras(trace: Trace) -> Trace:
    """The trace with the exponentials and their sums before every step that exponentiates."""
    steps: list[Step] = []
    frames = dict(trace.problem.frames)
    for step in trace.steps:
        if step.call.op.powers is not None:
            for extra in (exponentials(step), sums(step)):
                if extra is not None:
                    rows = trace.problem.frames[step.call.out].rows
                    columns = frames[step.call.out].columns if extra.value.shape[1] > 1 else Axis(1)
                    frames[extra.call.out] = Frame(rows, columns)
                    steps.append(extra)
        steps.append(step)
    return Trace(replace(trace.problem, frames=frames), tuple(steps))


def beside(step: Step, letter: str) -> str:
    """The name of an extra of a step: `b.head2.exp` for `b.head2.A`."""
    return f"{step.call.out.rpartition('.')[0]}.{letter}"


def exponentials(step: Step) -> Step | None:
    """e to every score, as it stands in the softmax."""
    powers = step.call.op.powers
    assert powers is not None

    def rule(*inputs: Matrix, **options: Any) -> Matrix:
        return powers(*inputs, **options).exp()

    return made(step, EXPONENTIALS, "Exponentials of the scores", rule)


def sums(step: Step) -> Step | None:
    """What the exponentials of each row add up to."""
    powers = step.call.op.powers
    assert powers is not None

    def rule(*inputs: Matrix, **options: Any) -> Matrix:
        raised = powers(*inputs, **options).exp()
        return raised @ ones(raised.shape[1], 1)

    return made(step, SUMS, "Sums of the exponentials", rule)


def made(step: Step, letter: str, title: str, rule: Any) -> Step:
    """A step of our own beside a softmax, with the same inputs."""
    op = Op(
        name=f"{EXTRA}{letter}",
        title=title,
        parameters=step.call.op.parameters,
        formula=Formula(matrix=letter),
        frame=step.call.op.frame,
        rule=rule,
        twin=step.call.op.twin,
    )
    call = Call(beside(step, letter), op, step.call.args, step.call.options, title)
    value = rule(*step.inputs, **step.call.options)
    return Step(call, step.inputs, value, value)


def is_extra(call: Call) -> bool:
    """Whether a call is none of the plan's own."""
    return call.op.name.startswith(EXTRA)
