"""Matrices of formulas: numbers with letters in them, worked with by the same verbs as all others.

Weights are e^x over the sum of their row. What is made of them is gathered over each of these sums, one
quotient for every head, and never multiplied out over several.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import prod

from attnsolve.errors import UndefinedStep
from attnsolve.exact.base import Cell
from attnsolve.exact.formulas.algebra import TooLong
from attnsolve.exact.formulas.cells import Formula, applied, cell_of, tree_of
from attnsolve.exact.formulas.letters import Letters, length, shortest
from attnsolve.exact.matrices import BallRows, Matrix, maxima_of_cells
from attnsolve.exact.shapes import require_product, require_same_height, require_same_shape
from attnsolve.reasons import reason
from attnsolve.statements.tree import (
    ONE,
    ZERO,
    Call,
    Function,
    Number,
    Product,
    Quotient,
    Sum,
    Tree,
    exponential,
    number,
    over,
    product,
    total,
    walk,
)

MOST_PIECES = 20_000  # of all formulas of a result together, before they are worked out
SHORT = 14  # pieces of a formula that stands in a product as it is
Rows = Sequence[Sequence[Tree]]


class Formulas(Matrix):
    """A matrix of formulas in the letters of a problem."""

    kind = "formula"
    __slots__ = ("letters", "rows", "shape")

    def __init__(self, rows: Rows, letters: Letters) -> None:
        self.rows, self.letters = rows, letters
        self.shape = (len(rows), len(rows[0]))

    @classmethod
    def of_cells(cls, rows: Sequence[Sequence[Cell]]) -> Formulas:
        """A matrix of single numbers, of which at least one has a letter."""
        letters = next(cell.letters for row in rows for cell in row if isinstance(cell, Formula))
        return cls([list(map(tree_of, row)) for row in rows], letters)

    @classmethod
    def beside(cls, matrix: Matrix, cell: Cell) -> Formulas:
        """Any matrix that has exact forms, as formulas in the letters of a number."""
        assert isinstance(cell, Formula)
        rows, columns = map(range, matrix.shape)
        return cls([[tree_of(matrix.cell(i, j)) for j in columns] for i in rows], cell.letters)

    def _like(self, matrix: Matrix) -> Rows:
        """The numbers of any matrix that has exact forms, as formulas."""
        if isinstance(matrix, Formulas):
            return matrix.rows
        rows, columns = map(range, matrix.shape)
        return [[tree_of(matrix.cell(i, j)) for j in columns] for i in rows]

    def cell(self, i: int, j: int) -> Cell:
        return cell_of(self.rows[i][j], self.letters)

    def enclosures(self) -> BallRows:
        return [[self.cell(i, j).enclosure() for j in range(self.shape[1])] for i in range(self.shape[0])]

    def same(self, other: Matrix) -> bool | None:
        """Whether all numbers are equal for all that the letters may stand for; None where one is not."""
        if self.shape != other.shape:
            return False
        pairs = zip(self.rows, self._like(other), strict=True)
        alike = (self.letters.same(a, b) for mine, theirs in pairs for a, b in zip(mine, theirs, strict=True))
        return True if all(alike) else None

    def is_short(self) -> bool:
        return all(length(tree) <= SHORT and not has_powers(tree) for row in self.rows for tree in row)

    def transposed(self) -> Formulas:
        return Formulas(list(zip(*self.rows, strict=True)), self.letters)

    def __matmul__(self, other: Matrix) -> Matrix:
        if other.kind == "masked":
            return NotImplemented
        require_product(self, other)
        return self._product(self.rows, self._like(other))

    def __rmatmul__(self, other: Matrix) -> Matrix:
        require_product(other, self)
        return self._product(self._like(other), self.rows)

    def _product(self, left: Rows, right: Rows) -> Formulas:
        require_readable(len(right[0]) * pieces(left) + len(left) * pieces(right))
        columns = list(zip(*right, strict=True))
        made = [
            [gathered(total(map(product, zip(row, column, strict=True))), self.letters) for column in columns]
            for row in left
        ]
        return Formulas(made, self.letters)

    def __add__(self, other: Matrix) -> Matrix:
        if other.kind == "masked":
            return NotImplemented
        require_same_shape(self, other)
        pairs = zip(self.rows, self._like(other), strict=True)
        return Formulas(
            [[gathered(total(pair), self.letters) for pair in zip(r, s, strict=True)] for r, s in pairs],
            self.letters,
        )

    __radd__ = __add__

    def __or__(self, other: Matrix) -> Matrix:
        if other.kind == "masked":
            return NotImplemented
        require_same_height(self, other)
        pairs = zip(self.rows, self._like(other), strict=True)
        return Formulas([[*r, *s] for r, s in pairs], self.letters)

    def __ror__(self, other: Matrix) -> Matrix:
        require_same_height(other, self)
        pairs = zip(self._like(other), self.rows, strict=True)
        return Formulas([[*r, *s] for r, s in pairs], self.letters)

    def scaled(self, factor: Cell) -> Matrix:
        by = tree_of(factor)
        return self._each(lambda tree: gathered(product((by, tree)), self.letters))

    def exp(self) -> Matrix:
        return self._each(exponential)

    def normalised(self) -> Matrix:
        require_readable(sum(len(row) * pieces([row]) for row in self.rows))
        made = []
        for i, row in enumerate(self.rows):
            below = sum_of_row(row, self.letters)
            if not self.letters.sign(below).is_nonzero:
                raise UndefinedStep(
                    reason("row {row} may have the sum 0, so it cannot be divided by it", row=i + 1)
                )
            made.append(shares(row, below, self.letters))
        return Formulas(made, self.letters)

    def each(self, function: str) -> Matrix:
        return self._each(lambda tree: tree_of(applied(function, Formula(tree, self.letters))))

    def relu(self) -> Matrix:
        return self.each("relu")

    def maxima(self) -> list[tuple[int, ...]]:
        return maxima_of_cells(self)

    def take(self, rows: Sequence[int]) -> Formulas:
        return Formulas([self.rows[i] for i in rows], self.letters)

    def columns(self, start: int, stop: int) -> Formulas:
        return Formulas([row[start:stop] for row in self.rows], self.letters)

    def _each(self, change: Callable[[Tree], Tree]) -> Formulas:
        return Formulas([[change(tree) for tree in row] for row in self.rows], self.letters)


def pieces(rows: Rows) -> int:
    """How many pieces the formulas of a matrix are written with."""
    return sum(length(tree) for row in rows for tree in row)


def require_readable(estimate: int) -> None:
    """Refuse a result before it is worked out, where its formulas together would be too long."""
    if estimate > MOST_PIECES:
        raise TooLong(
            reason(
                "this would be written with about {estimate} pieces; the limit is {limit}, so put in numbers "
                "for some letters, or take smaller matrices",
                estimate=estimate,
                limit=MOST_PIECES,
            )
        )


def sum_of_row(row: Sequence[Tree], letters: Letters) -> Tree:
    """The sum of a row, equal exponentials taken together in the order in which they come."""
    if not all(has_powers(tree) or tree in (ONE, ZERO) for tree in row):
        return letters.multiplied_out(total(row))
    counts: dict[Tree, int] = {}
    for tree in row:
        counts[tree] = counts.get(tree, 0) + 1
    return total(product((number(count), tree)) for tree, count in counts.items())


def shares(row: Sequence[Tree], below: Tree, letters: Letters) -> list[Tree]:
    """A row over its sum; above and below divided by what all exponentials share, where that is shorter."""
    plain = [over(tree, below) for tree in row]
    short = [tree if tree == ZERO else letters.multiplied_out(tree) for tree in plain]
    under = {tree.under for tree in short if isinstance(tree, Quotient)}
    is_shorter = sum(map(length, short)) < sum(map(length, plain))
    return short if is_shorter and len(under) <= 1 else plain


def gathered(tree: Tree, letters: Letters) -> Tree:
    """A formula as one quotient for each sum of exponentials that it is divided by."""
    plain = plain_number(tree)
    if plain is not None:
        return number(plain)
    above: dict[Tree, list[Tree]] = {}
    spelled: dict[object, Tree] = {}  # e^x + e^y is e^y + e^x
    for upper, under in quotients(tree):
        terms = frozenset(under.terms) if isinstance(under, Sum) else under
        above.setdefault(spelled.setdefault(terms, under), []).append(upper)
    if len(above) == 1 and ONE in above:
        return letters.multiplied_out(tree)
    made = []
    for under, uppers in above.items():
        whole = over(letters.multiplied_out(total(uppers)), under)
        made.append(shortest((whole, letters.multiplied_out(whole))) if whole != ZERO else ZERO)
    return total(made)


def plain_number(tree: Tree) -> Fraction | None:
    """The value of sums and products of rational numbers; most entries of most matrices are such."""
    match tree:
        case Number(value):
            return value
        case Sum(parts) | Product(parts):
            values = [found for part in parts if (found := plain_number(part)) is not None]
            if len(values) < len(parts):
                return None
            return prod(values, start=Fraction(1)) if isinstance(tree, Product) else sum(values, Fraction(0))
    return None


def quotients(tree: Tree) -> list[tuple[Tree, Tree]]:
    """Numerators and denominators whose quotients add up to a formula; numbers below are left above."""
    match tree:
        case Quotient(upper, under) if not isinstance(under, Number) and has_powers(under):
            return [(upper, under)]
        case Sum(terms):
            return [pair for term in terms for pair in quotients(term)]
        case Product(factors):
            made: list[tuple[Tree, Tree]] = [(ONE, ONE)]
            for factor in factors:
                made = [
                    (product((one, two)), product((under, below)))
                    for one, under in made
                    for two, below in quotients(factor)
                ]
            return made
    return [(tree, ONE)]


def has_powers(tree: Tree) -> bool:
    """Whether an exponential occurs in a formula."""
    return any(isinstance(piece, Call) and piece.function is Function.EXP for piece in walk(tree))
