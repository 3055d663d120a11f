"""Known mistakes that may lie behind a step: alone or in pairs, on own numbers or from the givens on."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import NamedTuple

from attnsolve.causes import NamedMistake
from attnsolve.errors import AttnsolveError
from attnsolve.exact import Matrix
from attnsolve.exact.matrices import BallRows
from attnsolve.problem import Call, Part
from attnsolve.trace import Step
from attnsolve.verifier.blaming.evidence import Suspect
from attnsolve.verifier.blaming.shown_steps import ShownSteps, shown_steps
from attnsolve.verifier.blaming.wrong_plans import Values, WrongPlan, WrongPlans
from attnsolve.verifier.case import Case
from attnsolve.verifier.digits import BITS
from attnsolve.verifier.exercise import Exercise
from attnsolve.verifier.following.own_values import carried_out
from attnsolve.verifier.memory import AROUND, Memory

# So many pairs of mistakes are tried, over the square of a plan's length: about a second once for a problem.
MOST_PAIRS = 40_000
# So many numbers at most are worked out to try known mistakes on the plan of a part, once for a problem, ...
MOST_PLANNED = 400_000
# ... and so many on somebody's own numbers, for one step: what takes longer is not tried at all.
MOST_TRIED = 50_000
# So many numbers' worth of lists of suspects is kept: some 200 lists.
MOST_LISTS = 200 * (AROUND + 1)
# Unwritten steps after a mistake are taken to have been kept to so many places more than were asked for.
PLACES_MORE = 2


class Planned(NamedTuple):
    """What wrong plans lead to in a step from the givens on."""

    single: list[Suspect]
    several: list[Suspect]  # made in every head, where that is not the same


class Pairs(NamedTuple):
    """Two mistakes together, as suspects and as plans, and all that they lead to in a step."""

    suspects: list[Suspect]
    plans: list[WrongPlan]
    leading_to: list[BallRows]


class Spoilt(NamedTuple):
    """The steps that a wrong plan spoils, as far as somebody has asked."""

    names: set[str]
    unseen: set[str]  # those of which nobody has asked


class Catalogue:
    """Every catalogued mistake of a problem, to be found again in what people write."""

    def __init__(self, exercise: Exercise) -> None:
        self.exercise = exercise
        self.plans = WrongPlans(exercise.trace)
        self._seen: dict[int, BallRows] = {}  # the balls of what wrong plans lead to, which is kept there
        self._same: dict[tuple[int, int], bool] = {}  # which of these are the same to all digits that count
        self._in_step: dict[str, list[BallRows]] = {}
        self._alone: Memory[list[Suspect]] = Memory(MOST_LISTS)
        self._own: Memory[list[Suspect]] = Memory(MOST_LISTS)
        self._spoils: dict[tuple[int, str], bool] = {}  # of the same, each as the value of a step
        self._spoilt: dict[int, Spoilt] = {}  # by the values of a plan, which are kept there
        self._pairs: Memory[Pairs] = Memory(MOST_LISTS)
        self._both: Memory[list[Suspect]] = Memory(MOST_LISTS)
        self._shown: dict[tuple[str, ...], ShownSteps] = {}
        self._behind: dict[str, frozenset[str]] = {}
        self._planned: Memory[Planned] = Memory(MOST_LISTS)
        self._done_otherwise: dict[str, list[tuple[WrongPlan, Call]]] = {}
        self._is_too_long: dict[Hashable, bool] = {}

    def gives_up(self, case: Case) -> bool:
        """Whether trying all known mistakes takes too long, by the count of numbers to be worked out."""
        behind = case.unwritten_behind
        key = (case.name, *(call.out for call in behind))
        if key not in self._is_too_long:
            plan, own = self.work(case.part.calls), self.work(behind)
            self._is_too_long[key] = plan > MOST_PLANNED or own > MOST_TRIED
        return self._is_too_long[key]

    def work(self, calls: Sequence[Call]) -> int:
        """How many numbers have to be worked out to carry calls out with each mistake of each of them."""
        shapes = (self.exercise.steps[call.out].value.shape for call in calls)
        return sum(rows * columns for rows, columns in shapes) * sum(len(call.op.mistakes) for call in calls)

    def alone(self, case: Case) -> list[Suspect]:
        """Every single mistake that somebody may have made who came to a step in this way."""
        known = self._alone.get(case.before)
        if known is None:
            planned, own, continued = self.from_givens(case), self.own(case), self.continued(case)
            several = not_among(planned.several, (*own, *continued))
            known = self._alone.keep(case.before, [*own, *planned.single, *continued, *several])
        return known

    def at_most_alone(self, case: Case) -> list[BallRows]:
        """All that they may lead to, and more, found sooner: also what something written right rules out."""
        own = balls_of((*self.own(case), *self.continued(case)), case.step.value.shape)
        return [*self.in_step(case), *own]

    def in_step(self, case: Case) -> list[BallRows]:
        """All that single mistakes lead to in a step from the givens on, each once, whoever made them."""
        known = self._in_step.get(case.name)
        if known is None:
            plans = (*self.plans.of_part(case.part), *self.plans.in_every_head(case.part))
            found = self.planned(plans, case.step, frozenset())
            known = self._in_step[case.name] = balls_of(found, case.step.value.shape)
        return known

    def from_givens(self, case: Case) -> Planned:
        """The same from the givens on, whatever somebody's own numbers are, found once for a problem."""
        right = self.written_right(case)
        known = self._planned.get((case.name, right))
        if known is None:
            single = list(self.planned(self.plans.of_part(case.part), case.step, right))
            several = self.planned(self.plans.in_every_head(case.part), case.step, right)
            others = not_among(several, single, lead_as_one=self.lead_as_one)
            known = self._planned.keep((case.name, right), Planned(single, others))
        return known

    def lead_as_one(self, one: Suspect, other: Suspect) -> bool:
        """Whether two mistakes of the plan lead to the same value, found out once."""
        key = id(one.value), id(other.value)
        known = self._same.get(key)
        if known is None:
            known = self._same[key] = one.leads_as(other)
        return known

    def at_most_both(self, case: Case) -> list[BallRows]:
        """All that two mistakes may lead to, also those that something written right rules out."""
        return self.pairs(case).leading_to

    def both(self, case: Case) -> list[Suspect]:
        """Every two mistakes that nothing written before a step rules out."""
        behind = frozenset(call.out for call in case.unwritten_behind)
        right = self.written_right(case)
        known = self._both.get((case.name, right, behind))
        if known is None:
            pairs = self.pairs(case)
            found = [
                suspect
                for suspect, plan in zip(pairs.suspects, pairs.plans, strict=True)
                if not self.is_ruled_out(plan, right)
            ]
            known = self._both.keep((case.name, right, behind), found)
        return known

    def pairs(self, case: Case) -> Pairs:
        """Every two mistakes that lead anywhere in a step, if nothing but that step is written."""
        behind = frozenset([call.out for call in case.unwritten_behind])
        known = self._pairs.get((case.name, behind))
        if known is None:
            working = sum(not self.exercise.inner.is_unasked(call) for call in case.part.calls)
            most = MOST_PAIRS // working**2
            plans = [plan for plan in self.plans.pairs(case.part, behind, most) if case.name in plan.values]
            values = [plan.values[case.name] for plan in plans]
            suspects = [
                Suspect(plan.name, plan.advice, value, "", self.balls(value))
                for plan, value in zip(plans, values, strict=True)
            ]
            led_to = balls_of(suspects, case.step.value.shape)
            known = self._pairs.keep((case.name, behind), Pairs(suspects, plans, led_to))
        return known

    def written_right(self, case: Case) -> frozenset[str]:
        """The steps behind this one that were written down and are right: no mistake can have spoilt them."""
        outcomes = case.calculation.outcomes
        return frozenset(name for name in self.behind(case.name) if name in outcomes and outcomes[name].fits)

    def behind(self, name: str) -> frozenset[str]:
        """All steps that a step is made from, the values inside it among them."""
        if name not in self._behind:
            found: set[str] = set()
            waiting = [name]
            while waiting:
                step = self.exercise.steps.get(waiting.pop())
                arguments = () if step is None else (*step.call.args, *self.exercise.inner.names_beside(step))
                waiting += [other for other in arguments if other not in found]
                found.update(arguments)
            self._behind[name] = frozenset(found) & self.exercise.steps.keys()
        return self._behind[name]

    def is_ruled_out(self, plan: WrongPlan, right: frozenset[str]) -> bool:
        """Whether two mistakes leave out, or would have spoilt, a step that was written down and is right."""
        return not plan.dropped.isdisjoint(right) or self.contradicts(plan.values, right)

    def contradicts(self, values: Mapping[str, Matrix], right: frozenset[str]) -> bool:
        """Whether a mistake would have spoilt a step that was written down and is right."""
        known = self._spoilt.get(id(values))
        if known is None:
            known = self._spoilt[id(values)] = Spoilt(set(), set(values.keys()))
        if not known.unseen.isdisjoint(right):
            new = known.unseen & right
            known.names.update(name for name in new if self.spoils(values[name], name))
            known.unseen.difference_update(new)
        return not known.names.isdisjoint(right)

    def spoils(self, value: Matrix, name: str) -> bool:
        """Whether what a wrong plan gives for a step is not the right value, found out once."""
        key = id(value), name  # a wrong plan may hand one value on to several steps
        known = self._spoils.get(key)
        if known is None:
            right = self.exercise.key.balls(self.exercise.steps[name])
            pairs = zip(self.balls(value), right, strict=False)
            same = (
                mine.overlaps(yours)
                for row, others in pairs
                for mine, yours in zip(row, others, strict=False)
            )
            known = self._spoils[key] = not all(same)
        return known

    def balls(self, value: Matrix) -> BallRows:
        """The balls of what a wrong plan leads to, made once."""
        if id(value) not in self._seen:
            self._seen[id(value)] = value.balls(BITS)
        return self._seen[id(value)]

    def own(self, case: Case) -> list[Suspect]:
        """Mistakes of the step itself, and of unwritten steps before it, on somebody's own numbers.

        Found once for all who have these numbers, however they came to them.
        """
        made = tuple([call.out for call in case.unwritten_behind])
        needed = dict.fromkeys(name for call in case.unwritten_behind for name in call.args)
        try:
            values = tuple([case.calculation.values[name] for name in needed if name not in made])
        except (AttnsolveError, KeyError):
            return list(self._made_of(case))
        known = self._own.get((made, values))
        return self._own.keep((made, values), list(self._made_of(case))) if known is None else known

    def _made_of(self, case: Case) -> Iterator[Suspect]:
        """The same, worked out."""
        behind, places = case.unwritten_behind, self.exercise.asked + PLACES_MORE
        for wrong in behind:
            for mistake in wrong.op.mistakes:
                op = wrong.op._replace(rule=mistake.rule)
                calls = [call._replace(op=op) if call is wrong else call for call in behind]
                value = carried_out(calls, case.calculation.values, places, truncation=False)
                if value is not None:  # else nobody can have made it of these numbers
                    yield Suspect(mistake.name, mistake.advice, value, wrong.out, value.balls(BITS))

    def planned(self, plans: Sequence[WrongPlan], step: Step, right: frozenset[str]) -> Iterator[Suspect]:
        """What wrong plans lead to in a step from the givens on, unless something right rules them out."""
        for plan in plans:
            value = plan.values.get(step.call.out)
            if value is not None and not self.contradicts(plan.values, right):
                yield Suspect(plan.name, plan.advice, value, plan.at, self.balls(value), plan.spread)

    def continued(self, case: Case) -> list[Suspect]:
        """What wrong plans make of somebody's own numbers in a step that they do otherwise.

        Found once for all who have these numbers.
        """
        otherwise = self.done_otherwise(case)
        if not otherwise:
            return []
        try:
            own = case.calculation.values
            values = tuple([own[name] for _, call in otherwise for name in call.args])
        except (AttnsolveError, KeyError):
            return list(self._continued(case))
        known = self._own.get((case.name, values))
        return self._own.keep((case.name, values), list(self._continued(case))) if known is None else known

    def _continued(self, case: Case) -> Iterator[Suspect]:
        """The same, worked out."""
        values = case.calculation.values
        for plan, call in self.done_otherwise(case):
            try:
                value = call.op.rule(*(values[name] for name in call.args), **call.options)
                yield Suspect(plan.name, plan.advice, value, plan.at, value.balls(BITS))
            except (AttnsolveError, KeyError):
                continue  # nobody can have made it of these numbers

    def done_otherwise(self, case: Case) -> list[tuple[WrongPlan, Call]]:
        """The wrong plans of a part that do a step by another call, found once for a problem."""
        if case.name not in self._done_otherwise:
            calls = ((plan, call) for plan in self.plans.of_part(case.part) for call in plan.calls)
            self._done_otherwise[case.name] = [
                (plan, call) for plan, call in calls if call.out == case.name and call not in case.part.calls
            ]
        return self._done_otherwise[case.name]

    def shown_by(self, part: Part, step: Step, found: Sequence[NamedMistake]) -> ShownSteps:
        """The steps that somebody has done, whichever of the mistakes that fit was made."""
        each = [self.shown_by_one(part, step, named) for named in found]
        return reduce(ShownSteps.common, each) if each else ShownSteps()

    def shown_by_one(self, part: Part, step: Step, named: NamedMistake) -> ShownSteps:
        """The steps that one mistake needs and goes through; none for two mistakes together."""
        key = (step.call.out, named.name, named.at, named.spread)
        if key not in self._shown:
            right, calls = self.plans.of_mistake(part, named)
            values: Values = {**self.plans.right_values(), **(self.plans.followed(right, calls) or {})}
            self._shown[key] = shown_steps(calls, right, step.call.out, values)
        return self._shown[key]


def balls_of(suspects: Iterable[Suspect], shape: tuple[int, int]) -> list[BallRows]:
    """The values of a shape that mistakes lead to, each once: the second of two may come after the step."""
    return list({id(one.balls): one.balls for one in suspects if one.value.shape == shape}.values())


def not_among(
    suspects: Iterable[Suspect],
    others: Sequence[Suspect],
    *,
    lead_as_one: Callable[[Suspect, Suspect], bool] = Suspect.leads_as,
) -> list[Suspect]:
    """Mistakes in every head that lead elsewhere: where only one head shows, they were made there."""
    kept: list[Suspect] = []
    for one in suspects:
        same = (other for other in (*others, *kept) if other.name == one.name)
        if not any(lead_as_one(one, other) for other in same):
            kept.append(one)
    return kept
