"""Softmax: rows that sum to 1, ties, shifts, permutations, logarithms that give rationals back."""

from fractions import Fraction

import pytest
import sympy
from exact.oracle import assert_matrix, softmax
from exact.samples import typed
from flint import ctx
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import Drawn, drawn_matrices, fractions, logarithms, matrices, surds, tables

from attnsolve.exact import Rational, Rationals
from attnsolve.exact.attention import Exponentials
from attnsolve.exact.cells import Cell, add
from attnsolve.exact.matrices import Matrix
from attnsolve.exact.surds import Surds
from attnsolve.expressions import number

SCORES = st.one_of(
    drawn_matrices(surds()),
    drawn_matrices(logarithms()),
    tables().map(lambda t: Drawn(Rationals.of(t), sympy.Matrix(t))),
)


def softmax_of(matrix: Matrix) -> Matrix:
    """Our softmax of each row."""
    return matrix.exp().normalised()


def row_sum(matrix: Matrix, i: int) -> Cell:
    """The sum of a row."""
    total: Cell = Rational(0)
    for j in range(matrix.shape[1]):
        total = add(total, matrix.cell(i, j))
    return total


@given(SCORES)
def test_each_row_sums_to_exactly_one(scores: Drawn) -> None:
    A = softmax_of(scores.ours)
    for i in range(A.shape[0]):
        assert row_sum(A, i).same(Rational(1)) is True
        assert 1 == row_sum(A, i).rational()
    sums = A @ Rationals([[1]] * A.shape[1])
    assert sums.same(Rationals([[1]] * A.shape[0])) is True


@settings(max_examples=40)
@given(SCORES)
def test_weights_are_those_of_sympy(scores: Drawn) -> None:
    assert_matrix(softmax(scores.sympys), softmax_of(scores.ours))


@given(SCORES, surds())
def test_a_constant_added_to_a_row_changes_nothing(scores: Drawn, constant: Drawn) -> None:
    rows, columns = scores.ours.shape
    added = Rationals([[1]] * rows) @ typed(" ".join(["0"] * columns))
    shifted = scores.ours + (added + Rationals([[1] * columns] * rows)).scaled(constant.ours)
    assert softmax_of(shifted).same(softmax_of(scores.ours)) is True


@given(SCORES, st.randoms(use_true_random=False))
def test_permuted_keys_have_permuted_weights(scores: Drawn, random: object) -> None:
    order = list(range(scores.ours.shape[1]))
    random.shuffle(order)  # type: ignore[attr-defined]
    permutation = Rationals([[int(i == order[j]) for j in range(len(order))] for i in range(len(order))])
    assert softmax_of(scores.ours @ permutation).same(softmax_of(scores.ours) @ permutation) is True


@given(SCORES)
def test_normalising_twice_changes_nothing(scores: Drawn) -> None:
    A = softmax_of(scores.ours)
    assert A.normalised().same(A) is True


@given(tables((2, 3), st.fractions(Fraction(1, 6), 20, max_denominator=6)))
def test_logarithms_give_rationals_back(weights: list[list[Fraction]]) -> None:
    from attnsolve.exact import matrix_of_cells
    from attnsolve.exact.cells import logarithm

    A = softmax_of(matrix_of_cells([[logarithm(x) for x in row] for row in weights]))
    for i, row in enumerate(weights):
        assert [x / sum(row) for x in row] == [A.cell(i, j).rational() for j in range(3)]


def test_ln_2_and_ln_3_are_two_fifths_and_three_fifths() -> None:
    A = softmax_of(typed("ln(2) ln(3)"))
    assert isinstance(A, Rationals)
    assert [["2/5", "3/5"]] == A.texts()


def test_half_logarithms_are_roots() -> None:
    """e^{ln(2)/2} = √2, so the weights are √2/(1+√2) and 1/(1+√2)."""
    A = softmax_of(typed("ln(2)/2 0"))
    assert A.same(Surds({(1, ()): Rationals([[2, -1]]), (2, ()): Rationals([[-1, 1]])})) is True


