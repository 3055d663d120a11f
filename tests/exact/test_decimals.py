"""Rounding against the standard library, and decimals against mpmath with 60 digits."""

import decimal
from fractions import Fraction

import mpmath
import pytest
import sympy
from exact.samples import KINDS
from flint import arb, fmpq
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import Drawn, drawn_matrices, fractions, matrices, surds, tables

from attnsolve.exact import Rational, Rationals, Rounded, matrix_of_cells
from attnsolve.exact.decimals import (
    decimal_text,
    first_decimals,
    round_ball,
    round_fraction,
    round_rational,
    scientific,
    scientific_rational,
)
from attnsolve.exact.functions import apply
from attnsolve.exact.infinity import HIDDEN
from attnsolve.exact.precision import precision
from attnsolve.expressions import number

MODES = {
    "half_up": decimal.ROUND_HALF_UP,
    "half_even": decimal.ROUND_HALF_EVEN,
    "truncate": decimal.ROUND_DOWN,
}
PLACES = st.integers(0, 6)
NUMBERS = st.fractions(-1000, 1000) | st.integers(-4000, 4000).map(lambda n: Fraction(n, 80))


def by_standard_library(value: Fraction, places: int, mode: str) -> int:
    """The rounded digits, as `decimal` has them; exact as long as the quotient is, or far from a tie."""
    with decimal.localcontext(decimal.Context(prec=200)):
        quotient = decimal.Decimal(value.numerator) * 10**places / decimal.Decimal(value.denominator)
        return int(quotient.to_integral_value(rounding=MODES[mode]))


@given(NUMBERS, PLACES, st.sampled_from(sorted(MODES)))
def test_fractions_round_as_in_the_standard_library(value: Fraction, places: int, mode: str) -> None:
    expected = by_standard_library(value, places, mode)
    assert expected == round_fraction(value.numerator * 10**places, value.denominator, mode=mode)
    rounded = Rational(value).rounded(places, mode=mode)
    assert Rounded(expected, places, (value * 10**places).denominator == 1) == rounded
    assert abs(rounded.fraction - value) <= Fraction(1 if mode == "truncate" else Fraction(1, 2), 10**places)


@given(NUMBERS, PLACES, st.sampled_from(sorted(MODES)), st.integers(20, 80))
def test_balls_round_like_fractions_or_not_at_all(value: Fraction, places: int, mode: str, bits: int) -> None:
    with precision(bits):
        digits = round_ball(arb(fmpq(value.numerator, value.denominator)) * 10**places, mode=mode)
    assert digits in (None, by_standard_library(value, places, mode))


@given(NUMBERS, PLACES, st.integers(20, 80))
def test_first_decimals_are_right_and_never_exact(value: Fraction, places: int, bits: int) -> None:
    with precision(bits):
        shown = first_decimals(arb(fmpq(value.numerator, value.denominator)), places)
    if shown is not None:
        assert not shown.exact
        expected = round_rational(value, places)
        assert not expected.exact
        assert shown == (expected if expected.digits else scientific_rational(value))


@pytest.mark.parametrize(
    ("value", "places", "half_up", "half_even", "truncated"),
    [
        ("0.125", 2, "0.13", "0.12", "0.12"),
        ("-0.125", 2, "-0.13", "-0.12", "-0.12"),
        ("0.375", 2, "0.38", "0.38", "0.37"),
        ("0.5", 0, "1", "0", "0"),
        ("-0.5", 0, "-1", "0", "0"),
        ("2.5", 0, "3", "2", "2"),
        ("-0.00004", 4, "0.0000", "0.0000", "0.0000"),
        ("0.99996", 4, "1.0000", "1.0000", "0.9999"),
        ("-2/3", 4, "-0.6667", "-0.6667", "-0.6666"),
        (
            "12345678901234567890.125",
            2,
            "12345678901234567890.13",
            "12345678901234567890.12",
            "12345678901234567890.12",
        ),
    ],
)
def test_ties_and_signs(value: str, places: int, half_up: str, half_even: str, truncated: str) -> None:
    cell = Rational(Fraction(value))
    assert half_up == cell.rounded(places).text
    assert half_even == cell.rounded(places, mode="half_even").text
    assert truncated == cell.rounded(places, mode="truncate").text


@pytest.mark.parametrize("eighth", [1, -1, 3, -3, 5, -7])
def test_tie_that_a_ball_holds_exactly(eighth: int) -> None:
    """Two equal scores mix ±1/8, ±3/8 …, which a ball holds exactly: the tie must still go away from 0."""
    Z = Rationals([[0, 0]]).exp().normalised() @ Rationals([[eighth], [eighth]], 8)
    expected = by_standard_library(Fraction(eighth, 8), 2, "half_up")
    assert Rounded(expected, 2, False) == Z.decimals(2)[0][0] == Z.cell(0, 0).decimals(2)


