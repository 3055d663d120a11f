"""Scores as the search in whole numbers looks at them: what their weights cost, by the scores alone."""

from __future__ import annotations

from collections.abc import Iterator
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


class Judged(NamedTuple):
    """Scores that a softmax turns into weights: whole numbers, their unit, and which keys each row sees."""

    weights: str  # what the plan calls the weights
    matrix: str
    unit: float
    keep: Keep
    wish: Wish


class Scores:
    """How scores come from the numbers that are drawn, and what they cost."""

    def __init__(self, judged: Judged, window: Window, lanes: Lanes, ends: Ends, *, is_full: bool) -> None:
        self.weights, self.matrix, self.unit, self.keep, self.wish = judged
        self.lanes = lanes
        self.ends = ends  # of the whole matrix as one number, as its lanes have it
        self.is_full = is_full  # nothing is hidden
        self.choosing = [keep for keep in self.keep if len(keep) > 1]
        self._row_cost = lru_cache(KNOWN)(
            partial(row_cost, unit=self.unit, wish=self.wish, window=window)
        )
        self._costs: dict[int, float] = {}  # by the whole matrix as a number
        self._least: dict[int, float] = {}  # what is known of others: they cost more

    def cost(self, number: int, *, most: float = inf) -> float:
        """How far the weights of a whole matrix are from what their judges want, or more than `most`."""
        cost = self._costs.get(number)
        if cost is not None:
            return cost
        least = self._least.get(number, 0.0)
        return least if least > most else self._cost_of(number, most)

    def _cost_of(self, number: int, most: float) -> float:
        cost, row_cost, every = 0.0, self._row_cost, list[Row]()
        for row in self._rows(number):
            falling = sorted(row, reverse=True)
            top = falling[0]
            gaps = tuple([top - score for score in falling])
            every.append(gaps)
            cost += row_cost(gaps)
            if cost > most:
                return keep_known(self._least, number, cost)
        if self.wish.equal and len(set(every)) < len(every):
            cost = self._cost_of_alike(number)
        return keep_known(self._costs, number, cost)

    def _cost_of_alike(self, number: int) -> float:
        """The same where two queries that choose among the same keys may get the same weights."""
        cost, known = 0.0, set()
        for keep, row in zip(self.choosing, self._rows(number), strict=True):
            top = max(row)
            gaps = tuple([top - score for score in row])
            cost += (keep, gaps) in known
            known.add((keep, gaps))
            cost += self._row_cost(tuple(sorted(gaps)))
        return cost

    def _rows(self, number: int) -> Iterator[Row]:
        """The scores that rows see, where there is something to choose from."""
        rows = self.lanes.unpacked(number)
        if self.is_full:
            return rows
        pairs = zip(rows, self.keep, strict=True)
        return (tuple([row[j] for j in keep]) for row, keep in pairs if len(keep) > 1)


def keep_known(known: dict[int, float], number: int, cost: float) -> float:
    """The cost, which is kept within a bound."""
    if len(known) == KNOWN:
        known.clear()
    known[number] = cost
    return cost


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
