"""Carrying a plan out: solve(problem) -> Trace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from operator import is_
from typing import TYPE_CHECKING

from attnsolve.errors import AttnsolveError, UndefinedStep
from attnsolve.exact import Matrix, Rationals
from attnsolve.exact.kinds import simplified
from attnsolve.ops import Axis, Frame, UndefinedRow
from attnsolve.pace import Pace, Work
from attnsolve.problem import Call, Problem
from attnsolve.trace import Step, Trace

if TYPE_CHECKING:  # most files have one problem
    from attnsolve.problem_set import Asked, ProblemSet, Solved, SolvedSet

# Of a fraction: 30,000 digits. Who multiplies a matrix by itself again and again has soon more.
MOST_BITS = 100_000


def solve(problem: Problem) -> Trace:
    """Every call of the problem carried out in order, with exact numbers."""
    return Trace(problem, tuple(run(problem, problem.calls(), frames=problem.frames)))


def solve_set(problems: ProblemSet) -> SolvedSet:
    """Every exercise of a problem set, solved."""
    from attnsolve.problem_set import SolvedSet

    traces = []
    for exercise in problems.exercises:
        try:
            traces.append(solve(exercise.problem))
        except AttnsolveError as error:
            error.args = (f"exercise {exercise.number} ({exercise.problem.file}): {error}",)
            raise
    return SolvedSet(problems, tuple(traces))


def solve_asked(asked: Asked) -> Solved:
    """A problem or a problem set, solved."""
    return solve(asked) if isinstance(asked, Problem) else solve_set(asked)


def run(
    problem: Problem,
    calls: Iterable[Call],
    *,
    frames: Mapping[str, Frame] | None = None,
    solved: Trace | None = None,
) -> Iterator[Step]:
    """The steps of some calls. A changed plan has no frames yet: they are made, so that a misfit is seen.

    What a changed plan has in common with one that is `solved` is taken from there.
    """
    done = {} if solved is None else {step.call.out: step for step in solved.steps}
    values: dict[str, Matrix] = {name: given.value for name, given in problem.givens.items()}
    made: dict[str, Frame] = {name: given.frame for name, given in problem.givens.items()}
    rounding = problem.rounding
    for call in calls:
        try:
            inputs = tuple([values[name] for name in call.args])
        except KeyError as missing:
            raise UndefinedStep(
                f"step {call.out} ({call.op.name}): nothing has made {missing} before it"
            ) from None
        known = done.get(call.out)
        if known is not None and known.call is call and all(map(is_, inputs, known.inputs)):
            values[call.out], made[call.out] = known.carried, problem.frames[call.out]
            yield known
            continue
        Pace.begin(Work.SOLVING, (call.out, call.op.name))
        try:
            if frames is None:
                made[call.out] = call.op.frame(*[made[name] for name in call.args], **call.options)
            value = call.op.rule(*inputs, **call.options)
            if frames is not None:  # the plan itself: what it gives is read by people
                value = simplified(value)
            carried = value if rounding is None else rounding.carried(call, value)
            require_short(value)
        except RecursionError:
            raise UndefinedStep(
                f"step {call.out} ({call.op.name}): too many steps stand on top of one another"
            ) from None
        except AttnsolveError as error:
            frame = (frames or made).get(call.out)
            reason = named(error, frame, problem) if frame and isinstance(error, UndefinedRow) else error
            error.args = (f"step {call.out} ({call.op.name}): {reason}",)
            raise
        values[call.out] = carried
        yield Step(call, inputs, value, carried)


def require_short(value: Matrix) -> None:
    """Refuse numbers that each further step would make twice as long."""
    if isinstance(value, Rationals):
        # What grows so fast is multiplied by itself, which makes it positive sooner or later.
        largest = max(value.denominator, max(map(max, value.rows)))
        if largest.bit_length() > MOST_BITS:
            raise UndefinedStep(f"its numbers have more than {MOST_BITS} binary digits")


def named(error: UndefinedRow, frame: Frame, problem: Problem) -> str:
    """What has no value, with the tokens called as the problem calls them."""
    sentence, row, columns, _ = error.remark

    def name(axis: Axis, place: int) -> str:
        token = axis.tokens[place] if axis.tokens is not None and place < len(axis.tokens) else place
        number = str(token + problem.index_from)
        label = axis.label(token)
        return f"{number} ({label})" if label else number

    keys = ", ".join(name(frame.columns, place) for place in columns)
    return sentence.format(row=name(frame.rows, row or 0), columns=keys)
