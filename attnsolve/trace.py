"""The record of a plan carried out; rendering, verifying, checking and drawing variants all read it."""

from __future__ import annotations

from attnsolve.exact import Matrix
from attnsolve.ops import Remark
from attnsolve.problem import Call, Problem
from attnsolve.records import NamedTuple
from attnsolve.working import Line


class Step(NamedTuple):
    """A call carried out: what a student writes down and gets marks for."""

    call: Call
    inputs: tuple[Matrix, ...]
    value: Matrix
    carried: Matrix

    def lines(self, *, first_row: bool = False) -> tuple[Line, ...]:
        """The working of every cell; made on demand, because it costs more than the step itself.

        Most ops make row i of their result from row i of their first input, so that the first row alone
        can be worked out when no more is shown.
        """
        call, value, inputs = self.call, self.value, self.inputs
        if first_row and call.op.by_rows:
            value, inputs = value.take([0]), (inputs[0].take([0]), *inputs[1:])
        lines = call.op.lines(*inputs, value=value, options=call.options, names=call.args)
        return lines if not first_row else tuple(line for line in lines if line.i == 0)

    def remarks(self) -> tuple[Remark, ...]:
        """What is worth saying about this result."""
        return self.call.op.remarks(*self.inputs, value=self.value, options=self.call.options)


class Trace(NamedTuple):
    """A problem and its steps, in reading order; every argument is a given or an earlier result."""

    problem: Problem
    steps: tuple[Step, ...]

    def step(self, name: str) -> Step:
        """The step that made a value: `b.A`, `c.head2.A`."""
        wanted = self.problem.resolve(name)
        for step in self.steps:
            if step.call.out == wanted:
                return step
        known = ", ".join(step.call.out for step in self.steps)
        raise KeyError(f"there is no step '{name}'; the steps are {known}")

    def value(self, name: str) -> Matrix:
        """A given or a result by name."""
        if name in self.problem.givens:
            return self.problem.givens[name].value
        return self.step(name).value

    def of_part(self, part: str) -> tuple[Step, ...]:
        """The steps of one part."""
        return tuple([step for step in self.steps if step.call.out.partition(".")[0] == part])