def test_exactly_one_half_in_balls_only() -> None:
    """A ball that is a point is an exact value, though no closed form stands behind it."""
    from attnsolve.exact.balls import fixed

    cell = fixed([[arb("-0.125")]]).cell(0, 0)
    assert Rounded(-13, 2, False) == cell.rounded(2)
    assert Rounded(-12, 2, False) == cell.rounded(2, mode="half_even")
    assert Rounded(-1250, 4, True) == cell.decimals(4)


@pytest.mark.parametrize(
    ("value", "text", "exact"),
    [
        ("1/100000", "1.00e-5", True),
        ("-1/100000", "-1.00e-5", True),
        ("1e-88", "1.00e-88", True),
        ("0.00001125", "1.13e-5", False),  # a tie in the last digit
        ("0.00001115", "1.12e-5", False),
        ("0.000009996", "1.00e-5", False),  # rounds up into the next power of ten
        ("0.000009994", "9.99e-6", False),
        ("0.00004999999", "5.00e-5", False),
        ("1/30000", "3.33e-5", False),
        ("0", "0.0000", True),
        ("0.00005", "0.0001", False),
    ],
)
def test_too_small_for_the_places(value: str, text: str, exact: bool) -> None:
    cell = Rational(Fraction(value))
    assert (text, exact) == (cell.decimals(4).text, cell.decimals(4).exact)
    assert Rationals.of([[Fraction(value)]]).decimals(4)[0][0] == cell.decimals(4)


@given(st.integers(-(10**6), 10**6).filter(bool), st.integers(-300, -6), st.integers(1, 7))
def test_three_significant_digits(digits: int, power: int, divisor: int) -> None:
    value = Fraction(digits, divisor) * Fraction(10) ** power
    with decimal.localcontext(decimal.Context(prec=60)):
        quotient = decimal.Decimal(digits).scaleb(power) / divisor
    three = decimal.Context(prec=3, rounding=decimal.ROUND_HALF_UP, Emin=-400).plus(quotient)
    assert Fraction(three) == scientific_rational(value).fraction
    assert 100 <= abs(scientific_rational(value).digits) <= 999
    assert scientific_rational(value).exact == (Fraction(three) == value)
    with precision(256):
        shown = scientific(arb(fmpq(value.numerator, value.denominator)))
    assert shown is None or shown.fraction == Fraction(three)


@pytest.mark.parametrize("power", range(-40, -4))
@pytest.mark.parametrize("nudge", [-1, 1])
def test_beside_a_power_of_ten(power: int, nudge: int) -> None:
    value = Fraction(10) ** power * (1 + nudge * Fraction(1, 10**25))
    for bits in (64, 128):
        with precision(bits):
            shown = scientific(arb(fmpq(value.numerator, value.denominator)))
        assert shown is None or Rounded(100, 2, False, power) == shown
    assert Rounded(100, 2, False, power) == scientific_rational(value)


def test_a_wide_ball_has_no_digits() -> None:
    assert scientific(arb("1.004e-5", "1e-7")) is None
    assert scientific(arb(0, "1e-7")) is None
    assert round_ball(arb("0.5", "0.1")) is None
    assert round_ball(arb("nan")) is None
    assert first_decimals(arb("nan"), 4) is None
    assert first_decimals(arb("inf"), 4) is None


@pytest.mark.parametrize(
    ("digits", "places", "text"),
    [(-16634, 4, "-1.6634"), (5, 4, "0.0005"), (-5, 1, "-0.5"), (0, 3, "0.000"), (7, 0, "7"), (-7, 0, "-7")],
)
def test_decimal_text(digits: int, places: int, text: str) -> None:
    assert text == decimal_text(digits, places)


def half_away(value: mpmath.mpf, places: int) -> int:
    """The digits of a number known to 60 digits, rounded half away from zero."""
    scaled = abs(value) * mpmath.mpf(10) ** places
    assume(abs(scaled - mpmath.floor(scaled) - 0.5) > mpmath.mpf(10) ** -35)
    return int(mpmath.sign(value)) * int(mpmath.floor(scaled + 0.5))


def check_decimals(value: mpmath.mpf, shown: Rounded, places: int) -> None:
    """What is shown is the value rounded, or three digits of it when nothing else could be seen."""
    digits = half_away(value, places)
    if digits or shown.power is None:
        assert (digits, None) == (shown.digits, shown.power)
    else:
        power = int(mpmath.floor(mpmath.log10(abs(value))))
        assert shown.power in (power, power + 1)
        assert (
            abs(mpmath.mpf(shown.digits) / 100 * mpmath.mpf(10) ** shown.power - value) < abs(value) * 0.00501
        )
    assert shown.text.strip("-0.") or value == 0 or shown.exact
    assert not (shown.text.startswith("-") and not shown.digits)


