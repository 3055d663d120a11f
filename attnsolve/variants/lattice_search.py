"""The search in whole numbers, where nothing but products leads to the weights: quick, and floats are few."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from attnsolve.exact import Matrix
from attnsolve.exact.integers import Integers, rows_of
from attnsolve.variants.effort import weight_of
from attnsolve.variants.forms import Form, Place
from attnsolve.variants.generator import Stream
from attnsolve.variants.lattice import Lattice, Scores, follow
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
        self._refused: set[tuple[Place, int]] = set()  # changes that would make these numbers worse

    def start(self) -> None:
        for name in self.lattice.drawable:
            rows, columns = self.form.problem.givens[name].value.shape
            drawn = [[self._drawn(name, smaller=True) for _ in range(columns)] for _ in range(rows)]
            self.numbers[name] = [[entry for entry, _ in row] for row in drawn]
            self.rows[name] = [[number for _, number in row] for row in drawn]
        self.look()

    def look(self) -> None:
        """Find out anew what follows from the numbers, and what that costs."""
        self._refused.clear()
        self.matrices = dict(self.lattice.given)
        for name, rows in self.rows.items():
            self.matrices[name] = Integers(rows)
            self.costs[name] = self._cost_of_given(name)
        made: dict[str, Integers] = {}
        follow(self.lattice.calls, self.matrices, made)
        self.matrices |= made
        for scores in self.lattice.scores:
            self.costs[scores.weights] = cost_of(scores, self.matrices[scores.matrix])

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
        if (place, number) in self._refused and not keep_worse:
            return False
        self._put(place, number)
        most = inf if keep_worse else total(self.costs)
        # What costs most now is most likely to refuse; costs are added up in their own order all the same.
        ways = sorted(self.lattice.ways[name], key=lambda way: -self.costs[way.scores.weights])
        costs = self.costs | self.lattice.free[name]
        costs[name] = self._cost_after(place)
        made: dict[str, Integers] = {}
        for scores, calls in ways:
            if total(costs) > most:  # what is still missing costs nothing or more
                break
            follow(calls, self.matrices, made)
            matrix = made[scores.matrix] if calls else self.matrices[scores.matrix]
            costs[scores.weights] = cost_of(scores, matrix, most=most)
        kept = total(costs) <= most
        if kept:
            self.matrices |= made
            self.costs = costs
            self.numbers[name][i][j] = entry
            self._refused.clear()
        else:
            self._put(place, before)
            self._refused.add((place, number))
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

    def _cost_after(self, place: Place) -> float:
        """What a given costs after a change: where nothing was wrong, only this row and column can be."""
        name, i, j = place
        if self.costs[name]:
            return self._cost_of_given(name)
        rows = self.rows[name]
        columns = list(zip(*rows, strict=True)) if len(rows) > 1 else []
        fine = (len(rows[i]) == 1 or is_proper(rows, i)) and (not columns or is_proper(columns, j))
        return 0.0 if fine else self._cost_of_given(name)

    def _cost_of_given(self, name: str) -> float:
        """Rows and columns that the judges of numbers refuse."""
        rows = self.rows[name]
        lines = [tuple(row) for row in rows] if len(rows[0]) > 1 else []
        columns = list(zip(*rows, strict=True)) if len(rows) > 1 else []
        zero = not all(map(any, lines or columns)) or not all(map(any, columns))
        equal = len(set(lines)) < len(lines) or len(set(columns)) < len(columns)
        excuses = self.form.excuses
        return float((zero and not excuses("zero_rows", name)) + (equal and not excuses("equal_rows", name)))


def is_proper(lines: Sequence[Sequence[int]], number: int) -> bool:
    """Whether a line is neither zero nor equal to another."""
    line = lines[number]
    return any(line) and lines.count(line) == 1


def cost_of(scores: Scores, matrix: Integers, *, most: float = inf) -> float:
    """How far the weights of some scores are from what their judges want, or more than `most`."""
    cost, known, judge = 0.0, set(), scores.judge
    for row, keep in zip(rows_of(matrix), scores.keep, strict=True):
        own = row if len(keep) == len(row) else tuple([row[j] for j in keep])
        if len(own) < 2:
            continue
        gaps, far = judge(own)
        if scores.wish.equal:
            alike = (keep, gaps)
            cost += alike in known
            known.add(alike)
        cost += far
        if cost > most:
            break
    return cost
