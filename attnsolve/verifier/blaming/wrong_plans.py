"""Known mistakes as changed plans of a part, and what they lead to, carried out once and kept."""

from __future__ import annotations

from collections import ChainMap, Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, islice
from typing import NamedTuple

from attnsolve.causes import NamedMistake, Spread
from attnsolve.engine import run
from attnsolve.errors import AttnsolveError
from attnsolve.exact import Matrix
from attnsolve.exact.balls import Balls
from attnsolve.exact.masked import Masked
from attnsolve.mistakes import misled, with_heads
from attnsolve.problem import Call, Part
from attnsolve.trace import Trace
from attnsolve.verifier.digits import BITS

Calls = tuple[Call, ...]
Values = dict[str, Matrix]


class Change(NamedTuple):
    """A mistake as a change of a part's calls, and the step it is made in ("" for a plan's own)."""

    name: str
    advice: str
    edit: Callable[[Calls], Calls]
    at: str = ""


class WrongPlan(NamedTuple):
    """The calls that a mistake makes of the right ones, and what they lead to."""

    name: str
    advice: str
    right: Calls
    calls: Calls
    values: Values
    at: str = ""
    spread: Spread = Spread.ONE_STEP
    dropped: frozenset[str] = frozenset()  # of two together: the steps that they leave out


