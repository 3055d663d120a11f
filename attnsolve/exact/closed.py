"""Numbers with a closed form Σ N/D over roots and exponentials, and the canonical form they are kept in."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import prod
from typing import Any

from attnsolve.errors import UndefinedStep
from attnsolve.exact.base import Cell, side_of
from attnsolve.exact.combinations import Combination, Exponent, exponent_ball, transcendental
from attnsolve.exact.decimals import HUGE, Rounded, round_rational, scientific_rational
from attnsolve.exact.flint_parts import arb, fmpq
from attnsolve.exact.precision import LADDER, precision
from attnsolve.exact.roots import ONE
from attnsolve.reasons import reason
from attnsolve.records import NamedTuple

# Beyond this many terms denominators are not multiplied out.
MULTIPLIED_OUT = 4_000

ZERO_TERMS = Combination({})
ONE_TERMS = Combination.rational(Fraction(1))

# (N, D) of N/D.
Quotient = tuple[Combination, Combination]


class Closed(Cell):
    """Σ N/D with N and D linear combinations of √r·e^x: rationals, surds and attention outputs."""

    __slots__ = ("_rational", "quotients")

    def __init__(self, quotients: tuple[Quotient, ...]) -> None:
        self.quotients = quotients
        self._rational: Fraction | bool | None = False  # False: not asked yet

    def single(self) -> Quotient | None:
        """One fraction equal to the sum, or None when multiplying out would be too long."""
        if not self.quotients:
            return ZERO_TERMS, ONE_TERMS
        if prod(len(d.terms) for _, d in self.quotients) > MULTIPLIED_OUT:
            return None
        (numerator, denominator), *others = self.quotients
        for n, d in others:
            numerator, denominator = numerator * d + n * denominator, denominator * d
        return numerator, denominator

    def plain(self) -> Combination | None:
        """The combination itself when there is no denominator: rationals and surds."""
        if not self.quotients:
            return ZERO_TERMS
        ((numerator, denominator), *others) = self.quotients
        return numerator if not others and denominator == ONE_TERMS else None

    def times(self, factor: Fraction) -> Closed:
        """The number times a rational."""
        return Closed(tuple((n.scaled(factor), d) for n, d in self.quotients)) if factor else ZERO

    def enclosure(self) -> arb:
        total = arb(0)
        for numerator, denominator in self.quotients:
            ball = numerator.ball()
            total += ball if denominator is ONE_TERMS else ball / denominator.ball()
        return total

    def is_zero(self) -> bool | None:
        if side_of(self.ball(LADDER[0])):
            return False
        one = self.single()
        if one is not None and not one[0].terms:
            return True
        if one is not None and one[0].proven_independent():
            return False
        return False if self.climb(side_of) else None

    def rational(self) -> Fraction | None:
        if self._rational is False:
            one = self.single()
            self._rational = None if one is None else one[0].multiple_of(one[1])
        return self._rational  # type: ignore[return-value]

    def sympy(self) -> Any:
        from attnsolve.exact.translation import closed_to_sympy

        return closed_to_sympy(self)

    def text(self) -> str:
        from attnsolve.exact.texts import closed_text

        return closed_text(self)


class Rational(Closed):
    """A rational number: the commonest cell, kept as a bare fraction."""

    __slots__ = ("value",)

    def __init__(self, value: Fraction | int) -> None:
        self.value = value if isinstance(value, Fraction) else Fraction(value)

    @property
    def quotients(self) -> tuple[Quotient, ...]:  # type: ignore[override]
        """The same number as a sum of quotients, for arithmetic with the others."""
        return ((Combination.rational(self.value), ONE_TERMS),) if self.value else ()

    def enclosure(self) -> arb:
        return arb(fmpq(self.value.numerator, self.value.denominator))

    def times(self, factor: Fraction) -> Rational:
        return Rational(self.value * factor)

    def is_zero(self) -> bool:
        return not self.value

    def sign(self) -> int:
        return (self.value > 0) - (self.value < 0)

    def rational(self) -> Fraction:
        return self.value

    def same(self, other: Cell) -> bool | None:
        return self.value == other.value if isinstance(other, Rational) else super().same(other)

    def rounded(self, places: int, *, mode: str = "half_up") -> Rounded:
        return round_rational(self.value, places, mode=mode)

    def decimals(self, places: int) -> Rounded:
        plain = round_rational(self.value, places)
        if plain.exact or 0 < abs(plain.digits) < HUGE * 10**places:
            return plain
        return scientific_rational(self.value)


ZERO = Rational(0)
UNITY = Rational(1)


def closed(numerator: Combination, denominator: Combination = ONE_TERMS) -> Closed:
    """N/D in canonical form: the denominator's largest exponent is 0 and its first coefficient 1."""
    if denominator is ONE_TERMS:
        value = numerator.plain()
        return Closed(((numerator, ONE_TERMS),)) if value is None else Rational(value)
    return total([(numerator, denominator)])


def total(quotients: Iterable[Quotient]) -> Closed:
    """The sum of quotients: those over the same canonical denominator added up, those q·D/D made rational."""
    whole, merged = ZERO_TERMS, dict[Combination, Combination]()
    for numerator, denominator in quotients:
        n, d = canonical(numerator, denominator)
        if d is ONE_TERMS:
            whole = whole + n
        else:
            merged[d] = merged[d] + n if d in merged else n
    kept = []
    for d, n in merged.items():
        ratio = n.multiple_of(d)
        if ratio is None:
            kept.append((n, d))
        else:
            whole = whole + Combination.rational(ratio)
    value = whole.plain()
    if not kept and value is not None:
        return Rational(value)
    return Closed(((whole, ONE_TERMS), *kept) if whole.terms else tuple(kept))


class Form(NamedTuple):
    """How a denominator D becomes canonical: D·factor is `denominator`, in which equal ones are the same."""

    factor: Combination
    denominator: Combination


def canonical(numerator: Combination, denominator: Combination) -> Quotient:
    """The same quotient with a denominator that equal denominators share."""
    if denominator.form is None:
        denominator.form = find_form(denominator)
    form: Form = denominator.form
    return (numerator if form.factor is ONE_TERMS else numerator * form.factor), form.denominator


def find_form(denominator: Combination) -> Form:
    """The largest exponential divided out, then the first coefficient; a single term vanishes altogether."""
    if denominator == ONE_TERMS:
        return Form(ONE_TERMS, ONE_TERMS)
    inverse = denominator.inverse()
    if inverse is not None:
        return Form(inverse, ONE_TERMS)
    top = largest_exponent(denominator)
    factor = Combination.of([(tuple((root, -c) for root, c in top), ONE, Fraction(1))]) if top else ONE_TERMS
    shifted = denominator * factor if top else denominator
    if not shifted.terms:
        raise UndefinedStep(reason("division by zero"))
    leading = shifted.terms[min(shifted.terms)]
    if leading != 1:
        factor, shifted = factor.scaled(1 / leading), shifted.scaled(1 / leading)
    shifted.form = Form(ONE_TERMS, shifted)
    return Form(factor, shifted)


def largest_exponent(combination: Combination) -> Exponent:
    """The exponent of the largest exponential, so that the others shrink once it is divided out."""
    exponents = {transcendental(x) for x, _ in combination.terms}
    if len(exponents) < 2:
        return next(iter(exponents), ())
    with precision(LADDER[1]):
        # Only the form depends on this choice, never the value, so midpoints may decide.
        return max(exponents, key=lambda x: (exponent_ball(x).mid(), x))
