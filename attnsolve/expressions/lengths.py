"""How long a number is to read and to multiply out, so that no text costs more than it should."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import prod

from attnsolve.exact.cells import Cell, Closed, Rational


def terms(cell: Cell) -> int:
    """How long a number is to read: its terms, and each logarithm in them."""
    if isinstance(cell, Closed):
        parts = [part.terms for quotient in cell.quotients for part in quotient]
        return sum(1 + len(logarithms) for part in parts for _, (_, logarithms) in part)
    return int(cell.sympy().count_ops())


def fractions(cell: Cell) -> Iterable[Fraction]:
    """Every fraction that is written in a number."""
    if isinstance(cell, Rational):
        return [cell.value]
    if isinstance(cell, Closed):
        return [c for quotient in cell.quotients for part in quotient for c in part.terms.values()]
    return [Fraction(int(atom.p), int(atom.q)) for atom in cell.sympy().atoms() if atom.is_Rational]


def multiplied_out(cell: Cell) -> int:
    """How many terms a number has once its denominators are multiplied out."""
    if not isinstance(cell, Closed):
        return 1
    return terms(cell) * prod(len(d.terms) for _, d in cell.quotients[1:])
