"""The way from drawn matrices to scores, as arithmetic with a few long numbers (see `exact/integers.py`).

Rows and columns of the scores have weights, so that their weighted sum is the whole matrix as one number.
A weighted sum of rows goes through a product from left to right, as a row that is multiplied by one matrix
after the other; where scores are Q Kᵀ, such a row from Q and one from K meet in the middle. Which way that
is depends on the form alone. As each row is linear in every matrix on its way, what one number more
somewhere adds to it is known without any product.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import mul
from typing import NamedTuple

from attnsolve.exact.integers import Lanes, Row, Rows, columns_of, times


class Product(NamedTuple):
    """`out` is left · right, or left · rightᵀ."""

    out: str
    left: str
    right: str
    turned: bool = False

    def made(self, left: Rows, right: Rows) -> list[Row]:
        """The result."""
        lines = right if self.turned else columns_of(right)
        return [tuple(times(row, lines)) for row in left]


class Total(NamedTuple):
    """`out` is a · left + b · right: what brings two values to one unit is multiplied first."""

    out: str
    left: str
    right: str
    a: int
    b: int

    def made(self, left: Rows, right: Rows) -> list[Row]:
        """The result."""
        return [tuple(self.added(r, s)) for r, s in zip(left, right, strict=True)]

    def added(self, left: Sequence[int], right: Sequence[int]) -> list[int]:
        """The same for one row."""
        return [self.a * x + self.b * y for x, y in zip(left, right, strict=True)]


Following = Product | Total


class SearchedMatrix(NamedTuple):
    """A matrix as the search looks at it: its rows, its columns, and weighted sums of its rows."""

    rows: list[Row]
    columns: list[Row]
    packed: list[list[int]]

    @classmethod
    def of(cls, rows: Rows, weights: Sequence[Row]) -> SearchedMatrix:
        """A matrix, and what is asked for with each of some weights."""
        columns = columns_of(rows)
        return cls(list(rows), columns, [times(one, columns) for one in weights])

    def changed(self, i: int, j: int, number: int, weights: Sequence[Row]) -> SearchedMatrix:
        """The same with another number in row i, column j."""
        rows, columns, row, column = self.rows.copy(), self.columns.copy(), self.rows[i], self.columns[j]
        more, packed = number - row[j], []
        rows[i] = (*row[:j], number, *row[j + 1 :])
        columns[j] = (*column[:i], number, *column[i + 1 :])
        for own, known in zip(weights, self.packed, strict=True):
            new = known.copy()
            new[j] += more * own[i]
            packed.append(new)
        return SearchedMatrix(rows, columns, packed)


Matrices = Mapping[str, SearchedMatrix]


class Factor(NamedTuple):
    """A given in a product, perhaps turned round."""

    given: str
    turned: bool = False

    def rows(self, seen: Matrices) -> list[Row]:
        """The rows of the matrix as it stands in the product."""
        return seen[self.given].columns if self.turned else seen[self.given].rows

    def columns(self, seen: Matrices) -> list[Row]:
        """Its columns."""
        return seen[self.given].rows if self.turned else seen[self.given].columns


class Chain(NamedTuple):
    """A product of givens, so many times."""

    often: int
    factors: tuple[Factor, ...]


class Way(NamedTuple):
    """What a chain adds to one of the ends: the sum of its rows with some weights."""

    weights: Row
    place: int  # of the sums among those that are known of the first given
    chain: Chain

    def arriving(self, seen: Matrices) -> Sequence[int]:
        """The whole sum."""
        often, factors = self.chain
        return [often * number for number in self.before(len(factors), seen)]

    def before(self, number: int, seen: Matrices) -> Sequence[int]:
        """What arrives at a factor."""
        if not number:
            return self.weights
        first, *others = self.chain.factors[:number]
        row: Sequence[int] = seen[first.given].packed[self.place]
        for factor in others:
            row = times(row, factor.columns(seen))
        return row

    def behind(self, number: int, seen: Matrices) -> Rows:
        """What becomes of each row of the unit matrix behind a factor."""
        factors = self.chain.factors
        if number + 1 == len(factors):
            return unit_rows(len(factors[number].columns(seen)))
        rows = factors[number + 1].rows(seen)
        for factor in factors[number + 2 :]:
            rows = [tuple(times(row, factor.columns(seen))) for row in rows]
        return rows


class Ends:
    """The two rows whose product is the whole matrix as one number, each the sum of what arrives there."""

    def __init__(self, left: Sequence[Way], right: Sequence[Way], fixed: Sequence[int] = ()) -> None:
        self.ways = left, right
        self.fixed = fixed  # the right one, where nothing arrives there
        # Givens that a way comes through twice: what one more adds depends on their own numbers.
        chains = [[factor.given for factor in way.chain.factors] for way in (*left, *right)]
        self.bent = frozenset(name for names in chains for name in names if names.count(name) > 1)

    def rows(self, seen: Matrices) -> list[Sequence[int]]:
        """Both rows, as the numbers are."""
        left, right = (
            [sum(numbers) for numbers in zip(*(way.arriving(seen) for way in ways), strict=True)]
            for ways in self.ways
        )
        return [left, right or self.fixed]

    def number(self, seen: Matrices) -> int:
        """The whole matrix as one number."""
        return sum(map(mul, *self.rows(seen)))


class Effect(NamedTuple):
    """What one more in a given adds to an end: a row that belongs to its column, as often as its row says."""

    end: int
    turned: bool  # then it is the other way round
    often: Sequence[int]
    rows: Rows


class Standing:
    """The ends as the numbers are now, and what would become of them."""

    def __init__(self, ends: Ends, seen: Matrices) -> None:
        self._ends, self._rows = ends, ends.rows(seen)
        self._effects: dict[str, list[Effect]] = {}

    def number(self) -> int:
        """The whole matrix as one number."""
        left, right = self._rows
        return sum(map(mul, left, right))

    def number_after(self, name: str, i: int, j: int, more: int, seen: Matrices) -> int:
        """The same, were there more in row i, column j of a given."""
        left, right = self._rows_after(name, i, j, more, seen)
        return sum(map(mul, left, right))

    def add(self, name: str, i: int, j: int, more: int, seen: Matrices) -> None:
        """Now there is more, which changes what others have to do with the ends."""
        self._rows = self._rows_after(name, i, j, more, seen)
        self._effects = {name: self._effects[name]}

    def _rows_after(self, name: str, i: int, j: int, more: int, seen: Matrices) -> list[Sequence[int]]:
        effects = self._effects.get(name)
        if effects is None:
            effects = self._effects[name] = list(effects_of(self._ends, name, seen))
        rows = self._rows.copy()
        for end, turned, often, added in effects:
            by, which = (often[j], i) if turned else (often[i], j)
            step = more * by
            rows[end] = [number + step * one for number, one in zip(rows[end], added[which], strict=True)]
        return rows


def effects_of(ends: Ends, name: str, seen: Matrices) -> Iterator[Effect]:
    """What a given has to do with the ends."""
    for end, ways in enumerate(ends.ways):
        for way in ways:
            often, factors = way.chain
            for number, factor in enumerate(factors):
                if factor.given == name:
                    before = [often * one for one in way.before(number, seen)]
                    yield Effect(end, factor.turned, before, way.behind(number, seen))


class Packing:
    """The ways of a form: with which weights the rows of each given are added up, and how it goes on."""

    def __init__(self, calls: Sequence[Following], givens: Sequence[str]) -> None:
        self._calls = {call.out: call for call in calls}
        self.weights: dict[str, list[Row]] = {name: [] for name in givens}

    def ends(self, name: str, lanes: Lanes) -> Ends:
        """How a matrix becomes one number."""
        call = self._calls.get(name)
        if isinstance(call, Product) and call.turned:
            return Ends(self._ways(call.left, lanes.rows), self._ways(call.right, lanes.columns))
        return Ends(self._ways(name, lanes.rows), (), lanes.columns)

    def _ways(self, name: str, weights: Row) -> list[Way]:
        found = []
        for chain in self._chains(name):
            known = self.weights[chain.factors[0].given]
            if weights not in known:
                known.append(weights)
            found.append(Way(weights, known.index(weights), chain))
        return found

    def _chains(self, name: str) -> list[Chain]:
        """The products whose sum a value is."""
        call = self._calls.get(name)
        if call is None:
            return [Chain(1, (Factor(name),))]
        left, right = self._chains(call.left), self._chains(call.right)
        if isinstance(call, Total):
            return [
                chain._replace(often=chain.often * by)
                for chains, by in ((left, call.a), (right, call.b))
                for chain in chains
            ]
        if call.turned:
            right = [Chain(often, turned_round(factors)) for often, factors in right]
        return [Chain(a * b, first + second) for a, first in left for b, second in right]


def turned_round(factors: Sequence[Factor]) -> tuple[Factor, ...]:
    """(A B)ᵀ = Bᵀ Aᵀ."""
    return tuple(Factor(given, not turned) for given, turned in reversed(factors))


def unit_rows(width: int) -> list[Row]:
    """The rows of the unit matrix."""
    return [tuple([int(i == j) for j in range(width)]) for i in range(width)]
