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
Sums = Callable[[Matrices], Sequence[int]]  # weighted sums of rows
Moving = Callable[[Sequence[int], Matrices], Sequence[int]]  # a row times a matrix


class Packing:
    """The ways of a form: with which weights the rows of each given are added up, and how it goes on."""

    def __init__(self, calls: Sequence[Following], givens: Sequence[str]) -> None:
        self._calls = {call.out: call for call in calls}
        self.weights: dict[str, list[Row]] = {name: [] for name in givens}

    def number(self, name: str, lanes: Lanes) -> Callable[[Matrices], int]:
        """How a matrix becomes one number."""
        call = self._calls.get(name)
        if isinstance(call, Product) and call.turned:
            left, right = self._sums(call.left, lanes.rows), self._sums(call.right, lanes.columns)
            return lambda seen: sum(map(mul, left(seen), right(seen)))
        whole, columns = self._sums(name, lanes.rows), lanes.columns
        return lambda seen: sum(map(mul, whole(seen), columns))

    def _sums(self, name: str, weights: Row) -> Sums:
        call = self._calls.get(name)
        if call is None:
            known = self.weights[name]
            if weights not in known:
                known.append(weights)
            place = known.index(weights)
            return lambda seen: seen[name].packed[place]
        left = self._sums(call.left, weights)
        if isinstance(call, Total):
            right, added = self._sums(call.right, weights), call.added
            return lambda seen: added(left(seen), right(seen))
        if call.left in self.weights and call.right in self.weights and not call.turned:  # most often
            own, place, right_name = call.left, self.weights[call.left].index(weights), call.right
            return lambda seen: [
                sum(map(mul, seen[own].packed[place], line)) for line in seen[right_name].columns
            ]
        onward = self._onward(call.right, turned=call.turned)
        return lambda seen: onward(left(seen), seen)

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
