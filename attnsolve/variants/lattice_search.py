"""The search in whole numbers, where nothing but products leads to the weights: quick, and floats are few."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from attnsolve.exact import Matrix
from attnsolve.exact.integers import Integers, rows_of
from attnsolve.variants.effort import weight_of
from attnsolve.variants.forms import Form, Place
from attnsolve.variants.generator import Stream
from attnsolve.variants.lattice import Lattice, Scores, followed
from attnsolve.variants.rough import Rough
from attnsolve.variants.search import Climb, total
from attnsolve.variation import Entry


class LatticeClimb(Climb):
    """A climb that looks at whole numbers."""

    def __init__(self, form: Form, stream: Stream, lattice: Lattice) -> None:
        super().__init__(form, stream)
        self.lattice = lattice
        self.matrices: dict[str, Integers] = {}
        self.rows: dict[str, list[list[int]]] = {}  # the same of the numbers that are drawn

    def start(self) -> None:
        for name in self.lattice.drawable:
            rows, columns = self.form.problem.givens[name].value.shape
            drawn = [[self._drawn(name, smaller=True) for _ in range(columns)] for _ in range(rows)]
            self.numbers[name] = [[entry for entry, _ in row] for row in drawn]
            self.rows[name] = [[number for _, number in row] for row in drawn]
        self.look()

    def look(self) -> None:
        """Find out anew what follows from the numbers, and what that costs."""
        self.matrices = dict(self.lattice.given)
        for name, rows in self.rows.items():
            self.matrices[name] = Integers(rows)
            self.costs[name] = self._cost_of_given(name)
        self.matrices |= followed(self.lattice.calls, self.matrices)
        for scores in self.lattice.scores:
            self.costs[scores.weights] = cost_of(scores, rows_of(self.matrices[scores.matrix]))

    def _drawn(self, name: str, *, smaller: bool | None) -> tuple[Entry, int]:
        drawable = self.lattice.drawable[name]
        if smaller is None:
            return self.stream.choose(drawable)
        first, second = self.stream.choose(drawable), self.stream.choose(drawable)
        return first if (abs(first[1]) <= abs(second[1])) is smaller else second

    def change(self, place: Place, *, keep_worse: bool, lighter: bool | None = None) -> bool:
        name, i, j = place
        entry, number = self._drawn(name, smaller=lighter)
        before = self.rows[name][i][j]
        if number == before or (lighter is not None and not self._is_way(name, before, number, lighter)):
            return False
        self._put(place, number)
        most = inf if keep_worse else total(self.costs)
        judged = self.lattice.scores_from[name]
        costs = {**self.costs, name: self._cost_of_given(name), **{scores.weights: 0.0 for scores in judged}}
        made = followed(self.lattice.calls_from[name], self.matrices)
        for scores in judged:
            if total(costs) > most:  # what is still missing costs nothing or more
                break
            matrix = made[scores.matrix] if scores.matrix in made else self.matrices[scores.matrix]
            costs[scores.weights] = cost_of(scores, rows_of(matrix))
        kept = total(costs) <= most
        if kept:
            self.matrices |= made
            self.costs = costs
            self.numbers[name][i][j] = entry
        else:
            self._put(place, before)
        return kept

    def _is_way(self, name: str, before: int, number: int, lighter: bool) -> bool:
        """Whether a number is less work than another, or more, as it is wanted."""
        old, new = (abs(weight_of(one, self.lattice.denominators[name])) for one in (before, number))
        return new < old if lighter else new > old

    def _put(self, place: Place, number: int) -> None:
        name, i, j = place
        self.rows[name][i][j] = number
        self.matrices[name][i, j] = number

    def rough_values(self) -> dict[str, Matrix]:
        values: dict[str, Matrix] = {name: given.value for name, given in self.form.problem.givens.items()}
        for name, rows in self.rows.items():
            denominator = self.lattice.denominators[name]
            values[name] = Rough([[number / denominator for number in row] for row in rows])
        return values

    def _cost_of_given(self, name: str) -> float:
        """Rows and columns that the judges of numbers refuse."""
        rows = self.rows[name]
        lines = [tuple(row) for row in rows] if len(rows[0]) > 1 else []
        columns = list(zip(*rows, strict=True)) if len(rows) > 1 else []
        zero = not all(map(any, lines or columns)) or not all(map(any, columns))
        equal = len(set(lines)) < len(lines) or len(set(columns)) < len(columns)
        excuses = self.form.excuses
        return float((zero and not excuses("zero_rows", name)) + (equal and not excuses("equal_rows", name)))


def cost_of(scores: Scores, rows: Sequence[Sequence[int]]) -> float:
    """How far the weights of some scores are from what their judges want."""
    cost, known = 0.0, set()
    for row, keep in zip(rows, scores.keep, strict=True):
        own = row if len(keep) == len(row) else [row[j] for j in keep]
        if len(own) < 2:
            continue
        top = max(own)
        gaps = [top - score for score in own]  # softmax sees only how far scores lie below the largest
        if scores.wish.equal:
            alike = (keep, *gaps)
            cost += alike in known
            known.add(alike)
        gaps.sort()
        cost += scores.cost(tuple(gaps))
    return cost
