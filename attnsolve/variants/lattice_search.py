"""The search in whole numbers, where nothing but products leads to the weights: quick, and floats are few."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from attnsolve.exact import Matrix
from attnsolve.exact.integers import Row, Rows
from attnsolve.variants.effort import weight_of
from attnsolve.variants.forms import Form, Place
from attnsolve.variants.generator import Stream
from attnsolve.variants.lattice import Lattice
from attnsolve.variants.packing import SearchedMatrix, Standing
from attnsolve.variants.rough import Rough, added
from attnsolve.variants.scores import Scores
from attnsolve.variants.search import ROUNDING, Climb, total
from attnsolve.variation import Entry


class LatticeClimb(Climb):
    """A climb that looks at whole numbers."""

    def __init__(self, form: Form, stream: Stream, lattice: Lattice) -> None:
        super().__init__(form, stream)
        self.lattice = lattice
        self.seen: dict[str, SearchedMatrix] = {}  # what is drawn, and what does not vary
        self._most = 0.0  # all costs together
        self._standing: dict[str, Standing] = {}  # by weights
        self._left: dict[str, float] = {}  # for the weights that change with a given
        self._refused: set[tuple[Place, int]] = set()  # changes that would make these numbers worse
        self._ways = {name: list(ways) for name, ways in lattice.ways.items()}  # the last to refuse first

    def start(self) -> None:
        drawn: dict[str, Rows] = {}
        for name in self.lattice.drawable:
            rows, columns = self.form.problem.givens[name].value.shape
            pairs = [[self._drawn(name, smaller=True) for _ in range(columns)] for _ in range(rows)]
            self.numbers[name] = [[entry for entry, _ in row] for row in pairs]
            drawn[name] = [tuple([number for _, number in row]) for row in pairs]
        self.look(drawn)

    def look(self, drawn: dict[str, Rows]) -> None:
        """Find out what follows from the numbers, and what that costs."""
        weights = self.lattice.packing.weights
        self.seen = self.lattice.fixed | {
            name: SearchedMatrix.of(rows, weights[name]) for name, rows in drawn.items()
        }
        self._standing = {
            scores.weights: Standing(scores.ends, self.seen) for scores in self.lattice.scores
        }
        costs = {name: self._cost_of_given(name) for name in drawn}
        for scores in self.lattice.scores:
            costs[scores.weights] = scores.cost(self._standing[scores.weights].number())
        self._settle(costs)

    def _drawn(self, name: str, *, smaller: bool | None) -> tuple[Entry, int]:
        drawable = self.lattice.drawable[name]
        if smaller is None:
            return self.stream.choose(drawable)
        first, second = self.stream.choose(drawable), self.stream.choose(drawable)
        return first if (abs(first[1]) <= abs(second[1])) is smaller else second

    def change(self, place: Place, *, keep_worse: bool, lighter: bool | None = None) -> bool:
        name, i, j = place
        entry, number = self._drawn(name, smaller=lighter)
        seen = self.seen[name]
        before = seen.rows[i][j]
        if number == before or (lighter is not None and not self._is_way(name, before, number, lighter)):
            return False
        if not keep_worse and (place, number) in self._refused:
            return False
        most = inf if keep_worse else self._most
        found = self._costs_of_weights(place, number, most=inf if keep_worse else self._left_for(name))
        if found is not None:
            self.seen[name] = seen.changed(i, j, number, self.lattice.packing.weights[name])
            costs = {**self.costs, **found, name: self._cost_after(place)}
            if total(costs) <= most:
                self.numbers[name][i][j] = entry
                self._move(place, number - before)
                self._settle(costs)
                return True
            self.seen[name] = seen
        self._refused.add((place, number))
        return False

    def _move(self, place: Place, more: int) -> None:
        """Follow a change that is kept."""
        for scores in self.lattice.ways[place.given]:
            if place.given in scores.ends.bent:
                self._standing[scores.weights] = Standing(scores.ends, self.seen)
            else:
                self._standing[scores.weights].add(*place, more, self.seen)

    def _settle(self, costs: dict[str, float]) -> None:
        self.costs, self._most = costs, total(costs)
        self._left.clear()
        self._refused.clear()

    def _costs_of_weights(self, place: Place, number: int, *, most: float) -> dict[str, float] | None:
        """What all weights that change with a number would cost; None where it is more than may be."""
        ways, found, left = self._ways[place.given], dict[str, float](), most
        for tried, scores in enumerate(ways):
            found[scores.weights] = cost = scores.cost(self._scores_after(place, number, scores), most=left)
            left -= cost
            if left < 0:  # what is still missing costs nothing or more
                if tried:
                    ways.insert(0, ways.pop(tried))
                return None
        return found

    def _scores_after(self, place: Place, number: int, scores: Scores) -> int:
        """The whole matrix of some scores as one number, were another number drawn."""
        name, i, j = place
        seen = self.seen[name]
        if name in scores.ends.bent:
            changed = seen.changed(i, j, number, self.lattice.packing.weights[name])
            return scores.ends.number({**self.seen, name: changed})
        more = number - seen.rows[i][j]
        return self._standing[scores.weights].number_after(name, i, j, more, self.seen)

    def _left_for(self, name: str) -> float:
        """What the weights that change with a given may cost, or a little more."""
        left = self._left.get(name)
        if left is None:
            touched, most = self.lattice.touched[name], self._most
            elsewhere = added([cost for other, cost in self.costs.items() if other not in touched])
            left = self._left[name] = most + ROUNDING * (1.0 + most) - elsewhere
        return left

    def _is_way(self, name: str, before: int, number: int, lighter: bool) -> bool:
        """Whether a number is less work than another, or more, as it is wanted."""
        old, new = (abs(weight_of(one, self.lattice.denominators[name])) for one in (before, number))
        return new < old if lighter else new > old

    def rough_values(self) -> dict[str, Matrix]:
        values: dict[str, Matrix] = {name: given.value for name, given in self.form.problem.givens.items()}
        for name, denominator in self.lattice.denominators.items():
            values[name] = Rough([[number / denominator for number in row] for row in self.seen[name].rows])
        return values

    def _cost_after(self, place: Place) -> float:
        """What a given costs after a change: where nothing was wrong, only this row and column can be."""
        name, i, j = place
        rows, columns, _ = self.seen[name]
        is_fine = (
            not self.costs[name]
            and (len(columns) == 1 or is_proper(rows, i))
            and (len(rows) == 1 or is_proper(columns, j))
        )
        return 0.0 if is_fine else self._cost_of_given(name)

    def _cost_of_given(self, name: str) -> float:
        """Rows and columns that the judges of numbers refuse."""
        rows, columns, _ = self.seen[name]
        lines = rows if len(columns) > 1 else []
        columns = columns if len(rows) > 1 else []
        zero = not all(map(any, lines or columns)) or not all(map(any, columns))
        equal = len(set(lines)) < len(lines) or len(set(columns)) < len(columns)
        excuses = self.form.excuses
        return float((zero and not excuses("zero_rows", name)) + (equal and not excuses("equal_rows", name)))


def is_proper(lines: Sequence[Row], number: int) -> bool:
    """Whether a line is neither zero nor equal to another."""
    line = lines[number]
    return any(line) and lines.count(line) == 1
