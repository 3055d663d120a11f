"""Functions of one exact number, each in the simplest kind that holds its value."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from attnsolve.errors import UndefinedStep
from attnsolve.exact.arithmetic import BALLS
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
from attnsolve.exact.flint_parts import fmpz
from attnsolve.exact.infinity import HIDDEN
from attnsolve.reasons import reason

__all__ = ["BALLS", "HALF_LINE", "NAMES", "apply", "known_form", "pi", "power", "refuse_outside", "small"]

# These have no values below 0.
HALF_LINE = ("sqrt", "ln")
# What a problem file may write.
NAMES = ("sqrt", "exp", "ln", "sin", "cos", "tanh", "erf", "relu")
FACTORED_BITS = 128

HALF = Rational(Fraction(1, 2))
LN_2 = logarithm(Fraction(2))


def apply(function: str, cell: Cell) -> Cell:
    """`function` of a number: `sqrt(12)` is 2·√3, `tanh(1)` a SymPy expression."""
    if function == "relu":
        return cell if cell is not HIDDEN and cell.sign() > 0 else ZERO
    if cell is HIDDEN:
        return _at_minus_infinity(function)
    if cell.has_letters:
        from attnsolve.exact.formulas.cells import applied

        return applied(function, cell)
    if function in COMPOSED:
        return (
            Enclosed(lambda on: on.apply(function, on.number(cell)))
            if isinstance(cell, Enclosed)
            else COMPOSED[function](cell)
        )
    if function in HALF_LINE:
        refuse_outside(function, cell.sign())
    known = known_form(function, cell) if isinstance(cell, Closed) else None
    return _general(function, cell) if known is None else known


def _at_minus_infinity(function: str) -> Cell:
    if function in ("exp", "exp2"):
        return ZERO
    raise UndefinedStep(reason("{function} of -∞ is not defined here", function=function))


def _gelu(cell: Cell) -> Cell:
    """x/2 · (1 + erf(x/√2))."""
    return multiply(multiply(HALF, cell), add(UNITY, apply("erf", divide(cell, square_root(Fraction(2))))))


# Functions that are made of the others.
COMPOSED: dict[str, Callable[[Cell], Cell]] = {
    "exp2": lambda cell: apply("exp", multiply(cell, LN_2)),
    "gelu": _gelu,
    "sigmoid": lambda cell: divide(UNITY, add(UNITY, apply("exp", multiply(Rational(-1), cell)))),
}


def refuse_outside(function: str, sign: int) -> None:
    """Roots and logarithms have no value below 0, logarithms none at 0."""
    if sign < 0 or (function == "ln" and sign == 0):
        if sign < 0:
            raise UndefinedStep(
                reason("{function} of a negative number is not a real number", function=function)
            )
        raise UndefinedStep(reason("{function} of 0 is not a real number", function=function))


def known_form(function: str, cell: Closed) -> Cell | None:
    """A function of a number where its value has a closed form again: √12 = 2√3, but not tanh 1."""
    if function == "exp":
        return exponential(cell)
    value = cell.rational()
    if value is None:
        special = WITHOUT_FRACTION.get(function)
        return None if special is None else special(cell)
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


def _tanh_of_logarithm(cell: Closed) -> Cell | None:
    """tanh(ln q) = (q² - 1)/(q² + 1), or None for anything but a logarithm."""
    power = exponential(cell.times(Fraction(2)))
    square = None if power is None else power.rational()
    return None if square is None else Rational((square - 1) / (square + 1))


# What a function of a number that is no fraction may come to.
WITHOUT_FRACTION: dict[str, Callable[[Closed], Cell | None]] = {
    "ln": _logarithm_of_term,
    "tanh": _tanh_of_logarithm,
}


def small(value: Fraction) -> bool:
    """Whether numerator and denominator are quickly taken apart into primes."""
    return max(value.numerator.bit_length(), value.denominator.bit_length()) <= FACTORED_BITS


def _general(function: str, cell: Cell) -> Cell:
    value = cell.rational() if isinstance(cell, Closed) else None
    too_long = function in ("sqrt", "ln") and value is not None and not small(value)
    if isinstance(cell, Enclosed) or too_long:  # SymPy would try to factor it
        return Enclosed(lambda on: on.apply(function, on.number(cell)))
    from attnsolve.exact.symbolic import apply_sympy

    return apply_sympy(function, cell)


def power(base: Cell, exponent: int | Fraction) -> Cell:
    """base^exponent, for a fraction only of a number above 0."""
    if isinstance(exponent, Fraction):
        if exponent.denominator > 1:
            return _root(base, exponent)
        exponent = exponent.numerator
    if isinstance(base, Rational):
        if exponent < 0 and not base.value:
            raise UndefinedStep(reason("division by zero"))
        return Rational(base.value**exponent)
    result: Cell = UNITY
    for _ in range(abs(exponent)):
        result = multiply(result, base)
    return result if exponent >= 0 else divide(UNITY, result)


def _root(base: Cell, exponent: Fraction) -> Cell:
    """base^(p/q): a fraction or a square root where it is one."""
    if base.sign() <= 0:
        raise UndefinedStep(reason("a number that is not above 0 has no power {power}", power=str(exponent)))
    value = base.rational()
    if value is not None:
        roots = [fmpz(part).root(exponent.denominator) for part in (value.numerator, value.denominator)]
        if [int(root) ** exponent.denominator for root in roots] == [value.numerator, value.denominator]:
            return Rational(Fraction(int(roots[0]), int(roots[1])) ** exponent.numerator)
        if exponent.denominator == 2 and small(value):
            return multiply(square_root(value), power(base, (exponent.numerator - 1) // 2))
    if isinstance(base, Enclosed):
        logarithm = multiply(Rational(exponent), Enclosed(lambda on: on.apply("ln", on.number(base))))
        return Enclosed(lambda on: on.apply("exp", on.number(logarithm)))
    from attnsolve.exact.symbolic import from_sympy
    from attnsolve.exact.translation import fraction_to_sympy

    return from_sympy(base.sympy() ** fraction_to_sympy(exponent))


def pi() -> Cell:
    """The number π."""
    from attnsolve.exact.symbolic import PI

    return PI
