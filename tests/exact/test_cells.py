"""Arithmetic across kinds of number, and the roots and logarithms of rationals."""

from fractions import Fraction
from math import isqrt

import pytest
import sympy
from exact.oracle import assert_number
from hypothesis import given
from hypothesis import strategies as st
from strategies import rational

from attnsolve.errors import Undecided, UndefinedStep
from attnsolve.exact import Rational, Rationals
from attnsolve.exact.balls import Balls, Enclosed
from attnsolve.exact.cells import Cell, add, divide, exponential, logarithm, multiply, square_root, subtract
from attnsolve.exact.symbolic import Symbolic
from attnsolve.expressions import number

POSITIVE = st.fractions(Fraction(1, 1000), 1000)
BALL = Balls.of(Rationals([[1]]).exp()).cell(0, 0)
CELLS: dict[str, tuple[Cell, sympy.Expr]] = {
    "rational": (number("-3/2"), -sympy.Rational(3, 2)),
    "surd": (number("1+√2"), 1 + sympy.sqrt(2)),
    "exponential": (number("e/(1+e)"), sympy.E / (1 + sympy.E)),
    "symbolic": (number("tanh(1)"), sympy.tanh(1)),
    "ball": (BALL, sympy.E),
}
OPERATIONS = {
    "+": (add, lambda a, b: a + b),
    "-": (subtract, lambda a, b: a - b),
    "*": (multiply, lambda a, b: a * b),
    "/": (divide, lambda a, b: a / b),
}


@pytest.mark.parametrize("left", CELLS)
@pytest.mark.parametrize("sign", OPERATIONS)
@pytest.mark.parametrize("right", CELLS)
def test_arithmetic(left: str, sign: str, right: str) -> None:
    (a, x), (b, y) = CELLS[left], CELLS[right]
    ours, sympys = OPERATIONS[sign]
    if (left, sign, right) == ("ball", "-", "ball"):
        assert ours(a, b).is_zero() is True  # what comes from the same is the same
    else:
        assert_number(sympys(x, y), ours(a, b))


@given(POSITIVE)
def test_square_root(value: Fraction) -> None:
    root = square_root(value)
    assert_number(sympy.sqrt(rational(value)), root)
    assert multiply(root, root).rational() == value


@given(POSITIVE)
def test_logarithm(value: Fraction) -> None:
    assert_number(sympy.log(rational(value)), logarithm(value))
    e = exponential(logarithm(value))
    assert e is not None
    assert value == e.rational()


def test_square_root_of_large_coprime_numbers_is_quick() -> None:
    """Numerator and denominator are factored by themselves: their product would take minutes."""
    p, q = (1 << 61) - 1, 2305843009213693921
    above, below = p * 18446744073709551557, q * 18446744073709551533
    root = square_root(Fraction(above, below))
    assert multiply(root, root).rational() == Fraction(above, below)
    assert isqrt(above) ** 2 != above


@pytest.mark.parametrize(
    "zero", [Rational(0), number("√2-√2"), number("pi-pi"), Symbolic(sympy.pi - sympy.pi)]
)
@pytest.mark.parametrize("top", CELLS)
def test_division_by_zero(top: str, zero: Cell) -> None:
    with pytest.raises(UndefinedStep, match="division by zero"):
        divide(CELLS[top][0], zero)


def test_division_by_what_may_be_zero() -> None:
    hidden = number("sin(1)^2+cos(1)^2-1")
    with pytest.raises(Undecided, match=r"cannot decide whether .*, by which is divided, is 0"):
        divide(Rational(1), hidden)
    with pytest.raises(UndefinedStep):
        divide(Rational(1), subtract(BALL, BALL))


def test_symbols_that_cancel_leave_a_rational() -> None:
    assert isinstance(subtract(number("pi"), number("pi")), Rational)
    assert isinstance(divide(number("2*pi"), number("pi")), Rational)
    assert isinstance(add(BALL, number("pi")), Enclosed)


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        ("1/2", "exp(1/2)"),
        ("√2-1", "exp(-1 + sqrt(2))"),
        ("ln(3)/2", "sqrt(3)"),
        ("-ln(8)", "1/8"),
        ("e", None),
    ],
)
def test_exponential(text: str, closed: str | None) -> None:
    found = exponential(number(text))  # type: ignore[arg-type]
    assert closed == (None if found is None else found.text())
