"""What can be asked of any number: sign, equality with its three answers, rounding, text."""

from fractions import Fraction

import pytest
import sympy
from exact.oracle import read
from exact.samples import KINDS
from hypothesis import given
from hypothesis import strategies as st
from strategies import Drawn, logarithms, surds

from attnsolve.errors import Undecided
from attnsolve.exact import Rational, Rationals, Rounded
from attnsolve.exact.balls import Balls, around, fixed
from attnsolve.exact.cells import add, multiply, subtract
from attnsolve.expressions import number


@given(surds())
def test_sign_is_that_of_sympy(drawn: Drawn) -> None:
    assert int(sympy.sign(drawn.sympys.evalf(60))) == drawn.ours.sign()


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("0", 0),
        ("-1/3", -1),
        ("√2*√3 - √6", 0),
        ("√2+√3 - √(5)", 1),
        ("99/70 - √2", 1),  # 0.00007
        ("1/(1+√2) - √2 + 1", 0),
        ("exp(1/2)*exp(1/2) - e", 0),
        ("exp(-1000)", 1),
        ("-exp(-100000)", -1),
        ("exp(ln(2)/3)^3 - 2", 0),
        ("exp(2*ln(3)/2) - 3", 0),
        ("ln(6) - ln(2) - ln(3)", 0),
        ("ln(9)/ln(3) - 2", 0),
        ("pi - 355/113", -1),
        ("tanh(1) - tanh(1)", 0),
        ("(1+pi)^2 - 1 - 2*pi - pi^2", 0),
        ("(2+2*e)/(1+e) - 2", 0),
        ("1/(1+e) + e/(1+e) - 1", 0),
        ("1/(1+e) + 1/(1+e^-1) - 1", 0),
    ],
)
def test_sign(text: str, sign: int) -> None:
    assert sign == number(text).sign()


def test_sign_that_nothing_settles() -> None:
    hidden = subtract(
        add(multiply(number("sin(1)"), number("sin(1)")), multiply(number("cos(1)"), number("cos(1)"))),
        number("1"),
    )
    assert hidden.is_zero() is None
    with pytest.raises(Undecided, match=r"cannot decide the sign of .*; checked to 4096 bits"):
        hidden.sign()


EQUAL = [
    ("0.5", "1/2"),
    ("√8", "2√2"),
    ("√2/2", "1/√2"),
    ("√(1/2)", "√2/2"),
    ("1/(1+√2)", "√2-1"),
    ("(1+√2)*(1-√2)", "-1"),
    ("(√2+√3)^2", "5+2√6"),
    ("e^2*e^-2", "1"),
    ("exp(1/2)^2", "e"),
    ("exp(ln(2)/2)", "√2"),
    ("exp(3*ln(2)/2)", "2√2"),
    ("exp(-ln(2)/2)", "√(1/2)"),
    ("exp(4*ln(2)/3)", "2*exp(ln(2)/3)"),
    ("√2*exp(ln(2)/3)", "exp(5*ln(2)/6)"),
    ("exp(ln(2)/3)*exp(ln(3)/3)", "exp(ln(6)/3)"),
    ("1/exp(ln(2)/3)", "exp(2*ln(2)/3)/2"),
    ("exp(√2*ln(3))*exp(-√2*ln(3))", "1"),
    ("exp(1+ln(2))", "2*e"),
    ("ln(12)", "2*ln(2)+ln(3)"),
    ("ln(√2)", "ln(2)/2"),
    ("ln(3*exp(√2))", "ln(3)+√2"),
    ("1/(1+e^-1)", "e/(e+1)"),
    ("1/(2+2*e)", "1/2/(1+e)"),
    ("1/(√2+√2*e)", "√2/2/(1+e)"),
    ("1/(1+exp(ln(2)/3))", "exp(-ln(2)/3)/(1+exp(-ln(2)/3))"),
    ("1/(1-e) + 1/(1+e)", "2/(1-e^2)"),
    ("sin(pi/6)", "1/2"),
    ("tanh(0)", "0"),
    ("pi*pi", "pi^2"),
]
DIFFERENT = [
    ("1/3", "0.333333333333333333333333333333333333333"),
    ("√2", "1.41421356237309504880168872420969807856967187537694"),
    ("e", "2.71828182845904523536028747135266249775724709369995"),
    ("√2+√3", "√10"),
    ("exp(√2)", "exp(1.4142135623730950488016887242096980785696718753769)"),
    ("ln(2)", "0.69314718055994530941723212145817656807550013436025"),
    ("1/(1+exp(-202))", "1"),
    ("1/(1+exp(-20000))", "1"),
    ("exp(ln(2)/3)", "1.25992104989487316476721060727822835057025146470150"),
    ("pi", "3.14159265358979323846264338327950288419716939937510"),
]


