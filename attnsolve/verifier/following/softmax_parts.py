"""The exponentials of a softmax and their sums: steps that people write, where a plan has one call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from attnsolve.exact import Matrix
from attnsolve.exact.rationals import ones
from attnsolve.ops import Axis, Family, Formula, Frame, Op
from attnsolve.problem import Call, Problem
from attnsolve.trace import Step, Trace
from attnsolve.verifier.grids import Grid

EXPONENTIALS, SUMS = "exp", "sum"


def is_part(call: Call) -> bool:
    """Whether a call makes the exponentials of a softmax, or their sums."""
    return call.op.family is Family.SOFTMAX_PART


def with_parts(trace: Trace) -> Trace:
    """The trace, and its plan, with the exponentials and their sums before every step that exponentiates."""
    steps: list[Step] = []
    frames = {name: given.frame for name, given in trace.problem.givens.items()} | dict(trace.problem.frames)
    for step in trace.steps:
        if step.call.op.powers is not None:
            for part in (exponentials(step), sums(step)):
                inputs = (frames[name] for name in step.call.args)
                frames[part.call.out] = part.call.op.frame(*inputs, **step.call.options)
                steps.append(part)
        steps.append(step)
    parts = tuple(
        replace(part, calls=tuple(step.call for step in steps if step.call.part == part.id))
        for part in trace.problem.parts
    )
    return Trace(replace(trace.problem, parts=parts, frames=frames), tuple(steps))


def beside(softmax: Call, letter: str) -> str:
    """The name of a part of a softmax: `b.head2.exp` for `b.head2.A`."""
    return f"{softmax.out.rpartition('.')[0]}.{letter}"


def exponentials(step: Step) -> Step:
    """e to every score, as it stands in the softmax."""
    powers = step.call.op.powers
    assert powers is not None

    def rule(*inputs: Matrix, **options: Any) -> Matrix:
        return powers(*inputs, **options).exp()

    return as_step(step, EXPONENTIALS, "Exponentials of the scores", rule, step.call.op.frame)


def sums(step: Step) -> Step:
    """What the exponentials of each row add up to."""
    powers = step.call.op.powers
    assert powers is not None

    def rule(*inputs: Matrix, **options: Any) -> Matrix:
        return added_up(powers(*inputs, **options).exp())

    def frame(S: Frame, *others: Frame, **options: Any) -> Frame:
        return Frame(S.rows, Axis(1))

    return as_step(step, SUMS, "Sums of the exponentials", rule, frame)


def as_step(step: Step, letter: str, title: str, rule: Any, frame: Any) -> Step:
    """A step of our own beside a softmax, with the same inputs."""
    op = Op(
        name=f"{letter} of a softmax",  # there is an op called sum
        title=title,
        parameters=step.call.op.parameters,
        formula=Formula(matrix=letter),
        frame=frame,
        rule=rule,
        twin=step.call.op.twin,
        family=Family.SOFTMAX_PART,
    )
    call = Call(beside(step.call, letter), op, step.call.args, step.call.options, title)
    value = rule(*step.inputs, **step.call.options)
    return Step(call, step.inputs, value, value)


def added_up(E: Matrix) -> Matrix:
    """The sum of every row."""
    return E @ ones(E.shape[1], 1)


def shares(E: Matrix) -> Matrix:
    """Every row over its sum."""
    return E.normalised()


def divided(E: Matrix, D: Matrix) -> Matrix:
    """Every row of E over its number in the column D."""
    return E / (D @ ones(1, E.shape[1]))


class Way(NamedTuple):
    """A call that leads to a step where certain parts of its softmax are written."""

    written: tuple[str, ...]
    call: Call


class SoftmaxParts:
    """Every softmax of a problem, and the calls that lead to it once its parts are written."""

    def __init__(self, problem: Problem) -> None:
        self._ways: dict[str, tuple[Way, ...]] = {}
        self._softmaxes: dict[str, Call] = {}
        for call in problem.calls():
            if call.op.powers is not None:
                self._ways |= ways(call)
                self._softmaxes |= {beside(call, letter): call for letter in (EXPONENTIALS, SUMS)}

    def softmax_of(self, part: Step) -> Call:
        """The softmax that exponentials or sums belong to."""
        return self._softmaxes[part.call.out]

    def names_beside(self, step: Step) -> tuple[str, ...]:
        """The parts that a softmax, or its sums, may be made from."""
        return next((way.written for way in self._ways.get(step.call.out, ())), ())

    def call_of(self, step: Step, grids: Mapping[str, Grid]) -> Call:
        """The call that leads to a step for somebody: from the parts of the softmax that were written."""
        for written, call in self._ways.get(step.call.out, ()):
            if all(name in grids and grids[name].says_something for name in written):
                return call
        return step.call


def ways(softmax: Call) -> dict[str, tuple[Way, ...]]:
    """How people come to a softmax and to its sums, from most of what may be written to least."""
    powers = softmax.op.powers
    assert powers is not None

    def from_sums(*inputs: Matrix, **options: Any) -> Matrix:
        return divided(powers(*inputs[:-1], **options).exp(), inputs[-1])

    def by(rule: Any, *args: str, out: str = softmax.out, options: Any = None) -> Call:
        op = replace(softmax.op, rule=rule, parameters=args, powers=None, mistakes=())
        return replace(softmax, out=out, op=op, args=args, options=options or {})

    E, D = beside(softmax, EXPONENTIALS), beside(softmax, SUMS)
    return {
        softmax.out: (
            Way((E, D), by(divided, E, D)),
            Way((E,), by(shares, E)),
            Way((D,), by(from_sums, *softmax.args, D, options=softmax.options)),
        ),
        D: (Way((E,), by(added_up, E, out=D)),),
    }
