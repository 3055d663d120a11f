"""Certified decimals: a digit is given only when both ends of a ball, or the exact value, agree on it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from attnsolve.exact.flint_parts import arb
from attnsolve.records import NamedTuple

HALF = arb("0.5")
ONE_BELOW = arb("-0.5", "0.5")  # from -1 to 0
SIGNIFICANT = 3
# From here on nobody writes a rounded number out: three digits and a power of ten say what it is.
HUGE = 10**15
LEADING_ZEROS = 6
RELIABLE = 32  # bits of a ball's middle that are certain, before its digits are worth a look
RELIABLE_DIGITS = 9


class Rounded(NamedTuple):
    """`digits · 10^-places` (times `10^power`, if it has one), and whether that is the value itself."""

    digits: int
    places: int
    exact: bool
    power: int | None = None
    infinite: bool = False  # a score that is masked: -∞

    @property
    def text(self) -> str:
        """The decimal as typed: `-1.6634`, `1.87e-88`, `-inf`."""
        if self.infinite:
            return "-inf"
        shown = decimal_text(self.digits, self.places)
        return shown if self.power is None else f"{shown}e{self.power}"

    def __repr__(self) -> str:
        return self.text if self.exact else f"≈{self.text}"

    @property
    def unscaled(self) -> Rounded:
        """The same decimal without its power of ten, where that leaves no long row of zeros."""
        if self.power is None or not -LEADING_ZEROS <= self.power <= self.places:
            return self
        return self._replace(places=self.places - self.power, power=None)

    @property
    def fraction(self) -> Fraction:
        """The rounded number itself, exactly."""
        power = (self.power or 0) - self.places
        return Fraction(self.digits * 10**power) if power >= 0 else Fraction(self.digits, 10**-power)

    def whole(self, places: int) -> int | None:
        """How many units of the last place it is, also when it is tiny or huge; None for -∞."""
        if self.infinite:
            return None
        if self.power is None:
            return self.digits
        if self.power < -places - 1:  # less than a tenth of a unit; 10^-1000000 is not written out for that
            return 0
        return round_rational(self.fraction, places).digits


# A rounded number as it comes in many: its digits alone, if it is inexact and has no power of ten.
Shown = int | Rounded


@lru_cache(maxsize=4096)
def decimal_text(digits: int, places: int) -> str:
    """`digits` with the decimal point `places` from the right: (-16634, 4) -> -1.6634."""
    sign, text = ("-", str(-digits)) if digits < 0 else ("", str(digits))
    if not places:
        return sign + text
    text = text.rjust(places + 1, "0")
    return f"{sign}{text[:-places]}.{text[-places:]}"


def in_full(rows: Sequence[Sequence[Shown]], places: int) -> tuple[tuple[Rounded, ...], ...]:
    """Rounded numbers as they came in many, each with all there is to say."""
    return tuple(
        [tuple([Rounded(x, places, False) if isinstance(x, int) else x for x in row]) for row in rows]
    )


def round_fraction(numerator: int, denominator: int, *, mode: str = "half_up") -> int:
    """The whole number nearest to a fraction; half_up takes ties away from zero, as on paper."""
    size, sign = abs(numerator), (-1 if numerator < 0 else 1)
    whole, rest = divmod(size, denominator)
    if mode == "truncate":
        return sign * whole
    up = 2 * rest > denominator or (2 * rest == denominator and (mode == "half_up" or whole % 2 == 1))
    return sign * (whole + up)


def round_rational(value: Fraction, places: int, *, mode: str = "half_up") -> Rounded:
    """A fraction rounded exactly."""
    scaled = value.numerator * 10**places
    digits = round_fraction(scaled, value.denominator, mode=mode)
    return Rounded(digits, places, scaled % value.denominator == 0)


def round_ball(ball: arb, *, mode: str = "half_up") -> int | None:
    """The whole number that every point of the ball rounds to, or None; also None when a tie is inside."""
    if mode == "truncate":
        if not (ball > 0 or ball < 0):
            return 0 if abs(ball) < 1 else None
        unique = abs(ball).floor().unique_fmpz()
        return None if unique is None else int(unique) * (-1 if ball < 0 else 1)
    above = ball + HALF
    unique = None if above.contains_integer() else above.floor().unique_fmpz()
    return None if unique is None else int(unique)


@lru_cache(maxsize=64)
def half_steps(places: int) -> tuple[arb, int]:
    """How many halves of the last place are in 1, and how many whole ones in what is too large for this."""
    return arb(2 * 10**places), HUGE * 10**places


def first_decimals(ball: arb, places: int) -> Rounded | None:
    """The decimals of an inexact number if this ball proves them, else None."""
    found = proven([ball], places)[0]
    return Rounded(found, places, False) if isinstance(found, int) else found


def proven(balls: Sequence[arb], places: int) -> list[Shown | None]:
    """The same of many, the quick way: the digits alone where there is no more to say."""
    steps, huge = half_steps(places)
    found: list[Shown | None] = []
    for ball in balls:
        halves = ball * steps
        # The only whole number from one less than the ball to its end; none is inside, else there were two.
        unique = (halves + ONE_BELOW).unique_fmpz()
        if unique is None and not halves.contains_integer():
            unique = halves.floor().unique_fmpz()  # so near to one that a radius of ½ is too coarse
        if unique is None:  # a tie, or a decimal that may be the value itself
            found.append(None)
            continue
        digits = int(unique) + 1 >> 1
        found.append(digits if digits and -huge < digits < huge else first_significant(ball))
    return found


def first_significant(ball: arb) -> Rounded | None:
    """Three digits and a power of ten of an inexact number, if this ball proves them."""
    if not ball.is_finite():
        return None
    middle, radius, power = map(int, ball.mid_rad_10exp(RELIABLE_DIGITS))
    size = abs(middle)
    unit = 10 ** (len(str(size)) - SIGNIFICANT) if size > radius else 0
    if unit < 1:
        return None
    (least, rest), most = divmod(2 * (size - radius), unit), 2 * (size + radius) // unit
    if least != most or not rest:  # a tie, or digits that may be the value itself
        return None
    digits = least + 1 >> 1
    return _significant(digits if middle > 0 else -digits, power + len(str(size)) - 1, exact=False)


def scientific(ball: arb, *, significant: int = SIGNIFICANT) -> Rounded | None:
    """Certified significant digits and a power of ten, or None when the ball is too wide."""
    found = _significant_digits(ball, significant)
    return None if found is None else _significant(*found, exact=False, significant=significant)


def _significant_digits(ball: arb, significant: int) -> tuple[int, int] | None:
    """(123, -5) for 1.23·10^-5."""
    if not (ball > 0 or ball < 0) or ball.rel_accuracy_bits() < RELIABLE:
        return None
    # The middle may lie across a power of ten from the value, but then both round to 1.00.
    power = (abs(ball).mid().log() / arb(10).log()).floor().unique_fmpz()
    if power is None:
        return None
    digits = round_ball(ball * arb(10) ** (significant - 1 - int(power)))
    return None if digits is None else (digits, int(power))


def scientific_rational(value: Fraction) -> Rounded:
    """Three significant digits and a power of ten of a fraction other than 0, exactly."""
    power = power_of_ten(abs(value))
    scaled = value * Fraction(10) ** (SIGNIFICANT - 1 - power)
    digits = round_fraction(scaled.numerator, scaled.denominator)
    return _significant(digits, power, exact=scaled.denominator == 1)


def power_of_ten(value: Fraction) -> int:
    """The k of 10^k ≤ value < 10^(k+1), from lengths in bits, since long numbers are not written out."""
    power = (value.numerator.bit_length() - value.denominator.bit_length()) * 30_103 // 100_000
    while value < Fraction(10) ** power:
        power -= 1
    while value >= Fraction(10) ** (power + 1):
        power += 1
    return power


def _significant(digits: int, power: int, *, exact: bool, significant: int = SIGNIFICANT) -> Rounded:
    if abs(digits) == 10**significant:  # 9.996 rounds up into the next power
        digits, power = digits // 10, power + 1
    return Rounded(digits, significant - 1, exact, power)
