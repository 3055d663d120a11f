"""Decimals of many numbers at once, against Python's own decimal arithmetic."""

from decimal import ROUND_HALF_UP, Context, Decimal
from random import Random

import pytest
from flint import arb, fmpq

from attnsolve.exact import Rounded
from attnsolve.exact.decimals import in_full, proven
from attnsolve.exact.precision import precision
from attnsolve.exact.surds import Surds, surds_of_cells
from attnsolve.expressions import number

FINE = Context(prec=60)
CHANCE = Random(18)
NUMBERS = [
    (
        CHANCE.choice((-1, 1)) * CHANCE.randint(1, 10**8),
        CHANCE.choice((7, 9, 11, 13, 997)) * 10 ** CHANCE.randint(0, 20),
    )
    for _ in range(2000)
]
# Just below a power of ten, where rounding makes another digit.
AT_AN_EDGE = [
    (sign * (7 * nines + 6), 7 * 10**power)
    for sign in (-1, 1)
    for nines in (999, 9994, 9995)
    for power in range(3, 16)
]


def expected(value: Decimal, places: int) -> Decimal:
    """To `places`; three digits of what is 0 with these."""
    rounded = value.quantize(Decimal(10) ** -places, ROUND_HALF_UP, FINE)
    return rounded or Context(prec=3, rounding=ROUND_HALF_UP).plus(value)


def decimal(shown: Rounded) -> Decimal:
    return FINE.divide(Decimal(shown.fraction.numerator), Decimal(shown.fraction.denominator))


@pytest.mark.parametrize("places", [0, 2, 4, 9])
@pytest.mark.parametrize("bits", [64, 256])
def test_what_a_ball_proves_is_what_the_number_rounds_to(places: int, bits: int) -> None:
    decided = 0
    with precision(bits):
        for above, below in (*NUMBERS, *AT_AN_EDGE):
            found = proven([arb(fmpq(above, below))], places)
            if found[0] is None:
                continue
            ((shown,),) = in_full([found], places)  # type: ignore[list-item]
            value = FINE.divide(Decimal(above), Decimal(below))
            if abs(value) >= 10**6:
                continue
            decided += 1
            assert expected(value, places) == decimal(shown), (above, below)
    assert decided > 1500


@pytest.mark.parametrize("places", [0, 2, 4, 9])
def test_shares_of_a_root_are_rounded_as_their_digits_say(places: int) -> None:
    chosen = [
        (CHANCE.randint(-9999, 9999) or 1, CHANCE.randint(1, 99), CHANCE.choice((2, 3, 5, 6, 7)))
        for _ in range(300)
    ]
    for above, below, under in chosen:
        cell = number(f"{above}*sqrt({under})/{below}")
        matrix = surds_of_cells([[cell]])
        assert isinstance(matrix, Surds)
        value = FINE.divide(FINE.multiply(Decimal(above), FINE.sqrt(Decimal(under))), Decimal(below))
        assert expected(value, places) == decimal(matrix.decimals(places)[0][0]), (above, under, below)
