"""The factors of a polynomial, where they are found in a moment."""

from __future__ import annotations

from typing import Any, NamedTuple

from attnsolve.exact.formulas.algebra import Element

MOST_TERMS = 150
# Exponents such as 100 and 1/1000 make exponentials powers of one that no machine factors.
HIGHEST_DEGREE = 400
# Factors are sought modulo primes that are larger than what a polynomial is multiplied by.
MOST_BITS = 512


class Factors(NamedTuple):
    """A number, and the factors with their powers."""

    constant: Any
    powers: list[tuple[Element, int]]


def factors_of(polynomial: Element) -> Factors | None:
    """What a polynomial is a product of; None where it is too long, or its degree too high."""
    if len(polynomial) > MOST_TERMS or max(polynomial.degrees(), default=0) > HIGHEST_DEGREE:
        return None
    if max(map(bits_of, polynomial.coeffs()), default=0) > MOST_BITS:
        return None
    return Factors(*polynomial.factor_list())


def bits_of(share: Any) -> int:
    """How many digits a rational number has in base 2, above or below."""
    return max(int(share.numerator).bit_length(), int(share.denominator).bit_length())