class WrongPlans:
    """What mistakes make of the plans of one problem."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.problem = trace.problem
        self._of_parts: dict[str, list[WrongPlan]] = {}
        self._in_every_head: dict[str, list[WrongPlan]] = {}
        self._pairs: dict[tuple[str, ...], WrongPlan | None] = {}
        self._once: dict[tuple[str, str, str], Values | None] = {}
        self._paired: dict[tuple[str, frozenset[str], int], list[WrongPlan]] = {}
        self._right: Values = {}

    def of_part(self, part: Part) -> list[WrongPlan]:
        """The mistakes of a part's plan itself, with exact values."""
        if part.id not in self._of_parts:
            made = []
            for mistake in part.mistakes:
                calls = mistake.edit(part.calls, self.problem.frames)
                values = self.carried_out(calls)
                if values is not None:
                    at = next((call.out for call in part.calls if call not in calls), "")
                    made.append(WrongPlan(mistake.name, mistake.advice, part.calls, calls, values, at))
            self._of_parts[part.id] = made
        return self._of_parts[part.id]

    def in_every_head(self, part: Part) -> list[WrongPlan]:
        """The mistakes made in all heads alike, also in those of earlier parts: each is one, not several."""
        if part.id not in self._in_every_head:
            right = with_heads(self.problem, part)
            self._in_every_head[part.id] = [
                WrongPlan(name, advice, right, calls, values, spread=spread)
                for name, advice, calls, spread in self._edited_in_every_head(part, right)
                if (values := self.followed(right, calls)) is not None
            ]
        return self._in_every_head[part.id]

    def _edited_in_every_head(self, part: Part, right: Calls) -> Iterator[tuple[str, str, Calls, Spread]]:
        if len(right) > len(part.calls):  # heads that are parts of their own; other plans are edited whole
            for mistake in part.mistakes:
                calls = mistake.edit(right, self.problem.frames)
                yield mistake.name, mistake.advice, calls, Spread.EVERY_HEAD
        for kind, spread in ((role, Spread.EVERY_HEAD), (op_name, Spread.EVERY_STEP)):
            numbers = Counter(map(kind, right))
            for first in {kind(call): call for call in right if numbers[kind(call)] > 1}.values():
                for slip in first.op.mistakes:
                    calls = right
                    for call in right:
                        if kind(call) == kind(first):
                            calls = misled(calls, wrong=call, rule=slip.rule)
                    yield slip.name, slip.advice, calls, spread

    def changes(self, part: Part) -> Iterator[Change]:
        """Every mistake of a part as a change of its calls."""
        for mistake in part.mistakes:
            yield Change(mistake.name, mistake.advice, partial(mistake.edit, frames=self.problem.frames))
        for call in part.calls:
            for slip in call.op.mistakes:
                yield Change(slip.name, slip.advice, partial(misled, wrong=call, rule=slip.rule), call.out)

    def pairs(self, part: Part, behind: frozenset[str], most: int) -> list[WrongPlan]:
        """Every two mistakes that may have been made together in some steps, from the givens on."""
        key = (part.id, behind, most)
        if key not in self._paired:
            self._paired[key] = list(self._made_together(part, behind, most))
        return self._paired[key]

    def _made_together(self, part: Part, behind: frozenset[str], most: int) -> Iterator[WrongPlan]:
        changes = [one for one in self.changes(part) if one.at in behind or not one.at]
        # The nearest mistakes first; two in the same step are no pair.
        nearest = sorted(range(len(changes)), key=lambda k: -k if changes[k].at else -len(changes))
        both = ((changes[min(k, l)], changes[max(k, l)]) for k, l in combinations(nearest, 2))
        apart = (pair for pair in both if pair[0].at != pair[1].at or not pair[0].at)
        for first, second in islice(apart, most):
            plan = self.made_by(part, first, second)
            if plan is not None:
                yield plan

    def made_by(self, part: Part, first: Change, second: Change) -> WrongPlan | None:
        """What two mistakes lead to, found once for a problem; None where they cannot be made together."""
        key = (part.id, first.name, first.at, second.name, second.at)
        if key not in self._pairs:
            once = first.edit(part.calls)
            twice = second.edit(once)
            # A second mistake that finds nothing to spoil is none.
            none = part.calls in (once, twice) or once == twice
            values = None if none else self.followed_on(part, first, second, once, twice)
            names, advice = f"{first.name} + {second.name}", f"{first.advice} {second.advice}"
            left_out = frozenset(call.out for call in part.calls) - {call.out for call in twice}
            self._pairs[key] = (
                None
                if values is None
                else WrongPlan(names, advice, part.calls, twice, values, dropped=left_out)
            )
        return self._pairs[key]

    def followed_on(
        self, part: Part, first: Change, second: Change, once: Calls, twice: Calls
    ) -> Values | None:
        """The values of two mistakes, from those of the first on where the second is made in one step."""
        key = (part.id, first.name, first.at)
        if key not in self._once:
            self._once[key] = self.followed(part.calls, once)
        before = self._once[key]
        if before is None or not second.at:
            return self.followed(part.calls, twice)
        made = self.followed(once, twice, before)
        return None if made is None else before | made

    def of_mistake(self, part: Part, named: NamedMistake) -> tuple[Calls, Calls]:
        """The right calls and those of a mistake; no calls for two mistakes together."""
        if named.spread is not Spread.ONE_STEP:
            plans = self.in_every_head(part)
            return next(
                (plan.right, plan.calls)
                for plan in plans
                if (plan.name, plan.spread) == (named.name, named.spread)
            )
        found = [one for one in self.changes(part) if one.name == named.name and one.at in ("", named.at)]
        return part.calls, found[-1].edit(part.calls) if found else ()

    def followed(self, before: Calls, calls: Calls, known: Values | None = None) -> Values | None:
        """The values that change with a plan as balls, quicker than closed forms; None where it has none.

        `known` are those that the plan before had changed already.
        """
        values = ChainMap(known or {}, self.right_values())
        same = {id(call) for call in before}
        made: Values = {}
        try:
            for call in calls:
                if id(call) in same and not made.keys() & call.args:
                    continue
                inputs = (made[name] if name in made else values[name] for name in call.args)
                made[call.out] = call.op.rule(*inputs, **call.options)
                made[call.out].balls(BITS)
        except (AttnsolveError, KeyError):
            return None
        return made

    def right_values(self) -> Values:
        """Every given and every right value, as balls."""
        if not self._right:
            givens = {name: given.value for name, given in self.problem.givens.items()}
            values = givens | {step.call.out: step.value for step in self.trace.steps}
            self._right = {name: as_balls(value) for name, value in values.items()}
        return self._right

    def carried_out(self, calls: Calls) -> Values | None:
        """The values of a changed plan, with what earlier parts have made; None where it has none."""
        own = {call.out for call in calls}
        earlier = [
            call for call in self.problem.calls() if call.out not in own and self.comes_before(call, calls)
        ]
        try:
            return {step.call.out: step.value for step in run(self.problem, (*earlier, *calls))}
        except AttnsolveError:
            return None

    def comes_before(self, call: Call, calls: Calls) -> bool:
        """Whether a call belongs to a part before that of the changed calls."""
        order = [part.id for part in self.problem.parts]
        return order.index(call.part) < order.index(calls[0].part) if calls else False


def role(call: Call) -> tuple[str, str]:
    """What a call does in its head: the op, and the letter of its result."""
    return call.op.name, call.out.rpartition(".")[2]


def op_name(call: Call) -> str:
    """What a call does, whatever its result is called."""
    return call.op.name


def as_balls(value: Matrix) -> Matrix:
    """A matrix seen through its balls, with what is hidden in it."""
    if isinstance(value, Masked):
        return Masked(as_balls(value.base), value.keep)
    return Balls.of(value)
