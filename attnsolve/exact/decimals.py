"""Certified decimals: a digit is given only when both ends of a ball, or the exact value, agree on it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from flint import arb

HALF = arb("0.5")
SIGNIFICANT = 3


@dataclass(frozen=True, slots=True)
class Rounded:
    """`digits · 10^(-places)`, and whether that is the value itself; `power` is set when written scientifically."""

    digits: int
    places: int
    exact: bool
    power: int | None = None

    @property
    def text(self) -> str:
        """The decimal as typed: `-1.6634`, `1.87e-88`."""
        shown = decimal_text(self.digits, self.places)
        return shown if self.power is None else f"{shown}e{self.power}"

    @property
    def fraction(self) -> Fraction:
        """The rounded number itself, exactly."""
        return Fraction(self.digits, 10**self.places) * Fraction(10) ** (self.power or 0)


@lru_cache(maxsize=4096)
def decimal_text(digits: int, places: int) -> str:
    """`digits` with the decimal point `places` from the right: (-16634, 4) -> -1.6634."""
    sign, text = ("-", str(-digits)) if digits < 0 else ("", str(digits))
    if not places:
        return sign + text
    text = text.rjust(places + 1, "0")
    return f"{sign}{text[:-places]}.{text[-places:]}"


def round_fraction(numerator: int, denominator: int, *, mode: str = "half_up") -> int:
    """The whole number nearest to a fraction, ties as `mode` says (half_up is away from zero, as on paper)."""
    size, sign = abs(numerator), (-1 if numerator < 0 else 1)
    whole, rest = divmod(size, denominator)
    if mode == "truncate":
        return sign * whole
    up = 2 * rest > denominator or (2 * rest == denominator and (mode == "half_up" or whole % 2 == 1))
    return sign * (whole + up)


def round_ball(ball: arb, *, mode: str = "half_up") -> int | None:
    """The whole number that every point of the ball rounds to, or None; the caller settles exact ties."""
    if mode == "truncate":
        if not (ball > 0 or ball < 0):
            return 0 if abs(ball) < 1 else None
        unique = abs(ball).floor().unique_fmpz()
        return None if unique is None else int(unique) * (-1 if ball < 0 else 1)
    unique = (ball + HALF).floor().unique_fmpz()
    return None if unique is None else int(unique)


def scientific(ball: arb) -> Rounded | None:
    """Three certified significant digits and a power of ten, or None when the ball is too wide."""
    size = abs(ball)
    if not size > 0:
        return None
    power = (size.log() / arb(10).log()).floor().unique_fmpz()
    if power is None:
        return None
    shift = SIGNIFICANT - 1
    digits = round_ball(ball * arb(10) ** (shift - int(power)))
    if digits is None:
        return None
    if abs(digits) == 10**SIGNIFICANT:  # 9.996 rounds up into the next power
        digits, power = digits // 10, power + 1
    return Rounded(digits, shift, False, int(power))
