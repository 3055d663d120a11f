"""The values inside the steps of a plan that can be asked for: their names, and the calls that make them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

from attnsolve.ops import Family, Inner
from attnsolve.problem import Call


def is_inner(call: Call) -> bool:
    """Whether a call makes a value inside another step, such as the threshold of a sparsemax."""
    return call.op.family is Family.INNER


def inner_calls(calls: Iterable[Call]) -> dict[str, tuple[Call, ...]]:
    """For each step with inner values, by its name, the calls that make them; those of the plan are kept.

    The threshold inside `b.head2.A` is `b.head2.tau`; where another step of the head has such a value,
    or a result is called so, `b.head2.A.tau`.
    """
    calls = tuple(calls)
    owners = [call for call in calls if call.op.inner]
    numbers = Counter(beside(owner, inner) for owner in owners for inner in owner.op.inner)
    made = {call.out: call for call in calls}

    def name_of(owner: Call, inner: Inner) -> str:
        short, full = beside(owner, inner), within(owner, inner)
        if full in made:
            return full
        return short if numbers[short] == 1 and (short not in made or is_inner(made[short])) else full

    return {
        owner.out: tuple(
            made.get(name) or made_inside(owner, inner, name)
            for inner in owner.op.inner
            for name in (name_of(owner, inner),)
        )
        for owner in owners
    }


def made_inside(owner: Call, inner: Inner, name: str) -> Call:
    """The call that makes a value inside a step."""
    inside = owner.letter if name == within(owner, inner) else ""
    return Call(name, inner.op, owner.args, owner.options, inside=inside)


def beside(owner: Call, inner: Inner) -> str:
    """The short name of an inner value: `b.head2.tau`."""
    return f"{owner.out.rpartition('.')[0]}.{inner.name}"


def within(owner: Call, inner: Inner) -> str:
    """Its full name: `b.head2.A.tau`."""
    return f"{owner.out}.{inner.name}"


def with_inner(calls: Iterable[Call], names: Collection[str]) -> tuple[Call, ...]:
    """A plan with some inner values, each before the step that it is inside of."""
    calls = tuple(calls)
    made, there = inner_calls(calls), {call.out for call in calls}
    woven: list[Call] = []
    for call in calls:
        woven += [inner for inner in made.get(call.out, ()) if inner.out in names and inner.out not in there]
        woven.append(call)
    return tuple(woven)
