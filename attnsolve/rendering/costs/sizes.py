"""Formulas in sizes, and sizes themselves, as maths."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from attnsolve.exact.polynomials import ONE, Polynomial
from attnsolve.rendering import numerals


def in_print(count: Polynomial) -> str:
    """A polynomial as maths: `2 l^{2} d - l d`."""
    terms = []
    for monomial, coefficient in count.ordered():
        factors = [letter(name) + (f"^{{{power}}}" if power > 1 else "") for name, power in monomial]
        terms.append(numerals.times(coefficient, " ".join(factors), "fractions"))
    return numerals.joined(terms)


def quotient(top: Polynomial, bottom: Polynomial) -> str:
    """A bound, as a fraction where it does not divide."""
    return in_print(top) if bottom == ONE else rf"\frac{{{in_print(top)}}}{{{in_print(bottom)}}}"


def letter(name: str) -> str:
    """`d_{k}` for d_k."""
    base, _, below = name.partition("_")
    return f"{base}_{{{below}}}" if below else base


def at_sizes(sizes: Mapping[str, int], order: Mapping[str, int]) -> str:
    """`l = 512, d = 512`."""
    return r",\ ".join(f"{letter(name)} = {sizes[name]}" for name in order)


def grouped(number: Fraction) -> str:
    """A whole number with a thin space before every three digits, when it is long."""
    return f"{number.numerator:,}".replace(",", r"\,") if number >= 10_000 else str(number.numerator)
