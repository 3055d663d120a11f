"""A factor in front of a matrix or behind it."""

import pytest
import sympy
from proofs import assert_is
from sympy import sqrt

from attnsolve.submission import State
from attnsolve.verifier.reading.budget import Budget
from attnsolve.verifier.reading.tables import read_table

PRODUCTS = [
    ("1/sqrt(3)*[[3, 1]]", [sqrt(3), 1 / sqrt(3)]),
    (r"\frac{1}{\sqrt{3}}\begin{bmatrix} 3 & 1 \end{bmatrix}", [sqrt(3), 1 / sqrt(3)]),
    (r"\frac{1}{\sqrt{3}} \cdot \left( \begin{array}{cc} 3 & 1 \end{array} \right)", [sqrt(3), 1 / sqrt(3)]),
    ("[3 1]/sqrt(3)", [sqrt(3), 1 / sqrt(3)]),
    ("-[1 -2]", [sympy.Integer(-1), sympy.Integer(2)]),
    ("2 * [1/2 1/3] / 5", [sympy.Rational(1, 5), sympy.Rational(2, 15)]),
    ("1e-2 * [4.5 10]", [sympy.Rational(9, 200), sympy.Rational(1, 10)]),
]


@pytest.mark.parametrize(("typed", "expected"), PRODUCTS)
def test_factor_is_multiplied_out_exactly(typed: str, expected: list[sympy.Expr]) -> None:
    (row,) = read_table(typed, Budget())
    for written, value in zip(row, expected, strict=True):
        assert written.cell is not None
        assert_is(value, written.cell)


def test_power_of_ten_only_moves_the_point() -> None:
    ((first, second),) = read_table("1.0e+03 *\n 0.0045 1.2000", Budget())
    assert [(1, "9/2"), (1, "1200")] == [
        (w.places, str(w.cell.rational())) for w in (first, second) if w.cell
    ]


@pytest.mark.parametrize(
    ("typed", "states"),
    [
        ("2*[1 - ?]", ["number", "blank", "illegible"]),
        ("2*[1 -inf]", ["number", "number"]),
        ("-1*[1 -inf]", ["number", "unread"]),
        ("x*[1 2]", ["unread", "unread"]),
        ("[1 2]*[3 4]", ["unread"]),
        ("1 2 [3 4]", ["unread"]),
        ("2^[1 2]", ["unread"]),
        ("2/[1 2]", ["unread"]),
    ],
)
def test_what_has_no_product_is_not_read(typed: str, states: list[str]) -> None:
    (row,) = read_table(typed, Budget())
    assert list(map(State, states)) == [written.state for written in row]
