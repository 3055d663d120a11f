"""One number as people type or paste it: what is typed, the value, the places, the state and the note."""

import gc
from fractions import Fraction
from types import TracebackType
from typing import Any

import pytest
import sympy
from noted import words
from proofs import assert_is
from sympy import E, Rational, exp, log, oo, pi, sqrt, tanh

from attnsolve.limits import LIMITS
from attnsolve.verifier.reading.budget import Budget
from attnsolve.verifier.reading.numbers import read_number

HALF = Rational(1, 2)

# Typed, value, places (None: exact), a piece of the note.
NUMBERS: list[tuple[str, Any, int | None, str]] = [
    # Decimals: how many places were written is part of the claim.
    ("3", 3, 0, ""),
    ("-3", -3, 0, ""),
    ("+3", 3, 0, ""),
    ("3.", 3, 0, ""),
    ("0.5", HALF, 1, ""),
    ("0.50", HALF, 2, ""),
    (".585", Rational(585, 1000), 3, ""),
    ("-.5", -HALF, 1, ""),
    ("  0.25 ", Rational(1, 4), 2, ""),
    ("007.10", Rational(71, 10), 2, ""),
    ("(0.50)", HALF, 2, ""),
    ("((0.5))", HALF, 1, ""),
    ("1.87e-88", Rational(187, 10**90), 90, ""),
    ("1e3", 1000, 0, ""),
    ("1.50E+2", 150, 0, ""),
    ("1e-999", Rational(1, 10**999), 999, ""),
    ("1.87*10^-88", Rational(187, 10**90), 90, ""),
    ("1.87 × 10^(-88)", Rational(187, 10**90), 90, ""),
    ("1.87·10⁻⁸⁸", Rational(187, 10**90), 90, ""),
    (r"1.87 \cdot 10^{-88}", Rational(187, 10**90), 90, ""),
    ("-1.5*10^2", -150, 0, ""),
    ("1.25E1", Rational(25, 2), 1, ""),
    # Exact forms.
    ("2/3", Rational(2, 3), None, ""),
    ("-2/3", Rational(-2, 3), None, ""),
    ("1 / 2", HALF, None, ""),
    ("2⁄3", Rational(2, 3), None, ""),
    ("½", HALF, None, ""),
    ("-¾", Rational(-3, 4), None, ""),
    ("2½", Rational(5, 2), None, ""),  # nobody who writes by hand means 2·½ by this
    ("-4½", Rational(-9, 2), None, ""),
    ("10¾ - 1⅓", Rational(113, 12), None, ""),  # 43/4 - 4/3
    ("2*3½", 7, None, ""),
    ("sqrt(2)", sqrt(2), None, ""),
    ("sqrt(8)/2", sqrt(2), None, ""),
    ("√3", sqrt(3), None, ""),
    ("2√3", 2 * sqrt(3), None, ""),
    ("2sqrt(3)", 2 * sqrt(3), None, ""),
    ("sqrt 3", sqrt(3), None, ""),
    ("e", E, None, ""),
    ("e^2", exp(2), None, ""),
    ("e**-1", exp(-1), None, ""),
    ("e⁻²", exp(-2), None, ""),
    ("2e^3", 2 * exp(3), None, ""),
    ("e^(1/2)/(1 + e^(1/2))", exp(HALF) / (1 + exp(HALF)), None, ""),
    ("exp(-1/2)/(1+2exp(-1))", exp(-HALF) / (1 + 2 * exp(-1)), None, ""),
    ("1/(1+e)", 1 / (1 + E), None, ""),
    ("(1+e)(1+e)", (1 + E) ** 2, None, ""),
    ("ln(3)", log(3), None, ""),
    ("ln 3", log(3), None, ""),
    # A function and a bare number, as people write by hand.
    ("ln2", log(2), None, ""),
    ("2ln2", 2 * log(2), None, ""),
    ("-ln3", -log(3), None, ""),
    ("log2", log(2), None, ""),
    ("ln2.5", log(Rational(5, 2)), None, ""),
    ("ln2 + 2ln3", log(18), None, ""),
    ("ln4/ln2", 2, None, ""),
    ("1/ln2", 1 / log(2), None, ""),
    ("ln2/√3", log(2) / sqrt(3), None, ""),
    ("sqrt3", sqrt(3), None, ""),
    ("2sqrt12", 4 * sqrt(3), None, ""),
    ("sqrt3/2", sqrt(3) / 2, None, ""),
    ("√3/2", sqrt(3) / 2, None, ""),
    ("√2√3", sqrt(6), None, ""),
    (r"\ln2", log(2), None, ""),
    ("tanh(1)", tanh(1), None, ""),
    ("2π", 2 * pi, None, ""),
    ("3^2", 9, None, ""),
    ("1+1", 2, None, ""),
    # LaTeX.
    (r"\frac{1}{2}", HALF, None, ""),
    (r"-\frac{2}{3}", Rational(-2, 3), None, ""),
    (r"\tfrac12", HALF, None, ""),
    (r"\dfrac{e^{2}}{e^{2}+1}", exp(2) / (exp(2) + 1), None, ""),
    (r"\frac{1}{1+\frac{1}{2}}", Rational(2, 3), None, ""),
    (r"\sqrt{2}", sqrt(2), None, ""),
    (r"\sqrt2", sqrt(2), None, ""),
    (r"2\sqrt{3}", 2 * sqrt(3), None, ""),
    (r"\frac{1}{2}\sqrt{3}", sqrt(3) / 2, None, ""),
    (r"\frac{\sqrt{2}}{2}", sqrt(2) / 2, None, ""),
    (r"2 \cdot 3", 6, None, ""),
    (r"2 \times \left(1+2\right)", 6, None, ""),
    (r"e^{-\frac{1}{2}}", exp(-HALF), None, ""),
    (r"e^{2}\sqrt{2}", exp(2) * sqrt(2), None, ""),
    (r"\mathrm{e}^{2}", exp(2), None, ""),
    (r"\exp\left(\frac{1}{2}\right)", exp(HALF), None, ""),
    (r"\operatorname{exp}(2)", exp(2), None, ""),
    (r"\ln 3", log(3), None, ""),
    (r"\phantom{-}0.50", HALF, 2, ""),
    (r"\text{0.25}", Rational(1, 4), 2, ""),
    (r"$0.5$", HALF, 1, ""),
    (r"\approx 0.58", Rational(58, 100), 2, ""),
    # Signs around a number.
    ("≈ 0.58", Rational(58, 100), 2, ""),
    ("≈0.58", Rational(58, 100), 2, ""),
    ("= 1/2", HALF, None, ""),
    ("58.5 %", Rational(585, 1000), 3, ""),
    ("58.5%", Rational(585, 1000), 3, ""),
    (r"58.5\%", Rational(585, 1000), 3, ""),
    ("≈ 50 %", HALF, 2, ""),
    ("0.333...", Rational(333, 1000), 3, "read as 0.333, cut off there"),
    ("0.333…", Rational(333, 1000), 3, "cut off"),
    (r"0.66\ldots", Rational(66, 100), 2, "cut off"),
    # Several forms of one number.
    ("2/3 ≈ 0.67", Rational(2, 3), None, "'2/3 ≈ 0.67' was read as its first form"),
    ("2/3=0.666...", Rational(2, 3), None, "first form"),
    ("e/(1+e) ≈ 0.7311", E / (1 + E), None, "first form"),
    (r"\frac{1}{2} = 0.5", HALF, None, "first form"),
    ("0.6667 ≈ 0.67", Rational(6667, 10000), 4, "first form"),
    ("= 1/2 = 2/4", HALF, None, "first form"),
    # Other keyboards.
    ("−0.5", -HALF, 1, ""),
    ("–3", -3, 0, ""),
    ("０．５０", HALF, 2, ""),
    ("－１", -1, 0, ""),
    ("3\u200b.5", Rational(7, 2), 1, ""),
    ("\u00a00.5\u00a0", HALF, 1, ""),
    ("0,67", Rational(67, 100), 2, "'0,67' was read as 0.67; decimals use a point"),
    ("-0,5", -HALF, 1, "was read as -0.5"),
    ("0{,}67", Rational(67, 100), 2, "was read as 0.67"),
    ("0，67", Rational(67, 100), 2, "was read as 0.67"),
    ("0,67 %", Rational(67, 10000), 4, "was read as 0.67"),
    # A masked score.
    ("-inf", -oo, None, ""),
    ("-∞", -oo, None, ""),
    ("−∞", -oo, None, ""),
    (r"-\infty", -oo, None, ""),
]

