"""What is done number by number: a function of each, products and quotients of two matrices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from attnsolve.errors import UndefinedStep
from attnsolve.exact.arithmetic import BALLS, Arithmetic
from attnsolve.exact.balls import Balls
from attnsolve.exact.base import Cell
from attnsolve.exact.cells import Closed
from attnsolve.exact.flint_parts import arb
from attnsolve.exact.functions import HALF_LINE, apply, refuse_outside
from attnsolve.exact.kinds import matrix_of_cells
from attnsolve.exact.matrices import Matrix
from attnsolve.exact.shapes import require_same_shape

# A sum of exponentials with more terms than this is not put into a further function.
MOST_TERMS = 40
# Recurrent networks put these into each other, step by step.
NESTED = ("sigmoid", "tanh")


class ByHand:
    """While this is entered, every value of a function is kept as somebody keeps it who works by hand."""

    _keeping: ClassVar[list[ByHand]] = []

    def __init__(self, keep: Callable[[arb], arb]) -> None:
        self.keep = keep
        self.used = False  # whether there was any function

    def __enter__(self) -> ByHand:
        self._keeping.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        self._keeping.pop()

    @classmethod
    def now(cls) -> ByHand | None:
        """The one that is entered, if any."""
        return cls._keeping[-1] if cls._keeping else None


def each(matrix: Matrix, function: str) -> Matrix:
    """A function of every number: exact forms while they can be read, balls after that."""
    ball, hand = BALLS[function], ByHand.now()
    if hand is not None:
        hand.used, keep = True, hand.keep

        def by_hand(on: Arithmetic) -> list[list[Any]]:
            return on.measured([[keep(ball(x)) for x in row] for row in matrix.enclosures()])

        return Balls(matrix.shape, by_hand)

    def certified() -> Matrix:
        return Balls(matrix.shape, lambda on: on.each(function, matrix))

    if function in HALF_LINE and isinstance(matrix, Balls) and proven_negative(matrix):
        refuse_outside(function, -1)
    if isinstance(matrix, Balls) or has_long_cells(matrix) or is_unreadable(function, matrix):
        return certified()
    rows, columns = map(range, matrix.shape)
    return collected([[apply(function, matrix.cell(i, j)) for j in columns] for i in rows], certified)


def proven_negative(matrix: Balls) -> bool:
    """Whether some number is below 0, as far as balls tell."""
    return any(x < 0 for row in matrix.enclosures() for x in row)


def is_unreadable(function: str, matrix: Matrix) -> bool:
    """Whether functions would stand inside a function: nobody reads tanh(tanh(1) + 1/2)."""
    if function not in NESTED or matrix.kind != "symbolic":
        return False
    from attnsolve.exact.symbolic import Expressions, has_functions

    assert isinstance(matrix, Expressions)
    return any(has_functions(x) for row in matrix.rows for x in row)


def paired(
    operation: Callable[[Any, Any], Any], on_cells: Callable[[Cell, Cell], Cell], *both: Matrix
) -> Matrix:
    """a ∘ b number by number, `operation` on balls and `on_cells` on exact numbers."""
    a, b = both
    require_same_shape(a, b)
    if "masked" in (a.kind, b.kind):
        raise UndefinedStep("scores that are -∞ have no products or quotients; turn them into weights first")

    def certified() -> Matrix:
        def compute(on: Arithmetic) -> list[list[Any]]:
            pairs = zip(on.rows(a), on.rows(b), strict=True)
            return [[operation(x, y) for x, y in zip(r, s, strict=True)] for r, s in pairs]

        return Balls(a.shape, compute)

    # A product of sums of quotients has no form that anybody reads.
    if "certified" in (a.kind, b.kind) or a.kind == b.kind == "attention":
        return certified()
    rows, columns = map(range, a.shape)
    return collected([[on_cells(a.cell(i, j), b.cell(i, j)) for j in columns] for i in rows], certified)


def collected(cells: Sequence[Sequence[Cell]], otherwise: Callable[[], Matrix]) -> Matrix:
    """A matrix of these cells, or the balls that `otherwise` makes when one of them is too long to read."""
    made = matrix_of_cells(cells)
    if made.kind != "symbolic":
        return made
    from attnsolve.exact.symbolic import Expressions, readable

    assert isinstance(made, Expressions)
    return readable([list(row) for row in made.rows], otherwise)


def has_long_cells(matrix: Matrix) -> bool:
    """Whether some number is a sum of so many exponentials that a function of it says nothing."""
    if matrix.kind != "attention":
        return False
    return any(
        isinstance(cell, Closed) and sum(len(n.terms) + len(d.terms) for n, d in cell.quotients) > MOST_TERMS
        for _, _, cell in matrix.cells()
    )
