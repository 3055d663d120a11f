"""The kind of matrix that only counts: it knows its size, in letters, and what was done to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import NoReturn

from attnsolve.errors import ShapeError, Uncountable
from attnsolve.exact.cells import Cell
from attnsolve.exact.matrices import BallRows, Matrix
from attnsolve.exact.polynomials import ZERO, Polynomial, polynomial
from attnsolve.languages import message

BY_NUMBERS = message("it looks at single numbers, and what it does depends on them")


@dataclass(frozen=True, slots=True)
class Counts:
    """How often each operation on two numbers, or on one, is carried out; comparing and copying is free."""

    multiplications: Polynomial = ZERO
    additions: Polynomial = ZERO  # and subtractions
    exponentials: Polynomial = ZERO
    divisions: Polynomial = ZERO
    functions: Polynomial = ZERO  # tanh, sigmoid, square roots …

    def __add__(self, other: Counts) -> Counts:
        return Counts(*[getattr(self, name) + getattr(other, name) for name in OPERATIONS])

    def times(self, factor: Polynomial) -> Counts:
        """As often as this, `factor` times over."""
        return Counts(*[getattr(self, name) * factor for name in OPERATIONS])

    def values(self, sizes: Mapping[str, int]) -> dict[str, Fraction]:
        """Each number when the sizes are numbers."""
        return {name: getattr(self, name).value(sizes) for name in OPERATIONS}


OPERATIONS = tuple(field.name for field in fields(Counts))


@dataclass(slots=True)
class Tally:
    """What all matrices of one plan have counted since it was last taken, and the exercise's own sizes."""

    sizes: Mapping[str, int] = field(default_factory=dict)
    counts: Counts = field(default_factory=Counts)

    def note(self, **more: Polynomial) -> None:
        """Count these."""
        self.counts += Counts(**more)

    def taken(self) -> Counts:
        """What was counted so far; counting starts again."""
        counts, self.counts = self.counts, Counts()
        return counts


class Counted(Matrix):
    """A matrix without numbers; every verb tallies what it would cost, by the schoolbook."""

    kind = "counting"
    __slots__ = ("shape", "tally")
    # Rules hand sizes on without looking at them; what needs a number asks __index__, which refuses letters.
    shape: tuple[Polynomial, Polynomial]  # type: ignore[assignment]

    def __init__(
        self, rows: Polynomial | int | Fraction, columns: Polynomial | int | Fraction, tally: Tally
    ) -> None:
        self.shape = (polynomial(rows), polynomial(columns))
        self.tally = tally

    @property
    def entries(self) -> Polynomial:
        """How many numbers it has."""
        return self.shape[0] * self.shape[1]

    def cell(self, i: int, j: int) -> Cell:
        refuse()

    def enclosures(self) -> BallRows:
        refuse()

    def maxima(self) -> list[tuple[int, ...]]:
        refuse()

    def row_places(self) -> range:
        return range(0)

    def transposed(self) -> Counted:
        return Counted(self.shape[1], self.shape[0], self.tally)

    def __matmul__(self, other: Matrix) -> Counted:
        return self._product(self, self._beside(other))

    def __rmatmul__(self, other: Matrix) -> Counted:
        return self._product(self._beside(other), self)

    def _product(self, a: Counted, b: Counted) -> Counted:
        (rows, inner), columns = a.shape, b.shape[1]
        if inner != b.shape[0]:
            raise ShapeError(f"a matrix of size {a} cannot be multiplied by one of size {b}")
        self.tally.note(multiplications=rows * inner * columns, additions=rows * columns * (inner - 1))
        return Counted(rows, columns, self.tally)

    def __add__(self, other: Matrix) -> Counted:
        self._require_same_shape(other)
        self.tally.note(additions=self.entries)
        return self

    __radd__ = __sub__ = __add__

    def __mul__(self, other: Matrix) -> Counted:
        self._require_same_shape(other)
        self.tally.note(multiplications=self.entries)
        return self

    def __truediv__(self, divisor: Cell | Matrix) -> Counted:
        if isinstance(divisor, Matrix):
            self._require_same_shape(divisor)
        self.tally.note(divisions=self.entries)
        return self

    def row_maxima(self) -> Counted:
        return Counted(self.shape[0], 1, self.tally)

    def rows_times(self, column: Matrix) -> Counted:
        self.tally.note(multiplications=self.entries)
        return self

    def rows_over(self, column: Matrix) -> Counted:
        self.tally.note(divisions=self.entries)
        return self

    def __or__(self, other: Matrix) -> Counted:
        beside = self._beside(other)
        if self.shape[0] != beside.shape[0]:
            raise ShapeError(f"a matrix of size {self} cannot stand beside one of size {beside}")
        return Counted(self.shape[0], self.shape[1] + beside.shape[1], self.tally)

    __ror__ = __or__

    def scaled(self, factor: Cell) -> Counted:
        self.tally.note(multiplications=self.entries)
        return self

    def exp(self) -> Counted:
        self.tally.note(exponentials=self.entries)
        return self

    def each(self, function: str) -> Counted:
        if function in ("exp", "exp2"):
            return self.exp()
        if function != "relu":
            self.tally.note(functions=self.entries)
        return self

    def normalised(self) -> Counted:
        rows, columns = self.shape
        self.tally.note(additions=rows * (columns - 1), divisions=self.entries)
        return self

    def row_sums(self) -> Counted:
        rows, columns = self.shape
        self.tally.note(additions=rows * (columns - 1))
        return Counted(rows, 1, self.tally)

    def means(self) -> Counted:
        rows, columns = self.shape
        self.tally.note(additions=rows * (columns - 1), divisions=rows)
        return self

    def relu(self) -> Counted:
        return self

    def take(self, rows: Sequence[int]) -> Counted:
        """So many rows; all but the last, as a cache has them, stay all but the last of any number."""
        known = self.shape[0].value(self.tally.sizes)
        if known > 2 and list(rows) == list(range(int(known) - 1)):
            return Counted(self.shape[0] - 1, self.shape[1], self.tally)
        return Counted(len(rows), self.shape[1], self.tally)

    def columns(self, start: int, stop: int) -> Counted:
        """A slice stays the same part of the width whatever that is: half of d for one of two heads."""
        width = self.shape[1].value(self.tally.sizes)
        return Counted(self.shape[0], self.shape[1] * ((stop - start) / width), self.tally)

    def repeated(self, rows: int) -> Counted:
        return Counted(rows, self.shape[1], self.tally)

    def _beside(self, other: Matrix) -> Counted:
        return other if isinstance(other, Counted) else Counted(*other.shape, self.tally)

    def _require_same_shape(self, other: Matrix) -> None:
        beside = self._beside(other)
        if self.shape != beside.shape:
            raise ShapeError(f"matrices of the sizes {self} and {beside} do not match number by number")

    def __str__(self) -> str:
        return f"{bracketed(self.shape[0])}×{bracketed(self.shape[1])}"

    __repr__ = __str__


def bracketed(side: Polynomial) -> str:
    """A size in a product of sizes: sums in brackets."""
    return f"({side})" if len(side.terms) > 1 else str(side)


def refuse() -> NoReturn:
    """Single numbers are asked for, and there are none."""
    raise Uncountable(BY_NUMBERS)
