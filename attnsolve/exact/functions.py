"""Functions of one exact number, each in the simplest kind that holds its value."""

from __future__ import annotations

from fractions import Fraction

from attnsolve.errors import UndefinedStep
from attnsolve.exact.balls import Enclosed, enclose
from attnsolve.exact.cells import (
    UNITY,
    ZERO,
    Cell,
    Closed,
    Rational,
    divide,
    exponential,
    logarithm,
    multiply,
    square_root,
)

NAMES = ("sqrt", "exp", "ln", "sin", "cos", "tanh", "relu")
FACTORED_BITS = 128


def apply(function: str, cell: Cell) -> Cell:
    """`function` of a number: `sqrt(12)` is 2·√3, `tanh(1)` a SymPy expression."""
    if function == "relu":
        return cell if cell.sign() > 0 else ZERO
    if function in ("sqrt", "ln"):
        _check_domain(function, cell)
    value = cell.rational()
    if function == "sqrt" and value is not None and _small(value):
        return square_root(value) if value else ZERO
    if function == "ln" and value is not None and _small(value):
        return logarithm(value)
    if function == "exp" and isinstance(cell, Closed):
        closed = exponential(cell)
        if closed is not None:
            return closed
    return _general(function, cell)


def _check_domain(function: str, cell: Cell) -> None:
    sign = cell.sign()
    if sign < 0 or (function == "ln" and sign == 0):
        raise UndefinedStep(f"{function} of {'a negative number' if sign < 0 else '0'} is not a real number")


def _small(value: Fraction) -> bool:
    return max(value.numerator.bit_length(), value.denominator.bit_length()) <= FACTORED_BITS


def _general(function: str, cell: Cell) -> Cell:
    if isinstance(cell, Enclosed):
        name = {"ln": "log"}.get(function, function)
        return enclose(lambda: getattr(cell.enclosure(), name)())
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
