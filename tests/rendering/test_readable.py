"""What a person would write out, and what is left to decimals."""

import pytest

from attnsolve.exact import Rationals, matrix_of_cells
from attnsolve.expressions import number
from attnsolve.rendering.readable import are_readable, is_readable


@pytest.mark.parametrize(
    ("text", "fractions", "decimals"),
    [
        ("2", True, True),
        ("355/113", True, True),
        ("0.79445237", False, True),
        ("-0.0001", True, True),
        ("1.7495845686644462", False, False),
        ("123456789012345", True, True),
        ("12345678901234567", False, False),
        ("1234567/7654321", False, False),
        ("2*sqrt(3)/3 + 1", True, True),
        ("100*sqrt(500010)/50001", False, False),
        ("exp(-9*sqrt(2)/2)", True, True),
        ("tanh(1)", True, True),
    ],
)
def test_short_numbers_are_readable(text: str, fractions: bool, decimals: bool) -> None:
    cell = number(text)
    assert (fractions, decimals) == (is_readable(cell, "fractions"), is_readable(cell, "decimals"))
    assert fractions == are_readable(matrix_of_cells([[number("1"), cell]]), "fractions")


def test_a_common_denominator_makes_no_number_long() -> None:
    """1/9999 and 1/9998 have the common denominator 99970002, but each is short."""
    assert are_readable(Rationals([[9998, 9999]], 9998 * 9999), "fractions")
