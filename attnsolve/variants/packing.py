"""The way from drawn matrices to scores, as arithmetic with a few long numbers (see `exact/integers.py`).

Rows and columns of the scores have weights, so that their weighted sum is the whole matrix as one number.
A weighted sum of rows goes through a product from left to right, as a row that is multiplied by one matrix
after the other; where scores are Q Kᵀ, such a row from Q and one from K meet in the middle. Which way that
is depends on the form alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
Moving = Callable[[Sequence[int], Matrices], Sequence[int]]  # a row times a matrix


class Way(NamedTuple):
    """From weighted sums of the rows of a given to one of the ends."""

    given: str
    weights: Row
    place: int  # of the sums among those that are known of the given
    onward: Moving
    units: Callable[[Matrices], Rows]  # what becomes of each row of the unit matrix on this way
    movers: frozenset[str] = frozenset()  # what is on the way

    def arriving(self, seen: Matrices) -> Sequence[int]:
        """What becomes of the sums."""
        return self.onward(seen[self.given].packed[self.place], seen)


class Ends:
    """The two rows whose product is the whole matrix as one number, each the sum of what arrives there."""

    def __init__(self, *ends: Sequence[Way] | Row) -> None:
        self.fixed = [[number for number in end if isinstance(number, int)] for end in ends]
        self.ways = [[way for way in end if isinstance(way, Way)] for end in ends]
        self.movers = frozenset[str]().union(*(way.movers for ways in self.ways for way in ways))

    def rows(self, seen: Matrices) -> list[Sequence[int]]:
        """Both rows, as the numbers are."""
        return [
            fixed or [sum(numbers) for numbers in zip(*(way.arriving(seen) for way in ways), strict=True)]
            for fixed, ways in zip(self.fixed, self.ways, strict=True)
        ]

    def number(self, seen: Matrices) -> int:
        """The whole matrix as one number."""
        return sum(map(mul, *self.rows(seen)))


class Standing:
    """The ends as the numbers are now; what is added to a number adds a multiple of a known row there."""

    def __init__(self, ends: Ends, seen: Matrices) -> None:
        self._ends, self._seen, self._rows = ends, seen, ends.rows(seen)
        self._arriving: dict[str, list[tuple[int, Row, Rows]]] = {}

    def number(self) -> int:
        """The whole matrix as one number."""
        left, right = self._rows
        return sum(map(mul, left, right))

    def number_after(self, name: str, i: int, j: int, more: int) -> int:
        """The whole matrix, were there more in row i, column j of a given that moves nothing."""
        left, right = self._rows_after(name, i, j, more)
        return sum(map(mul, left, right))

    def add(self, name: str, i: int, j: int, more: int) -> None:
        """Now there is more."""
        self._rows = self._rows_after(name, i, j, more)

    def _rows_after(self, name: str, i: int, j: int, more: int) -> list[Sequence[int]]:
        rows = self._rows.copy()
        for end, weights, units in self._arriving.get(name) or self._arriving_from(name):
            step = more * weights[i]
            rows[end] = [known + step * unit for known, unit in zip(rows[end], units[j], strict=True)]
        return rows

    def _arriving_from(self, name: str) -> list[tuple[int, Row, Rows]]:
        """At which end a given arrives, with which weights, and what becomes of unit rows."""
        found = self._arriving[name] = [
            (end, way.weights, way.units(self._seen))
            for end, ways in enumerate(self._ends.ways)
            for way in ways
            if way.given == name
        ]
        return found


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
        return Ends(self._ways(name, lanes.rows), lanes.columns)

    def _ways(self, name: str, weights: Row) -> list[Way]:
        call = self._calls.get(name)
        if call is None:
            known = self.weights[name]
            if weights not in known:
                known.append(weights)
            return [Way(name, weights, known.index(weights), staying, lambda seen: unit_rows(seen[name]))]
        first = self._ways(call.left, weights)
        if isinstance(call, Total):
            second = self._ways(call.right, weights)
            return [multiplied(way, by) for ways, by in ((first, call.a), (second, call.b)) for way in ways]
        return [self._longer(way, call.right, turned=call.turned) for way in first]

    def _longer(self, way: Way, name: str, *, turned: bool) -> Way:
        """The way that goes on through a product."""
        onward, movers = self._onward(name, turned=turned), way.movers | self._behind(name)
        if name in self.weights and not way.movers:  # most often: what becomes of unit rows is the matrix
            return way._replace(
                onward=onward,
                units=lambda seen: seen[name].columns if turned else seen[name].rows,
                movers=movers,
            )
        before, units = way.onward, way.units
        return way._replace(
            onward=lambda row, seen: onward(before(row, seen), seen),
            units=lambda seen: [tuple(onward(row, seen)) for row in units(seen)],
            movers=movers,
        )

    def _behind(self, name: str) -> frozenset[str]:
        """The givens that a value is made of."""
        call = self._calls.get(name)
        return frozenset({name}) if call is None else self._behind(call.left) | self._behind(call.right)

    def _onward(self, name: str, *, turned: bool) -> Moving:
        call = self._calls.get(name)
        if call is None and turned:
            return lambda row, seen: times(row, seen[name].rows)
        if call is None:
            return lambda row, seen: times(row, seen[name].columns)
        if isinstance(call, Total):
            left, right = self._onward(call.left, turned=turned), self._onward(call.right, turned=turned)
            added = call.added
            return lambda row, seen: added(left(row, seen), right(row, seen))
        if turned:  # (A B)ᵀ = Bᵀ Aᵀ
            first = self._onward(call.right, turned=not call.turned)
            second = self._onward(call.left, turned=True)
        else:
            first = self._onward(call.left, turned=False)
            second = self._onward(call.right, turned=call.turned)
        return lambda row, seen: second(first(row, seen), seen)


def staying(row: Sequence[int], _: Matrices) -> Sequence[int]:
    """A row that nothing moves."""
    return row


def unit_rows(matrix: SearchedMatrix) -> list[Row]:
    """The unit matrix that a matrix may be multiplied by from the right."""
    width = len(matrix.columns)
    return [tuple([int(i == j) for j in range(width)]) for i in range(width)]


def multiplied(way: Way, factor: int) -> Way:
    """The way on which everything becomes so many times as much."""
    onward, units = way.onward, way.units
    return way._replace(
        onward=lambda row, seen: [factor * number for number in onward(row, seen)],
        units=lambda seen: [tuple([factor * number for number in row]) for row in units(seen)],
    )
