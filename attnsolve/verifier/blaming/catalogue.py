"""Known mistakes behind wrong numbers: alone, in pairs, on somebody's own numbers and from the givens on."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce

from attnsolve.errors import AttnsolveError
from attnsolve.exact import Matrix
from attnsolve.exact.matrices import BallRows
from attnsolve.problem import Call, Part
from attnsolve.report import NamedMistake
from attnsolve.scheme import Scheme
from attnsolve.trace import Step, Trace
from attnsolve.verifier.answer_key import Key
from attnsolve.verifier.blaming.evidence import Clues, Suspect, fitting_mistakes
from attnsolve.verifier.blaming.shown_steps import ShownSteps, shown_steps
from attnsolve.verifier.blaming.wrong_plans import WrongPlan, WrongPlans
from attnsolve.verifier.digits import BITS
from attnsolve.verifier.following.own_values import left_unwritten
from attnsolve.verifier.grids import Grid
from attnsolve.verifier.memory import Memory

# So many pairs of mistakes are tried, over the square of a plan's length: about a second once for a problem.
MOST_PAIRS = 40_000
# So many lists of suspects are kept.
MOST_LISTS = 400


class Catalogue:
    """Every catalogued mistake of a problem, to be found again in what people write."""

    def __init__(self, trace: Trace, key: Key) -> None:
        self.key = key
        self.plans = WrongPlans(trace)
        self._seen: dict[int, BallRows] = {}  # the balls of what wrong plans lead to, which is kept there
        self._alone: Memory[list[Suspect]] = Memory(MOST_LISTS)
        self._both: Memory[list[Suspect]] = Memory(MOST_LISTS)
        self._several: dict[str, dict[tuple[str, tuple[str, ...]], Suspect]] = {}
        self._through: dict[tuple[str, ...], ShownSteps] = {}

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
    ) -> tuple[NamedMistake, ...]:
        """The mistakes that a wrong answer looks like: alone first, then in pairs.

        Whoever came to a step in the same way, `before`, is suspected of the same.
        """
        alone = self.alone(part, step, values, grids, before)
        clues = Clues.of(step, grid, scheme, self.key)
        found = fitting_mistakes(alone, clues, scheme, asked, self.key)
        if found or not pairs:
            return found
        both = self.both(part, step, grids)
        found = fitting_mistakes(both, clues, scheme, asked, self.key, others=len(alone))
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
        known = self._alone.get(before)
        if known is None:
            single = [
                *self.own(part, step, values, grids),
                *self.planned(self.plans.of_part(part), step),
                *self.continued(part, step, values),
            ]
            several = self.several(part, step)
            # Where only one head shows, the mistake was made there.
            names = {name for name, _ in several}
            seen = {(one.name, digits(one.value)) for one in single if one.name in names}
            others = (one for key, one in several.items() if key not in seen)
            known = self._alone.keep(before, [*single, *others])
        return known

    def several(self, part: Part, step: Step) -> dict[tuple[str, tuple[str, ...]], Suspect]:
        """The mistakes made in several steps at once, by name and digits, found once for a problem."""
        if step.call.out not in self._several:
            found = list(self.planned(self.plans.in_every_head(part), step))
            keyed = {(one.name, digits(one.value)): one for one in reversed(found)}
            self._several[step.call.out] = dict(reversed(keyed.items()))
        return self._several[step.call.out]

    def both(self, part: Part, step: Step, grids: Mapping[str, Grid]) -> list[Suspect]:
        """Every two mistakes that nothing written before a step rules out."""
        behind = [call.out for call in unwritten_behind(part, step, grids)]
        known = self._both.get((step.call.out, *behind))
        if known is None:
            most = MOST_PAIRS // len(part.calls) ** 2
            found = [
                Suspect(name, advice, values[step.call.out], balls=values[step.call.out].balls(BITS))
                for name, advice, values in self.plans.pairs(part, set(behind), most)
                if step.call.out in values
            ]
            known = self._both.keep((step.call.out, *behind), found)
        return known

    def own(
        self, part: Part, step: Step, values: Mapping[str, Matrix], grids: Mapping[str, Grid]
    ) -> Iterator[Suspect]:
        """Mistakes of the step itself, and of unwritten steps before it, on somebody's own numbers."""
        behind = unwritten_behind(part, step, grids)
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

    def planned(self, plans: Sequence[WrongPlan], step: Step) -> Iterator[Suspect]:
        """What wrong plans lead to in a step, from the givens on."""
        for plan in plans:
            value = plan.values.get(step.call.out)
            if value is not None:
                if id(value) not in self._seen:
                    self._seen[id(value)] = value.balls(BITS)
                yield Suspect(plan.name, plan.advice, value, plan.at, self._seen[id(value)], plan.spread)

    def continued(self, part: Part, step: Step, values: Mapping[str, Matrix]) -> Iterator[Suspect]:
        """What wrong plans make of somebody's own numbers in a step that they do otherwise."""
        for plan in self.plans.of_part(part):
            for call in plan.calls:
                if call.out == step.call.out and call not in part.calls:
                    try:
                        value = call.op.rule(*(values[name] for name in call.args), **call.options)
                        yield Suspect(plan.name, plan.advice, value, plan.at, value.balls(BITS))
                    except (AttnsolveError, KeyError):
                        continue  # nobody can have made it of these numbers

    def shown_by(self, part: Part, step: Step, found: Sequence[NamedMistake]) -> ShownSteps:
        """The steps that somebody has done, whichever of the mistakes that fit he has made."""
        each = [self.through(part, step, named) for named in found]
        return reduce(ShownSteps.common, each) if each else ShownSteps()

    def through(self, part: Part, step: Step, named: NamedMistake) -> ShownSteps:
        """The steps that one mistake needs and goes through; none for two mistakes together."""
        key = (step.call.out, named.name, named.at, named.spread)
        if key not in self._through:
            right, calls = self.plans.of_mistake(part, named)
            values = {**self.plans.right_values(), **(self.plans.followed(right, calls) or {})}
            self._through[key] = shown_steps(calls, right, step.call.out, values)
        return self._through[key]


def unwritten_behind(part: Part, step: Step, grids: Mapping[str, Grid]) -> list[Call]:
    """The step and the unwritten ones that lead to it, in order."""
    wanted, calls = {step.call.out}, []
    for call in reversed(part.calls):
        if call.out in wanted and (call.out == step.call.out or call.out not in grids):
            calls.append(call)
            wanted.update(call.args)
    return calls[::-1]


def digits(value: Matrix) -> tuple[str, ...]:
    """A matrix to six significant digits, to tell suspects apart."""
    return tuple(str(ball.str(6, radius=False)) for row in value.balls(BITS) for ball in row)
