"""Polynomials in sizes: the same ring as SymPy's, division by one term, and sizes that are numbers."""

from fractions import Fraction
from typing import Any

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from attnsolve.errors import Uncountable, UndefinedStep
from attnsolve.exact.polynomials import ONE, ZERO, Polynomial, polynomial, size

NAMES = ("l", "m", "d", "d_k")
L, D, D_K = size("l"), size("d"), size("d_k")

fractions = st.fractions(min_value=-20, max_value=20, max_denominator=6)
powers = st.dictionaries(st.sampled_from(NAMES), st.integers(1, 3), max_size=3)
terms = st.lists(st.tuples(fractions, powers), max_size=5)


def built(listed: list[tuple[Fraction, dict[str, int]]]) -> Polynomial:
    """The polynomial made by our own sums and products."""
    total = ZERO
    for coefficient, factors in listed:
        term = polynomial(coefficient)
        for name, power in factors.items():
            for _ in range(power):
                term = term * size(name)
        total = total + term
    return total


def expected(listed: list[tuple[Fraction, dict[str, int]]]) -> Any:
    """The same made by SymPy."""
    return sum(
        (
            sympy.Rational(c.numerator, c.denominator)
            * sympy.prod([sympy.Symbol(name) ** power for name, power in factors.items()])
            for c, factors in listed
        ),
        sympy.Integer(0),
    )


def in_sympy(value: Polynomial) -> Any:
    """What SymPy reads out of our text."""
    return sympy.sympify(str(value), rational=True)  # noqa: TID251 - our own text, and SymPy is the oracle


@given(terms, terms)
def test_ring_is_that_of_sympy(first: Any, second: Any) -> None:
    a, b, x, y = built(first), built(second), expected(first), expected(second)
    for ours, theirs in ((a, x), (a + b, x + y), (a - b, x - y), (a * b, x * y), (-a, -x)):
        assert 0 == sympy.expand(in_sympy(ours) - theirs)
    assert (a == b) == (sympy.expand(x - y) == 0)


@given(terms, st.tuples(*[st.integers(1, 9)] * len(NAMES)))
def test_value_is_that_of_sympy(listed: Any, numbers: tuple[int, ...]) -> None:
    sizes = dict(zip(NAMES, numbers, strict=True))
    found = built(listed).value(sizes)
    assert expected(listed).subs(sizes) == sympy.Rational(found.numerator, found.denominator)


@given(terms, fractions.filter(bool), powers)
def test_a_product_with_one_term_is_undone_by_division(listed: Any, scale: Fraction, factors: Any) -> None:
    whole, term = built(listed), built([(scale, factors)])
    assert whole == whole * term / term


@given(terms)
def test_coefficients_of_powers_make_the_whole_again(listed: Any) -> None:
    whole = built(listed)
    parts = whole.powers_of("l")
    assert all("l" not in rest.names for rest in parts.values())
    assert whole == sum((rest * built([(Fraction(1), {"l": n})]) for n, rest in parts.items()), ZERO)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (ZERO, "0"),
        (ONE, "1"),
        (-L, "-l"),
        (D * L * L * 2 - L - L * D, "2*l^2*d - l*d - l"),
        (3 * L * D * D + 2 * L * L * D, "2*l^2*d + 3*l*d^2"),
        (D * 3 + Fraction(3, 2), "3*d + 3/2"),
        (1 - D_K * D / 2, "-1/2*d*d_k + 1"),
        ((L - D) * (L + D), "l^2 - d^2"),
    ],
    ids=str,
)
def test_text_is_as_papers_write_it(value: Polynomial, text: str) -> None:
    assert text == str(value)


def test_equal_means_equal_to_numbers_too() -> None:
    assert 3 == L + 3 - L
    assert polynomial(Fraction(1, 2)) == Fraction(1, 2)
    assert L != 1
    assert 1 == len({L * D, D * L})


@pytest.mark.parametrize(
    ("value", "divisor"), [(3 * D + 2, D), (L, D), (L * D, L + D), (L, ZERO)], ids=lambda value: str(value)
)
def test_division_with_a_rest_is_refused(value: Polynomial, divisor: Polynomial) -> None:
    with pytest.raises(UndefinedStep):
        value / divisor


@pytest.mark.parametrize(
    ("value", "sign"), [(L + D, 1), (-L - D * 2, -1), (ZERO, 0), (L - D, None)], ids=lambda value: str(value)
)
def test_sign_is_told_only_where_all_sizes_agree(value: Polynomial, sign: int | None) -> None:
    assert sign == value.sign()


def test_only_a_whole_number_counts_rows() -> None:
    assert [0, 1, 2] == list(range(L + 3 - L))
    for letters in (L, D / 2, polynomial(Fraction(1, 2))):
        with pytest.raises(Uncountable):
            range(letters)
    for looking in (lambda: [1] * L, lambda: L // 2, lambda: L > 1, lambda: 3 > D):
        with pytest.raises(Uncountable):
            looking()
    assert polynomial(7) // 2 == 3 < polynomial(4)
