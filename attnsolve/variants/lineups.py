"""Who is to be told apart: the mistakes of a part, each with the calls whose results it changes."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

from attnsolve.errors import AttnsolveError
from attnsolve.mistakes import wrong_plans
from attnsolve.ops import Frame
from attnsolve.problem import Call, Part, Problem, Target

RIGHT = "the right answer"


@dataclass(frozen=True, slots=True)
class Suspect:
    """A mistake in a part, and the calls whose results it changes."""

    name: str
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Lineup:
    """What a part asks for and every mistake that can be made on the way there."""

    part: str
    targets: tuple[Target, ...]
    suspects: tuple[Suspect, ...]

    def only(self, names: Container[str]) -> Lineup:
        """The lineup with some mistakes only."""
        return replace(self, suspects=tuple(one for one in self.suspects if one.name in names))

    def without(self, names: Container[tuple[str, str]]) -> Lineup:
        """The lineup less some mistakes."""
        kept = tuple(suspect for suspect in self.suspects if (self.part, suspect.name) not in names)
        return replace(self, suspects=kept)


def lineup_of(problem: Problem, part: Part, known: dict[str, list[Call]], generation: int) -> Lineup:
    """The mistakes of a part that can be made with matrices of these sizes; equal calls become one."""
    right = {call.out: call for call in problem.calls()}
    suspects: dict[str, Suspect] = {}
    for plan in wrong_plans(problem, part):
        changed = changed_calls(plan.calls, right)
        # One name, one mistake: a wrong plan comes before the slip of an op that is called the same.
        if plan.since <= generation and plan.name not in suspects and changed and fits(problem, plan.calls):
            suspects[plan.name] = Suspect(plan.name, tuple(interned(call, known) for call in changed))
    return Lineup(part.id, part.find, tuple(suspects.values()))


def interned(call: Call, known: dict[str, list[Call]]) -> Call:
    """The call itself, or one that does the same and was met before."""
    alike = known.setdefault(call.out, [])
    found = next((other for other in alike if same_work(other, call)), None)
    if found is None:
        alike.append(call)
    return found or call


def same_work(first: Call, second: Call) -> bool:
    """Whether two calls do the same; a mistake makes a new op for each part it is made in."""
    rules = first.op.rule is second.op.rule
    return rules and first.args == second.args and first.options == second.options


def changed_calls(calls: Sequence[Call], right: Mapping[str, Call]) -> tuple[Call, ...]:
    """The calls of a wrong plan that are not those of the right one, and those that follow from them."""
    changed: set[str] = set()
    found = []
    for call in calls:
        if right.get(call.out) != call or not changed.isdisjoint(call.args):
            changed.add(call.out)
            found.append(call)
    return tuple(found)


def fits(problem: Problem, calls: Sequence[Call]) -> bool:
    """Whether the matrices of a wrong plan fit together at all."""
    frames: dict[str, Frame] = {name: given.frame for name, given in problem.givens.items()}
    try:
        for call in calls:
            frames[call.out] = call.op.frame(*[frames[name] for name in call.args], **call.options)
    except (AttnsolveError, KeyError):
        return False
    return True
