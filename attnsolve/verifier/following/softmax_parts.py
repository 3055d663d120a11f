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


def says_something(grid: Grid | None) -> bool:
    """Whether there are numbers to go on from, or somebody has seen that they are right."""
    return grid is not None and bool(grid.right or grid.numbers)


class Worked(NamedTuple):
    """The calls of one softmax as people work it out: by the parts that they have written."""

    exponentials: str
    sums: str
    calls: Mapping[tuple[str, bool, bool], Call]  # by the step, and whether each part is written


class SoftmaxParts:
    """Every softmax of a problem, and the calls that lead to it once its parts are written."""

    def __init__(self, problem: Problem) -> None:
        self._worked: dict[str, Worked] = {}
        self._softmaxes: dict[str, Call] = {}
        for call in problem.calls():
            if call.op.powers is not None:
                worked = worked_out(call)
                self._worked |= dict.fromkeys((call.out, worked.sums), worked)
                self._softmaxes |= dict.fromkeys((worked.exponentials, worked.sums), call)

    def softmax_of(self, part: Step) -> Call:
        """The softmax that exponentials or sums belong to."""
        return self._softmaxes[part.call.out]

    def names_beside(self, step: Step) -> tuple[str, ...]:
        """The parts that a softmax, or its sums, may be made from."""
        worked = self._worked.get(step.call.out)
        if worked is None:
            return ()
        both = (worked.exponentials, worked.sums)
        return both[:1] if step.call.out == worked.sums else both

    def call_of(self, step: Step, grids: Mapping[str, Grid]) -> Call:
        """The call that leads to a step for somebody: from the parts of the softmax that were written."""
        worked = self._worked.get(step.call.out)
        if worked is None:
            return step.call
        has_exponentials = says_something(grids.get(worked.exponentials))
        has_sums = says_something(grids.get(worked.sums))
        return worked.calls.get((step.call.out, has_exponentials, has_sums), step.call)


def worked_out(softmax: Call) -> Worked:
    """The calls of a softmax by what is written of it; the plan's own where nothing is."""
    powers = softmax.op.powers
    assert powers is not None

    def from_sums(*inputs: Matrix, **options: Any) -> Matrix:
        return divided(powers(*inputs[:-1], **options).exp(), inputs[-1])

    def by(rule: Any, *args: str, out: str = softmax.out, options: Any = None) -> Call:
        op = replace(softmax.op, rule=rule, parameters=args, powers=None, mistakes=())
        return replace(softmax, out=out, op=op, args=args, options=options or {})

    E, D = beside(softmax, EXPONENTIALS), beside(softmax, SUMS)
    calls = {
        (softmax.out, True, False): by(shares, E),
        (softmax.out, True, True): by(divided, E, D),
        (softmax.out, False, True): by(from_sums, *softmax.args, D, options=softmax.options),
    }
    for is_written in (False, True):
        calls[D, True, is_written] = by(added_up, E, out=D)
    return Worked(E, D, calls)