@given(tables((2, 3), fractions(8)), tables((3, 2)), st.sampled_from([1, 2, 3, 5]), PLACES)
def test_attention_decimals_are_those_of_mpmath(
    scores: list[list[Fraction]], values: list[list[Fraction]], under: int, places: int
) -> None:
    from attnsolve.exact.cells import square_root

    A = (Rationals.of(scores) / square_root(Fraction(under))).exp().normalised()
    Z = A @ Rationals.of(values)
    with mpmath.workdps(60):
        exps = [[mpmath.exp(to_mp(s) / mpmath.sqrt(under)) for s in row] for row in scores]
        weights = [[e / mpmath.fsum(row) for e in row] for row in exps]
        for i, row in enumerate(weights):
            for j, weight in enumerate(row):
                check_decimals(weight, A.decimals(places)[i][j], places)
            for j in range(2):
                mixed = mpmath.fsum(w * to_mp(v[j]) for w, v in zip(row, values, strict=True))
                if abs(mixed) > mpmath.mpf(10) ** -40:
                    check_decimals(mixed, Z.decimals(places)[i][j], places)


def to_mp(value: Fraction) -> mpmath.mpf:
    """A fraction to mpmath's working precision."""
    return mpmath.mpf(value.numerator) / value.denominator


@given(drawn_matrices(surds()), PLACES)
def test_surd_decimals_are_those_of_sympy(drawn: Drawn, places: int) -> None:
    for i, row in enumerate(drawn.ours.decimals(places)):
        for j, shown in enumerate(row):
            expected = drawn.sympys[i, j]
            if expected.is_Rational:
                value = Fraction(int(expected.p), int(expected.q))
                plain = round_rational(value, places)
                assert shown == (plain if plain.digits or plain.exact else scientific_rational(value))
            else:
                with mpmath.workdps(60):
                    check_decimals(mpmath.mpf(expected.evalf(60)), shown, places)


@given(matrices())
def test_rational_matrix_and_cells_agree(matrix: Rationals) -> None:
    for i, j, cell in matrix.cells():
        assert cell.decimals(2) == matrix.decimals(2)[i][j]


@pytest.mark.parametrize("power", [40, 3000, 20_000])
def test_what_nobody_writes_out_has_three_digits_and_a_power_of_ten(power: int) -> None:
    with mpmath.workdps(30):
        digits, exponent = mpmath.nstr(mpmath.exp(power), 3).split("e+")
    shown = apply("exp", Rational(power)).decimals(4)
    assert (f"{digits}e{exponent}", False) == (shown.text, shown.exact)


def test_a_long_whole_number_stays_as_it_is() -> None:
    assert Rounded(10**44, 4, True) == Rational(10**40).decimals(4)
    assert Rounded(333, 2, False, 39) == Rational(Fraction(10**40, 3)).decimals(4)


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("places", [0, 2, 6])
def test_whole_numbers_of_the_last_place_are_the_rounded_digits(kind: str, places: int) -> None:
    """By SymPy's digits; half a unit goes away from 0."""
    for i, row in enumerate(KINDS[kind].ours.whole(places)):
        for j, digits in enumerate(row):
            exact = KINDS[kind].sympys[i, j] * 10**places
            assert digits is not None
            assert abs(sympy.N(exact - digits, 50)) <= sympy.Rational(1, 2)


def test_units_of_the_last_place_of_what_is_hidden_tiny_or_huge() -> None:
    cells = [[number("ln(2)"), HIDDEN], [number("exp(-300)"), number("exp(400)")]]
    (first, hidden), (tiny, huge) = matrix_of_cells(cells).whole(2)
    assert (69, None, 0) == (first, hidden, tiny)
    assert 522 * 10**173 == huge  # e^400 = 5.22146…·10^173


@pytest.mark.parametrize(
    ("value", "digits", "power"),
    [
        (Fraction(10) ** 5_000, 100, 5_000),
        (Fraction(123456, 10**6_000), 123, -5_995),
        (Fraction(10**5_000 - 1), 100, 5_000),
        (Fraction(1, 3**20_000), 376, -9_543),  # mpmath: 3.757557…e-9543
    ],
)
def test_numbers_that_python_does_not_write_out_have_a_power_of_ten(
    value: Fraction, digits: int, power: int
) -> None:
    shown = scientific_rational(value)
    assert (digits, power) == (shown.digits, shown.power)


@pytest.mark.parametrize(
    ("shown", "whole"),
    [
        (Rounded(123, 2, False, -10_000_000), 0),
        (Rounded(499, 2, False, -5), 0),
        (Rounded(501, 2, False, -5), 1),
        (Rounded(123, 2, False, 3), 12_300_000),
    ],
)
def test_a_scientific_number_in_units_of_the_last_place(shown: Rounded, whole: int) -> None:
    assert whole == shown.whole(4)
