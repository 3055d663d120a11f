"""What is done number by number, between all kinds of matrix; SymPy as the judge."""

from fractions import Fraction
from typing import Any

import pytest
import sympy
from exact.oracle import SYMPYS, assert_balls, softmax
from exact.samples import ATTENTION, KINDS, OTHERS, typed
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import Drawn, drawn_matrices, surds

from attnsolve.errors import ShapeError, UndefinedStep
from attnsolve.exact import Matrix, Rationals
from attnsolve.exact.balls import Balls
from attnsolve.exact.infinity import HIDDEN
from attnsolve.exact.masked import Masked
from attnsolve.exact.precision import precision

every_kind = pytest.mark.parametrize("name", KINDS)
every_pair = pytest.mark.parametrize(("left", "right"), [(a, b) for a in KINDS for b in KINDS])


def digits(matrix: Any) -> Any:
    """90 digits where SymPy has no fraction: it need not simplify what is only compared."""
    return matrix.applyfunc(lambda x: x if x.is_Rational else x.evalf(90))


def nowhere_zero(name: str) -> Drawn:
    """A sample with 7 added, so that it can stand below a fraction."""
    drawn = KINDS[name]
    sevens = Rationals([[7] * 3] * 3)
    return Drawn(drawn.ours + sevens, drawn.sympys + 7 * sympy.ones(3, 3))


@every_pair
def test_products(left: str, right: str) -> None:
    a, b = KINDS[left], KINDS[right]
    assert_balls(digits(a.sympys.multiply_elementwise(b.sympys)), a.ours * b.ours)


@every_pair
def test_quotients(left: str, right: str) -> None:
    a, b = KINDS[left], nowhere_zero(right)
    expected = a.sympys.multiply_elementwise(b.sympys.applyfunc(lambda x: 1 / x))
    assert_balls(digits(expected), a.ours / b.ours)


@every_pair
def test_differences(left: str, right: str) -> None:
    a, b = KINDS[left], KINDS[right]
    assert_balls(digits(a.sympys - b.sympys), a.ours - b.ours)


@pytest.mark.parametrize("function", SYMPYS)
@every_kind
def test_functions(name: str, function: str) -> None:
    drawn = nowhere_zero(name) if function in ("sqrt", "ln") else KINDS[name]
    expected = drawn.sympys.applyfunc(lambda x: SYMPYS[function](x))
    assert_balls(digits(expected), drawn.ours.each(function))


@every_kind
def test_means(name: str) -> None:
    drawn = KINDS[name]
    expected = sympy.Matrix(3, 3, lambda i, j: sum(drawn.sympys[i, :]) / 3)
    assert_balls(digits(expected), drawn.ours.means())


@every_kind
def test_repeated(name: str) -> None:
    drawn = KINDS[name]
    row = drawn.ours.take([1])
    assert_balls(sympy.Matrix.vstack(*[drawn.sympys[1, :]] * 4), row.repeated(4))


@settings(max_examples=30)
@given(drawn_matrices(surds(), (2, 2)), drawn_matrices(surds(), (2, 2)))
def test_products_and_quotients_of_surds(a: Drawn, b: Drawn) -> None:
    assert_balls(digits(a.sympys.multiply_elementwise(b.sympys).expand()), a.ours * b.ours)
    zeros = [cell.is_zero() for _, _, cell in b.ours.cells()]
    if any(zeros):
        with pytest.raises(UndefinedStep, match="division by zero"):
            a.ours / b.ours
    else:
        expected = a.sympys.multiply_elementwise(b.sympys.applyfunc(lambda x: sympy.radsimp(1 / x)))
        assert_balls(digits(expected.expand()), a.ours / b.ours)


# -- exact while it can be read, certified after ---------------------------------------------------------

WEIGHTS = KINDS["weights"].ours


@pytest.mark.parametrize(
    ("made", "kind"),
    [
        (typed("1 2") * typed("3 1/2"), "rational"),
        (typed("1 2") / typed("3 1/2"), "rational"),
        (typed("√2 1") * typed("√2 3"), "rational"),
        (typed("√2 1") * typed("√3 3"), "surd"),
        (typed("1 4 9/4").each("sqrt"), "rational"),
        (typed("2 4").each("sqrt"), "surd"),
        (typed("ln(2) ln(3)").each("exp"), "rational"),
        (typed("1 2").each("tanh"), "symbolic"),
        (typed("1 2").each("tanh") * typed("√2 2"), "symbolic"),
        (Rationals([[1, 2]]).each("exp"), "symbolic"),
        (WEIGHTS * WEIGHTS, "certified"),
        (WEIGHTS / WEIGHTS, "certified"),
        (Balls.of(typed("1 2")) * typed("1 2"), "certified"),
        (typed("1 2") / Balls.of(typed("1 2")), "certified"),
        (Balls.of(typed("1 2")).each("tanh"), "certified"),
    ],
)
def test_kinds(made: Matrix, kind: str) -> None:
    assert kind == made.kind


