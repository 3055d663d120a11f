"""Means and variances of noisy weights against stored digits, another quadrature, and floats."""

import json
import math
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy
import pytest
from flint import arb

from attnsolve.errors import UndefinedStep
from attnsolve.exact import Cell
from attnsolve.exact.cells import Rational, divide
from attnsolve.exact.expectations import Exponent, Moments, Noise, Share, drawn_tenths
from attnsolve.exact.functions import apply

STORED = json.loads((Path(__file__).parents[1] / "golden.json").read_text("utf-8"))


def number(value: object) -> Cell:
    return Rational(Fraction(str(value)))


def moments(m: int, d: int, c: object, beta: object, rates: tuple[int, ...] = (1, 1)) -> Moments:
    """Of e^(rate c λ/√d) for two noisy keys and m - 2 others: the first, the second, all others together."""
    slope = divide(number(c), apply("sqrt", number(d)))
    terms = [
        Exponent(number(0), divide(slope, number(Fraction(1, rate))), place)
        for place, rate in enumerate(rates)
    ]
    others = [Exponent(number(0), count=m - 2)] if m > 2 else []
    mixtures = [(Share(Fraction(1), 0, place),) for place in range(len(terms))]
    mixtures += [(Share(Fraction(m - 2), 0, len(terms)),)] if others else []
    return Moments([[*terms, *others]], mixtures, Noise(number(1), number(beta), len(rates)))


def stored(name: str) -> Any:
    return STORED["s004_1_3"]["steps"]["quadrature"][name]


CASES = [(4, 4, 1, "1/4"), (4, 4, 20, "1/4"), (4, 4, 20, "1/100")]


@pytest.mark.parametrize(("m", "d", "c", "beta"), CASES)
def test_means_and_variances_are_those_that_were_stored(m: int, d: int, c: int, beta: str) -> None:
    entry, found = stored(f"m={m},d={d},c={c},beta={beta}"), moments(m, d, c, beta)
    compared = {
        "E_alpha_a": found.mean(0),
        "Var_alpha_a": found.variance(0),
        "E_mass_on_others": found.mean(2),
    }
    for key, cell in compared.items():
        ball = cell.ball(64)
        assert ball.contains(arb(entry[key])) and ball.rad() < 1e-5
    head = moments(m, d, c, beta, (1, -1))
    for place, key in enumerate(("E_alpha_a", "E_alpha_b", "E_mass_on_others")):
        assert head.mean(place).ball(64).contains(arb(entry["student_head2"][key]))


@pytest.mark.parametrize(("m", "rate", "beta"), [(2, 1.0, 0.5), (3, 0.5, 1.0), (10, 2.0, 0.04)])
def test_gauss_and_hermite_agree(m: int, rate: float, beta: float) -> None:
    nodes, shares = numpy.polynomial.hermite_e.hermegauss(90)
    shares = shares / shares.sum()
    powers = numpy.exp(rate * (1 + math.sqrt(beta) * nodes))
    weights = powers[:, None] / (powers[:, None] + powers[None, :] + m - 2)
    mean = shares @ weights @ shares
    square = shares @ (weights * weights) @ shares
    found = moments(m, 4, Fraction(2 * rate), Fraction(str(beta)))
    assert mean == pytest.approx(float(found.mean(0).ball(256).mid()), abs=1e-10)
    assert square - mean**2 == pytest.approx(float(found.variance(0).ball(256).mid()), abs=1e-10)


def test_wider_balls_hold_the_narrower_ones() -> None:
    found = moments(5, 9, 4, "1/2")
    wide, narrow = (found.mean(0).ball(bits) for bits in (64, 256))
    assert wide.contains(narrow) and narrow.rad() < 1e-10 < wide.rad()


def test_digits_are_those_of_many_more_digits() -> None:
    found = moments(4, 4, 1, "1/4")
    assert "0.3126" == found.mean(0).decimals(4).text and "0.312573072" == found.mean(0).decimals(9).text


def test_a_number_without_noise_has_its_own_value() -> None:
    still = Moments(
        [[Exponent(number(0)), Exponent(number(0), count=3)]],
        [(Share(Fraction(1), 0, 0),)],
        Noise(number(1), number(1), 0),
    )
    assert still.mean(0).ball(64).contains(arb("0.25")) and still.variance(0).ball(64).contains(0)


def test_three_noisy_numbers_are_refused() -> None:
    with pytest.raises(UndefinedStep, match="3 noisy numbers"):
        moments(5, 5, 1, 1, (1, 1, 1))


def test_draws_lie_where_floats_put_them() -> None:
    found = [0] * 10
    for place in range(200):
        drawn = []
        for which in (0, 1):
            digest = sha256(f"7:{place}:{which}".encode()).digest()
            one, two = ((int.from_bytes(digest[k : k + 8]) + 0.5) / 2**64 for k in (0, 8))
            drawn.append(1 + 0.5 * math.sqrt(-2 * math.log(one)) * math.cos(2 * math.pi * two))
        first, second = (math.exp(1.5 * one) for one in drawn)
        found[int(10 * first / (first + second + 2))] += 1
    assert tuple(found) == drawn_tenths(moments(4, 4, 3, "1/4"), 0, count=200, seed=7)
