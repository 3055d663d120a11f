"""Roots and logarithms of primes."""

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from attnsolve.exact.precision import precision
from attnsolve.exact.roots import lone_prime, multiply_roots, prime_powers, root_ball, square_part

SQUAREFREE = st.sampled_from([1, 2, 3, 5, 6, 7, 10, 30])


@given(st.integers(1, 10**12))
def test_square_part(number: int) -> None:
    outside, inside = square_part(number)
    assert number == outside**2 * inside
    assert all(power == 1 for power in sympy.factorint(inside).values())


@given(st.integers(1, 10**12))
def test_prime_powers(number: int) -> None:
    assert sympy.factorint(number) == dict(prime_powers(number))


@given(SQUAREFREE, SQUAREFREE)
def test_products_of_roots(a: int, b: int) -> None:
    whole, (radicand, logarithms) = multiply_roots((a, ()), (b, ()))
    assert sympy.sqrt(a) * sympy.sqrt(b) == whole * sympy.sqrt(radicand)
    assert () == logarithms


def test_logarithms_are_kept_in_order() -> None:
    assert (2, (3, (2, 5))) == multiply_roots((2, (5,)), (6, (2,)))
    assert (1, (6, (2,))) == multiply_roots((2, ()), (3, (2,)))


@pytest.mark.parametrize(("root", "prime"), [((1, (7,)), 7), ((2, (7,)), 0), ((1, ()), 0), ((1, (2, 7)), 0)])
def test_lone_prime(root: tuple[int, tuple[int, ...]], prime: int) -> None:
    assert prime == lone_prime(root)


def test_root_ball() -> None:
    with precision(200):
        ball = root_ball((2, (3, 5)))
    expected = (sympy.sqrt(2) * sympy.log(3) * sympy.log(5)).evalf(50)
    assert ball.str(50, radius=False) == str(expected)
