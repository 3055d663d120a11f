"""Matrices with roots and logarithms against SymPy, and where they become rational again."""

import pytest
import sympy
from exact.oracle import assert_matrix
from exact.samples import typed
from hypothesis import given, settings
from strategies import Drawn, drawn_matrices, logarithms, surds

from attnsolve.errors import UndefinedStep
from attnsolve.exact import Rationals
from attnsolve.exact.surds import Surds, surd_terms
from attnsolve.expressions import number


@settings(max_examples=20)
@given(drawn_matrices(surds(), (2, 2)), drawn_matrices(logarithms(), (2, 2)), surds())
def test_arithmetic_is_that_of_sympy(a: Drawn, b: Drawn, factor: Drawn) -> None:
    assert_matrix((a.sympys * b.sympys).applyfunc(sympy.expand), a.ours @ b.ours)
    assert_matrix(a.sympys + b.sympys, a.ours + b.ours)
    assert_matrix((a.sympys * factor.sympys).applyfunc(sympy.expand), a.ours.scaled(factor.ours))
    assert_matrix(sympy.Matrix.hstack(a.sympys, b.sympys), a.ours | b.ours)


@settings(max_examples=40)
@given(drawn_matrices(surds()))
def test_decisions_are_those_of_sympy(drawn: Drawn) -> None:
    digits = drawn.sympys.evalf(50)
    rows, columns = drawn.sympys.shape
    signs = [[sympy.sign(digits[i, j]) > 0 for j in range(columns)] for i in range(rows)]
    expected = sympy.Matrix(rows, columns, lambda i, j: drawn.sympys[i, j] if signs[i][j] else 0)
    assert_matrix(expected, drawn.ours.relu())
    tops = [max(digits[i, :]) for i in range(rows)]
    near = [tuple(j for j in range(columns) if abs(digits[i, j] - tops[i]) < 1e-40) for i in range(rows)]
    assert near == drawn.ours.maxima()


@pytest.mark.parametrize(
    ("matrix", "kind"),
    [
        (typed("√2 √8") @ typed("√2", "√2"), "rational"),
        (typed("√2") + typed("-√2"), "rational"),
        (typed("√2") + typed("1-√2"), "rational"),
        (typed("√2").scaled(number("0")), "rational"),
        (typed("√2").scaled(number("√2")), "rational"),
        (typed("√2 1"), "surd"),
        (typed("√4 √(9/4)"), "rational"),
        (typed("√2 √3") / number("√3"), "surd"),
    ],
)
def test_roots_that_vanish_leave_rationals(matrix: Surds, kind: str) -> None:
    assert kind == matrix.kind


def test_a_common_root_cancels_when_rows_are_normalised() -> None:
    A = typed("√2 2√2 √8").normalised()
    assert isinstance(A, Rationals)
    assert [["1/5", "2/5", "2/5"]] == A.texts()


@pytest.mark.parametrize("row", ["√2 -√2", "1-√2 √2-1", "√6 -√2*√3", "ln(6)-ln(2) -ln(3)"])
def test_rows_of_sum_zero_are_refused(row: str) -> None:
    with pytest.raises(UndefinedStep, match="row 2 has the sum 0, so it cannot be divided by it"):
        typed("1 √2", row).normalised()


def test_several_roots_over_their_sum() -> None:
    r2, r3 = sympy.sqrt(2), sympy.sqrt(3)
    ours = typed("1+√2 √3").normalised()
    assert_matrix(sympy.Matrix([[(1 + r2) / (1 + r2 + r3), r3 / (1 + r2 + r3)]]), ours)


@pytest.mark.parametrize(
    ("text", "found"), [("1-√2", True), ("ln(2)", True), ("e", False), ("1/(1+√2)", False)]
)
def test_surd_terms(text: str, found: bool) -> None:
    assert found is (surd_terms(number(text)) is not None)
