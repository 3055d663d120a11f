"""Catalogued mistakes carried out: what each of them would give on the data of a problem."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain, takewhile

from attnsolve.engine import run
from attnsolve.errors import AttnsolveError
from attnsolve.exact import Matrix, Rationals
from attnsolve.exact.precision import LADDER, precision
from attnsolve.ops import Mistake, PlanMistake
from attnsolve.problem import Call, Part, Problem
from attnsolve.records import NamedTuple
from attnsolve.trace import Trace


class WrongPlan(NamedTuple):
    """A catalogued mistake as a plan: every call it makes on the way to the results of a part."""

    name: str
    advice: str
    calls: tuple[Call, ...]
    since: int = 1


def wrong_values(trace: Trace, part: Part) -> Iterator[tuple[str, str, Mapping[str, Matrix]]]:
    """(name, advice, values) for every catalogued mistake that changes this part, plans first."""
    for plan in wrong_plans(trace.problem, part):
        values = carried_out(trace, plan)
        if values is not None:
            yield plan.name, plan.advice, values


def carried_out(trace: Trace, plan: WrongPlan) -> Mapping[str, Matrix] | None:
    """What a mistake gives, by name; None where it is undefined on this data: nobody can have made it."""
    try:
        return {step.call.out: step.value for step in run(trace.problem, plan.calls, solved=trace)}
    except AttnsolveError:
        return None


def wrong_plans(problem: Problem, part: Part) -> Iterator[WrongPlan]:
    """Every catalogued mistake of a part, plans first; what they give depends on the numbers.

    Plans with more steps than were asked for come last: whoever is warned of one mistake is better warned
    of what can go wrong in the steps that he has to do.
    """
    calls, longer = with_heads(problem, part), []
    for mistake in part.mistakes:
        edited = mistake.edit(calls, problem.frames)
        found = _wrong_plan(problem, part, mistake, edited)
        if len(edited) > len(calls):
            longer.append(found)
        else:
            yield found
    seen: set[str] = set()
    for call in calls:
        for slip in call.op.mistakes:
            if slip.name not in seen:
                seen.add(slip.name)
                yield _wrong_plan(problem, part, slip, misled(calls, wrong=call, rule=slip.rule))
    yield from longer


def with_heads(problem: Problem, part: Part) -> tuple[Call, ...]:
    """The calls of a part and of the earlier parts that are its heads: a mistake is made in all of them."""
    heads = [other for other in problem.parts if other.id in part.aliases.values()]
    return (*(call for head in heads for call in with_heads(problem, head)), *part.calls)


def misled(calls: tuple[Call, ...], *, wrong: Call, rule: Callable[..., Matrix]) -> tuple[Call, ...]:
    """The same plan with one call done by a wrong rule, if it is still there as it was."""
    op = wrong.op._replace(rule=rule, moves=False)  # a wrong rule may compute where the right one moves
    return tuple(
        call._replace(op=op) if call.out == wrong.out and call.op is wrong.op else call for call in calls
    )


def _wrong_plan(
    problem: Problem, part: Part, mistake: Mistake | PlanMistake, calls: tuple[Call, ...]
) -> WrongPlan:
    """The changed calls after those of earlier parts that they do not make themselves."""
    made = {call.out for call in calls}
    parts = takewhile(lambda other: other.id != part.id, problem.parts)
    earlier = [
        call
        for other in parts
        for call in other.calls
        if call.out not in made and other.id not in part.aliases.values()
    ]
    return WrongPlan(mistake.name, mistake.advice, (*earlier, *calls), mistake.since)


def differs(values: Mapping[str, Matrix], trace: Trace, name: str, places: int) -> bool:
    """Whether a mistake shows in a result at the asked precision."""
    wrong = values.get(name)
    return wrong is not None and are_told_apart(wrong, trace.value(name), places)


def are_told_apart(wrong: Matrix, right: Matrix, places: int) -> bool:
    """Whether two matrices of one shape have different decimals."""
    if wrong.shape != right.shape:
        return False
    return are_far_apart(wrong, right, places) or digits(wrong, places) != digits(right, places)


def are_far_apart(wrong: Matrix, right: Matrix, places: int) -> bool:
    """Whether some number is off by more than a unit of the last place, so that it is rounded otherwise."""
    if isinstance(wrong, Rationals) and isinstance(right, Rationals):
        return False  # whose decimals are found as soon
    steps = 10**places
    with precision(LADDER[0]):
        pairs = zip(chain(*wrong.enclosures()), chain(*right.enclosures()), strict=True)
        return any(abs(a - b) * steps > 1 for a, b in pairs)


def digits(value: Matrix, places: int) -> list[list[int | None]]:
    """Every number of a matrix, rounded, as whole numbers of the last place; None for -∞."""
    return value.whole(places)
