"""Values mixed with weights: heads side by side, projected, weighed, and still provable."""

from fractions import Fraction

import pytest
import sympy
from exact.oracle import assert_matrix, softmax
from exact.samples import typed
from hypothesis import given, settings
from strategies import Drawn, drawn_matrices, matrices, surds, tables

from attnsolve.errors import UndefinedStep
from attnsolve.exact import Rationals, Rounded
from attnsolve.exact.attention import Mixtures
from attnsolve.exact.cells import square_root
from attnsolve.expressions import number


def attention(Q: Rationals, K: Rationals, V: Rationals) -> Mixtures:
    """softmax(Q Kᵀ/√2) V."""
    Z = ((Q @ K.T) / square_root(Fraction(2))).exp().normalised() @ V
    assert isinstance(Z, Mixtures)
    return Z


def by_sympy(Q: list[list[Fraction]], K: list[list[Fraction]], V: list[list[Fraction]]) -> sympy.Matrix:
    """The same by SymPy."""
    return softmax(sympy.Matrix(Q) * sympy.Matrix(K).T / sympy.sqrt(2)) * sympy.Matrix(V)


@settings(max_examples=10)
@given(tables((2, 2)), tables((3, 2)), tables((3, 2)), tables((2, 2)), tables((4, 2)))
def test_two_heads_are_those_of_sympy(
    Q: list[list[Fraction]],
    K: list[list[Fraction]],
    V: list[list[Fraction]],
    other: list[list[Fraction]],
    W: list[list[Fraction]],
) -> None:
    q, k, v, o, w = map(Rationals.of, (Q, K, V, other, W))
    ours = (attention(q, k, v) | attention(o, k, v)) @ w
    heads = sympy.Matrix.hstack(by_sympy(Q, K, V), by_sympy(other, K, V))
    assert_matrix((heads * sympy.Matrix(W)).evalf(80), ours)


@settings(max_examples=20)
@given(matrices((2, 2)), matrices((3, 2)), matrices((3, 2)), matrices((2, 3)))
def test_projection_may_come_first(Q: Rationals, K: Rationals, V: Rationals, W: Rationals) -> None:
    """(A V) W = A (V W), proven."""
    assert (attention(Q, K, V) @ W).same(attention(Q, K, V @ W)) is True


@settings(max_examples=20)
@given(matrices((2, 2)), matrices((3, 2)), matrices((3, 2)))
def test_average_of_equal_values_is_the_value(Q: Rationals, K: Rationals, V: Rationals) -> None:
    """Where all values agree the mixture is that value, and rational."""
    equal = V.take([1, 1, 1])
    Z = attention(Q, K, equal)
    assert Z.same(V.take([1, 1])) is True
    for i, j, cell in Z.cells():
        assert equal.fraction(0, j) == cell.rational()
        assert Z.decimals(3)[i][j] == equal.decimals(3)[0][j]


@settings(max_examples=20)
@given(matrices((2, 2)), matrices((2, 2)))
def test_sum_and_difference(A: Rationals, V: Rationals) -> None:
    Z = A.exp().normalised() @ V
    twice = Z + Z
    assert twice.same(Z.scaled(number("2"))) is True
    assert (Z + Z.scaled(number("-1"))).same(Rationals([[0, 0], [0, 0]])) is True
    assert (Z + V).same(V + Z) is True


@settings(max_examples=20)
@given(matrices((3, 3)), matrices((3, 2)), matrices((2, 3)))
def test_weighed_rows(A: Rationals, V: Rationals, left: Rationals) -> None:
    weights = A.exp().normalised()
    assert (left @ (weights @ V)).same((left @ weights) @ V) is True
    assert ((weights @ V).T @ left.T).same((left @ weights @ V).T) is True


@settings(max_examples=20)
@given(matrices((2, 2)), drawn_matrices(surds(), (2, 2)), drawn_matrices(surds(), (2, 2)))
def test_roots_multiply(A: Rationals, V: Drawn, W: Drawn) -> None:
    weights = A.exp().normalised()
    assert ((weights @ V.ours) @ W.ours).same(weights @ (V.ours @ W.ours)) is True
    assert (W.ours @ (weights @ V.ours)).same((W.ours @ weights) @ V.ours) is True
    assert_matrix((softmax(sympy.Matrix(A.sympy())) * V.sympys).evalf(80), weights @ V.ours)


def test_relu_and_rows_of_zeros() -> None:
    Z = Rationals([[0, 1]]).exp().normalised() @ Rationals([[1, -1, 0], [1, 1, 0]])
    assert_matrix(sympy.Matrix([[1, 1 - 2 / (1 + sympy.E), 0]]), Z.relu())
    assert_matrix(sympy.Matrix([[0, 0, 0]]), Rationals([[0]]) @ Z)
    assert [(0,)] == Z.maxima()
    with pytest.raises(UndefinedStep, match="row 1 has the sum 0"):
        (Rationals([[0]]) @ Z).normalised()


def test_two_long_heads_of_equal_values_are_still_rational() -> None:
    """64 keys in each of two heads are too many terms to multiply out; each head is rational by itself."""
    scores = Rationals([list(range(64))])
    values = Rationals([[1, 3]] * 64, 8)
    A, B = scores.exp().normalised(), (scores / square_root(Fraction(2))).exp().normalised()
    Z = (A @ values | B @ values) @ Rationals([[1], [0], [0], [1]])
    assert Fraction(1, 2) == Z.cell(0, 0).rational()
    assert Rounded(50, 2, True) == Z.decimals(2)[0][0]


def test_many_heads() -> None:
    scores = [Rationals([[0, h], [h, 1]]) for h in range(16)]
    heads = [S.exp().normalised() @ Rationals([[h, 1], [2, h]]) for h, S in enumerate(scores)]
    ours = heads[0]
    for head in heads[1:]:
        ours = ours | head  # type: ignore[assignment]
    twins = [softmax(sympy.Matrix(S.sympy())) * sympy.Matrix([[h, 1], [2, h]]) for h, S in enumerate(scores)]
    assert_matrix(sympy.Matrix.hstack(*twins), ours)
    assert_matrix(twins[5], ours.columns(10, 12))


def test_given_roots_as_values() -> None:
    Z = typed("0 1").exp().normalised() @ typed("√2 1", "√2 √3")
    e = sympy.E
    assert_matrix(sympy.Matrix([[sympy.sqrt(2), (1 + sympy.sqrt(3) * e) / (1 + e)]]), Z)
    assert Z.cell(0, 0).same(number("√2")) is True
