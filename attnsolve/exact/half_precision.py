"""Half precision (float16) in exact arithmetic: which of its numbers is nearest, and what is too large."""

from __future__ import annotations

from fractions import Fraction

from attnsolve.exact.base import Cell
from attnsolve.exact.cells import Rational, multiply, subtract
from attnsolve.exact.precision import LADDER

# A sign, 5 bits of exponent, 10 bits behind the leading one.
BITS_BEHIND = 10
LEAST_EXPONENT, LARGEST_EXPONENT = -14, 15
# Halfway between the largest number, 65504, and the next power of 2: from here on everything is ∞.
OVERFLOW = Rational(Fraction(2) ** LARGEST_EXPONENT * (2 - Fraction(1, 2 ** (BITS_BEHIND + 1))))


def overflows(number: Cell) -> bool:
    """Whether a number is ∞ in half precision, or -∞."""
    return subtract(magnitude(number), OVERFLOW).sign() >= 0


def magnitude(number: Cell) -> Cell:
    """|x|."""
    return number if number.sign() >= 0 else multiply(Rational(-1), number)


def unit(number: Cell) -> Fraction:
    """The distance of the half-precision numbers around a number: 2^(e - 10) for 2^e ≤ |x| < 2^(e + 1)."""
    size = magnitude(number)
    if size.is_zero():
        return Fraction(2) ** (LEAST_EXPONENT - BITS_BEHIND)
    # A guess, which exact comparisons put right.
    guess = size.ball(LADDER[0]).log_base(2).mid().floor().unique_fmpz()
    exponent = LEAST_EXPONENT if guess is None else max(LEAST_EXPONENT, int(guess))
    while subtract(size, Rational(Fraction(2) ** (exponent + 1))).sign() >= 0:
        exponent += 1
    while exponent > LEAST_EXPONENT and subtract(size, Rational(Fraction(2) ** exponent)).sign() < 0:
        exponent -= 1
    return Fraction(2) ** (exponent - BITS_BEHIND)


def nearest(number: Cell, *, mode: str = "half_even") -> tuple[int, Fraction]:
    """(n, unit) for the nearest number n·unit of half precision; of two equally near ones the even one."""
    step = unit(number)
    return multiply(Rational(1 / step), number).rounded(0, mode=mode).digits, step
