"""The results of a plan by the names that formulas have for them: alpha_2, A_{1,2}, Z_{2,1}."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from attnsolve.errors import ExpressionError
from attnsolve.ops import Family, Frame
from attnsolve.problem import Call, Part
from attnsolve.statements.tree import Name, Tree, names

WEIGHTS = "alpha"


class Place(NamedTuple):
    """One number of a result."""

    result: str
    row: int
    column: int


class ResultNames(NamedTuple):
    """What can be named in a formula: the results of one part, and of those before it."""

    calls: tuple[Call, ...]
    about: str
    frames: Mapping[str, Frame]
    first: int = 1  # from which the sheet counts

    @classmethod
    def of(cls, parts: tuple[Part, ...], about: str, frames: Mapping[str, Frame], first: int) -> ResultNames:
        """The results of a part and of those before it."""
        return cls(tuple(call for part in parts for call in part.calls), about, frames, first)

    @property
    def letters(self) -> frozenset[str]:
        """Every name that a result may be called by."""
        return frozenset({WEIGHTS, *(call.letter for call in self.calls)})

    @property
    def weights(self) -> tuple[str, ...]:
        """The weights that the part has made, of each head."""
        own = [call for call in self.calls if call.part == self.about]
        return tuple(call.out for call in own if call.op.family is Family.NORMALISER)

    def check(self, tree: Tree) -> None:
        """Complain about names that no result has."""
        for name in names(tree):
            if name.name in self.letters:
                self.place(name)

    def place(self, name: Name) -> Place:
        """Which number a name means: of the latest result of that letter, by head where there are several."""
        found = self._results(name.name)
        if not found:
            raise ExpressionError(f"nothing here is called '{name.name}'")
        index = self._apart(name, found[-1])
        if not all(one.isdigit() for one in index):
            raise ExpressionError(f"say which number of {name.name}: {name.name}_2 or {name.name}_{{1,2}}")
        numbers = [int(one) - self.first for one in index]
        if len(found) == 1:
            return self._placed(name, found[0], numbers)
        if len(numbers) != 3 or not 0 <= numbers[0] < len(found):
            heads = f"there are {len(found)} of {name.name}, one for each head"
            raise ExpressionError(f"{heads}; write {name.name}_{{1,1,2}}: head, row, column")
        return self._placed(name, found[numbers[0]], numbers[1:])

    def typed(self, place: Place) -> Name:
        """What a number of a result is called in a formula: the other way round than `place`."""
        letter = WEIGHTS if place.result in self.weights else place.result.rpartition(".")[2]
        found, (rows, columns) = self._results(letter), self.frames[place.result].shape
        numbers = [place.column] if rows == 1 else [place.row] if columns == 1 else [place.row, place.column]
        if len(found) > 1:
            numbers = [found.index(place.result), place.row, place.column]
        return Name(letter, tuple(str(number + self.first) for number in numbers))

    def _apart(self, name: Name, result: str) -> tuple[str, ...]:
        """The index of a name; A_12 of a matrix is A_{1,2}."""
        index = name.index
        is_pair = len(index) == 1 and len(index[0]) == 2 and index[0].isdigit()
        return tuple(index[0]) if is_pair and 1 not in self.frames[result].shape else index

    def _placed(self, name: Name, result: str, numbers: list[int]) -> Place:
        rows, columns = self.frames[result].shape
        if len(numbers) == 1 and 1 in (rows, columns):
            numbers = [0, *numbers] if rows == 1 else [*numbers, 0]
        if len(numbers) != 2:
            size = f"{name.name} has {rows} rows and {columns} columns"
            raise ExpressionError(f"{size}; write {name.name}_{{1,2}}: row, column")
        row, column = numbers
        if not (0 <= row < rows and 0 <= column < columns):
            typed = ",".join(name.index)
            raise ExpressionError(f"{name.name} has {rows} rows and {columns} columns, and no number {typed}")
        return Place(result, row, column)

    def _results(self, letter: str) -> tuple[str, ...]:
        """The results of a letter in the part that is asked about, or else the latest one."""
        if letter == WEIGHTS:
            return self.weights
        named = [call.out for call in self.calls if call.letter == letter]
        own = [out for out in named if out.partition(".")[0] == self.about]
        return tuple(own or named[-1:])
