"""Values inside a step as steps of their own: people write the exponentials of a softmax, or a threshold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from attnsolve.exact import Matrix
from attnsolve.inner_values import inner_calls, is_inner
from attnsolve.limits import LIMITS
from attnsolve.ops import Inner, Onward
from attnsolve.problem import Call
from attnsolve.trace import Step, Trace
from attnsolve.verifier.grids import Grid


def with_inner_steps(trace: Trace) -> Trace:
    """The trace, and its plan, with every inner value that somebody can hand in before its step."""
    problem, made = trace.problem, {step.call.out for step in trace.steps}
    frames = {name: given.frame for name, given in problem.givens.items()} | dict(problem.frames)
    inner = inner_calls(problem.calls())
    steps: list[Step] = []
    for step in trace.steps:
        for call in inner.get(step.call.out, ()):
            frame = call.op.frame(*(frames[name] for name in call.args), **call.options)
            if call.out not in made and frame.rows.size * frame.columns.size <= LIMITS.numbers:
                frames[call.out] = frame
                value = call.op.rule(*step.inputs, **call.options)
                steps.append(Step(call, step.inputs, value, value))
        steps.append(step)
    parts = tuple(
        part._replace(calls=tuple(step.call for step in steps if step.call.part == part.id))
        for part in problem.parts
    )
    return Trace(problem._replace(parts=parts, frames=frames), tuple(steps))


class Start(NamedTuple):
    """Where the way to a step may start inside it: its call, the inner values in question, and the rule."""

    call: Call
    onward: Onward
    inner: tuple[tuple[Inner, str], ...]  # each with the full name of its value
    names: frozenset[str]  # these alone

    def call_from(self, written: tuple[str, ...]) -> Call:
        """The call that leads to the step from the inner values that are written."""
        chosen = [(inner, name) for inner, name in self.inner if name in written]
        replaced = {name for inner, _ in chosen for name in inner.replaces}
        matrices = zip(self.call.op.parameters, self.call.args, strict=False)
        named = [*matrices, *((inner.name, name) for inner, name in chosen)]
        kept = [(name, value) for name, value in named if name not in replaced]
        parameters = tuple(name for name, _ in kept)
        rule = self.onward.rule

        def by_name(*inputs: Matrix, **options: Any) -> Matrix:
            return rule(**dict(zip(parameters, inputs, strict=True)), **options)

        op = self.call.op._replace(
            rule=by_name, parameters=parameters, powers=None, mistakes=(), inner=(), onward=None
        )
        return self.call._replace(op=op, args=tuple(value for _, value in kept))


NO_STARTS: Mapping[str, Start] = {}


class InnerSteps:
    """The inner values of a problem, and the calls that lead on from those that are written."""

    def __init__(self, plan: Trace, worked: Trace) -> None:
        self._asked = {step.call.out for step in plan.steps}
        self._owners: dict[str, Call] = {}
        self.starts: dict[str, Start] = {}  # by the names of the steps that have values inside
        self._calls: dict[tuple[str, tuple[str, ...]], Call] = {}
        calls = {call.out: call for call in worked.problem.calls()}
        for name, group in inner_calls(calls.values()).items():
            self._add(
                calls[name],
                {
                    inner: call
                    for inner, call in zip(calls[name].op.inner, group, strict=True)
                    if call.out in calls
                },
            )
        self._names = frozenset(name for start in self.starts.values() for name in start.names)

    def _add(self, owner: Call, group: Mapping[Inner, Call]) -> None:
        named = tuple((inner, call.out) for inner, call in group.items())
        self._owners |= {name: owner for _, name in named}
        for call in (*group.values(), owner):
            onward = call.op.onward
            if onward is not None:
                inner = tuple(pair for pair in named if pair[0].name in onward.start)
                self.starts[call.out] = Start(call, onward, inner, frozenset(name for _, name in inner))

    def is_unasked(self, call: Call) -> bool:
        """Whether a call makes an inner value that the plan itself does not have."""
        return is_inner(call) and call.out not in self._asked

    def owner(self, inner: Step) -> Call:
        """The call of the step that an inner value belongs to."""
        return self._owners[inner.call.out]

    def names_beside(self, step: Step) -> tuple[str, ...]:
        """The inner values that a step may be made from."""
        start = self.starts.get(step.call.out)
        return () if start is None else tuple(name for _, name in start.inner)

    def asked_beside(self, step: Step) -> tuple[str, ...]:
        """Those of them that the plan has as steps: whoever has the step has been through them."""
        return tuple(name for name in self.names_beside(step) if name in self._asked)

    def starts_in(self, grids: Mapping[str, Grid]) -> Mapping[str, Start]:
        """The same for somebody who has written some grids: none, where no inner values are among them."""
        return NO_STARTS if self._names.isdisjoint(grids) else self.starts

    def call_of(self, step: Step, grids: Mapping[str, Grid]) -> Call:
        """The call that leads to a step for somebody: from the inner values that were written."""
        start = self.starts.get(step.call.out)
        if start is None or start.names.isdisjoint(grids):  # as for nearly all
            return step.call
        written = tuple(name for _, name in start.inner if name in grids and grids[name].says_something)
        if not written:
            return step.call
        key = (step.call.out, written)
        if key not in self._calls:
            self._calls[key] = start.call_from(written)
        return self._calls[key]
