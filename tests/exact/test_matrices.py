"""Every verb on every kind of matrix, and on every pair of kinds in both orders, against SymPy."""

import pytest
import sympy
from exact.oracle import assert_balls, assert_matrix, assert_number, normalised
from exact.samples import ATTENTION, EXACT, KINDS
from sympy import Rational as Q
from sympy import exp, pi, sqrt, tanh

from attnsolve.errors import ShapeError, UndefinedStep
from attnsolve.exact import Matrix, Rationals
from attnsolve.exact.balls import Balls
from attnsolve.expressions import number

PAIRS = [(a, b) for a in KINDS for b in KINDS]
each_kind = pytest.mark.parametrize("kind", KINDS)
each_pair = pytest.mark.parametrize(("left", "right"), PAIRS, ids=[f"{a}, {b}" for a, b in PAIRS])


@each_pair
def test_product(left: str, right: str) -> None:
    a, b = KINDS[left], KINDS[right]
    assert_balls(a.sympys * b.sympys, a.ours @ b.ours)


@each_pair
def test_product_with_transpose(left: str, right: str) -> None:
    a, b = KINDS[left], KINDS[right]
    assert_balls(a.sympys * b.sympys.T, a.ours @ b.ours.T)


@each_pair
def test_sum(left: str, right: str) -> None:
    a, b = KINDS[left], KINDS[right]
    assert_balls(a.sympys + b.sympys, a.ours + b.ours)


@each_pair
def test_side_by_side(left: str, right: str) -> None:
    a, b = KINDS[left], KINDS[right]
    assert_balls(sympy.Matrix.hstack(a.sympys, b.sympys), a.ours | b.ours)


@pytest.mark.parametrize("attention", ATTENTION)
@pytest.mark.parametrize("simple", EXACT)
def test_attention_rows_stay_exact_beside_rationals_and_surds(attention: str, simple: str) -> None:
    a, b = KINDS[attention].ours, KINDS[simple].ours
    assert {"attention"} == {m.kind for m in (a @ b, b @ a, a + b, b + a, a | b, b | a, a.T @ b, b @ a.T)}


@each_kind
def test_transpose(kind: str) -> None:
    assert_matrix(KINDS[kind].sympys.T, KINDS[kind].ours.T)
    assert_matrix(KINDS[kind].sympys, KINDS[kind].ours.T.T)


FACTORS = {
    "-2/3": -Q(2, 3),
    "0": Q(0),
    "√2": sqrt(2),
    "√6/3": sqrt(6) / 3,
    "1 - √3": 1 - sqrt(3),
    "ln(2)": sympy.log(2),
    "e^-1": exp(-1),
    "1/(1+√2)": 1 / (1 + sqrt(2)),
    "(2+2√2)/(1+√2)": Q(2),
    "tanh(1)": tanh(1),
    "pi": pi,
}


@each_kind
@pytest.mark.parametrize("factor", FACTORS)
def test_scaled(kind: str, factor: str) -> None:
    assert_matrix(KINDS[kind].sympys * FACTORS[factor], KINDS[kind].ours.scaled(number(factor)))


@each_kind
def test_scaled_by_a_ball(kind: str) -> None:
    ball = Balls.of(Rationals([[1]]).exp()).cell(0, 0)
    assert_matrix(KINDS[kind].sympys * exp(1), KINDS[kind].ours.scaled(ball))


@each_kind
@pytest.mark.parametrize("divisor", [name for name in FACTORS if name != "0"])
def test_divided(kind: str, divisor: str) -> None:
    assert_matrix(KINDS[kind].sympys / FACTORS[divisor], KINDS[kind].ours / number(divisor))


@each_kind
@pytest.mark.parametrize("zero", ["0", "√2-√2", "pi-pi", "√2*√3-√6"])
def test_division_by_zero_is_undefined(kind: str, zero: str) -> None:
    with pytest.raises(UndefinedStep, match="division by zero"):
        KINDS[kind].ours / number(zero)


@each_kind
def test_exponentials(kind: str) -> None:
    assert_matrix(KINDS[kind].sympys.applyfunc(exp), KINDS[kind].ours.exp())


@each_kind
def test_softmax(kind: str) -> None:
    expected = normalised(KINDS[kind].sympys.applyfunc(exp))
    assert_matrix(expected, KINDS[kind].ours.exp().normalised())


