"""Scores as the search in whole numbers looks at them: what their weights cost, by the scores alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from math import inf
from typing import NamedTuple

from attnsolve.exact.integers import Lanes, Row
from attnsolve.variants.forms import Wish
from attnsolve.variants.packing import Ends
from attnsolve.variants.rough import added, exponential
from attnsolve.variants.search import Window

Keep = tuple[tuple[int, ...], ...]  # the columns that each row sees
KNOWN = 4096  # matrices, and rows of scores, whose cost is kept
UNKNOWN = 0.0, False


class RowJudge(dict[Row, float]):
    """The cost of a row of scores: it follows from how far each lies below the largest.

    What was found out is kept within a bound.
    """

    def __init__(self, unit: float, wish: Wish, window: Window) -> None:
        self.cost = lru_cache(KNOWN)(partial(row_cost, unit=unit, wish=wish, window=window))

    def __missing__(self, row: Row) -> float:
        if len(self) == KNOWN:
            self.clear()
        falling = sorted(row, reverse=True)
        top = falling[0]
        self[row] = cost = self.cost(tuple([top - score for score in falling]))
        return cost


class Judged(NamedTuple):
    """Scores that a softmax turns into weights: whole numbers, their unit, and which keys each row sees."""

    weights: str  # what the plan calls the weights
    matrix: str
    unit: float
    keep: Keep
    wish: Wish


class Scores:
    """How scores come from the numbers that are drawn, and what they cost."""

    def __init__(
        self,
        judged: Judged,
        judge: RowJudge,
        lanes: Lanes,
        ends: Ends,
        *,
        is_full: bool,
    ) -> None:
        self.weights, self.matrix, self.unit, self.keep, self.wish = judged
        self.judge = judge
        self.lanes = lanes
        self.ends = ends  # of the whole matrix as one number, as its lanes have it
        self.is_full = is_full  # nothing is hidden
        self.choosing = [keep for keep in self.keep if len(keep) > 1]
        self._known: dict[int, tuple[float, bool]] = {}  # costs by matrix, and whether they are all of them

    def cost(self, number: int, *, most: float = inf) -> float:
        """How far the weights of a whole matrix are from what their judges want, or more than `most`."""
        cost, is_whole = self._known.get(number, UNKNOWN)
        if not is_whole and cost <= most:
            if len(self._known) == KNOWN:
                self._known.clear()
            self._known[number] = cost, _ = self._cost_of(number, most)
        return cost

    def _cost_of(self, number: int, most: float) -> tuple[float, bool]:
        cost, judge, rows = 0.0, self.judge, list(self._rows(number))
        for row in rows:
            cost += judge[row]
            if cost > most:
                return cost, False
        if self.wish.equal and len(set(map(differences, rows))) < len(rows):
            cost = self._cost_of_alike(rows)
        return cost, True

    def _cost_of_alike(self, rows: Sequence[Row]) -> float:
        """The same where two queries that choose among the same keys may get the same weights."""
        cost, known = 0.0, set()
        for keep, row in zip(self.choosing, rows, strict=True):
            alike = keep, differences(row)
            cost += alike in known
            known.add(alike)
            cost += self.judge[row]
        return cost

    def _rows(self, number: int) -> Iterator[Row]:
        """The scores that rows see, where there is something to choose from."""
        rows = self.lanes.unpacked(number)
        if self.is_full:
            return rows
        pairs = zip(rows, self.keep, strict=True)
        return (tuple([row[j] for j in keep]) for row, keep in pairs if len(keep) > 1)


def differences(row: Row) -> Row:
    """By how much each number is more than the first: all that softmax sees."""
    first = row[0]
    return tuple([number - first for number in row])


def row_cost(gaps: Row, *, unit: float, wish: Wish, window: Window) -> float:
    """How far the weights of a row are from the window, by how far its scores lie below the largest."""
    if not wish.exponential:  # all the weight goes to the largest
        return float(gaps.count(0) - 1) if wish.ties else 0.0
    cost = float(len(gaps) - len(set(gaps))) if wish.ties else 0.0
    distances = [gap * unit for gap in gaps]
    if wish.small and distances[-1] > window.widest:  # every score that is too low pulls on its own
        return cost + 0.5 + added([far - window.widest for far in distances if far > window.widest])
    shares = [exponential(-far) for far in distances]
    whole = added(shares)
    if wish.small and shares[-1] < window.least * whole:
        cost += 0.5
    if wish.large and 1.0 > window.most * whole:
        cost += 0.5
    return cost
