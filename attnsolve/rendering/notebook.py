"""What a notebook shows for a bare matrix."""

from __future__ import annotations

from attnsolve.exact import Closed, Matrix
from attnsolve.rendering import numerals
from attnsolve.rendering.markup import bmatrix, corners
from attnsolve.rendering.widths import PAGE, width

PLACES = 6


def matrix_latex(value: Matrix) -> str:
    """The exact matrix when it fits a line, its decimals otherwise."""
    cells = [[value.cell(i, j) for j in range(value.shape[1])] for i in range(value.shape[0])]
    if all(isinstance(cell, Closed) for row in cells for cell in row):
        exact = bmatrix([[numerals.number(cell, "fractions") for cell in row] for row in cells])
        if width(exact) <= PAGE:
            return f"$\\displaystyle {exact}$"
    decimals = [[numerals.rounded(cell) for cell in row] for row in value.decimals(PLACES)]
    return f"$\\displaystyle \\approx {corners(decimals)}$"
