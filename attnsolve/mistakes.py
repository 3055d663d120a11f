"""Catalogued mistakes carried out: what each of them would give on the data of a problem."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import takewhile

from attnsolve.engine import run
from attnsolve.errors import AttnsolveError
from attnsolve.exact import Matrix
from attnsolve.problem import Call, Part
from attnsolve.trace import Trace


def wrong_values(trace: Trace, part: Part) -> Iterator[tuple[str, str, Mapping[str, Matrix]]]:
    """(name, advice, values) for every catalogued mistake that changes this part, plans first."""
    calls = with_heads(trace, part)
    for mistake in part.mistakes:
        yield from _carried_out(
            trace, part, mistake.name, mistake.advice, mistake.edit(calls, trace.problem.frames)
        )
    seen: set[str] = set()
    for call in calls:
        for slip in call.op.mistakes:
            if slip.name not in seen:
                seen.add(slip.name)
                yield from _carried_out(
                    trace, part, slip.name, slip.advice, misled(calls, wrong=call, rule=slip.rule)
                )


def with_heads(trace: Trace, part: Part) -> tuple[Call, ...]:
    """The calls of a part and of the earlier parts that are its heads: a mistake is made in all of them."""
    heads = [other for other in trace.problem.parts if other.id in part.aliases.values()]
    return (*(call for head in heads for call in with_heads(trace, head)), *part.calls)


def misled(calls: tuple[Call, ...], *, wrong: Call, rule: Callable[..., Matrix]) -> tuple[Call, ...]:
    """The same plan with one call done by a wrong rule, if it is still there as it was."""
    op = replace(wrong.op, rule=rule)
    return tuple(
        replace(call, op=op) if call.out == wrong.out and call.op is wrong.op else call for call in calls
    )


def _carried_out(
    trace: Trace, part: Part, name: str, advice: str, calls: tuple[Call, ...]
) -> Iterator[tuple[str, str, Mapping[str, Matrix]]]:
    made = {call.out for call in calls}
    parts = list(takewhile(lambda other: other.id != part.id, trace.problem.parts))
    earlier = [
        call
        for other in parts
        for call in other.calls
        if call.out not in made and other.id not in part.aliases.values()
    ]
    try:
        values = {step.call.out: step.value for step in run(trace.problem, (*earlier, *calls))}
    except AttnsolveError:
        return  # undefined on this data: nobody can have made it
    yield name, advice, values


def differs(values: Mapping[str, Matrix], trace: Trace, name: str, places: int) -> bool:
    """Whether a mistake shows in a result at the asked precision."""
    wrong = values.get(name)
    right = trace.value(name)
    if wrong is None or wrong.shape != right.shape:
        return False
    return digits(wrong, places) != digits(right, places)


def digits(value: Matrix, places: int) -> list[list[int | None]]:
    """Every number of a matrix, rounded, as whole numbers of the last place; None for -∞."""
    return [
        [None if cell.infinite else cell.digits if cell.power is None else 0 for cell in row]
        for row in value.decimals(places)
    ]
