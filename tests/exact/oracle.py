"""SymPy as the judge: our matrices against SymPy's own, and our texts as SymPy reads them."""

from typing import Any

import sympy
from proofs import assert_is

from attnsolve.exact import Cell, Matrix

# Our functions by name, as SymPy has them.
SYMPYS = {
    "sqrt": sympy.sqrt,
    "exp": sympy.exp,
    "ln": sympy.log,
    "sin": sympy.sin,
    "cos": sympy.cos,
    "tanh": sympy.tanh,
    "erf": sympy.erf,
    "relu": lambda x: sympy.Max(0, x),
    "exp2": lambda x: 2**x,
    "gelu": lambda x: x * sympy.erfc(-x / sympy.sqrt(2)) / 2,  # 1 + erf would cancel
    "sigmoid": lambda x: 1 / (1 + sympy.exp(-x)),
}


def read(text: str) -> Any:
    """A text of ours, as SymPy reads it; never done with a text from outside."""
    return sympy.sympify(text)  # noqa: TID251


def assert_number(expected: Any, cell: Cell) -> None:
    """A cell is the expected number: its balls, its rationality and its text all say so."""
    expected = sympy.S.Zero + expected
    assert_is(expected, cell)
    # Each side by itself: SymPy takes ages to find that a difference is 0.
    read_back, wanted = sympy.N(read(cell.text()), 60), sympy.N(expected, 60)
    assert abs(read_back - wanted) <= abs(wanted) / 10**50, f"{cell} is not {expected}"


def assert_matrix(expected: Any, matrix: Matrix) -> None:
    """A matrix is the expected one, cell by cell, and so are its texts."""
    assert expected.shape == matrix.shape
    for i, j, cell in matrix.cells():
        assert_number(expected[i, j], cell)


def assert_balls(expected: Any, matrix: Matrix) -> None:
    """A matrix is the expected one, cell by cell; its texts are not read, which is what takes time."""
    assert expected.shape == matrix.shape
    for i, j, cell in matrix.cells():
        assert_is(sympy.S.Zero + expected[i, j], cell)


def softmax(scores: Any) -> Any:
    """Softmax of each row, as SymPy computes it."""
    return normalised(scores.applyfunc(sympy.exp))


def normalised(matrix: Any) -> Any:
    """Each row over its sum, as SymPy computes it."""
    return sympy.Matrix([list(matrix[i, :] / sum(matrix[i, :])) for i in range(matrix.rows)])
