"""Thresholds are enclosed: their two ends are proven to lie on either side, at every precision."""

from fractions import Fraction

import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from attnsolve.exact import Rational, Rationals
from attnsolve.exact.precision import LADDER, precision
from attnsolve.exact.thresholds import bracket, excess, newton, row_shares, share, shares, threshold

POWERS = (Fraction(1, 99), Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(4), Fraction(100))
ROWS = st.lists(st.builds(Fraction, st.integers(-12, 12), st.integers(4, 9)), min_size=1, max_size=5)


def ball(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


@given(row=ROWS, power=st.sampled_from(POWERS))
def test_ends_are_on_either_side(row: list[Fraction], power: Fraction) -> None:
    with precision(128):
        balls, exponent = list(map(ball, row)), ball(power)
        low, high = bracket(balls, exponent)
        assert low.is_exact() and high.is_exact() and low < high
    with precision(2048):  # seen with better eyes than those that proved it
        balls, exponent = list(map(ball, row)), ball(power)
        assert not excess(balls, low, exponent) < 0
        assert not excess(balls, high, exponent) > 0


@pytest.mark.parametrize("power", POWERS)
@pytest.mark.parametrize("row", [(0, 0), (1, Fraction(1, 3), Fraction(1, 2)), (Fraction(1, 7),) * 3])
def test_finer_balls_lie_within_coarser_ones(row: tuple[Fraction, ...], power: Fraction) -> None:
    made = shares(Rationals.of([row]), Rational(1 / power))
    finest = made.balls(LADDER[-1])[0]
    for bits in LADDER:
        for coarse, fine in zip(made.balls(bits)[0], finest, strict=True):
            assert coarse.overlaps(fine)
    assert all(x.rad() < 1e-300 for x in finest)
    assert sum(finest, arb(0)).contains(1)


def test_threshold_of_a_tie_is_known() -> None:
    # Two equal scores s with power 1: 2(s - τ) = 1.
    tau = threshold(Rationals.of([[Fraction(1, 3), Fraction(1, 3)]]), Rational(1), 0)
    with precision(256):
        assert (6 * tau.enclosure()).contains(-1)
        assert tau.enclosure().rad() < 1e-70


def test_blurred_scores_give_blurred_shares_that_still_hold() -> None:
    with precision(64):
        wide = [arb("1", "0.01"), arb("0.5", "0.01")]
        made = row_shares(wide, arb(1))
        assert made[0].contains(fmpq(3, 4)) and made[1].contains(fmpq(1, 4))
        assert made[0].contains(arb("0.755")) and made[0].contains(arb("0.745"))


def test_one_that_gets_all_gets_exactly_1() -> None:
    with precision(64):
        assert [arb(0), arb(1), arb(0)] == row_shares([arb(0), arb(3), None], arb(1) / 3)


def test_share_of_what_lies_below_is_exactly_0() -> None:
    assert share(arb("0.1"), arb("0.5"), arb("0.6"), arb(2)).is_zero()
    assert share(arb("0.55"), arb("0.5"), arb("0.6"), arb(2)).contains(0)


def test_newton_gives_up_where_it_leaves_the_interval() -> None:
    with precision(64):
        row = [arb(0), arb(-1) / 10**6]
        assert newton(row, arb(1) / 50, (arb(-1), arb(0))) is None
