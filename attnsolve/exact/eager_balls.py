"""Balls made at once and never made smaller: for proofs that may fail, and that mostly need no finer ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import mul, truediv

from flint.types.arb_mat import arb_mat

from attnsolve.errors import Undecided, UndefinedStep
from attnsolve.exact.arithmetic import ZERO, Arithmetic
from attnsolve.exact.balls import Balls, Enclosed, fixed
from attnsolve.exact.base import Cell
from attnsolve.exact.flint_parts import arb
from attnsolve.exact.matrices import BallRows, Matrix, reciprocal
from attnsolve.exact.rationals import Rationals
from attnsolve.exact.shapes import require_product, require_same_height, require_same_shape
from attnsolve.reasons import reason


class EagerBalls(Balls):
    """A matrix of balls as large as the working precision made them, as rows or as flint has it."""

    __slots__ = ("_matrix", "_rows")

    def __init__(
        self, shape: tuple[int, int], *, rows: BallRows | None = None, matrix: arb_mat | None = None
    ) -> None:
        self.shape = shape
        self.is_product = self.is_normalised = False
        self.labels = None
        self._rows = rows
        self._matrix = matrix

    @classmethod
    def of(cls, matrix: Matrix) -> EagerBalls:
        """Any matrix, seen through balls of the working precision."""
        if isinstance(matrix, EagerBalls):
            return matrix
        if isinstance(matrix, Rationals):
            numbers = [x for row in matrix.rows for x in row]
            return cls(matrix.shape, matrix=arb_mat(*matrix.shape, numbers) / matrix.denominator)
        return cls(matrix.shape, rows=matrix.enclosures())

    def enclosures(self) -> BallRows:
        if self._rows is None:
            numbers, width = self.in_flint().entries(), self.shape[1]
            self._rows = [numbers[at : at + width] for at in range(0, len(numbers), width)]
        return self._rows

    def balls(self, bits: int) -> BallRows:
        return self.enclosures()

    def worked_out(self, arithmetic: Arithmetic) -> BallRows:
        return arithmetic.measured(self.enclosures())

    def cell(self, i: int, j: int) -> Enclosed:
        return fixed(self.enclosures()).cell(i, j)

    def in_flint(self) -> arb_mat:
        """The matrix as flint has it."""
        if self._matrix is None:
            self._matrix = arb_mat(self.enclosures())
        return self._matrix

    def transposed(self) -> EagerBalls:
        flipped = (self.shape[1], self.shape[0])
        if self._matrix is not None:
            return EagerBalls(flipped, matrix=self._matrix.transpose())
        return EagerBalls(flipped, rows=[list(column) for column in zip(*self.enclosures(), strict=True)])

    def __matmul__(self, other: Matrix) -> EagerBalls:
        if other.kind == "masked":
            return NotImplemented
        require_product(self, other)
        return EagerBalls(
            (self.shape[0], other.shape[1]), matrix=self.in_flint() * EagerBalls.of(other).in_flint()
        )

    def __rmatmul__(self, other: Matrix) -> EagerBalls:
        return EagerBalls.of(other) @ self

    def __add__(self, other: Matrix) -> EagerBalls:
        if other.kind == "masked":
            return NotImplemented
        require_same_shape(self, other)
        return EagerBalls(self.shape, matrix=self.in_flint() + EagerBalls.of(other).in_flint())

    __radd__ = __add__

    def scaled(self, factor: Cell) -> EagerBalls:
        ball = factor.enclosure()
        if self._rows is None:
            return EagerBalls(self.shape, matrix=self.in_flint() * ball)
        return EagerBalls(self.shape, rows=[[x * ball for x in row] for row in self._rows])

    def row_sums(self) -> EagerBalls:
        return EagerBalls((self.shape[0], 1), rows=[[sum(row, ZERO)] for row in self.enclosures()])

    def __mul__(self, other: Matrix) -> Matrix:
        return super().__mul__(other) if other.kind == "masked" else self._paired(mul, other)

    def __truediv__(self, divisor: Cell | Matrix) -> Matrix:
        if isinstance(divisor, Cell):
            return self.scaled(reciprocal(divisor))
        return super().__truediv__(divisor) if divisor.kind == "masked" else self._paired(truediv, divisor)

    def _paired(self, operation: Callable[[arb, arb], arb], other: Matrix) -> EagerBalls:
        require_same_shape(self, other)
        pairs = zip(self.enclosures(), other.enclosures(), strict=True)
        return EagerBalls(self.shape, rows=[list(map(operation, r, s)) for r, s in pairs])

    def each(self, function: str) -> Matrix:
        return EagerBalls.of(super().each(function))

    def exp(self) -> EagerBalls:
        return EagerBalls(self.shape, rows=[list(map(arb.exp, row)) for row in self.enclosures()])

    def normalised(self) -> EagerBalls:
        made = []
        for i, row in enumerate(self.enclosures()):
            total = sum(row, ZERO)
            if not (total > 0 or total < 0):
                said = "row {row} has the sum 0, so it cannot be divided by it"
                raise (UndefinedStep if total == 0 else Undecided)(reason(said, row=i + 1))
            made.append([x / total for x in row])
        return EagerBalls(self.shape, rows=made)

    def take(self, rows: Sequence[int]) -> EagerBalls:
        known = self.enclosures()
        return EagerBalls((len(rows), self.shape[1]), rows=[known[i] for i in rows])

    def columns(self, start: int, stop: int) -> EagerBalls:
        return EagerBalls((self.shape[0], stop - start), rows=[row[start:stop] for row in self.enclosures()])

    def __or__(self, other: Matrix) -> EagerBalls:
        if other.kind == "masked":
            return NotImplemented
        require_same_height(self, other)
        pairs = zip(self.enclosures(), other.enclosures(), strict=True)
        return EagerBalls((self.shape[0], self.shape[1] + other.shape[1]), rows=[[*a, *b] for a, b in pairs])

    def __ror__(self, other: Matrix) -> EagerBalls:
        return EagerBalls.of(other) | self
