"""Steps that nobody wrote: what may have been rounded or cut off in the head, to which side and how far."""

from fractions import Fraction
from functools import cache

import pytest

from attnsolve.engine import solve
from attnsolve.exact import Rational
from attnsolve.loader import loads
from attnsolve.scheme import Scheme
from attnsolve.submission import State, Written
from attnsolve.verifier.digits import reachable, rounded_unseen
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.verification import Verifier

THIRDS = """
format: 1
title: two thirds of a hundred
given: {S: %s}
parts:
  - ask: a hundred times two thirds
    plan: [{T: 'divide(S, 3)'}, {U: 'multiply(T, 100)'}]
"""


@cache
def verifier(given: str, *, truncation: bool) -> Verifier:
    return Verifier(solve(loads(THIRDS % given)), Scheme(truncation=truncation))


# T = 0.66666…: rounded 0.6667 (0.33 units off), cut off 0.6666 (0.67 units, towards 0); U is 100 times that.
@pytest.mark.parametrize(
    ("given", "typed", "truncation", "verdict"),
    [
        ("2", "a.U 66.6667", True, "right"),
        ("2", "a.U 66.67", True, "right"),  # from 0.6667
        ("2", "a.U 66.6700", True, "right"),
        ("2", "a.U 66.6700", False, "right"),
        ("2", "a.U 66.6600", True, "right"),  # from 0.6666
        ("2", "a.U 66.6600", False, "wrong"),
        ("2", "a.U 66.6733", True, "wrong"),  # 0.67 units too far from 0: nobody cuts off to that side
        ("2", "a.U 66.6733", False, "wrong"),
        ("2", "a.U 66.6500", True, "wrong"),  # 1.67 units off
        ("-2", "a.U -66.6600", True, "right"),
        ("-2", "a.U -66.6600", False, "wrong"),
        ("-2", "a.U -66.6733", True, "wrong"),
        # Written down, 0.6666 is a number that has been cut off, and goes on as what was written.
        ("2", "a.T 0.6666 ; a.U 66.6600", True, "right"),
        # 0.6666 is wrong where nothing may be cut off; what follows from it follows.
        ("2", "a.T 0.6666 ; a.U 66.6600", False, "follows"),
        # Whoever works with two places may have cut 0.66 off, two thirds of a unit of those.
        ("2", "a.U 66.00", True, "right"),
        ("2", "a.U 66.00", False, "wrong"),
        ("2", "a.U 67.33", True, "wrong"),
        # But one place is no excuse for any number: two are kept at least, 65.67 to 67.17 can be had.
        ("2", "a.U 66.5", True, "right"),
        ("2", "a.U 60.0", True, "wrong"),
        ("2", "a.U 70.0", True, "wrong"),
        ("2", "a.U 60", True, "wrong"),
    ],
)
def test_unwritten_number_is_cut_off_towards_0(
    given: str, typed: str, truncation: bool, verdict: str
) -> None:
    report = verifier(given, truncation=truncation).verify(read_submission(typed))
    assert verdict == next(step.verdict for step in report.steps if step.name == "a.U")


@pytest.mark.parametrize(
    ("number", "least", "most"),
    [
        ("5/4", "1.24", "1.255"),  # with two places: up to a unit less, or half a unit more
        ("-5/4", "-1.255", "-1.24"),
        ("1/500", "0", "0.007"),  # cut off it is 0, not less
        ("-1/500", "-0.007", "0"),
        ("0", "-0.005", "0.005"),
    ],
)
def test_number_in_the_head_keeps_its_sign(number: str, least: str, most: str) -> None:
    ball = rounded_unseen(Rational(Fraction(number)).ball(64), 2, truncation=True)
    tiny = Rational(Fraction(1, 10**9)).ball(64)
    assert ball.contains(Rational((Fraction(least) + Fraction(most)) / 2).ball(64))
    assert abs(ball.lower() - Rational(Fraction(least)).ball(64)) < tiny
    assert abs(ball.upper() - Rational(Fraction(most)).ball(64)) < tiny


@pytest.mark.parametrize(
    ("number", "truncation", "may_be"),
    [
        ("0.009", True, True),
        ("-0.009", True, True),
        ("-0.009", False, False),
        ("0.0049", False, True),
        ("-0.011", True, False),
    ],
)
def test_numbers_are_cut_off_to_0_from_both_sides(number: str, truncation: bool, may_be: bool) -> None:
    written = Written("0.00", State.NUMBER, Rational(0), 2)
    assert may_be == reachable(written, Rational(Fraction(number)).ball(64), truncation=truncation)
