"""Exact text: SymPy reads it as the same number, and so does our own grammar."""

import pytest
from exact.oracle import assert_number, read
from exact.samples import KINDS, typed
from hypothesis import given, settings
from strategies import Drawn, drawn_matrices, logarithms, matrices, surds

from attnsolve.exact import Rationals
from attnsolve.expressions import number

READABLE = [kind for kind in KINDS if kind != "balls"]


@pytest.mark.parametrize("kind", READABLE)
def test_text_is_read_as_the_same_number(kind: str) -> None:
    for _, _, cell in KINDS[kind].ours.cells():
        assert number(cell.text()).same(cell) is True


@settings(max_examples=50)
@given(drawn_matrices(surds()))
def test_surds_are_read_back(drawn: Drawn) -> None:
    for i, j, cell in drawn.ours.cells():
        assert number(cell.text()).same(cell) is True
        assert 0 == (read(cell.text()) - drawn.sympys[i, j]).expand()


@settings(max_examples=15)
@given(drawn_matrices(logarithms(), (1, 3)), matrices((3, 2)))
def test_mixtures_are_read_back(scores: Drawn, values: Rationals) -> None:
    weights = scores.ours.exp().normalised()
    for matrix in (weights, weights @ values):
        for _, _, cell in matrix.cells():
            assert number(cell.text()).same(cell) is True
            assert_number(read(cell.text()).evalf(80), cell)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("-9/4", "-9/4"),
        ("7", "7"),
        ("0.50", "1/2"),
        ("-√2", "-sqrt(2)"),
        ("-9√2/2", "-9*sqrt(2)/2"),
        ("1-√3/2", "1 - sqrt(3)/2"),
        ("-1-√3", "-1 - sqrt(3)"),
        ("√2*ln(3)/5", "sqrt(2)*log(3)/5"),
        ("exp(-9√2/2)", "exp(-9*sqrt(2)/2)"),
        ("2*exp(1-√2)", "2*exp(1 - sqrt(2))"),
        ("1/(1+e)", "exp(-1)/(1 + exp(-1))"),
        ("-1/(1+e^-1)", "-1/(1 + exp(-1))"),
        ("√2-√2", "0"),
        ("pi/2", "pi/2"),
    ],
)
def test_form(text: str, written: str) -> None:
    assert written == number(text).text()


def test_matrix_in_full() -> None:
    assert "[1/2  sqrt(2); 0  -1]" == repr(typed("1/2 √2", "0 -1"))
    assert [["1/2", "sqrt(2)"], ["0", "-1"]] == typed("1/2 √2", "0 -1").texts()
