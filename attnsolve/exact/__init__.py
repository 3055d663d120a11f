"""Exact and certified numbers: the only room that computes with flint and SymPy."""

from attnsolve.exact.cells import Cell, Closed, Rational
from attnsolve.exact.decimals import Rounded
from attnsolve.exact.kinds import matrix_of_cells
from attnsolve.exact.matrices import Matrix
from attnsolve.exact.rationals import Rationals

__all__ = ["Cell", "Closed", "Matrix", "Rational", "Rationals", "Rounded", "matrix_of_cells"]
