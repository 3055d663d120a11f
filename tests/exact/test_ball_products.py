"""Products of matrices of balls, however large: they hold what fractions give, and hold it as tightly."""

from fractions import Fraction
from random import Random

import mpmath
import pytest
from flint import arb, fmpq

from attnsolve.exact import Rationals
from attnsolve.exact.ball_products import MANY, ball_product, is_large
from attnsolve.exact.mixtures import Mixtures
from attnsolve.exact.precision import precision

CHANCE = Random(7)
TEN = Fraction(10)
FINE = 2048
# Rows, numbers of a row and columns: one is worked out number by number, the others by flint.
SIZES = [(3, 4, 2), (32, 32, 32), (1, 400, 64), (150, 1, 150)]


def fractions(rows: int, columns: int) -> list[list[Fraction]]:
    """Fractions of very different sizes, zeros among them."""
    return [
        [
            Fraction(CHANCE.randint(-999, 999), 7) * Fraction(10) ** CHANCE.randint(-40, 3)
            for _ in range(columns)
        ]
        for _ in range(rows)
    ]


def whole_numbers(rows: int, columns: int) -> list[list[int]]:
    return [
        [CHANCE.choice((0, CHANCE.randint(-(10**6), 10**6))) for _ in range(columns)] for _ in range(rows)
    ]


def ball(x: Fraction) -> arb:
    return arb(fmpq(x.numerator, x.denominator))


def test_small_and_large_products_are_among_the_sizes() -> None:
    assert {is_large(*size) for size in SIZES} == {False, True}
    assert is_large(1, 1, MANY) and not is_large(1, 1, MANY - 1)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("bits", [64, 256])
@pytest.mark.parametrize("kind", ["balls", "whole numbers"])
def test_a_product_holds_what_fractions_give(size: tuple[int, int, int], bits: int, kind: str) -> None:
    rows, inner, columns = size
    left = fractions(rows, inner)
    right = whole_numbers(inner, columns) if kind == "whole numbers" else fractions(inner, columns)
    with precision(bits):
        balls = [list(map(ball, map(Fraction, row))) for row in right]
        found = ball_product([list(map(ball, row)) for row in left], right if kind != "balls" else balls)
    with precision(FINE):
        for i, row in enumerate(found):
            for j, held in enumerate(row):
                terms = [left[i][k] * right[k][j] for k in range(inner)]
                assert held.contains(ball(sum(terms, Fraction(0))))
                assert held.rad() <= ball(inner * max(map(abs, terms)) * Fraction(1, 2 ** (bits - 8)))


@pytest.mark.parametrize("hidden", [False, True])
def test_large_mixtures_hold_what_they_are(hidden: bool) -> None:
    """40 tokens, the last of which some do not see, so that not all rows mix the same vectors."""
    many, width = 40, 20
    scores = Rationals([[CHANCE.randint(-30, 30) for _ in range(many)] for _ in range(many)], 4)
    values = Rationals(whole_numbers(many, width), 3)
    weights = scores.exp()
    if hidden:
        weights = weights * Rationals([[int(j < many - i % 3) for j in range(many)] for i in range(many)])
    mixed = weights.normalised() @ values
    assert isinstance(mixed, Mixtures) and is_large(many, many, width)
    balls = mixed.balls(128)
    with mpmath.workdps(60), precision(FINE):
        for i in range(many):
            seen = range(many - i % 3 * hidden)
            powers = {j: mpmath.exp(mpmath.mpf(scores.rows[i][j]) / 4) for j in seen}
            for column in range(width):
                above = mpmath.fsum(powers[j] * values.rows[j][column] for j in seen)
                expected = above / 3 / mpmath.fsum(powers.values())
                assert abs(balls[i][column] - arb(mpmath.nstr(expected, 55))) < arb("1e-25")