@each_kind
def test_rows_over_their_sums(kind: str) -> None:
    assert_matrix(normalised(KINDS[kind].sympys), KINDS[kind].ours.normalised())


@each_kind
def test_columns_over_their_sums(kind: str) -> None:
    """The wrong axis: normalised after a transpose, and turned back."""
    softmax = KINDS[kind].ours.T.exp().normalised().T
    assert_matrix(normalised(KINDS[kind].sympys.T.applyfunc(exp)).T, softmax)


@each_kind
def test_relu(kind: str) -> None:
    expected = KINDS[kind].sympys.applyfunc(lambda x: x if sympy.N(x, 30) > 0 else sympy.Integer(0))
    assert_matrix(expected, KINDS[kind].ours.relu())


@each_kind
def test_maxima(kind: str) -> None:
    rows = [[sympy.N(x, 30) for x in row] for row in KINDS[kind].sympys.tolist()]
    expected = [tuple(j for j, x in enumerate(row) if abs(x - max(row)) < 1e-20) for row in rows]
    assert expected == KINDS[kind].ours.maxima()


@each_kind
def test_rows_taken(kind: str) -> None:
    twice = KINDS[kind].ours.take([2, 0, 2])
    assert_matrix(KINDS[kind].sympys.extract([2, 0, 2], [0, 1, 2]), twice)


@each_kind
def test_first_row_repeated(kind: str) -> None:
    assert_matrix(KINDS[kind].sympys.extract([0, 0], [0, 1, 2]), KINDS[kind].ours.repeated(2))


@each_kind
def test_columns_cut_out(kind: str) -> None:
    ours = KINDS[kind].ours.columns(1, 3)
    assert_matrix(KINDS[kind].sympys[:, 1:], ours)
    assert len(ours.decimals(3)[0]) == 2
    assert_matrix(normalised(KINDS[kind].sympys[:, 1:].applyfunc(exp)), ours.exp().normalised())


@each_kind
def test_columns_cut_out_and_mixed(kind: str) -> None:
    ours = KINDS[kind].ours.columns(0, 2) @ Rationals([[1, 2], [3, 4]])
    assert_matrix(KINDS[kind].sympys[:, :2] * sympy.Matrix([[1, 2], [3, 4]]), ours)


@each_kind
def test_sympy_form(kind: str) -> None:
    for i, j, cell in KINDS[kind].ours.cells():
        assert_number(KINDS[kind].ours.sympy()[i, j], cell)


@each_kind
def test_decimals_are_those_of_the_cells(kind: str) -> None:
    ours = KINDS[kind].ours
    for places in (0, 2, 4, 12):
        shown = ours.decimals(places)
        for i, j, cell in ours.cells():
            assert cell.decimals(places) == shown[i][j]


@each_kind
def test_carried_on_rounded(kind: str) -> None:
    ours = KINDS[kind].ours
    for mode in ("half_up", "half_even", "truncate"):
        rounded = ours.rounded(2, mode=mode)
        for i, j, cell in ours.cells():
            assert cell.rounded(2, mode=mode).fraction == rounded.fraction(i, j)


@each_kind
def test_equal_to_itself(kind: str) -> None:
    ours = KINDS[kind].ours
    assert ours.same(ours) is True
    assert ours.same(ours + Rationals([[0, 0, 0], [0, 0, 0], [0, 0, 1]])) is False
    assert ours.same(ours.columns(0, 2)) is False


@pytest.mark.parametrize("kind", [*EXACT, *ATTENTION])
def test_equal_after_detours(kind: str) -> None:
    ours: Matrix = KINDS[kind].ours
    identity = Rationals([[3, 0, 0], [0, 3, 0], [0, 0, 3]], 3)
    assert (ours @ identity).same(ours) is True
    assert (identity @ ours).same(ours) is True
    assert ours.same(ours.scaled(number("√2")) / number("√2")) is True
    assert (ours + ours).same(ours.scaled(number("2"))) is True
    assert (ours | ours).columns(3, 6).same(ours) is True


@each_pair
def test_shapes_that_do_not_fit_are_refused(left: str, right: str) -> None:
    a, b = KINDS[left].ours, KINDS[right].ours
    for bad in (
        lambda: a @ b.take([0, 1]),
        lambda: a + b.columns(0, 2),
        lambda: a + b.take([0, 1]),
        lambda: a | b.take([0, 1]),
    ):
        with pytest.raises(ShapeError, match="3×3"):
            bad()