@pytest.mark.parametrize(("a", "b"), EQUAL, ids=[f"{a} = {b}" for a, b in EQUAL])
def test_equal_numbers_are_proven_equal(a: str, b: str) -> None:
    assert number(a).same(number(b)) is True
    assert number(b).same(number(a)) is True
    assert abs(read(number(a).text()).evalf(50) - read(number(b).text()).evalf(50)) < 1e-45


@pytest.mark.parametrize(("a", "b"), DIFFERENT, ids=[f"{a} != {b}" for a, b in DIFFERENT])
def test_different_numbers_are_proven_different(a: str, b: str) -> None:
    assert number(a).same(number(b)) is False
    assert number(b).same(number(a)) is False


def test_undecided_is_none() -> None:
    assert number("sin(1)^2 + cos(1)^2").same(number("1")) is None


def test_balls_are_proven_equal_only_where_their_origin_is_known() -> None:
    cell = Balls.of(KINDS["surd"].ours).cell(0, 0)  # 1 + √2
    assert cell.same(number("1+√2")) is True
    blurred = fixed([[around(number("1+√2"), Fraction(1, 10**9))]]).cell(0, 0)
    assert blurred.same(number("1+√2")) is None
    assert number("1+√2").same(blurred) is None
    assert cell.same(number("2.4142135623730950488016887242096980785696718753769480731766797")) is False


@given(logarithms(), logarithms())
def test_equality_is_that_of_sympy(a: Drawn, b: Drawn) -> None:
    difference = abs(a.sympys.evalf(60) - b.sympys.evalf(60))
    assert bool(difference < 1e-50) is a.ours.same(b.ours)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("√2*√2", "2"),
        ("√2", None),
        ("e", None),
        ("ln(9)/ln(3)", "2"),
        ("(1+√2)/(2+2√2)", "1/2"),
        ("(1/8+e/8)/(1+e)", "1/8"),
        ("1/(1+e)+1/(1+e^-1)", "1"),
        ("1/(1+√2)-√2", "-1"),
        ("(√2+e)/(1+e)", None),
        ("√2*(1+e)/(1+e)", None),
        ("exp(ln(5)/3)^3", "5"),
        ("pi/pi", "1"),
        ("(pi+1)^2-pi^2-2*pi", "1"),
        ("sin(1)", None),
    ],
)
def test_rational(text: str, value: str | None) -> None:
    assert (None if value is None else Fraction(value)) == number(text).rational()


def test_weight_of_almost_one_is_not_exact() -> None:
    """1/(1 + e^-202 + e^-1450), the EECS 182 exercise: 1 - 1.9e-88."""
    A = Rationals([[1054, 852, -396]]).exp().normalised()
    almost, small, tiny = A.decimals(4)[0]
    assert (Rounded(10000, 4, False), "1.87e-88", "1.87e-630") == (almost, small.text, tiny.text)
    assert A.cell(0, 0).same(Rational(1)) is False
    assert A.cell(0, 0).rational() is None
    assert Rounded(10**80, 80, False) == A.cell(0, 0).decimals(80)
    assert "9" * 87 + "81" == A.cell(0, 0).decimals(89).text[2:]


def test_value_that_is_rational_through_ties_is_exact() -> None:
    A = Rationals([[3, 1, 3, 1]]).exp().normalised()
    Z = A @ Rationals([[1, 1], [1, 2], [1, 1], [1, 4]], 8)
    assert (Rounded(13, 2, False), Rounded(1250, 4, True)) == (Z.decimals(2)[0][0], Z.decimals(4)[0][0])
    assert Fraction(1, 8) == Z.cell(0, 0).rational()
    assert "1/8" == Z.cell(0, 0).text()
    assert Z.cell(0, 1).rational() is None
    assert not Z.decimals(4)[0][1].exact


def test_rounding_that_nothing_settles() -> None:
    half = add(number("sin(1)^2 + cos(1)^2"), number("-1/2"))
    with pytest.raises(Undecided, match=r"cannot decide how .* rounds to 0 places; checked to 4096 bits"):
        half.rounded(0)
    assert Rounded(50, 2, False) == half.rounded(2)


@given(st.sampled_from(sorted(KINDS)), st.integers(0, 2), st.integers(0, 2), st.sampled_from([64, 300, 2000]))
def test_balls_hold_the_value_at_any_precision(kind: str, i: int, j: int, bits: int) -> None:
    cell = KINDS[kind].ours.cell(i, j)
    fine = cell.ball(4000)
    assert cell.ball(bits).overlaps(fine)
    assert fine.rel_accuracy_bits() > 3900 or fine == 0


def test_repr_shows_the_number() -> None:
    assert "<-sqrt(2)/2>" == repr(number("-√2/2"))


def test_an_exact_value_is_not_written_out_where_finer_balls_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    """1/2 + e^-60 is above the tie by less than 64 bits show, and by far more than 256 do."""
    close = number("1/2 + exp(-60)")
    monkeypatch.setattr(type(close), "rational", lambda _: pytest.fail("written out"))
    assert Rounded(1, 0, False) == close.rounded(0)
