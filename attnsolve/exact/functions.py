"""Functions of one exact number, each in the simplest kind that holds its value."""

from __future__ import annotations

from fractions import Fraction

from attnsolve.errors import UndefinedStep
from attnsolve.exact.balls import Enclosed
from attnsolve.exact.cells import (
    UNITY,
    ZERO,
    Cell,
    Closed,
    Rational,
    add,
    divide,
    exponential,
    logarithm,
    multiply,
    square_root,
    surd,
)

NAMES = ("sqrt", "exp", "ln", "sin", "cos", "tanh", "relu")
FACTORED_BITS = 128


def apply(function: str, cell: Cell) -> Cell:
    """`function` of a number: `sqrt(12)` is 2·√3, `tanh(1)` a SymPy expression."""
    if function == "relu":
        return cell if cell.sign() > 0 else ZERO
    if function in ("sqrt", "ln"):
        _check_domain(function, cell)
    known = _closed_form(function, cell) if isinstance(cell, Closed) else None
    return _general(function, cell) if known is None else known


def _check_domain(function: str, cell: Cell) -> None:
    sign = cell.sign()
    if sign < 0 or (function == "ln" and sign == 0):
        raise UndefinedStep(f"{function} of {'a negative number' if sign < 0 else '0'} is not a real number")


def _closed_form(function: str, cell: Closed) -> Cell | None:
    if function == "exp":
        return exponential(cell)
    value = cell.rational()
    if value is None:
        return _logarithm_of_term(cell) if function == "ln" else None
    if function == "sqrt":
        return square_root(value) if small(value) else None
    return logarithm(value) if function == "ln" and small(value) else None


def _logarithm_of_term(cell: Closed) -> Cell | None:
    """ln(q·√r·e^x) = ln q + ln(r)/2 + x, or None for anything but a single term."""
    plain = cell.plain()
    if plain is None or len(plain.terms) != 1:
        return None
    (((exponent, root), coefficient),) = plain.terms.items()
    if root[1] or not small(coefficient):
        return None
    half = multiply(Rational(Fraction(1, 2)), logarithm(Fraction(root[0])))
    return add(add(logarithm(coefficient), half), surd(dict(exponent)))


def small(value: Fraction) -> bool:
    """Whether numerator and denominator are quickly taken apart into primes."""
    return max(value.numerator.bit_length(), value.denominator.bit_length()) <= FACTORED_BITS


def _general(function: str, cell: Cell) -> Cell:
    if isinstance(cell, Enclosed):
        name = {"ln": "log"}.get(function, function)
        return Enclosed(lambda: getattr(cell.enclosure(), name)())
    from attnsolve.exact.symbolic import apply_sympy

    return apply_sympy(function, cell)


def power(base: Cell, exponent: int) -> Cell:
    """base^exponent for a whole exponent."""
    if isinstance(base, Rational):
        if exponent < 0 and not base.value:
            raise UndefinedStep("division by zero")
        return Rational(base.value**exponent)
    result: Cell = UNITY
    for _ in range(abs(exponent)):
        result = multiply(result, base)
    return result if exponent >= 0 else divide(UNITY, result)


def pi() -> Cell:
    """The number π."""
    from attnsolve.exact.symbolic import PI

    return PI
