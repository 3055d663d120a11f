"""Known mistakes behind wrong numbers: alone, in pairs, on somebody's own numbers and from the givens on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from itertools import combinations, islice

from attnsolve.engine import run
from attnsolve.errors import AttnsolveError
from attnsolve.exact import Matrix
from attnsolve.exact.balls import Balls
from attnsolve.exact.masked import Masked
from attnsolve.exact.matrices import BallRows
from attnsolve.mistakes import misled, with_heads
from attnsolve.problem import Call, Part
from attnsolve.report import Named
from attnsolve.scheme import Scheme
from attnsolve.trace import Step, Trace
from attnsolve.verifier.carrying import BITS, left_unwritten
from attnsolve.verifier.evidence import Suspect, convicted
from attnsolve.verifier.grids import Grid
from attnsolve.verifier.intervals import Key
from attnsolve.verifier.through import Through, goes_through

# So many pairs of mistakes are tried, over the square of a plan's length: about a second once for a problem.
MOST_PAIRS = 40_000
# So many lists of suspects are kept.
MOST_LISTS = 200

# Behind the name of a mistake that is made in all heads of a layer.
EVERYWHERE = " in every head"

Calls = tuple[Call, ...]
# A mistake: its name, its advice, what it does to a plan, and the step it is made in ("" for a plan's own).
Change = tuple[str, str, Callable[[Calls], Calls], str]


class Catalogue:
    """Every catalogued mistake of a problem, carried out once and kept."""

    def __init__(self, trace: Trace, key: Key) -> None:
        self.key = key
        self.trace = trace
        self.problem = trace.problem
        self._plans: dict[str, list[tuple[str, str, dict[str, Matrix], str]]] = {}
        self._pairs: dict[tuple[str, ...], dict[str, Matrix] | None] = {}
        self._right: dict[str, Matrix] = {}
        self._seen: dict[int, BallRows] = {}  # the balls of what wrong plans lead to, which is kept above
        self._alone: dict[Hashable, list[Suspect]] = {}
        self._both: dict[Hashable, list[Suspect]] = {}
        self._through: dict[tuple[str, ...], Through] = {}

    def explain(
        self,
        part: Part,
        step: Step,
        grid: Grid,
        values: Mapping[str, Matrix],
        scheme: Scheme,
        grids: Mapping[str, Grid],
        asked: int,
        before: Hashable,
        *,
        pairs: bool = True,
    ) -> tuple[Named, ...]:
        """The mistakes that a wrong answer looks like: alone first, then in pairs.

        Whoever came to a step in the same way, `before`, is suspected of the same.
        """
        alone = self.alone(part, step, values, grids, before)
        found = convicted(alone, step, grid, scheme, asked, self.key)
        if found or not pairs:
            return found
        behind = step.call.out, *(call.out for call in self.unwritten_behind(part, step, grids))
        if behind not in self._both:
            make_room(self._both)
            self._both[behind] = list(self.pairs(part, step, grids))
        both = self._both[behind]
        found = convicted(both, step, grid, scheme, asked, self.key, others=len(alone))
        # Two mistakes of which only one shows here are no pair.
        known = {digits(suspect.value) for suspect in alone} if found else set()
        names = {named.name for named in found}
        new = {one.name for one in both if one.name in names and digits(one.value) not in known}
        return tuple(named for named in found if named.name in new)

    def alone(
        self,
        part: Part,
        step: Step,
        values: Mapping[str, Matrix],
        grids: Mapping[str, Grid],
        before: Hashable,
    ) -> list[Suspect]:
        """Every single mistake that somebody may have made who came to a step in this way."""
        if before not in self._alone:
            make_room(self._alone)
            self._alone[before] = [*self.own(part, step, values, grids), *self.planned(part, step)]
        return self._alone[before]

    def own(
        self, part: Part, step: Step, values: Mapping[str, Matrix], grids: Mapping[str, Grid]
    ) -> Iterator[Suspect]:
        """Mistakes of the step itself, and of unwritten steps before it, on somebody's own numbers."""
        behind = self.unwritten_behind(part, step, grids)
        for wrong in behind:
            for mistake in wrong.op.mistakes:
                try:
                    made: dict[str, Matrix] = {}
                    for call in behind:
                        op = replace(call.op, rule=mistake.rule) if call is wrong else call.op
                        value = op.rule(
                            *(made[name] if name in made else values[name] for name in call.args),
                            **call.options,
                        )
                        made[call.out] = (
                            value if call.out == step.call.out else left_unwritten(value, 6, truncation=False)
                        )
                    value = made[step.call.out]
                    balls = value.balls(BITS)
                except (AttnsolveError, KeyError):
                    continue  # not defined on these numbers: nobody can have made it
                yield Suspect(mistake.name, mistake.advice, value, wrong.out, balls)

    def unwritten_behind(self, part: Part, step: Step, grids: Mapping[str, Grid]) -> list[Call]:
        """The step and the unwritten ones that lead to it, in order."""
        wanted, calls = {step.call.out}, []
        for call in reversed(part.calls):
            if call.out in wanted and (call.out == step.call.out or call.out not in grids):
                calls.append(call)
                wanted.update(call.args)
        return calls[::-1]

    def planned(self, part: Part, step: Step) -> Iterator[Suspect]:
        """Wrong plans of the part, from the givens on."""
        if part.id not in self._plans:
            made = []
            for mistake in part.mistakes:
                edited = mistake.edit(part.calls, self.problem.frames)
                values = self.carried_out(edited)
                if values is not None:
                    at = next((call.out for call in part.calls if call not in edited), "")
                    made.append((mistake.name, mistake.advice, values, at))
            self._plans[part.id] = made
            made += [
                (name, advice, values, "")
                for name, advice, calls in self.in_every_head(part)
                if (values := self.followed(with_heads(self.problem, part), calls)) is not None
            ]
        for name, advice, values, at in self._plans[part.id]:
            if step.call.out in values:
                value = values[step.call.out]
                if id(value) not in self._seen:
                    self._seen[id(value)] = value.balls(BITS)
                yield Suspect(name, advice, value, at, balls=self._seen[id(value)])

    def pairs(self, part: Part, step: Step, grids: Mapping[str, Grid]) -> Iterator[Suspect]:
        """Every two mistakes together that nothing written before a step rules out, from the givens on."""
        behind = {call.out for call in self.unwritten_behind(part, step, grids)}
        changes = [change for change in self.changes(part) if change[3] in behind or not change[3]]
        # The nearest mistakes first; two in the same step are no pair.
        nearest = sorted(range(len(changes)), key=lambda k: -k if changes[k][3] else -len(changes))
        both = ((changes[min(k, l)], changes[max(k, l)]) for k, l in combinations(nearest, 2))
        apart = (pair for pair in both if pair[0][3] != pair[1][3] or not pair[0][3])
        for first, second in islice(apart, MOST_PAIRS // len(part.calls) ** 2):
            values = self.made_by(part, first, second)
            if values is not None and step.call.out in values:
                name, advice = f"{first[0]} + {second[0]}", f"{first[1]} {second[1]}"
                value = values[step.call.out]
                yield Suspect(name, advice, value, balls=value.balls(BITS))

    def made_by(self, part: Part, first: Change, second: Change) -> dict[str, Matrix] | None:
        """What two mistakes lead to, found once for a problem; None where they cannot be made together."""
        key = (part.id, first[0], first[3], second[0], second[3])
        if key not in self._pairs:
            once = first[2](part.calls)
            twice = second[2](once)
            # A second mistake that finds nothing to spoil is none.
            none = part.calls in (once, twice) or once == twice
            self._pairs[key] = None if none else self.followed(part.calls, twice)
        return self._pairs[key]

    def shown_by(self, part: Part, step: Step, found: Sequence[Named]) -> Through:
        """The steps that somebody has done, whichever of the mistakes that fit he has made."""
        each = [self.through(part, step, named) for named in found]
        return reduce(Through.common, each) if each else Through()

    def through(self, part: Part, step: Step, named: Named) -> Through:
        """The steps that one mistake needs and goes through; none for two mistakes together."""
        key = (step.call.out, named.name, named.at)
        if key not in self._through:
            changes = [one for one in self.changes(part) if one[0] == named.name and one[3] in ("", named.at)]
            right, calls = part.calls, changes[-1][2](part.calls) if changes else ()
            for name, _, edited in self.in_every_head(part):
                if name == named.name:
                    right, calls = with_heads(self.problem, part), edited
            values = {**self.right_values(), **(self.followed(right, calls) or {})}
            self._through[key] = goes_through(calls, right, step.call.out, values)
        return self._through[key]

    def followed(self, right: Calls, calls: Calls) -> dict[str, Matrix] | None:
        """The values of a changed plan as balls, quicker than closed forms; None where it has none."""
        values = self.right_values()
        same = {id(call) for call in right}
        made: dict[str, Matrix] = {}
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

    def right_values(self) -> dict[str, Matrix]:
        """Every given and every right value, as balls."""
        if not self._right:
            givens = {name: given.value for name, given in self.problem.givens.items()}
            values = givens | {step.call.out: step.value for step in self.trace.steps}
            self._right = {name: as_balls(value) for name, value in values.items()}
        return self._right

    def changes(self, part: Part) -> Iterator[Change]:
        """Every mistake of a part as a change of its calls."""
        for mistake in part.mistakes:
            yield mistake.name, mistake.advice, partial(mistake.edit, frames=self.problem.frames), ""
        for call in part.calls:
            for slip in call.op.mistakes:
                yield slip.name, slip.advice, partial(misled, wrong=call, rule=slip.rule), call.out

    def in_every_head(self, part: Part) -> Iterator[tuple[str, str, Calls]]:
        """(name, advice, calls) of each mistake made in all heads alike, which is one and not several."""
        calls = with_heads(self.problem, part)
        if len(calls) > len(part.calls):  # heads that are parts of their own; other plans are edited whole
            for mistake in part.mistakes:
                edited = mistake.edit(calls, self.problem.frames)
                yield f"{mistake.name}{EVERYWHERE}", mistake.advice, edited
        numbers = Counter(call.op.name for call in calls)
        for op in {call.op.name: call.op for call in calls if numbers[call.op.name] > 1}.values():
            for slip in op.mistakes:
                edited = calls
                for call in calls:
                    edited = misled(edited, wrong=call, rule=slip.rule) if call.op is op else edited
                yield f"{slip.name}{EVERYWHERE}", slip.advice, edited

    def carried_out(self, calls: tuple[Call, ...]) -> dict[str, Matrix] | None:
        """The values of a changed plan, with what earlier parts have made; None where it has none."""
        own = {call.out for call in calls}
        earlier = [
            call for call in self.problem.calls() if call.out not in own and self.comes_before(call, calls)
        ]
        try:
            return {step.call.out: step.value for step in run(self.problem, (*earlier, *calls))}
        except AttnsolveError:
            return None

    def comes_before(self, call: Call, calls: tuple[Call, ...]) -> bool:
        """Whether a call belongs to a part before that of the changed calls."""
        order = [part.id for part in self.problem.parts]
        return order.index(call.part) < order.index(calls[0].part) if calls else False


def make_room(kept: dict[Hashable, list[Suspect]]) -> None:
    """Forget everything before it becomes too much."""
    if len(kept) >= MOST_LISTS:
        kept.clear()


def as_balls(value: Matrix) -> Matrix:
    """A matrix seen through its balls, with what is hidden in it."""
    if isinstance(value, Masked):
        return Masked(as_balls(value.base), value.keep)
    return Balls.of(value)


def digits(value: Matrix) -> tuple[str, ...]:
    """A matrix to six significant digits, to tell suspects apart."""
    return tuple(str(ball.str(6, radius=False)) for row in value.balls(BITS) for ball in row)
