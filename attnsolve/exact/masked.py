"""Scores with some keys hidden: -∞ in print, weight 0 in every normaliser, never an -∞ · 0."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_

from attnsolve.errors import UndefinedStep
from attnsolve.exact.cells import Cell
from attnsolve.exact.flint_parts import arb
from attnsolve.exact.infinity import HIDDEN
from attnsolve.exact.matrices import BallRows, Matrix
from attnsolve.exact.rationals import Rationals


class Masked(Matrix):
    """The scores `base` where `keep` is 1, and -∞ where it is 0."""

    kind = "masked"
    __slots__ = ("base", "keep", "shape")

    def __init__(self, base: Matrix, keep: Rationals) -> None:
        self.base = base
        self.keep = keep
        self.shape = base.shape

    @classmethod
    def of(cls, scores: Matrix, keep: Rationals) -> Matrix:
        """The scores with what `keep` does not name hidden too; themselves when nothing is hidden."""
        base, kept = shown(scores), keep * visible(scores)
        assert isinstance(kept, Rationals)
        return cls(base, kept) if not all(map(all, kept.rows)) else base

    def cell(self, i: int, j: int) -> Cell:
        return self.base.cell(i, j) if self.keep.rows[i][j] else HIDDEN

    def enclosures(self) -> BallRows:
        pairs = zip(self.base.enclosures(), self.keep.rows, strict=True)
        return [[x if kept else arb("-inf") for x, kept in zip(r, k, strict=True)] for r, k in pairs]

    def transposed(self) -> Masked:
        return Masked(self.base.T, self.keep.transposed())

    def __matmul__(self, other: Matrix) -> Matrix:
        raise UndefinedStep(
            "scores that are -∞ cannot be multiplied by a matrix; turn them into weights first"
        )

    __rmatmul__ = __matmul__

    def __add__(self, other: Matrix) -> Matrix:
        return Masked.of(self.base + shown(other), self.keep * visible(other))  # type: ignore[arg-type]

    __radd__ = __add__

    def __or__(self, other: Matrix) -> Matrix:
        return Masked(self.base | shown(other), self.keep | visible(other))

    def __ror__(self, other: Matrix) -> Matrix:
        return Masked(other | self.base, visible(other) | self.keep)

    def scaled(self, factor: Cell) -> Matrix:
        if factor.sign() <= 0:
            raise UndefinedStep("-∞ can only be multiplied by a number above 0")
        return Masked(self.base.scaled(factor), self.keep)

    def exp(self) -> Matrix:
        # What is hidden must not keep the others from a simple form: 2^{1/2} beside powers of 2.
        base = self.base * self.keep if self.base.kind in ("rational", "surd") else self.base
        return base.exp() * self.keep

    def normalised(self) -> Matrix:
        """What is hidden takes no part: it has no share, and the others are divided by their own sum."""
        return (self.base * self.keep).normalised()

    def relu(self) -> Matrix:
        return self.base.relu() * self.keep

    def maxima(self) -> list[tuple[int, ...]]:
        found = []
        for i, kept in enumerate(self.keep.rows):
            places = [j for j, yes in enumerate(kept) if yes]
            if not places:
                raise UndefinedStep(f"row {i + 1} has no largest number: all of them are hidden")
            best = self.base.take([i]).T.take(places).T.maxima()[0]
            found.append(tuple(places[j] for j in best))
        return found

    def take(self, rows: Sequence[int]) -> Masked:
        return Masked(self.base.take(rows), self.keep.take(rows))

    def columns(self, start: int, stop: int) -> Masked:
        return Masked(self.base.columns(start, stop), self.keep.columns(start, stop))

    def rounded(self, places: int, *, mode: str = "half_up") -> Matrix:
        return Masked(self.base.rounded(places, mode=mode), self.keep)


def shown(matrix: Matrix) -> Matrix:
    """The scores themselves, also those behind a mask."""
    return matrix.base if isinstance(matrix, Masked) else matrix


def visible(matrix: Matrix) -> Rationals:
    """1 where a number is a number, 0 where it is -∞."""
    rows, columns = matrix.shape
    return matrix.keep if isinstance(matrix, Masked) else Rationals([[1] * columns] * rows)


def row_maxima(matrix: Matrix) -> Matrix:
    """The largest number of each row, as a column; -∞ where all of them are."""
    found = []
    for i, kept in enumerate(visible(matrix).rows):
        row = matrix.take([i])
        place = row.maxima()[0][0] if any(kept) else 0
        found.append(row.columns(place, place + 1))
    return reduce(or_, [piece.T for piece in found]).T


def masked_of_cells(rows: Sequence[Sequence[Cell]]) -> Matrix | None:
    """A matrix from cells of which some are -∞; None when none is."""
    from attnsolve.exact.cells import ZERO
    from attnsolve.exact.kinds import matrix_of_cells

    keep = [[int(cell is not HIDDEN) for cell in row] for row in rows]
    if all(map(all, keep)):
        return None
    finite = [[ZERO if cell is HIDDEN else cell for cell in row] for row in rows]
    return Masked(matrix_of_cells(finite), Rationals(keep))