# Typed, state, a piece of the note.
OTHERS = [
    ("", "blank", ""),
    ("-", "blank", ""),
    ("−", "blank", ""),
    ("—", "blank", ""),
    ("nan", "blank", ""),
    ("NaN", "blank", ""),
    ("NA", "blank", ""),
    ("n/a", "blank", ""),
    ("null", "blank", ""),
    ("?", "illegible", ""),
    ("3?5", "illegible", ""),
    ("0.5?", "illegible", ""),
    ("-?/3", "illegible", ""),
    ("~", "crossed", ""),
    ("~3.5", "crossed", "write ≈ for 'about'"),
    ("~ 3.5", "crossed", ""),
    ("~abc", "crossed", ""),
    ("~~3.5~~", "crossed", ""),
    ("~~abc~~", "crossed", ""),
    ("~~3.5~~ -", "crossed", ""),
    ("~~3.5~~ 4.5", "number", "3.5 was struck out"),
    ("(1+", "unread", "column 4: a number, name or bracket is missing at the end"),
    ("1+)", "unread", "column 3: cannot read ')' here"),
    ("abc", "unread", "column 1: 'abc' is not something I can read"),
    ("1/2x", "unread", "column 4: this can be read in two ways"),
    ("1/0", "unread", "column 3: division by zero"),
    ("1/2√3", "unread", "column 4: this can be read in two ways"),
    ("1/2ln2", "unread", "column 4: this can be read in two ways"),
    ("ln4/3", "unread", "column 5: this can be read in two ways; write brackets, such as ln(4/3) or ln(4)/3"),
    (r"\ln 4/3", "unread", "column 7: this can be read in two ways"),
    ("ln2^3", "unread", "column 4: this can be read in two ways"),
    ("ln2³", "unread", "column 4: this can be read in two ways"),
    ("ln2π", "unread", "column 4: this can be read in two ways"),
    ("√2π", "unread", "column 3: this can be read in two ways"),
    ("ln2(3)", "unread", "column 4: this can be read in two ways"),
    ("log2(8)", "unread", "column 5: this can be read in two ways"),
    ("ln2x", "unread", "column 1: 'ln2x' reads as one name; did you mean ln(2x)?"),
    ("ln2e3", "unread", "column 1: 'ln2e3' reads as one name; did you mean ln(2e3)?"),
    ("exp2", "unread", "column 1: 'exp2' reads as one name; did you mean exp(2)?"),
    ("ln0", "unread", "column 1: ln of 0 is not a real number"),
    ("e^2(3)", "unread", "column 4: this can be read in two ways"),
    ("1 2", "unread", "column 3: cannot read '2' here"),
    ("2.5½", "unread", "column 4"),
    ("2 ½", "unread", "column 3"),
    ("1/4½", "unread", "column 4: this can be read in two ways"),
    ("2^4½", "unread", "column 4: this can be read in two ways"),
    ("4½3", "unread", "column 3"),
    (r"\frac{1}", "unread", "column 9: an argument in { } is missing at the end"),
    (r"\frac{1}x", "unread", "column 9: a '{' is missing here"),
    (r"\sqrt[3]{8}", "unread", "column 6: a '{' is missing here"),
    (r"1+\input{x}", "unread", r"column 3: '\input' is not something I can read"),
    (r"0.5+\frac{1}{x}", "unread", "column 14: 'x' is not something I can read"),
    ("1,024", "unread", "column 1: '1,024' may have a decimal comma or a comma for the thousands"),
    ("1,000.5", "unread", "thousands"),
    ("2/3 ≈ 0.5", "unread", "column 1: these are different numbers"),
    ("1/2 = 1/3", "unread", "column 1: these are different numbers"),
    ("1/2 = x", "unread", "column 7: 'x' is not something I can read"),
    ("1/2 =", "unread", "column 6"),
    ("-inf = 1", "unread", "column 1"),
    ("0·5", "unread", "column 1: '0·5' may be a decimal or a product; write 0.5 or 0*5"),
    ("1.2.3", "unread", "column"),
    ("1/3...", "unread", "column 4: only a decimal can go on with …"),
    ("...", "unread", "column 1: a number is missing here"),
    ("≈", "unread", "column 2: a number is missing here"),
    ("inf", "unread", "'inf' is not a number"),
    ("٣", "unread", "column 1"),
    ("sqrt(-1)", "unread", "column 1"),
    ("ln(0)", "unread", "column 1"),
    ("ok", "unread", "column 1"),
    ("2^100", "unread", "column 1: the power ^100 is not allowed"),
    ("9**9**9", "unread", "column 1: the power ^387420489 is not allowed"),
    ("1e999999999", "unread", "column 1: the exponent of '1e999999999' is too large"),
    ("10^-999999", "unread", "column 1"),
    ("1.5*10^99999", "unread", "column 1: the exponent of '1.5e99999' is too large"),
    ("__import__('os')", "unread", "'__import__' is not something I can read"),
    ("eval(1)", "unread", "there is no function 'eval'"),
    ("0.5\u202e7", "unread", "an invisible character (U+202E)"),
    ("0.5\x007", "unread", "an invisible character (U+0000)"),
]


