"""Functions of one number: the simplest kind that holds the value, and where there is none."""

from fractions import Fraction

import mpmath
import pytest
import sympy
from exact.oracle import SYMPYS, assert_number, read
from flint import arb
from hypothesis import given
from hypothesis import strategies as st
from proofs import assert_is
from strategies import Drawn, fractions, rational, surds

from attnsolve.errors import Undecided, UndefinedStep
from attnsolve.exact import Rational, Rationals, matrix_of_cells
from attnsolve.exact.balls import Balls
from attnsolve.exact.functions import BALLS, apply, pi, power
from attnsolve.expressions import number


@given(st.sampled_from(sorted(SYMPYS)), surds())
def test_functions_are_those_of_sympy(name: str, drawn: Drawn) -> None:
    sign = drawn.ours.sign()
    if name in ("sqrt", "ln") and (sign < 0 or (name == "ln" and sign == 0)):
        with pytest.raises(UndefinedStep, match=f"{name} of (a negative number|0) is not a real number"):
            apply(name, drawn.ours)
    else:
        expected = SYMPYS[name](drawn.sympys)
        # SymPy takes ages to read 1 + erf(-40) back.
        judge = assert_is if name == "gelu" else assert_number
        judge(expected if expected.is_Rational else expected.evalf(80), apply(name, drawn.ours))


@pytest.mark.parametrize("name", sorted(SYMPYS))
def test_functions_of_a_ball(name: str) -> None:
    ball = Balls.of(Rationals([[2]]).exp()).cell(0, 0)
    assert_number(SYMPYS[name](sympy.exp(2)), apply(name, ball))


@pytest.mark.parametrize("text", ["0", "-1/3", "1-√2", "-pi"])
def test_relu_of_what_is_not_positive_is_zero(text: str) -> None:
    assert 0 == apply("relu", number(text)).rational()


def test_undecided_sign_has_no_root() -> None:
    with pytest.raises(Undecided):
        apply("sqrt", number("sin(1)^2+cos(1)^2-1"))


@pytest.mark.parametrize(
    ("name", "text", "form"),
    [
        ("sqrt", "12", "2*sqrt(3)"),
        ("sqrt", "1/2", "sqrt(2)/2"),
        ("sqrt", "9/4", "3/2"),
        ("ln", "12", "2*log(2) + log(3)"),
        ("ln", "exp(5/3)", "5/3"),
        ("ln", "2*exp(√3)", "log(2) + sqrt(3)"),
        ("ln", "√2/3", "-log(3) + log(2)/2"),
        ("exp", "ln(2)+ln(3)", "6"),
        ("exp", "-ln(2)/2", "sqrt(2)/2"),
        ("sin", "pi/4", "sqrt(2)/2"),
        ("tanh", "1", "tanh(1)"),
        ("tanh", "ln(2)", "3/5"),
        ("tanh", "ln(3)/2", "1/2"),
        ("tanh", "-ln(2)", "-3/5"),
        ("exp", "tanh(1)", "exp(tanh(1))"),
    ],
)
def test_form(name: str, text: str, form: str) -> None:
    assert form == apply(name, number(text)).text()


@given(surds(), st.integers(-4, 6))
def test_powers_are_those_of_sympy(drawn: Drawn, exponent: int) -> None:
    if exponent < 0 and drawn.ours.sign() == 0:
        with pytest.raises(UndefinedStep, match="division by zero"):
            power(drawn.ours, exponent)
    else:
        expected = sympy.expand(drawn.sympys**exponent)
        assert_number(expected if expected.is_Rational else expected.evalf(80), power(drawn.ours, exponent))


@given(
    fractions().filter(lambda value: value > 0), st.builds(Fraction, st.integers(-7, 7), st.integers(1, 4))
)
def test_fractional_powers_are_those_of_sympy(value: Fraction, exponent: Fraction) -> None:
    expected = rational(value) ** rational(exponent)
    assert_number(expected if expected.is_Rational else expected.evalf(80), power(Rational(value), exponent))


@pytest.mark.parametrize(
    ("base", "exponent", "form"),
    [
        ("10000", "-1/2", "1/100"),
        ("10000", "1/4", "10"),
        ("8/27", "-2/3", "9/4"),
        ("2", "1/2", "sqrt(2)"),
        ("2", "-1/2", "sqrt(2)/2"),
        ("12", "3/2", "24*sqrt(3)"),
        ("3", "4/2", "9"),
        ("√2", "2/1", "2"),
        ("10", "1/3", "10**(1/3)"),
        ("pi", "1/2", "sqrt(pi)"),
    ],
)
def test_forms_of_fractional_powers(base: str, exponent: str, form: str) -> None:
    assert form == power(number(base), Fraction(exponent)).text()


@pytest.mark.parametrize("text", ["√2", "1+√3", "tanh(1)", "ln(3)", "exp(2)"])
@pytest.mark.parametrize("exponent", ["1/2", "-1/3", "5/4", "7/2"])
def test_fractional_powers_of_what_is_no_fraction(text: str, exponent: str) -> None:
    cell, raised = number(text), Fraction(exponent)
    expected = (read(cell.text()) ** rational(raised)).evalf(80)
    assert_number(expected, power(cell, raised))
    ball = Balls.of(matrix_of_cells([[cell]])).cell(0, 0)
    assert_is(expected, power(ball, raised))


@pytest.mark.parametrize("text", ["0", "-1", "1-√2"])
def test_only_what_is_above_zero_has_fractional_powers(text: str) -> None:
    with pytest.raises(UndefinedStep, match="not above 0 has no power 1/3"):
        power(number(text), Fraction(1, 3))


@given(fractions(), st.integers(0, 9))
def test_powers_of_rationals(value: object, exponent: int) -> None:
    assert_number(rational(value) ** exponent, power(Rational(value), exponent))  # type: ignore[arg-type]


def test_pi() -> None:
    assert_number(sympy.pi, pi())


def test_the_root_of_a_number_that_may_be_zero_starts_at_zero() -> None:
    """A variance is never below 0, though its ball may reach there."""
    assert arb(0) in BALLS["sqrt"](arb(0, "1e-30")) and BALLS["sqrt"](arb(0, "1e-30")).is_finite()
    assert not BALLS["sqrt"](arb(-1)).is_finite()


def test_the_root_of_a_fraction_that_cannot_be_factored_is_certified() -> None:
    value = Fraction(1, 3) + Fraction(1, 2**1480)
    found = apply("sqrt", Rational(value))
    with mpmath.workdps(80):
        root = mpmath.sqrt(mpmath.mpf(value.numerator) / value.denominator)
        assert mpmath.nstr(root, 60) == found.text()
