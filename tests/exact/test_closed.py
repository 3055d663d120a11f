"""Closed forms Σ N/D: what is proven rational or zero, and the one form of a denominator."""

from fractions import Fraction
from typing import Any

import pytest
import sympy
from exact.oracle import assert_number
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import Drawn, fractions, rational, surds
from sympy import Rational as Q
from sympy import cbrt, exp, log, sqrt

from attnsolve.errors import ExpressionError, UndefinedStep
from attnsolve.exact import Rational
from attnsolve.exact.cells import Closed, add, closed, divide, multiply, subtract, total
from attnsolve.exact.combinations import Combination
from attnsolve.exact.functions import apply
from attnsolve.exact.roots import ONE
from attnsolve.expressions import number


@st.composite
def quotients(draw: st.DrawFn) -> Drawn:
    """(a + b·e^x)/(c + d·e^y) with surds for a and b, rationals for the rest; c, d > 0."""
    a, b = draw(surds()), draw(surds())
    x, y = draw(fractions(2, 2)), draw(fractions(2, 2))
    c, d = draw(st.integers(1, 3)), draw(st.integers(0, 3))
    e = {power: apply("exp", Rational(power)) for power in (x, y)}
    top = add(a.ours, multiply(b.ours, e[x]))
    bottom = add(Rational(c), multiply(Rational(d), e[y]))
    expected = (a.sympys + b.sympys * sympy.exp(rational(x))) / (c + d * sympy.exp(rational(y)))
    return Drawn(divide(top, bottom), expected)


@settings(max_examples=40)
@given(quotients(), quotients())
def test_arithmetic_is_that_of_sympy(a: Drawn, b: Drawn) -> None:
    for ours, sympys in (
        (add(a.ours, b.ours), a.sympys + b.sympys),
        (subtract(a.ours, b.ours), a.sympys - b.sympys),
        (multiply(a.ours, b.ours), a.sympys * b.sympys),
    ):
        with_digits = ours.ball(400)
        wanted = sympys.evalf(80, maxn=400)
        assert with_digits.contains(0) or wanted != 0
        if not with_digits.contains(0):
            assert_number(sympys.evalf(80), ours)


@settings(max_examples=40)
@given(quotients(), quotients(), quotients())
def test_laws_of_arithmetic_are_proven(a: Drawn, b: Drawn, c: Drawn) -> None:
    x, y, z = a.ours, b.ours, c.ours
    assert add(x, y).same(add(y, x)) is True
    assert add(add(x, y), z).same(add(x, add(y, z))) is True
    assert multiply(x, add(y, z)).same(add(multiply(x, y), multiply(x, z))) is True
    assert subtract(x, x).rational() == 0
    if not y.is_zero():
        assert multiply(divide(x, y), y).same(x) is True
        assert divide(y, y).rational() == 1


@settings(max_examples=40)
@given(quotients(), fractions())
def test_hidden_rationals_are_found(a: Drawn, value: Fraction) -> None:
    """x + (q - x) and x·q/x are rational however they are written."""
    hidden = add(a.ours, subtract(Rational(value), a.ours))
    assert value == hidden.rational()
    if not a.ours.is_zero():
        assert value == divide(multiply(a.ours, Rational(value)), a.ours).rational()


def exponentials(*terms: tuple[str, int]) -> Combination:
    """Σ count·e^x."""
    x = {text: ((ONE, Fraction(text)),) if Fraction(text) else () for text, _ in terms}
    return Combination.of((x[text], ONE, Fraction(count)) for text, count in terms)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (exponentials(("0", 1), ("-1", 2)), exponentials(("1", 1), ("0", 2))),
        (exponentials(("0", 1), ("-1", 2)), exponentials(("5", 3), ("4", 6))),
        (exponentials(("0", -1), ("-1/2", 2)), exponentials(("1/2", 2), ("0", -4))),
    ],
)
def test_denominators_that_differ_by_a_factor_are_shared(a: Combination, b: Combination) -> None:
    both = total([(exponentials(("0", 1)), a), (exponentials(("1/3", 1)), b)])
    assert 1 == len(both.quotients)


def test_a_quotient_of_multiples_is_rational() -> None:
    D = exponentials(("0", 1), ("-1", 2))
    assert Rational(Fraction(3, 4)).value == closed(D.scaled(Fraction(3, 4)), D).rational()
    assert isinstance(closed(D, D), Rational)


def test_denominator_zero_is_undefined() -> None:
    with pytest.raises(UndefinedStep, match="division by zero"):
        closed(exponentials(("0", 1)), Combination({}))


@pytest.mark.parametrize(
    "zero",
    [
        "√2*√3-√6",
        "exp(4*ln(2)/3) - 2*exp(ln(2)/3)",
        "√2*exp(ln(2)/3) - exp(5*ln(2)/6)",
        "1/(1+e) + 1/(1+e^-1) - 1",
        "ln(6)-ln(2)-ln(3)",
    ],
)
def test_hidden_zero_is_found_before_dividing(zero: str) -> None:
    assert number(zero).is_zero() is True
    with pytest.raises(ExpressionError, match="division by zero"):
        number(f"1/({zero})")
    with pytest.raises(UndefinedStep, match="division by zero"):
        divide(Rational(1), number(zero))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # the largest exponentials cancel
        ("1/(exp(4*ln(2)/3) - 2*exp(ln(2)/3) + exp(-5))", exp(5)),
        ("1/(1+exp(ln(2)/3))", 1 / (1 + cbrt(2))),
        ("1/(exp(ln(2)/3)+exp(ln(3)/3))", 1 / (cbrt(2) + cbrt(3))),
        ("exp(1/2)/(exp(ln(2)/3)*e + exp(√2))", exp(Q(1, 2)) / (cbrt(2) * exp(1) + exp(sqrt(2)))),
        ("1/ln(2)", 1 / log(2)),
        ("1/(1+√2+√3)", 1 / (1 + sqrt(2) + sqrt(3))),
        ("(1+√2)/(√2-√3*e)", (1 + sqrt(2)) / (sqrt(2) - sqrt(3) * exp(1))),
    ],
)
def test_denominators_with_roots_and_logarithms(text: str, expected: Any) -> None:
    cell = number(text)
    assert_number(expected, cell)
    assert multiply(cell, divide(Rational(1), cell)).rational() == 1


def test_sum_too_long_to_multiply_out_is_still_told_from_zero() -> None:
    cells = [number(f"1/(1+exp(√{n}))") for n in (2, 3, 5, 6, 7, 10, 11, 13, 14, 15, 17, 19, 21)]
    long: Any = Rational(0)
    for cell in cells:
        long = add(long, cell)
    assert isinstance(long, Closed)
    assert long.single() is None
    assert long.is_zero() is False
    assert long.rational() is None
    assert subtract(long, long).is_zero() is True
