"""Exact numbers as torch has them."""

from math import inf, pi

import pytest

from attnsolve.companion.floats import number
from attnsolve.exact.infinity import HIDDEN
from attnsolve.expressions import number as read


@pytest.mark.parametrize(
    ("typed", "value"),
    [("1/3", 1 / 3), ("pi", pi), ("10^64", 1e64), ("-2^-3", -0.125), ("exp(-64)", 1.603810890548638e-28)],
)
def test_a_number_becomes_the_float_next_to_it(typed: str, value: float) -> None:
    assert value == number(read(typed))


def test_what_is_too_large_is_infinite_as_in_torch() -> None:
    huge = read("10^64")
    for _ in range(3):
        huge = read("10^64").times(huge.rational())  # type: ignore[attr-defined]
    huge = huge.times(huge.rational())  # type: ignore[attr-defined]
    assert (inf, -inf) == (number(huge), number(huge.times(-1)))
    assert -inf == number(HIDDEN)
