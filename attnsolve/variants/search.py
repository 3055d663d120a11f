"""The search for numbers that the judges may accept: a climb on rough values, one number changed at a time.

Plain drawing almost never keeps every weight of every query in the window. So numbers are drawn once, and
then one after the other is drawn anew; a change that makes matters worse is taken back. Floats only say
where to look: whatever is found is judged exactly by others.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from math import frexp

from attnsolve.errors import AttnsolveError
from attnsolve.exact import Matrix
from attnsolve.exact.masked import shown, visible
from attnsolve.ops.argmax import ARGMAX
from attnsolve.problem import Call
from attnsolve.variants.forms import Form, Numbers, Place, values_along
from attnsolve.variants.generator import Stream
from attnsolve.variants.rough import Rough, rough
from attnsolve.variation import Entry

STEPS = 400  # changes before a fresh start
HOPELESS = 1000.0  # the cost of a step without a value
NEAR = 1e-9  # scores that may be equal
MARGIN = 1.02  # weights on the very edge of the window would only be refused by the exact judge


class Climb:
    """Numbers under way to ones that the judges may accept."""

    def __init__(self, form: Form, stream: Stream) -> None:
        self.form = form
        self.stream = stream
        settings = form.vary.judges
        self.least = float(settings.smallest_weight) * MARGIN
        self.most = 1.0 - (1.0 - float(settings.largest_weight)) * MARGIN
        self.numbers: dict[str, list[list[Entry]]] = {}
        self.values: dict[str, Matrix] = {}
        self.costs: dict[str, float] = {}

    def start(self) -> None:
        """Draw every number."""
        self.numbers = {
            name: [[self.stream.choose(domain.entries) for _ in range(columns)] for _ in range(rows)]
            for name, domain in self.form.domains.items()
            for rows, columns in [self.form.problem.givens[name].value.shape]
        }
        self.values = {name: kept(given.value) for name, given in self.form.problem.givens.items()}
        for name, rows in self.numbers.items():
            self.values[name] = Rough([[rough(entry.value) for entry in row] for row in rows])
        self.costs = {}
        self._carry_out(self.form.weighing, self.values, self.costs)

    def climb(self) -> None:
        """Change numbers until nothing costs anything, or for as long as seems worth it."""
        for _ in range(STEPS):
            if not self._total(self.costs):
                return
            self.change(self.stream.choose(self.form.places), keep_worse=False)

    def drawn(self) -> Numbers:
        """The numbers as they are now."""
        return {name: tuple(map(tuple, rows)) for name, rows in self.numbers.items()}

    def shake(self) -> None:
        """Leave a place that an exact judge refused: a few numbers are drawn anew, come what may."""
        for _ in range(1 + self.stream.below(3)):
            self.change(self.stream.choose(self.form.places), keep_worse=True)

    def change(self, place: Place, *, keep_worse: bool) -> None:
        """Draw one number anew."""
        name, i, j = place
        entry = self.stream.choose(self.form.domains[name].entries)
        rows = self.numbers[name]
        if entry is rows[i][j]:
            return
        before = self.values[name]
        assert isinstance(before, Rough)
        changed = [list(row) for row in before.rows]
        changed[i][j] = rough(entry.value)
        values, costs = dict(self.values), dict(self.costs)
        values[name] = Rough(changed)
        self._carry_out(self.form.weighing_from[name], values, costs)
        if keep_worse or self._total(costs) <= self._total(self.costs):
            self.values, self.costs = values, costs
            rows[i] = [*rows[i][:j], entry, *rows[i][j + 1 :]]

    def _carry_out(self, calls: tuple[Call, ...], values: dict[str, Matrix], costs: dict[str, float]) -> None:
        """The calls on rough numbers, and what their weights cost."""
        self.form.remake(values)
        for place, call in enumerate(calls):
            try:
                values_along((call,), values, problem=self.form.problem)
            except (AttnsolveError, OverflowError, ZeroDivisionError):
                for later in calls[place:]:  # what follows has no value either
                    values.pop(later.out, None)
                costs[call.out] = HOPELESS
                return
            if call.op.family == "normaliser":
                costs[call.out] = self._cost(call, values)
            else:
                costs.pop(call.out, None)

    def _total(self, costs: Mapping[str, float]) -> float:
        total = 0.0
        for cost in costs.values():
            total += cost
        return total

    def _cost(self, call: Call, values: Mapping[str, Matrix]) -> float:
        """How far the weights of one call are from what its judges want."""
        scores, weights = values[call.args[0]], Rough.of(values[call.out])
        keep = visible(scores).rows
        form, part, cost = self.form, call.part, 0.0
        ties = "ties" in form.vary.want or form.allows("ties", part)
        small = form.allows("small_weights", part) or call.op is ARGMAX
        large = form.allows("large_weights", part) or call.op is ARGMAX
        exponential = call.op.powers is not None
        for i, (row, given) in enumerate(zip(weights.rows, Rough.of(shown(scores)).rows, strict=True)):
            seen = [j for j in range(len(row)) if keep[i][j] and (exponential or row[j] > 0)]
            if sum(keep[i]) < 2:
                continue
            if not small:
                cost += below(self.least, [row[j] for j in seen])
            if not large:
                cost += below(1.0 - self.most, [1.0 - row[j] for j in seen])
            if not ties:
                ordered = sorted(given[j] for j in seen)
                cost += len([1 for a, b in pairwise(ordered) if b - a < NEAR])
        return cost


def below(least: float, numbers: list[float]) -> float:
    """By how many doublings the numbers lie below the least one wanted, together."""
    total = 0.0
    for number in numbers:
        if number < least:
            total += 0.05 + doublings(least) - doublings(number)
    return total


def doublings(number: float) -> float:
    """About log₂ of a number, between its powers of two on a straight line: the same on every machine."""
    if number <= 0:
        return -1100.0
    fraction, exponent = frexp(number)
    return exponent + 2.0 * fraction - 2.0


def kept(matrix: Matrix) -> Matrix:
    """A given that does not vary: rough once and for all, unless a mask hides some of it."""
    return matrix if matrix.kind == "masked" else Rough.of(matrix)