def test_thirds_of_logarithms_are_cube_roots() -> None:
    A = softmax_of(typed("ln(8)/3 0", "ln(2)/3 0"))
    assert Fraction(2, 3) == A.cell(0, 0).rational()
    a = sympy.cbrt(2)
    assert_matrix(sympy.Matrix([[sympy.Rational(2, 3), sympy.Rational(1, 3)], [a / (1 + a), 1 / (1 + a)]]), A)


def test_several_roots_in_one_row() -> None:
    rows = sympy.Matrix([[1 + sympy.sqrt(2), sympy.sqrt(3), 0]])
    A = softmax_of(typed("1+√2 √3 0"))
    assert_matrix(softmax(rows), A)
    assert [(0,)] == A.maxima()


def test_one_number_and_a_logarithm() -> None:
    """e^{1 + ln 2} = 2e: a logarithm folds also beside something else."""
    A = softmax_of(typed("1+ln(2) 1"))
    assert Fraction(2, 3) == A.cell(0, 0).rational()


def test_ties_share_one_exponent() -> None:
    A = softmax_of(Rationals([[3, 1, 3]]))
    assert isinstance(A, Exponentials)
    assert {0: 2, -2: 1} == A.totals[0].counts  # type: ignore[index]
    assert A.cell(0, 0).same(A.cell(0, 2)) is True
    assert [(0, 2)] == A.maxima()
    assert "1/2" == softmax_of(Rationals([[5, 5]])).cell(0, 1).text()


def test_ties_of_roots_share_one_exponent() -> None:
    A = softmax_of(typed("√8 2√2 √2+√2 0"))
    assert [(0, 1, 2)] == A.maxima()
    assert (A @ Rationals([[1], [1], [1], [1]])).cell(0, 0).rational() == 1


def test_large_scores_do_not_overflow() -> None:
    A = softmax_of(Rationals([[10**6, 0], [-(10**6), 10**6]]))
    assert ["1.0000", "3.30e-434295"] == [shown.text for shown in A.decimals(4)[0]]
    assert A.cell(0, 0).same(Rational(1)) is False


def test_weights_across_the_wrong_axis_do_not_sum_to_one() -> None:
    A = softmax_of(Rationals([[1, 2], [0, 3]]))
    wrong = A.T @ Rationals([[1], [1]])
    assert wrong.same(Rationals([[1], [1]])) is False
    assert (A.T.T @ Rationals([[1], [1]])).same(Rationals([[1], [1]])) is True


@given(matrices((2, 3)), st.integers(0, 2), st.integers(1, 3))
def test_columns_keep_their_denominators(scores: Rationals, start: int, width: int) -> None:
    A = softmax_of(scores)
    cut = A.columns(start, min(start + width, 3))
    for i, j, cell in cut.cells():
        assert cell.same(A.cell(i, start + j)) is True
        assert cut.decimals(5)[i][j] == A.decimals(5)[i][start + j]


@given(matrices((2, 2)), fractions())
def test_balls_get_finer_with_the_precision(scores: Rationals, shift: Fraction) -> None:
    """What was computed at one precision is not given out at another."""
    before = ctx.prec
    A = softmax_of(scores + Rationals.of([[shift] * 2] * 2))
    Z = A @ Rationals([[1, 3], [2, 7]], 3)
    for bits in (64, 1024, 64, 300, 2000):
        for matrix in (A, Z):
            for row in matrix.balls(bits):
                assert all(bits - 40 < ball.rel_accuracy_bits() for ball in row)
                assert all(ball.bits() <= bits for ball in row)
    assert before == ctx.prec


def test_weights_times_weights_are_certified() -> None:
    A, B = softmax_of(Rationals([[0, 1], [1, 0]])), softmax_of(Rationals([[0, 2], [1, 0]]))
    product = A @ B
    assert "certified" == product.kind
    expected = softmax(sympy.Matrix([[0, 1], [1, 0]])) * softmax(sympy.Matrix([[0, 2], [1, 0]]))
    assert_matrix(expected, product)


@pytest.mark.parametrize("text", ["0", "√2", "ln(2)", "1/3"])
def test_exponential_of_a_single_number(text: str) -> None:
    assert typed(text).exp().cell(0, 0).same(number(f"exp({text})")) is True
    assert 1 == softmax_of(typed(text)).cell(0, 0).rational()
