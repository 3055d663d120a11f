"""Arithmetic with single exact numbers, whatever kinds they are of."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from attnsolve.errors import Undecided, UndefinedStep
from attnsolve.exact.base import Cell
from attnsolve.exact.closed import UNITY, ZERO, Closed, Rational, closed, total
from attnsolve.exact.combinations import Combination
from attnsolve.exact.infinity import HIDDEN
from attnsolve.exact.roots import ONE, Root, prime_powers, square_part
from attnsolve.reasons import reason

__all__ = [
    "UNITY",
    "ZERO",
    "Cell",
    "Closed",
    "Rational",
    "add",
    "closed",
    "divide",
    "exponential",
    "logarithm",
    "multiply",
    "square_root",
    "subtract",
    "surd",
    "total",
]


def add(a: Cell, b: Cell) -> Cell:
    """a + b."""
    if isinstance(a, Rational) and isinstance(b, Rational):
        return Rational(a.value + b.value)
    if isinstance(a, Closed) and isinstance(b, Closed):
        return total((*a.quotients, *b.quotients))
    return _elsewhere(a, b, lambda x, y: x + y)


def subtract(a: Cell, b: Cell) -> Cell:
    """a - b."""
    return add(a, multiply(Rational(-1), b))


def multiply(a: Cell, b: Cell) -> Cell:
    """a · b."""
    if isinstance(a, Closed) and isinstance(b, Closed):
        if isinstance(a, Rational):
            return b.times(a.value)
        if isinstance(b, Rational):
            return a.times(b.value)
        return total((n * m, d * e) for n, d in a.quotients for m, e in b.quotients)
    return _elsewhere(a, b, lambda x, y: x * y)


def divide(a: Cell, b: Cell) -> Cell:
    """a / b; division by a proven zero is an UndefinedStep, by what may be zero Undecided."""
    if isinstance(b, Closed):
        plain = b.plain()
        inverse = None if plain is None else plain.inverse()
        if inverse is not None:
            return multiply(a, closed(inverse))
    zero = b.is_zero()
    if zero:
        raise UndefinedStep(reason("division by zero"))
    if zero is None:
        why = reason("cannot decide whether {number}, by which is divided, is 0", number=b.text())
        raise Undecided(why)
    if isinstance(a, Closed) and isinstance(b, Closed):
        one = b.single()
        if one is not None:
            return total((n * one[1], d * one[0]) for n, d in a.quotients)
    return _elsewhere(a, b, lambda x, y: x / y)


def _elsewhere(a: Cell, b: Cell, operation: Callable[[Any, Any], Any]) -> Cell:
    """The operation outside the closed forms: SymPy if both sides have a form, balls otherwise."""
    if a.has_letters or b.has_letters:
        from attnsolve.exact.formulas.cells import combined

        return combined(a, b, operation)
    from attnsolve.exact.balls import Enclosed

    if a is HIDDEN or b is HIDDEN:
        if operation(a.enclosure(), b.enclosure()) == HIDDEN.enclosure():
            return HIDDEN
        raise UndefinedStep(reason("this has no value: a masked score is -∞"))
    if isinstance(a, Enclosed) or isinstance(b, Enclosed):
        return Enclosed(lambda on: operation(on.number(a), on.number(b)))
    from attnsolve.exact.symbolic import from_sympy

    return from_sympy(operation(a.sympy(), b.sympy()))


def square_root(number: Fraction) -> Closed:
    """√(a/b) with a squarefree radicand: √(1/2) = √2/2."""
    above, left_above = square_part(number.numerator)
    below, left_below = square_part(number.denominator)
    return surd({(left_above * left_below, ()): Fraction(above, below * left_below)})


def logarithm(number: Fraction) -> Closed:
    """ln(a/b) as Σ m·ln p."""
    powers = dict(prime_powers(number.numerator))
    powers |= {prime: -power for prime, power in prime_powers(number.denominator)}
    return surd({(1, (prime,)): Fraction(power) for prime, power in powers.items()})


def surd(terms: dict[Root, Fraction]) -> Closed:
    """Σ q·root as a cell."""
    return closed(Combination({((), root): c for root, c in terms.items() if c}))


def exponential(cell: Closed) -> Closed | None:
    """e^cell when the cell is a rational or a surd, else None."""
    plain = cell.plain()
    if plain is None or any(x for x, _ in plain.terms):
        return None
    exponent = tuple(sorted((root, c) for (_, root), c in plain.terms.items()))
    return closed(Combination.of([(exponent, ONE, Fraction(1))]))
