"""What a person would write out, and what is left to decimals."""

import re

import pytest
from rendering.samples import problem

from attnsolve.engine import solve
from attnsolve.exact import Rationals, matrix_of_cells
from attnsolve.expressions import number
from attnsolve.loader import loads
from attnsolve.rendering import render
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


# 29.1099165/√12 would be 19406611√3/4000000: long, and no decimal.
LONG_ROOT = problem(
    """
numbers: decimals
given: {S: 29.1099165 1; 0.5 2}
parts:
  - ask: Scale the scores.
    plan: [{T: 'divide(S, sqrt(12))'}]
"""
)


def test_a_long_root_does_not_stand_among_decimals() -> None:
    text = render(solve(loads(LONG_ROOT))).text
    assert r"T_{1,1} = \frac{29.1099165}{2\sqrt{3}} \approx 8.4033" in text
    assert "19406611" not in text


def test_a_long_fraction_in_a_table_is_told_by_its_decimals() -> None:
    """Scores of normalised tokens are fractions of a dozen digits."""
    given = "given: {X: 0.513 1.257; 1.1 0.3, W: 0.2 0.4; 1.5 -0.3}"
    plan = "[{N: layer_norm(X)}, {Q: 'project(N, W)'}, {S: 'dot(Q, Q)'}, {A: softmax(S)}]"
    text = render(solve(loads(problem(f"{given}\nparts:\n  - ask: Find it.\n    plan: {plan}\n")))).text
    tables = [line for line in text.splitlines() if line.startswith("| $")]
    assert tables
    assert not re.search(r"frac\{\d{6,}\}|\{\d{6,}\}\$", "\n".join(tables))
