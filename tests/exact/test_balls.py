"""Balls: sound at every precision, decided when they can be, and refused in time when they cannot."""

import pytest
import sympy
from exact.oracle import assert_matrix, assert_number
from exact.samples import KINDS, RATIONALS, typed
from flint import arb

from attnsolve.errors import Undecided, UndefinedStep
from attnsolve.exact import Rational, Rationals, Rounded, matrix_of_cells
from attnsolve.exact.arithmetic import Arithmetic
from attnsolve.exact.balls import Balls, Enclosed, fixed
from attnsolve.exact.cells import subtract


def test_second_softmax_on_top_of_the_first() -> None:
    """Softmax of mixed values has no readable form; its balls still give any digit."""
    Z = KINDS["mixture"]
    weights = Z.sympys.applyfunc(sympy.exp)
    expected = sympy.Matrix([list(weights[i, :] / sum(weights[i, :])) for i in range(3)])
    assert_matrix(expected, Z.ours.exp().normalised())


def test_a_point_is_an_exact_value() -> None:
    half = Balls.of(Rationals([[1, 0]], 2))
    assert (sympy.Rational(1, 2), 0) == (half.cell(0, 0).rational(), half.cell(0, 1).rational())
    assert half.cell(0, 1).is_zero() is True
    assert Rounded(5000, 4, True) == half.decimals(4)[0][0]
    assert Rounded(0, 4, True) == half.decimals(4)[0][1]
    assert half.same(Rationals([[1, 0]], 2)) is True
    assert half.same(Rationals([[1, 1]], 2)) is False


def test_equal_balls_of_which_nothing_else_is_known_cannot_be_proven_equal() -> None:
    third = fixed([[arb(1) / 3]])
    assert third.cell(0, 0).rational() is None
    assert third.same(Rationals([[1]], 3)) is None
    assert subtract(third.cell(0, 0), Rational(0)).is_zero() is False


def test_argmax_of_balls() -> None:
    assert [(1,)] == Balls.of(typed("√2 √3")).maxima()
    assert [(0, 1)] == Balls.of(Rationals([[1, 1, 0]], 2)).maxima()
    assert [(0, 1)] == Balls.of(Rationals([[1, 1, 0]], 3)).maxima()
    with pytest.raises(Undecided, match="cannot decide the sign"):
        fixed([[arb(1) / 3, arb(1) / 3]]).maxima()


def test_relu_of_balls() -> None:
    assert_matrix(sympy.Matrix([[0, sympy.sqrt(3), 0]]), Balls.of(typed("-√2 √3 0")).relu())


def test_rows_of_sum_zero_are_refused_at_once() -> None:
    with pytest.raises(UndefinedStep, match="row 2 has the sum 0, so it cannot be divided by it"):
        Balls.of(typed("1 √2", "-√2 -1")).relu().normalised()
    with pytest.raises(UndefinedStep, match="row 1 has the sum 0"):
        Balls.of(typed("√2 -√2")).normalised()
    with pytest.raises(Undecided, match="cannot decide whether row 1 has the sum 0"):
        fixed([[arb(2).sqrt(), -arb(2).sqrt()]]).normalised()


def test_shares_of_a_row_with_signs() -> None:
    expected = sympy.Matrix([[sympy.sqrt(2), -3, 0]]) / (sympy.sqrt(2) - 3)
    assert_matrix(expected, Balls.of(typed("√2 -3 0")).normalised())


def test_what_is_divided_by_its_own_sum_is_known_to_be() -> None:
    shares = Balls.of(typed("√2 √3 1")).normalised()
    assert shares.is_normalised
    turned = shares.transposed()  # whose rows are numbers of different rows, or single ones
    assert not any(other.is_normalised for other in (turned, shares + shares, Balls.of(typed("√2 √3"))))


def test_wide_balls_stay_wide() -> None:
    """A number somebody wrote down as 0.33 is anything from 0.325 to 0.335."""
    written = fixed([[arb("0.33", "0.005")]])
    assert Rounded(3, 1, False) == written.cell(0, 0).rounded(1)
    with pytest.raises(Undecided, match=r"cannot decide how .* rounds to 2 places"):
        written.decimals(2)
    assert (written + written).same(Rationals([[2]], 3)) is None
    assert (written + written).same(Rationals([[1]])) is False


def test_known_balls_belong_to_their_precision() -> None:
    calls: list[int] = []

    def compute(on: Arithmetic) -> arb:
        calls.append(1)
        return arb(2).sqrt()

    cell = Enclosed(compute)
    accuracies = [cell.ball(bits).rel_accuracy_bits() for bits in (64, 1024, 64, 1024)]
    assert 2 == len(calls)
    assert accuracies[0] == accuracies[2] < 70 < 1000 < accuracies[1] == accuracies[3]


def test_text_and_sympy_give_sixty_digits() -> None:
    cell = Balls.of(typed("√2")).cell(0, 0)
    assert "1.41421356237309504880168872420969807856967187537694807317668" == cell.text()
    assert str(sympy.sqrt(2).evalf(60)) == str(cell.sympy())


def test_a_matrix_with_balls_among_its_cells() -> None:
    ball = Balls.of(typed("√2")).cell(0, 0)
    M = matrix_of_cells([[ball, Rational(1)], [Rational(2), ball]])
    assert "certified" == M.kind
    assert_matrix(sympy.Matrix([[sympy.sqrt(2), 1], [2, sympy.sqrt(2)]]), M)


def test_long_products_keep_their_digits() -> None:
    M = Balls.of(RATIONALS.ours.exp().normalised())
    power, expected = M, KINDS["weights"].sympys.evalf(90)
    for _ in range(9):
        power = power @ M
    assert_matrix(expected**10, power)
    assert_number((expected**10)[0, 0], power.cell(0, 0))
