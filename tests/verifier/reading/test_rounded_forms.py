"""Forms with decimals in them: each decimal was rounded or cut off, so the form stands for many values."""

import time
from collections.abc import Callable
from fractions import Fraction
from math import floor
from typing import Any

import mpmath
import pytest
import sympy
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st
from proofs import assert_is
from sympy import exp, sqrt

from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.reading.budget import Budget
from attnsolve.verifier.reading.numbers import read_number
from attnsolve.verifier.reading.tables import read_table

DIGITS = 40
E_RIGHT = exp(3 * sqrt(3) / 2)  # 13.4378, from the exponent 2.59808
RIGHT = E_RIGHT / (2 * E_RIGHT + 2)  # 0.46537


def ball(value: Any) -> arb:
    """A number to many digits."""
    with mpmath.workdps(DIGITS + 10):
        return arb(mpmath.nstr(mpmath.mpmathify(sympy.N(value, DIGITS)), DIGITS), arb(10) ** (5 - DIGITS))


@pytest.mark.parametrize(
    ("typed", "value", "holds"),
    [
        ("e^2.598/(2e^2.598+2)", RIGHT, True),
        ("e^2.5981/(2e^2.5981+2)", RIGHT, True),
        ("e^2.5980/(2e^2.5980+2)", RIGHT, True),  # cut off
        ("e^2.5982/(2e^2.5982+2)", RIGHT, False),
        ("e^2.60/(2e^2.60+2)", RIGHT, True),
        ("e^2.59/(2e^2.59+2)", RIGHT, True),
        ("e^2.58/(2e^2.58+2)", RIGHT, False),
        ("e^2.61/(2e^2.61+2)", RIGHT, False),
        ("1/(2e^2.598+2)", 1 / (2 * E_RIGHT + 2), True),
        (r"\frac{e^{2.598}}{2e^{2.598}+2}", RIGHT, True),
        ("13.44/(2*13.44+2)", RIGHT, True),
        ("13.43/(2*13.43+2)", RIGHT, True),  # cut off
        ("13.45/(2*13.45+2)", RIGHT, False),
        ("13.42/(2*13.42+2)", RIGHT, False),
        ("13.44/28.88", RIGHT, True),
        ("e^2.598/(2e^2.598+2) ≈ 0.4654", RIGHT, True),
        ("≈ e^2.598/(2e^2.598+2)", RIGHT, True),
        ("100*e^2.598/(2e^2.598+2) %", RIGHT, True),
        ("-13.44/28.88", -RIGHT, True),
        ("-(13.43)/(2*13.43+2)", -RIGHT, True),
        ("4.5/3", sympy.Rational(3, 2), True),
        ("4.5/3", sympy.Rational(459, 300), True),  # 4.59 cut off
        ("4.5/3", sympy.Rational(446, 300), True),
        ("4.5/3", sympy.Rational(444, 300), False),
        ("4.5/3", sympy.Rational(461, 300), False),
        ("-4.5/3", sympy.Rational(-459, 300), True),
        ("-4.5/3", sympy.Rational(-444, 300), False),
        ("1+0.0", sympy.Rational(109, 100), True),  # to 0 numbers are cut off from both sides
        ("1+0.0", sympy.Rational(91, 100), True),
        ("1+0.0", sympy.Rational(111, 100), False),
        ("(0.0)^2", sympy.Rational(81, 10000), True),
        ("3e-2*1", sympy.Rational(34, 1000), True),
        ("3e-2*1", sympy.Rational(41, 1000), False),
        ("relu(0.0)*2", sympy.Rational(19, 100), True),
        ("relu(0.0)*2", sympy.Rational(-1, 100), False),
        ("0.5+1/2", 1, True),
        ("0.5+1/2", sympy.Rational(9, 10), False),
    ],
)
def test_form_stands_for_what_its_decimals_stand_for(typed: str, value: Any, holds: bool) -> None:
    near = read_number(typed, Budget()).ball
    assert holds == bool(near.overlaps(ball(value)))


EXACT = ("1/2", "e^2", "e^(1/2)", "2√3", "3", "2.*3", "3^0.5", "½", "-inf", "?", "-", "x+0.5", "1/0.00")
DECIMALS = ("0.5", "(0.50)", "0,67", "1.87e-88", "1.5*10^3", "58.5 %", "≈ 0.58", "0.333...", "~0.5*2")


@pytest.mark.parametrize("typed", [*EXACT, *DECIMALS, "2/3 ≈ 0.67"])
def test_other_numbers_stand_for_nothing_else(typed: str) -> None:
    """Nothing was rounded in them; or the whole is a decimal, which has places instead."""
    assert read_number(typed, Budget()).ball is None


@pytest.mark.parametrize("typed", ["1/(0.01-0.02)", "ln(0.0+1/22)", "1/(3-2.9)", "1/(0.1^2-1/50)"])
def test_without_a_ball_there_is_none(typed: str) -> None:
    """A divisor that may be 0, a logarithm of what may be below 0."""
    assert read_number(typed, Budget()).ball is None


