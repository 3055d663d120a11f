"""Small exact numbers and matrices to draw, each also in SymPy's terms so that SymPy can judge them."""

from fractions import Fraction
from typing import Any, NamedTuple

import sympy
from hypothesis import strategies as st

from attnsolve.exact import Cell, Matrix, Rationals, matrix_of_cells
from attnsolve.exact.cells import surd

ROOTS = (1, 2, 3, 5, 6)
PRIMES = (2, 3, 5)


class Drawn(NamedTuple):
    """The same thing twice: ours, and as SymPy has it."""

    ours: Any
    sympys: Any


def rational(value: Fraction) -> Any:
    """A fraction in SymPy's terms."""
    return sympy.Rational(value.numerator, value.denominator)


def fractions(largest: int = 4, max_denominator: int = 8) -> st.SearchStrategy[Fraction]:
    """Fractions as exercises have them."""
    # Quicker to draw than st.fractions, and ties are likelier.
    return st.builds(
        lambda n, d: Fraction(n * largest, d), st.integers(-4, 4), st.integers(1, max_denominator)
    )


def shapes(most: int = 3) -> st.SearchStrategy[tuple[int, int]]:
    """(rows, columns)."""
    return st.tuples(st.integers(1, most), st.integers(1, most))


@st.composite
def tables(
    draw: st.DrawFn, shape: tuple[int, int] | None = None, entries: st.SearchStrategy[Any] | None = None
) -> list[list[Any]]:
    """Rows of equally many entries."""
    rows, columns = shape or draw(shapes())
    row = st.lists(fractions() if entries is None else entries, min_size=columns, max_size=columns)
    return draw(st.lists(row, min_size=rows, max_size=rows))


@st.composite
def matrices(draw: st.DrawFn, shape: tuple[int, int] | None = None) -> Rationals:
    """A small rational matrix."""
    return Rationals.of(draw(tables(shape)))


@st.composite
def surds(draw: st.DrawFn) -> Drawn:
    """Σ q·√r."""
    terms = draw(st.dictionaries(st.sampled_from(ROOTS), fractions(), max_size=3))
    cell: Cell = surd({(root, ()): q for root, q in terms.items()})
    return Drawn(cell, sympy.Add(*(rational(q) * sympy.sqrt(root) for root, q in terms.items())))


@st.composite
def logarithms(draw: st.DrawFn) -> Drawn:
    """q + Σ m·ln p with whole and half m, and sometimes a root."""
    powers = draw(st.dictionaries(st.sampled_from(PRIMES), st.integers(-4, 4), max_size=2))
    others = draw(st.dictionaries(st.sampled_from((1, 2)), fractions(2, 2), max_size=1))
    terms = {(1, (p,)): Fraction(m, 2) for p, m in powers.items()}
    cell: Cell = surd(terms | {(root, ()): q for root, q in others.items()})
    logs = [sympy.Rational(m, 2) * sympy.log(p) for p, m in powers.items()]
    return Drawn(cell, sympy.Add(*logs, *(rational(q) * sympy.sqrt(root) for root, q in others.items())))


@st.composite
def drawn_matrices(
    draw: st.DrawFn, entries: st.SearchStrategy[Drawn], shape: tuple[int, int] | None = None
) -> Drawn:
    """A matrix of drawn numbers."""
    table = draw(tables(shape, entries))
    ours: Matrix = matrix_of_cells([[entry.ours for entry in row] for row in table])
    return Drawn(ours, sympy.Matrix([[entry.sympys for entry in row] for row in table]))
