"""Rational matrices against SymPy's own."""

from fractions import Fraction

import pytest
import sympy
from exact.oracle import normalised
from hypothesis import given
from strategies import fractions, matrices, rational, shapes, tables

from attnsolve.errors import UndefinedStep
from attnsolve.exact import Matrix, Rational, Rationals
from attnsolve.exact.rationals import over_common

Table = list[list[Fraction]]


def twin(table: Table) -> sympy.Matrix:
    """The same numbers as a SymPy matrix."""
    return sympy.Matrix([[rational(x) for x in row] for row in table])


def assert_matrix(expected: sympy.Matrix, matrix: Matrix) -> None:
    """The same fractions, place by place."""
    assert isinstance(matrix, Rationals)
    rows, columns = matrix.shape
    assert expected == sympy.Matrix(rows, columns, lambda i, j: rational(matrix.fraction(i, j)))


@given(tables((2, 3)), tables((3, 2)), fractions())
def test_arithmetic_is_that_of_sympy(a: Table, b: Table, factor: Fraction) -> None:
    A, B = Rationals.of(a), Rationals.of(b)
    assert_matrix(twin(a) * twin(b), A @ B)
    assert_matrix(twin(a).T + twin(b), A.T + B)
    assert_matrix(twin(a) * rational(factor), A.scaled(Rational(factor)))
    assert_matrix(sympy.Matrix.hstack(twin(a).T, twin(b)), A.T | B)


@given(tables())
def test_normalised(table: Table) -> None:
    if any(sum(row) == 0 for row in table):
        first = [sum(row) for row in table].index(0)
        with pytest.raises(
            UndefinedStep, match=f"row {first + 1} has the sum 0, so it cannot be divided by it"
        ):
            Rationals.of(table).normalised()
    else:
        assert_matrix(normalised(twin(table)), Rationals.of(table).normalised())


@given(tables())
def test_relu_and_maxima(table: Table) -> None:
    assert_matrix(twin(table).applyfunc(lambda x: sympy.Max(0, x)), Rationals.of(table).relu())
    expected = [tuple(j for j, x in enumerate(row) if x == max(row)) for row in table]
    assert expected == Rationals.of(table).maxima()


@given(shapes().flatmap(lambda shape: tables(shape)), fractions())
def test_same(table: Table, change: Fraction) -> None:
    A = Rationals.of(table)
    assert A.same(Rationals([[7 * x for x in row] for row in A.rows], 7 * A.denominator)) is True
    table[0][0] += change
    assert (change == 0) is A.same(Rationals.of(table))


@given(matrices((2, 2)), matrices((2, 2)))
def test_over_common(a: Rationals, b: Rationals) -> None:
    left, right = over_common([a, b])
    assert left.denominator == right.denominator
    assert a.same(left) is b.same(right) is True


def test_shape_and_repr() -> None:
    A = Rationals([[1, 2, 3]], 2)
    assert ((1, 3), "[1/2  1  3/2]") == (A.shape, repr(A))
