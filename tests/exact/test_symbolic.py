"""SymPy matrices: what stays readable, what goes on as balls, and what is refused."""

from collections.abc import Iterator

import mpmath
import pytest
import sympy
from exact.oracle import assert_matrix, assert_number
from exact.samples import KINDS, typed
from flint import arb

from attnsolve.errors import Undecided, UndefinedStep
from attnsolve.exact import Rational, Rationals
from attnsolve.exact.precision import precision
from attnsolve.exact.symbolic import Expressions, Symbolic, apply_sympy, from_sympy, readable
from attnsolve.expressions import number


def test_short_forms_stay_symbolic() -> None:
    S = typed("tanh(1) pi", "0 1")
    for matrix in (S @ S, S + S, S | S, S.exp(), S.normalised(), S.relu(), S.T, S @ typed("√2", "1")):
        assert "symbolic" == matrix.kind


def test_long_forms_go_on_as_balls() -> None:
    S = typed("tanh(1) pi cos(1)", "sin(1) 1 tanh(2)", "sin(2) cos(2) tanh(3)")
    once = S.exp().normalised() @ S
    twice = once @ once @ once
    assert "certified" == twice.kind
    digits = S.sympy().evalf(90)
    weights = digits.applyfunc(sympy.exp)
    mixed = sympy.Matrix([list(weights[i, :] / sum(weights[i, :])) for i in range(3)]) * digits
    assert_matrix(mixed**3, twice)


def test_products_with_attention_rows_are_balls() -> None:
    S, A = KINDS["symbolic"].ours, KINDS["weights"].ours
    assert {"certified"} == {(S @ A).kind, (A @ S).kind}
    assert {"symbolic"} == {(S + A).kind, (A + S).kind, (S | A).kind, (A | S).kind}


@pytest.mark.parametrize("row", ["pi -pi", "tanh(1)-pi pi-tanh(1)"])
def test_rows_of_sum_zero_are_refused(row: str) -> None:
    with pytest.raises(UndefinedStep, match="row 1 has the sum 0, so it cannot be divided by it"):
        typed(row).normalised()


def test_rows_whose_sum_may_be_zero_are_refused() -> None:
    with pytest.raises(Undecided, match="cannot decide whether row 1 has the sum 0"):
        typed("sin(1)^2+cos(1)^2 -1").normalised()


@pytest.mark.parametrize("value", [sympy.nan, sympy.zoo, sympy.oo, sympy.I, 1 + sympy.I])
def test_what_is_not_a_real_number_is_refused(value: sympy.Expr) -> None:
    with pytest.raises(UndefinedStep, match="is not a real number"):
        from_sympy(value)


def test_a_rational_value_is_a_rational() -> None:
    assert isinstance(from_sympy(sympy.Rational(2, 3)), Rational)
    assert isinstance(apply_sympy("cos", number("pi")), Rational)
    assert isinstance(Expressions([[sympy.Integer(3)]]).cell(0, 0), Rational)


def test_an_expansion_that_would_never_end_is_not_tried() -> None:
    a, b, c, d = (number(text).sympy() for text in ("sin(1)", "cos(2)", "tanh(3)", "pi"))
    cell = Symbolic((a + b + c + d) ** 60)
    assert cell.rational() is None
    assert cell.is_zero() is False
    assert cell.rounded(2).digits > 0
    assert Symbolic((a + b) ** 3 - (a + b) ** 3 + 2).rational() == 2
    assert number("(ln(pi/2)^64)^-56").rational() is None


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        ("pi*ln(2) tanh(1)", "symbolic"),
        ("tanh(1)+ln(2)/3 0", "symbolic"),
        ("0.123456789*ln(2)+pi 0", "certified"),
    ],
)
def test_powers_that_sympy_would_never_finish_are_balls(row: str, kind: str) -> None:
    """SymPy makes 2^(123456789/10^9) of the last, and computes 2^123456789 for it."""
    scores = typed(row)
    assert kind == scores.exp().kind
    values = [scores.cell(0, j).sympy().evalf(90) for j in range(2)]
    assert_matrix(sympy.Matrix([[sympy.exp(x) for x in values]]), scores.exp())


def test_text_can_be_read_again() -> None:
    cell = number("tanh(1)*exp(1) + pi/2 - sqrt(3)*sin(1)^2")
    assert number(cell.text()).same(cell) is True
    assert "E" not in cell.text()


def test_mixed_kinds_in_one_matrix() -> None:
    M = typed("tanh(1) √2 1/2")
    assert isinstance(M, Expressions)
    assert_number(sympy.sqrt(2), M.cell(0, 1))
    assert_matrix(sympy.Matrix([[1, 2, 3]]) + M.sympy(), Rationals([[1, 2, 3]]) + M)


def sines(rows: int, columns: int) -> Expressions:
    return Expressions([[sympy.sin(3 * i + j) for j in range(columns)] for i in range(rows)])


@pytest.mark.parametrize(("rows", "kind"), [(4, "symbolic"), (16, "certified")])
def test_expressions_that_are_long_together_go_on_as_balls(rows: int, kind: str) -> None:
    X = sines(rows, 8)
    scores = X @ X.T
    assert kind == scores.kind
    with mpmath.workdps(30), precision(128):
        expected = mpmath.fsum(mpmath.sin(3 + j) * mpmath.sin(6 + j) for j in range(8))
        assert abs(scores.balls(128)[1][2] - arb(mpmath.nstr(expected, 28))) < arb("1e-25")


def test_what_comes_after_an_expression_that_is_too_long_is_not_made() -> None:
    made: list[int] = []

    def expressions() -> Iterator[sympy.Expr]:
        for place in range(100):
            made.append(place)
            yield sympy.Add(*(sympy.sin(k) for k in range(1, 500 if place == 2 else 3)), evaluate=False)

    otherwise = Rationals([[1]])
    assert otherwise is readable([expressions()], lambda: otherwise)
    assert [0, 1, 2] == made