@pytest.mark.parametrize(("typed", "value", "places", "note"), NUMBERS)
def test_number_is_read(typed: str, value: Any, places: int | None, note: str) -> None:
    written = read_number(typed, Budget())
    assert ("number", places) == (written.state, written.places), written
    said = "; ".join(words(written.notes))
    assert note in said if note else not said
    assert written.cell is not None
    assert_is(sympy.Integer(value) if isinstance(value, int) else value, written.cell)


@pytest.mark.parametrize(("typed", "state", "note"), OTHERS)
def test_what_is_no_number_is_told(typed: str, state: str, note: str) -> None:
    written = read_number(typed, Budget())
    assert state == written.state, written
    assert note in "; ".join(words(written.notes))
    assert (state == "unread") == any(str(one.meant).startswith("column ") for one in written.notes)


def test_table_is_long_enough() -> None:
    assert 80 <= len(NUMBERS)


@pytest.mark.parametrize("typed", ["0.50", "−0.5", "0,67", r"\frac{1}{2}", "58.5 %", "~3.5", "?", "½"])
def test_text_is_kept_as_typed(typed: str) -> None:
    assert typed == read_number(typed, Budget()).text


@pytest.mark.parametrize("typed", ["~3.50", "~~3.50~~"])
def test_what_is_crossed_out_keeps_its_value(typed: str) -> None:
    written = read_number(typed, Budget())
    assert written.cell is not None
    assert (Fraction(7, 2), 2) == (written.cell.rational(), written.places)


def test_number_of_too_many_characters_is_not_read() -> None:
    assert "number" == read_number("0." + "1" * (LIMITS.characters - 2), Budget()).state
    written = read_number("1+" * LIMITS.characters, Budget())
    assert ("unread", "column 1001: longer than 1000 characters") == (
        written.state,
        str(written.notes[0].meant),
    )
    assert len(written.text) <= 60


def test_what_is_refused_leaves_nothing_in_memory() -> None:
    """An error that is kept and raised again would keep every frame that it went through."""

    def frames() -> int:
        gc.collect()
        # isinstance would ask the objects themselves, some of which warn when they are asked anything.
        return sum(type(kept) is TracebackType for kept in gc.get_objects())

    before = frames()
    for _ in range(200):
        read_number("(1+", Budget())
    assert frames() - before < 20


def test_expressions_are_paid_for() -> None:
    """Past the limit only plain numbers are read, so that many harmless expressions cannot hang."""
    budget = Budget()
    states = [read_number("(1+e)^8/(2+e)", budget).state for _ in range(1000)]
    assert {"number", "unread"} == set(states)
    assert "number" == read_number("0.5", budget).state
