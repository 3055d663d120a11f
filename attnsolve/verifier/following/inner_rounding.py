"""Rounding inside a step: √3 taken as 1.73, exponentials or a tanh kept to the places somebody works with."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import partial
from typing import Any

from attnsolve.errors import AttnsolveError
from attnsolve.exact import Matrix, Rational
from attnsolve.exact.balls import fixed
from attnsolve.exact.elementwise import ByHand
from attnsolve.exact.masked import Masked
from attnsolve.found_once import found_once
from attnsolve.ops.exponentials import EXPONENTIALS_OP, SUMS_OP, added_up, divided
from attnsolve.problem import Call
from attnsolve.trace import Step
from attnsolve.verifier.digits import BITS, rounded_to_digits
from attnsolve.verifier.exercise import Exercise
from attnsolve.verifier.following.calculation import Calculation
from attnsolve.verifier.following.own_values import checked, unwritten
from attnsolve.verifier.memory import Memory
from attnsolve.working import Num, evaluate

TEMPERATURE = "temperature"
# A root that all scores are divided by is looked up once, and hardly anybody takes fewer of its places.
PLACES_OF_A_DIVISOR = 2
USUAL_PLACES = 4
INSIDE_SOFTMAX = (EXPONENTIALS_OP, SUMS_OP)

Calls = tuple[Call, ...]
Keep = Callable[[Any], Any]  # a ball as somebody may have kept it


class InnerRounding:
    """What steps of one problem may give when something inside them was rounded."""

    def __init__(self, exercise: Exercise) -> None:
        self.exercise = exercise
        self.scheme = exercise.scheme
        self._with_functions: dict[str, bool] = {}  # by the names of steps
        self._taken: Memory[tuple[Calls, ...]] = Memory()

    def by_rounded_divisors(self, step: Step, calculation: Calculation) -> Iterator[Matrix]:
        """A step with √3 taken as 1.73, 1.732 … in it and in the unwritten steps before it."""
        if step.call.out in self._behind_roots:
            calls = calculation.unwritten_behind(step)
            cause = calculation.places, tuple([call.out for call in calls])
            known = self._taken.get(cause)
            if known is None:
                taken = tuple(self.with_rounded_divisors(calls, calculation.places))
                known = self._taken.keep(cause, taken, len(taken) * len(calls))
            for calls in known:
                yield from self.carried_out(calls, calculation)

    def with_rounded_divisors(self, calls: Calls, places: int) -> Iterator[Calls]:
        """Calls with the roots that they divide by as somebody may take them; none where there are none."""
        by = [evaluate(call.options["by"]) for call in calls if "by" in call.options]
        if all(divisor.rational() is not None for divisor in by):
            return  # nobody rounds 2
        fewest = PLACES_OF_A_DIVISOR if self.scheme.inner_places is None else self.scheme.inner_places
        modes = ("half_up", "truncate") if self.scheme.truncation else ("half_up",)
        counts = range(fewest, max(fewest, places, USUAL_PLACES) + 1)
        # Each once: 1.414 is √2 rounded and cut off.
        rounded = {
            tuple(one.rounded(count, mode=mode).fraction for one in by): None
            for count in counts
            for mode in modes
        }
        for factors in rounded:
            left = iter(factors)
            yield tuple([by_factor(call, next(left)) if "by" in call.options else call for call in calls])

    @found_once
    def _behind_roots(self) -> frozenset[str]:
        """The steps that are divided by a root, and those that come after one."""
        found: set[str] = set()
        for call in self.exercise.graph.made.values():
            is_divided = "by" in call.options and evaluate(call.options["by"]).rational() is None
            if is_divided or not found.isdisjoint(call.args):
                found.add(call.out)
        return frozenset(found)

    def carried_out(self, calls: Calls, calculation: Calculation) -> tuple[Matrix, ...]:
        """What calls may lead to of which only the last was written, with more inside them rounded."""
        own = ChainMap[str, Matrix]({}, calculation.values)
        truncation = self.scheme.truncation

        def ways(call: Call) -> tuple[Matrix, ...]:
            step = self.exercise.steps[call.out]
            inside = tuple(self.rounded_inside(step, calculation, own))  # what is not rounded lies in it
            return inside or (checked(call.op.rule(*(own[name] for name in call.args), **call.options)),)

        try:
            for call in calls[:-1]:
                own[call.out] = unwritten(ways(call), calculation.places, truncation=truncation)
            return ways(calls[-1])
        except (AttnsolveError, KeyError):
            return ()  # it cannot be told

    def rounded_inside(
        self, step: Step, calculation: Calculation, own: Mapping[str, Matrix] | None = None
    ) -> Iterator[Matrix]:
        """What a step may also give when functions in it are rounded; nothing where that is unknown."""
        if not self.has_functions(step):
            return
        values = calculation.values if own is None else own
        places = calculation.places if self.scheme.inner_places is None else self.scheme.inner_places
        keep = partial(rounded_to_digits, places=places, truncation=self.scheme.truncation)
        try:
            if step.call.op in INSIDE_SOFTMAX:
                yield from self.by_rounded_exponentials(step, calculation, values, keep)
            else:
                yield from by_rounded_functions(step, values, keep)
        except AttnsolveError:
            return  # so coarse that nothing can be told

    def has_functions(self, step: Step) -> bool:
        """Whether there is anything to round inside a step, found out once, with the right numbers."""
        name, op = step.call.out, step.call.op
        if name not in self._with_functions:
            with ByHand(as_it_is) as hand, suppress(AttnsolveError):
                op.rule(*step.inputs, **step.call.options)
            self._with_functions[name] = hand.used or op.powers is not None or op in INSIDE_SOFTMAX
        return self._with_functions[name]

    def by_rounded_exponentials(
        self, step: Step, calculation: Calculation, values: Mapping[str, Matrix], keep: Keep
    ) -> Iterator[Matrix]:
        """Exponentials of scores over a temperature, or the sums of unwritten ones, with few places."""
        exponents = scores_inside(self.exercise.inner.owner(step), values, keep)
        if step.call.op is EXPONENTIALS_OP:
            yield checked(exponents.exp())
        elif calculation.call_of(step) is step.call:  # no exponentials are written
            yield checked(added_up(kept(exponents.exp(), keep)))


def as_it_is(ball: Any) -> Any:
    """A number of which all digits are kept."""
    return ball


def by_factor(call: Call, factor: Fraction) -> Call:
    """A call that divides or multiplies by another number."""
    return call._replace(options={**call.options, "by": Num(Rational(factor))})


def by_rounded_functions(step: Step, values: Mapping[str, Matrix], keep: Keep) -> Iterator[Matrix]:
    """The exponentials of a softmax, or any other functions, with few places."""
    if step.call.op.powers is not None:
        exponents = scores_inside(step.call, values, keep)
        powers = kept(exponents.exp(), keep)
        yield checked(divided(powers, kept(added_up(powers), keep)))
        if step.call.options.get(TEMPERATURE) is not None:
            yield checked(exponents.exp().normalised())
    with ByHand(keep) as hand:
        value = step.call.op.rule(*(values[name] for name in step.call.args), **step.call.options)
    if hand.used:
        yield checked(value)


def scores_inside(softmax: Call, values: Mapping[str, Matrix], keep: Keep) -> Matrix:
    """What is exponentiated; scores over a temperature may have been rounded."""
    powers = softmax.op.powers
    assert powers is not None
    exponents = powers(*(values[name] for name in softmax.args), **softmax.options)
    if softmax.options.get(TEMPERATURE) is None:
        return exponents
    if isinstance(exponents, Masked):
        return Masked(kept(exponents.base, keep), exponents.keep)
    return kept(exponents, keep)


def kept(value: Matrix, keep: Keep) -> Matrix:
    """A matrix of which each number was kept with few places."""
    return fixed([[keep(ball) for ball in row] for row in value.balls(BITS)])
