"""Means and variances of softmax weights whose exponents have normal noise, by a rule with a proof.

For t normal, ∫ g(t) φ(t) dt differs from h Σ g(kh) φ(kh) over all k by at most 2 N / (e^(2πa/h) - 1), where
g is analytic for |Im t| < a and N bounds ∫ |g φ| along every line of that strip. There e^(r t) keeps a
positive real part while r a < π/2, so that a weight is at most 1/cos(r a), and |φ(x + iy)| = e^(y²/2) φ(x).
What is left out beyond K h is at most erfc(K h/√2), because weights lie between 0 and 1. Two noisy numbers
are dealt with one after the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from typing import Any, NamedTuple

from attnsolve.errors import UndefinedStep
from attnsolve.exact.base import Cell
from attnsolve.exact.flint_parts import arb, ctx
from attnsolve.exact.precision import LADDER, precision

MOST_NOISY = 2
MOST_POINTS = 4_000  # of one noisy number
# How small the error has to be, in bits, for so many bits of working precision.
ACCURACY = ((64, 22), (256, 40), (1024, 70))
GRAIN = 1024


@dataclass(frozen=True, slots=True)
class Exponent:
    """The exponent rate · λ + base of some keys; without a noisy number (None) it is the base alone."""

    base: Cell
    rate: Cell | None = None
    noisy: int | None = None
    count: int = 1


@dataclass(frozen=True, slots=True)
class Noise:
    """Independent normal numbers with one mean and one variance."""

    mean: Cell
    variance: Cell
    count: int


class Share(NamedTuple):
    """A multiple of the weight that one head gives to one key."""

    factor: Fraction
    head: int
    key: int


# What is expected: a sum of shares, such as half of two heads' weights.
Mixture = tuple[Share, ...]
Heads = Sequence[Sequence[Exponent]]


class Rule(NamedTuple):
    """A trapezoidal rule: its points and their weights, and what it may be wrong by for each noisy number."""

    points: tuple[arb, ...]
    weights: tuple[arb, ...]
    error: arb


class Moments:
    """First and second moments of mixtures, worked out together and kept for each precision."""

    def __init__(self, heads: Heads, mixtures: Sequence[Mixture], noise: Noise) -> None:
        if noise.count > MOST_NOISY:
            raise UndefinedStep(
                f"weights that hang on {noise.count} noisy numbers; up to {MOST_NOISY} can be dealt with"
            )
        self.heads, self.mixtures, self.noise = heads, tuple(mixtures), noise
        self._known: dict[int, dict[tuple[int, int], arb]] = {}

    def mean(self, place: int) -> Expected:
        """The expectation of a mixture."""
        return Expected(self, place)

    def variance(self, place: int) -> Spread:
        """Its variance."""
        return Spread(self, place)

    def at(self, place: int, power: int) -> arb:
        """E[g^power] at the working precision, as a ball that is proven to hold it."""
        bits = ctx.prec
        if bits not in self._known:
            self._known[bits] = dict(self._worked_out(bits))
        return self._known[bits][place, power]

    def _worked_out(self, bits: int) -> Iterator[tuple[tuple[int, int], arb]]:
        wanted = next((accuracy for most, accuracy in ACCURACY if bits <= most), ACCURACY[-1][1])
        deviation = self.noise.variance.enclosure().sqrt()
        rates = [abs(one.rate.enclosure()) for head in self.heads for one in head if one.rate is not None]
        steepest = max((rate.upper() for rate in rates), key=float, default=arb(0)) * deviation
        rule = chosen_rule(steepest, wanted) if rates else STILL
        noisy = [self.noise.mean.enclosure() + deviation * point for point in rule.points]
        curves = [curve_of(head, noisy) for head in self.heads]
        whole = sum(rule.weights, arb(0))
        # One number after the other: the second meets what the rule has made of the first.
        wrong = (rule.error * (1 + whole)).upper()
        for number, mixture in enumerate(self.mixtures):
            size = sum((abs(share.factor) for share in mixture), Fraction(0))
            sums = summed([(self.heads, curves, share) for share in mixture], rule)
            for power, total in enumerate(sums, start=1):
                yield (number, power), total + arb(0, (wrong * of_fraction(size**power)).upper())


class Curve(NamedTuple):
    """The exponentials of a head: along the first noisy number, along the second, and those without noise."""

    first: list[arb]
    second: list[arb]
    still: arb


def curve_of(head: Sequence[Exponent], noisy: Sequence[arb]) -> Curve:
    """The sum of all exponentials as f(λ_1) + g(λ_2) + constant."""
    along = [[arb(0)] * len(noisy) for _ in range(MOST_NOISY)]
    still = arb(0)
    for one in head:
        if one.rate is None or one.noisy is None:
            still += one.count * one.base.enclosure().exp()
        else:
            along[one.noisy] = powers(one, noisy)
    return Curve(along[0], along[1], still)


def powers(one: Exponent, noisy: Sequence[arb]) -> list[arb]:
    """e^(rate λ + base) at every point."""
    assert one.rate is not None
    rate, base = one.rate.enclosure(), one.base.enclosure()
    return [(rate * number + base).exp() for number in noisy]


def summed(shares: Sequence[tuple[Heads, Sequence[Curve], Share]], rule: Rule) -> tuple[arb, arb]:
    """The rule for a mixture and for its square, over both noisy numbers."""
    first, second, places = arb(0), arb(0), range(len(rule.points))
    for other, outer in enumerate(rule.weights):
        rows = [
            row(heads[one.head][one.key], curves[one.head], one, other, places)
            for heads, curves, one in shares
        ]
        values = rows[0] if len(rows) == 1 else [sum(column, arb(0)) for column in zip(*rows, strict=True)]
        inner, square = arb(0), arb(0)
        for value, weight in zip(values, rule.weights, strict=True):
            part = value * weight
            inner += part
            square += part * value
        first += outer * inner
        second += outer * square
    return first, second


def row(key: Exponent, curve: Curve, share: Share, other: int, places: range) -> list[arb]:
    """A share at every point of the first number, where the second has its point number `other`."""
    fixed = curve.second[other] + curve.still
    factor = of_fraction(share.factor)
    if key.noisy == 0:
        return [factor * curve.first[k] / (curve.first[k] + fixed) for k in places]
    above = factor * (key.base.enclosure().exp() if key.noisy is None else curve.second[other])
    return [above / (curve.first[k] + fixed) for k in places]


def of_fraction(value: Fraction) -> arb:
    """A fraction as a ball."""
    return arb(value.numerator) / value.denominator


STILL = Rule((arb(0),), (arb(1),), arb(0))


def chosen_rule(steepest: arb, wanted: int) -> Rule:
    """A rule for weights and their squares whose error is below 2^-wanted, proven whatever was chosen."""
    rate, digits = float(steepest), wanted * math.log(2)
    end = math.sqrt(2 * digits) + 1
    room = min(end, 0.4 * math.pi / rate) if rate else end
    narrow = (
        2 * math.pi * room / (digits + room * room / 2 + math.log(2) - 2 * math.log(math.cos(rate * room)))
    )
    step = Fraction(max(1, math.floor(narrow * GRAIN)), GRAIN)
    last = math.ceil(end / step)
    if last > MOST_POINTS:
        raise UndefinedStep("noise whose mean would need too many points to be worked out")
    h, a = of_fraction(step), of_fraction(Fraction(room))
    normal = (2 * arb.pi()).sqrt()
    points = tuple(h * k for k in range(-last, last + 1))
    weights = tuple(h * (-(point * point) / 2).exp() / normal for point in points)
    bound = (a * a / 2).exp() / (steepest * a).cos() ** 2
    error = 2 * bound / ((2 * arb.pi() * a / h).exp() - 1) + (h * last / arb(2).sqrt()).erfc()
    if not steepest * a < arb.pi() / 2 or not error.is_finite():
        raise UndefinedStep("noise whose mean cannot be enclosed")
    return Rule(points, weights, error)


def drawn_tenths(moments: Moments, place: int, *, count: int, seed: int) -> tuple[int, ...]:
    """How many of `count` drawn mixtures lie in each tenth from 0 to 1, every one proven to lie there."""
    tenths = [0] * 10
    for number in range(count):
        for bits in LADDER:
            with precision(bits):
                found = tenth_of(drawn(moments, place, seed, number))
            if found is not None:
                tenths[found] += 1
                break
    return tuple(tenths)


def tenth_of(ball: arb) -> int | None:
    """The tenth in which a ball lies, whole; None where it lies in two."""
    low, high = (int((10 * end).floor().unique_fmpz() or 0) for end in (ball.lower(), ball.upper()))
    return min(max(low, 0), 9) if low == high or low >= 9 or high <= 0 else None


def drawn(moments: Moments, place: int, seed: int, number: int) -> arb:
    """A mixture for one draw of all noisy numbers."""
    noise = moments.noise
    deviation = noise.variance.enclosure().sqrt()
    numbers = [noise.mean.enclosure() + deviation * normal(seed, number, k) for k in range(MOST_NOISY)]
    total = arb(0)
    for share in moments.mixtures[place]:
        head = moments.heads[share.head]
        found = [
            (one.base.enclosure() + (one.rate.enclosure() * numbers[one.noisy or 0] if one.rate else 0)).exp()
            for one in head
        ]
        below = sum((one.count * power for one, power in zip(head, found, strict=True)), arb(0))
        total += of_fraction(share.factor) * found[share.key] / below
    return total


def normal(seed: int, number: int, which: int) -> arb:
    """A normal number made of two uniform ones (Box and Muller), which a hash of its place gives."""
    digest = sha256(f"{seed}:{number}:{which}".encode()).digest()
    first, second = (int.from_bytes(digest[start : start + 8]) for start in (0, 8))
    uniform, angle = ((arb(value) + arb("0.5")) / 2**64 for value in (first, second))
    return (-2 * uniform.log()).sqrt() * (2 * arb.pi() * angle).cos()


class Expected(Cell):
    """An expectation: known through balls only, each of them proven."""

    __slots__ = ("moments", "place")

    def __init__(self, moments: Moments, place: int) -> None:
        self.moments, self.place = moments, place

    def enclosure(self) -> arb:
        return self.moments.at(self.place, 1)

    def is_zero(self) -> bool | None:
        return None if self.ball(64).contains(0) else False

    def rational(self) -> Fraction | None:
        return None

    def sympy(self) -> Any:
        from sympy import Float

        return Float(self.text(), 15)

    def text(self) -> str:
        return str(self.ball(64).str(15, radius=False))


class Spread(Expected):
    """A variance: E[g²] - E[g]²."""

    __slots__ = ()

    def enclosure(self) -> arb:
        mean = self.moments.at(self.place, 1)
        return self.moments.at(self.place, 2) - mean * mean
