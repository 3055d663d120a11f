"""What every kind of matrix can do: the few verbs that ops are written with."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import mul, truediv
from typing import Any, cast

from attnsolve.exact.abstract import Abstract
from attnsolve.exact.cells import UNITY, Cell, Rational, divide, multiply, subtract
from attnsolve.exact.decimals import Rounded, Shown, in_full, proven, round_ball
from attnsolve.exact.flint_parts import arb
from attnsolve.exact.precision import LADDER, precision

BallRows = list[list[arb]]
MINUS = Rational(-1)


class Matrix(metaclass=Abstract):
    """A matrix of exact numbers; each kind stores them its own way."""

    kind: str
    shape: tuple[int, int]
    __slots__ = ()

    @abstractmethod
    def cell(self, i: int, j: int) -> Cell:
        """The number in row i, column j, counted from 0."""

    @abstractmethod
    def enclosures(self) -> BallRows:
        """A ball around every number, at the working precision."""

    @abstractmethod
    def transposed(self) -> Matrix:
        """Rows as columns."""

    @abstractmethod
    def __matmul__(self, other: Matrix) -> Matrix:
        """The matrix product; a kind answers for those below it, Python asks the higher kind for the rest."""

    @abstractmethod
    def __rmatmul__(self, other: Matrix) -> Matrix:
        """The product with a lower kind on the left."""

    @abstractmethod
    def __add__(self, other: Matrix) -> Matrix:
        """The sum, cell by cell."""

    @abstractmethod
    def __radd__(self, other: Matrix) -> Matrix:
        """The sum with a lower kind on the left."""

    @abstractmethod
    def __or__(self, other: Matrix) -> Matrix:
        """The two matrices side by side: [self | other]."""

    @abstractmethod
    def __ror__(self, other: Matrix) -> Matrix:
        """[other | self] with a lower kind on the left."""

    @abstractmethod
    def scaled(self, factor: Cell) -> Matrix:
        """Every number times a factor."""

    @abstractmethod
    def exp(self) -> Matrix:
        """e to the power of every number."""

    @abstractmethod
    def normalised(self) -> Matrix:
        """Each row divided by its sum; a row of sum 0 is an UndefinedStep."""

    @abstractmethod
    def relu(self) -> Matrix:
        """max(0, number) for every number."""

    @abstractmethod
    def maxima(self) -> list[tuple[int, ...]]:
        """For each row the columns of its largest number: more than one when they are proven equal."""

    @abstractmethod
    def take(self, rows: Sequence[int]) -> Matrix:
        """Only these rows, counted from 0."""

    @abstractmethod
    def columns(self, start: int, stop: int) -> Matrix:
        """Only the columns from start up to, not including, stop."""

    @property
    def T(self) -> Matrix:  # noqa: N802
        """The transpose, as in `Q @ K.T`."""
        return self.transposed()

    def __truediv__(self, divisor: Cell | Matrix) -> Matrix:
        """Every number over one divisor, or over the number at its own place in another matrix."""
        if isinstance(divisor, Cell):
            return self.scaled(reciprocal(divisor))
        from attnsolve.exact.elementwise import paired

        return paired(truediv, divide, self, divisor)

    def __mul__(self, other: Matrix) -> Matrix:
        """The product number by number."""
        from attnsolve.exact.elementwise import paired

        return paired(mul, multiply, self, other)

    def __sub__(self, other: Matrix) -> Matrix:
        return self + other.scaled(MINUS)

    def each(self, function: str) -> Matrix:
        """A function of every number, such as tanh."""
        from attnsolve.exact.elementwise import each

        return each(self, function)

    def row_sums(self) -> Matrix:
        """The sum of each row, as a column."""
        from attnsolve.exact.rationals import ones

        return self @ ones(self.shape[1], 1)

    def means(self) -> Matrix:
        """Each number replaced by the mean of its row."""
        from attnsolve.exact.rationals import ones

        return self @ ones(self.shape[1], self.shape[1]) / Rational(self.shape[1])

    def row_maxima(self) -> Matrix:
        """The largest number of each row, as a column."""
        from attnsolve.exact.masked import row_maxima

        return row_maxima(self)

    def rows_times(self, column: Matrix) -> Matrix:
        """Each row times its number in a column."""
        from attnsolve.exact.rescaling import rows_times

        return rows_times(self, column)

    def rows_over(self, column: Matrix) -> Matrix:
        """Each row over its number in a column."""
        from attnsolve.exact.rescaling import rows_over

        return rows_over(self, column)

    def repeated(self, rows: int) -> Matrix:
        """A single row written `rows` times, as a bias is added to every token."""
        return self.take([0] * rows)

    def is_short(self) -> bool:
        """Whether its numbers can stand in a line of working as they are; formulas may be too long."""
        return True

    def row_places(self) -> range:
        """The rows a rule has to look at before it goes on; a matrix that only counts has none to look at."""
        return range(self.shape[0])

    def balls(self, bits: int) -> BallRows:
        """A ball around every number, computed with `bits` bits."""
        with precision(bits):
            return self.enclosures()

    def cells(self) -> Iterator[tuple[int, int, Cell]]:
        """Every number with its place, row by row."""
        for i in range(self.shape[0]):
            for j in range(self.shape[1]):
                yield i, j, self.cell(i, j)

    def decimals(self, places: int) -> tuple[tuple[Rounded, ...], ...]:
        """Every number rounded to `places`, proven."""
        return in_full(self.proven(places), places)

    def proven(self, places: int) -> list[list[Shown]]:
        """The same, the digits alone of those that are inexact and have no power of ten: most are."""
        shown = self._proven_by(LADDER[0], places)
        open_rows = [i for i, row in enumerate(shown) if None in row]
        if open_rows:  # finer balls tell 1 - 10^-25 from 1; ties and exact decimals are left
            finer = self.take(open_rows)._proven_by(LADDER[1], places)
            for i, row in zip(open_rows, finer, strict=True):
                found = enumerate(zip(shown[i], row, strict=True))
                shown[i] = [a or b or self.cell(i, j).decimals(places) for j, (a, b) in found]
        return cast(list[list[Shown]], shown)

    def _proven_by(self, bits: int, places: int) -> list[list[Shown | None]]:
        with precision(bits):
            return [proven(row, places) for row in self.enclosures()]

    def whole(self, places: int) -> list[list[int | None]]:
        """Every number rounded, in units of the last place; None for -∞. Whether it is exact is not asked."""
        with precision(LADDER[0]):
            steps = 10**places
            found = [[round_ball(ball * steps) for ball in row] for row in self.enclosures()]
        return [
            [self.cell(i, j).decimals(places).whole(places) if x is None else x for j, x in enumerate(row)]
            for i, row in enumerate(found)
        ]

    def rounded(self, places: int, *, mode: str = "half_up") -> Matrix:
        """The matrix a person goes on with after rounding every number to `places`."""
        from attnsolve.exact.rationals import Rationals

        rows, columns = map(range, self.shape)
        digits = [[self.cell(i, j).rounded(places, mode=mode).digits for j in columns] for i in rows]
        return Rationals(digits, 10**places)

    def same(self, other: Matrix) -> bool | None:
        """Whether all numbers are equal: False if one is proven different, else None if one is undecided."""
        if self.shape != other.shape:
            return False
        for mine, theirs in zip(self.balls(LADDER[0]), other.balls(LADDER[0]), strict=True):
            if not all(a.overlaps(b) for a, b in zip(mine, theirs, strict=True)):
                return False
        verdicts = [cell.same(other.cell(i, j)) for i, j, cell in self.cells()]
        return False if False in verdicts else None if None in verdicts else True

    def sympy(self) -> Any:
        """The matrix as a SymPy Matrix."""
        from sympy import Matrix as SymPyMatrix

        rows, columns = self.shape
        return SymPyMatrix(rows, columns, [cell.sympy() for _, _, cell in self.cells()])

    def texts(self) -> list[list[str]]:
        """Every number as exact text."""
        rows, columns = map(range, self.shape)
        return [[self.cell(i, j).text() for j in columns] for i in rows]

    def __repr__(self) -> str:
        return "[" + "; ".join("  ".join(row) for row in self.texts()) + "]"


@lru_cache(maxsize=256)
def reciprocal(divisor: Cell) -> Cell:
    """1 / divisor, found once: every variant of an exercise divides by the same √d_k."""
    return divide(UNITY, divisor)


def beyond(matrix: Matrix, factor: Cell | None = None) -> Matrix:
    """`matrix` as the kind that goes on where its own kind has no closed form (see `kinds`)."""
    from attnsolve.exact.kinds import next_kind

    return next_kind(matrix, factor)


def maxima_of_cells(matrix: Matrix) -> list[tuple[int, ...]]:
    """The columns of each row's largest number, found by comparing cells one with another."""
    found = []
    for i in range(matrix.shape[0]):
        best: list[int] = [0]
        for j in range(1, matrix.shape[1]):
            order = subtract(matrix.cell(i, j), matrix.cell(i, best[0])).sign()
            if order > 0:
                best = [j]
            elif order == 0:
                best.append(j)
        found.append(tuple(best))
    return found
