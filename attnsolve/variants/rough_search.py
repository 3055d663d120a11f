"""The search on rough values, for any plan: after each change all calls behind it are carried out anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import frexp, inf

from attnsolve.errors import AttnsolveError
from attnsolve.exact import Matrix
from attnsolve.exact.masked import Masked, shown, visible
from attnsolve.ops import Mistake
from attnsolve.problem import Call
from attnsolve.variants import design
from attnsolve.variants.forms import Form, Place, Wish, values_along
from attnsolve.variants.generator import Stream
from attnsolve.variants.judges import has_equal_lines, has_zero_line
from attnsolve.variants.rough import Rough, added, exponential, rough
from attnsolve.variants.search import ROUNDING, Climb, total, window_of
from attnsolve.variation import Entry

HOPELESS = 1000.0  # the cost of a step without a value
HIDDEN = 0.5  # the cost of a mistake that does not show
PROBES = 24  # draws that tell which mistakes ever show
LOWEST = -60.0  # doublings: a weight of 0 is bad, a step without a value is worse

Slips = Mapping[str, tuple[Mistake, ...]]  # by the call that may be done wrong


class RoughClimb(Climb):
    """A climb that looks at floats."""

    def __init__(self, form: Form, stream: Stream, *, slips: Slips) -> None:
        super().__init__(form, stream)
        self.least, self.most, self.widest = window_of(form.vary.judges)
        self.slips = slips  # the mistakes of each rule that have to show
        self.values: dict[str, Matrix] = {}

    def start(self) -> None:
        self.numbers = {
            name: [[self._drawn(domain.entries, smaller=True) for _ in range(columns)] for _ in range(rows)]
            for name, domain in self.form.domains.items()
            for rows, columns in [self.form.problem.givens[name].value.shape]
        }
        self.settle()

    def settle(self) -> None:
        for drawing in self.form.drawings:
            domain = self.form.domains.get(drawing.query)
            self.numbers |= design.drawn(drawing, self.form.problem, domain, self.stream)
        self.values = {name: kept(given.value) for name, given in self.form.problem.givens.items()}
        self.costs = {}
        for name, rows in self.numbers.items():
            self.values[name] = Rough([[rough(entry.value) for entry in row] for row in rows])
            self.costs[name] = self._cost_of_given(name, rows)
        self._carry_out(self.form.weighing, self.values, self.costs, most=inf)

    def _drawn(self, entries: Sequence[Entry], *, smaller: bool | None) -> Entry:
        if smaller is None:
            return self.stream.choose(entries)
        first, second = self.stream.choose(entries), self.stream.choose(entries)
        return first if (abs(rough(first.value)) <= abs(rough(second.value))) is smaller else second

    def change(self, place: Place, *, keep_worse: bool, lighter: bool | None = None) -> bool:
        name, i, j = place
        entry = self._drawn(self.form.domains[name].entries, smaller=lighter)
        rows = self.numbers[name]
        if entry is rows[i][j]:
            return False
        before = self.values[name]
        assert isinstance(before, Rough)
        changed = [list(row) for row in before.rows]
        changed[i][j] = rough(entry.value)
        drawn = [*rows[:i], [*rows[i][:j], entry, *rows[i][j + 1 :]], *rows[i + 1 :]]
        values, costs = dict(self.values), dict(self.costs)
        values[name], costs[name] = Rough(changed), self._cost_of_given(name, drawn)
        most = inf if keep_worse else total(self.costs)
        self._carry_out(self.form.weighing_from[name], values, costs, most=most)
        kept = keep_worse or total(costs) <= most
        if kept:
            self.values, self.costs, self.numbers[name] = values, costs, drawn
        return kept

    def rough_values(self) -> Mapping[str, Matrix]:
        return self.values

    def _carry_out(
        self, calls: tuple[Call, ...], values: dict[str, Matrix], costs: dict[str, float], *, most: float
    ) -> None:
        """The calls on rough numbers, and what their weights cost; it is given up once that is too much."""
        self.form.remake(values)
        for call in calls:
            costs.pop(call.out, None)
        enough = most + ROUNDING * (1.0 + most)
        for call in calls:
            if total(costs) > enough:  # what is still missing costs nothing or more
                return
            wish = self.form.wishes.get(call.out)
            try:
                if wish is not None and wish.from_scores:
                    costs[call.out] = self._cost_of_scores(wish, values[call.args[0]])
                    continue
                twin = self.form.twins.get(call.out, "")
                if twin in values:
                    values[call.out] = values[twin]
                else:
                    values_along((call,), values, problem=self.form.problem)
            except (AttnsolveError, ArithmeticError, KeyError):
                values.pop(call.out, None)  # what follows has no value either
                costs[call.out] = HOPELESS
                continue
            if call.out in self.form.wishes:
                costs[call.out] = self._cost(call, values)

    def _cost_of_given(self, name: str, rows: Sequence[Sequence[Entry]]) -> float:
        """Rows that the judges of numbers refuse."""
        zero = has_zero_line(rows) and not self.form.excuses("zero_rows", name)
        equal = has_equal_lines(rows) and not self.form.excuses("equal_rows", name)
        return float(zero + equal)

    def _cost_of_scores(self, wish: Wish, scores: Matrix) -> float:
        """The same for a plain softmax whose weights nothing else needs: mostly without exponentials."""
        cost = 0.0
        keep = scores.keep.rows if isinstance(scores, Masked) else None
        gaps = set()
        for i, row in enumerate(Rough.of(shown(scores)).rows):
            own = row if keep is None else [score for score, yes in zip(row, keep[i], strict=True) if yes]
            if len(own) < 2:
                continue
            top = max(own)
            gap = top - min(own)
            if wish.equal:  # softmax sees only how far scores lie below the largest
                distances = (tuple(keep[i]) if keep else (), tuple([top - score for score in own]))
                cost += distances in gaps
                gaps.add(distances)
            if wish.ties:
                cost += len(own) - len(set(own))
            if wish.small and gap > self.widest:  # every score that is too low pulls on its own
                for score in own:
                    if top - score > self.widest:
                        cost += top - score - self.widest
                cost += 0.5
            elif wish.small or wish.large:
                shares = [exponential(score - top) for score in own]
                whole = added(shares)
                if wish.small and min(shares) < self.least * whole:
                    cost += 0.5
                if wish.large and 1.0 > self.most * whole:
                    cost += 0.5
        return cost

    def _cost(self, call: Call, values: Mapping[str, Matrix]) -> float:
        """How far the weights of one call are from what its judges want."""
        scores, weights = values[call.args[0]], Rough.of(values[call.out])
        wish = self.form.wishes[call.out]
        masked = isinstance(scores, Masked)
        given, cost = Rough.of(shown(scores)), 0.0
        if wish.equal and not masked:
            cost += len(weights.rows) - len(set(map(tuple, weights.rows)))
        for i, row in enumerate(weights.rows):
            numbers, own = row, given.rows[i]
            if masked or not wish.exponential:
                keep = visible(scores).rows[i]
                if sum(keep) < 2:
                    continue
                seen = [j for j in range(len(row)) if keep[j] and (wish.exponential or row[j] > 0)]
                numbers, own = [row[j] for j in seen], [own[j] for j in seen]
            if wish.small and min(numbers) < self.least:
                cost += below(self.least, numbers)
            if wish.large and max(numbers) > self.most:
                cost += below(1.0 - self.most, [1.0 - number for number in numbers])
            if wish.ties:  # halves and quarters are exact in floats; what is missed here is seen later
                cost += len(own) - len(set(own))
        hidden = [1 for slip in self.slips.get(call.out, ()) if shows(slip, call, scores, weights) is False]
        return cost + HIDDEN * len(hidden)


def shows(slip: Mistake, call: Call, scores: Matrix, weights: Rough) -> bool | None:
    """Whether a mistake changes these weights; None if nobody can make it here."""
    try:
        return Rough.of(slip.rule(scores, **call.options)).rows != weights.rows
    except (AttnsolveError, ArithmeticError):
        return None


def telling_slips(form: Form) -> Slips:
    """The slips of a form that ever show, found on a few draws that are the same for everybody."""
    seen: set[tuple[str, str]] = set()
    for number in range(PROBES if form.slips else 0):
        probe = RoughClimb(form, Stream(b"attnsolve probe", number), slips={})
        probe.start()
        for call in form.calls:
            if call.out in form.slips and call.out in probe.values:
                scores, weights = probe.values[call.args[0]], Rough.of(probe.values[call.out])
                seen |= {
                    (call.out, slip.name)
                    for slip in form.slips[call.out]
                    if shows(slip, call, scores, weights)
                }
    return {
        out: tuple(slip for slip in slips if (out, slip.name) in seen) for out, slips in form.slips.items()
    }


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
        return LOWEST
    fraction, exponent = frexp(number)
    return max(LOWEST, exponent + 2.0 * fraction - 2.0)


def kept(matrix: Matrix) -> Matrix:
    """A given that does not vary: rough once and for all, unless a mask hides some of it."""
    return matrix if matrix.kind == "masked" else Rough.of(matrix)