@pytest.mark.parametrize("name", ATTENTION)
def test_zeros_and_ones_drop_numbers_exactly(name: str) -> None:
    keep = Rationals([[1, 0, 1], [1, 1, 1], [0, 0, 1]])
    ours, sympys = KINDS[name]
    assert_balls(sympys.multiply_elementwise(sympy.Matrix(keep.rows)), ours * keep)
    assert 0 == (ours * keep).cell(0, 1).rational()


@pytest.mark.parametrize("function", ["tanh", "gelu", "exp", "sigmoid", "ln", "sqrt"])
def test_long_sums_become_balls_that_shrink(function: str) -> None:
    """More exponentials than anybody reads: the digits are still proven, however many are wanted."""
    scores = sympy.Matrix(2, 50, lambda i, j: sympy.Rational(j + i, 7))
    ours = Rationals([[j + i for j in range(50)] for i in range(2)], 7).exp().normalised()
    mixed = ours @ Rationals([[j % 5 + 1] for j in range(50)])
    found = mixed.each(function)
    assert "certified" == found.kind
    expected = softmax(scores) * sympy.Matrix(50, 1, lambda j, _: j % 5 + 1)
    with precision(2048):
        for row, wanted in zip(found.enclosures(), expected, strict=True):
            exact = Fraction(str(sympy.N(SYMPYS[function](wanted.evalf(240)), 220)))
            assert float(row[0].rad()) < 1e-300
            assert abs(Fraction(str(row[0].mid().str(210, radius=False))) - exact) < Fraction(1, 10**200)


# -- what has no value -------------------------------------------------------------------------------------


def test_sizes_must_agree() -> None:
    for operation in (lambda a, b: a * b, lambda a, b: a / b, lambda a, b: a - b):
        with pytest.raises(ShapeError, match=r"3×3 .* 1×2"):
            operation(OTHERS.ours, typed("1 2"))


@pytest.mark.parametrize(
    ("matrix", "function", "message"),
    [
        (typed("1 -1"), "sqrt", "sqrt of a negative number"),
        (typed("1 0"), "ln", "ln of 0"),
        (typed("1-√2 2"), "ln", "ln of a negative number"),
        (typed("-tanh(1) 1"), "sqrt", "sqrt of a negative number"),
    ],
)
def test_functions_without_a_value(matrix: Matrix, function: str, message: str) -> None:
    with pytest.raises(UndefinedStep, match=message):
        matrix.each(function)


def test_a_hidden_number_has_few_functions() -> None:
    scores = Masked.of(typed("1 2"), Rationals([[1, 0]]))
    assert [sympy.E, 0] == list(scores.each("exp").sympy())
    assert [2, 0] == list(scores.each("exp2").sympy())
    assert [1, 0] == list(scores.each("relu").sympy())
    for function in sorted({*SYMPYS} - {"exp", "exp2", "relu"}):
        with pytest.raises(UndefinedStep, match="of -∞ is not defined"):
            scores.each(function)
    assert HIDDEN is scores.cell(0, 1)


@given(st.sampled_from(["exp", "tanh", "gelu", "sigmoid", "erf"]), drawn_matrices(surds()))
def test_functions_of_any_surds(function: str, drawn: Drawn) -> None:
    expected = drawn.sympys.applyfunc(lambda x: SYMPYS[function](x))
    assert_balls(digits(expected), drawn.ours.each(function))


@pytest.mark.parametrize("function", ["sqrt", "ln"])
def test_a_root_or_logarithm_of_what_balls_prove_negative_has_no_value(function: str) -> None:
    """tanh(-1) = -0.76… is below 0, whatever form it is kept in."""
    with pytest.raises(UndefinedStep, match=f"^{function} of a negative number is not a real number$"):
        Balls.of(Rationals([[1, -1]]).each("tanh")).each(function)
