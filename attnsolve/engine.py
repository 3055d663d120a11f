"""Carrying a plan out: solve(problem) -> Trace."""

from __future__ import annotations

from collections.abc import Iterable

from attnsolve.errors import AttnsolveError, UndefinedStep
from attnsolve.exact import Matrix
from attnsolve.problem import Call, Problem
from attnsolve.trace import Step, Trace


def solve(problem: Problem) -> Trace:
    """Every call of the problem carried out in order, with exact numbers."""
    return Trace(problem, tuple(run(problem, problem.calls())))


def run(problem: Problem, calls: Iterable[Call]) -> Iterable[Step]:
    """The steps of some calls; a changed plan is carried out the same way."""
    values: dict[str, Matrix] = {name: given.value for name, given in problem.givens.items()}
    for call in calls:
        inputs = tuple([values[name] for name in call.args])
        value = perform(call, inputs)
        carried = value
        if problem.rounding is not None:
            carried = value.rounded(problem.rounding.carry, mode=problem.rounding.mode)
        values[call.out] = carried
        yield Step(call, inputs, value, carried)


def perform(call: Call, inputs: tuple[Matrix, ...]) -> Matrix:
    """One call on its inputs; what has no value says in which step."""
    try:
        return call.op.rule(*inputs, **call.options)
    except UndefinedStep as error:
        raise UndefinedStep(f"step {call.out} ({call.op.name}): {error}") from None
    except AttnsolveError as error:
        raise type(error)(f"step {call.out} ({call.op.name}): {error}") from None