def test_form_as_typed_is_still_exact() -> None:
    written = read_number("e^2.598/(2e^2.598+2)", Budget())
    typed = exp(sympy.Rational(2598, 1000))
    assert written.cell is not None
    assert ("number", None) == (written.state, written.places)
    assert_is(typed / (2 * typed + 2), written.cell)


FORMS: dict[str, Callable[[Any, Any], Any]] = {
    "e^({x})/(2e^({x})+2)": lambda x, y: mpmath.exp(x) / (2 * mpmath.exp(x) + 2),
    "e^({x})/(e^({x})+e^({y})+1)": lambda x, y: mpmath.exp(x) / (mpmath.exp(x) + mpmath.exp(y) + 1),
    "exp(-({x}))": lambda x, y: mpmath.exp(-x),
    "({x})*({y}) - ({x})": lambda x, y: x * y - x,
    "({x})/7 + 3*({y})": lambda x, y: x / 7 + 3 * y,
    "({x})^3": lambda x, y: x**3,
    "(20 + ({x}))^-2": lambda x, y: (20 + x) ** -2,
    "sqrt(20 + ({x}))": lambda x, y: mpmath.sqrt(20 + x),
    "ln(20 + ({x}))/({y} + 20)": lambda x, y: mpmath.log(20 + x) / (y + 20),
    "sin({x}) + cos({y})": lambda x, y: mpmath.sin(x) + mpmath.cos(y),
    "tanh({x})": lambda x, y: mpmath.tanh(x),
    "erf({x})": lambda x, y: mpmath.erf(x),
    "relu({x}) - ({y})": lambda x, y: max(x, mpmath.mpf(0)) - y,
}
NUMBERS = st.fractions(min_value=-9, max_value=9, max_denominator=10**6)


def shortened(value: Fraction, places: int, *, cut: bool) -> str:
    """A number as a person writes it: rounded half up, or cut off towards 0."""
    size = floor(abs(value) * 10**places + (0 if cut else Fraction(1, 2)))
    digits = str(size).rjust(places + 1, "0")
    return f"{'-' * (value < 0 < size)}{digits[:-places]}.{digits[-places:]}"


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=30)
@given(x=NUMBERS, y=NUMBERS, places=st.integers(1, 5), cut=st.booleans())
def test_true_value_is_near_whatever_was_rounded(
    form: str, x: Fraction, y: Fraction, places: int, cut: bool
) -> None:
    typed = form.format(x=shortened(x, places, cut=cut), y=shortened(y, places, cut=cut))
    with mpmath.workdps(DIGITS + 10):
        one, other = (mpmath.mpf(number.numerator) / number.denominator for number in (x, y))
        value = FORMS[form](one, other)
    if shortened(x, places, cut=cut) == shortened(y, places, cut=cut) and "{y}" in form and x != y:
        return  # what is typed alike is taken for one number
    written = read_number(typed, Budget())
    assert "number" == written.state
    assert written.ball.overlaps(ball(value)), (written.ball, value)


@given(x=NUMBERS, places=st.integers(3, 5))
def test_ball_is_not_much_larger_than_what_can_be_had(x: Fraction, places: int) -> None:
    """σ(x)/2 moves by at most an eighth of what x moves by."""
    decimal = shortened(x, places, cut=False)
    near = read_number(f"e^({decimal})/(2e^({decimal})+2)", Budget()).ball
    assert near.rad() < 1.1 / 8 / 10**places


def test_answers_with_balls_can_be_kept() -> None:
    """A class writes the same tables again, and what is known of one hangs on its hash."""
    one, two = (read_table("e^2.598 4.5/3 1", Budget()) for _ in range(2))
    assert {one: 1} == {two: 1}
    assert one[0][0].ball is not None


@pytest.mark.parametrize(
    "text",
    [
        " ".join("+".join(f"{i}.{j}" for i in range(150)) for j in range(90)),
        " ".join(f"e^{i}.123/(e^{i}.123+e^1.5+e^2.25)" for i in range(400)),
        "(1.5+e+e^2+e^3+e^4+e^5)^64 " * 400,
        " ".join(f"(1.{i}1+e+e^2+e^3)(1.2+e+e^2+e^5)(1+e+e^4+e^9)(2+e)" for i in range(400)),
        ("1/(" + "+".join(f"e^(1.{i}/{i})" for i in range(1, 60)) + ") ") * 100,
        " ".join(f"exp(exp(exp(2.6{i})))" for i in range(400)),
        " ".join(f"sin(99999{i}.5)" for i in range(10)),
        "(((((((1.5^64)^64)^64)^64)^64)^64)^64) " * 50,
        "9.9^64*9.9^64*1e-999*1.5 " * 50,
    ],
    ids=["sums", "shares", "powers", "products", "divisors", "towers", "sines", "high powers", "sizes"],
)
def test_hostile_decimals_take_no_time(text: str) -> None:
    started = time.process_time()
    read_submission(f"a {text}")
    assert time.process_time() - started < 4  # about a second on a machine that has nothing else to do
