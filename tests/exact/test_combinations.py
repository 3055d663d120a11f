"""Linear combinations of √r·e^x: one form for one number, and when independence is a theorem."""

from fractions import Fraction

import pytest
import sympy
from flint import arb
from hypothesis import given
from strategies import Drawn, logarithms

from attnsolve.exact.combinations import Combination, fold, make_exponent
from attnsolve.exact.precision import precision
from attnsolve.exact.roots import ONE, Root
from attnsolve.exact.translation import combination_to_sympy

SQRT2: Root = (2, ())
LN2: Root = (1, (2,))
LN3: Root = (1, (3,))
LN2_LN3: Root = (1, (2, 3))


def power(*pairs: tuple[Root, str]) -> tuple[tuple[Root, Fraction], ...]:
    """An exponent from roots and coefficients as text."""
    return make_exponent((root, Fraction(c)) for root, c in pairs)


@pytest.mark.parametrize(
    ("exponent", "root", "factor", "left", "root_left"),
    [
        (power((LN2, "3/2")), ONE, "2", (), (2, ())),
        (power((LN2, "-1/2")), ONE, "1/2", (), (2, ())),
        (power((LN2, "3")), ONE, "8", (), ONE),
        (power((LN2, "1/2")), SQRT2, "2", (), ONE),
        (power((LN2, "1/3")), ONE, "1", power((LN2, "1/3")), ONE),
        (power((LN2, "4/3")), ONE, "2", power((LN2, "1/3")), ONE),
        (power((LN2, "-1/3")), ONE, "1/2", power((LN2, "2/3")), ONE),
        (power((LN2, "1/3")), (6, ()), "1", power((LN2, "5/6")), (3, ())),
        (power((LN2, "2/3")), (6, ()), "2", power((LN2, "1/6")), (3, ())),
        (power((LN2, "1"), (LN3, "-1")), ONE, "2/3", (), ONE),
        (power((LN2, "1"), (ONE, "5")), ONE, "2", power((ONE, "5")), ONE),
        (power(((2, (3,)), "2")), ONE, "1", power(((2, (3,)), "2")), ONE),
        (power((LN2, "70000")), ONE, "1", power((LN2, "70000")), ONE),
    ],
)
def test_powers_of_primes_are_taken_out(
    exponent: tuple[tuple[Root, Fraction], ...],
    root: Root,
    factor: str,
    left: tuple[tuple[Root, Fraction], ...],
    root_left: Root,
) -> None:
    assert (Fraction(factor), (left, root_left)) == fold(exponent, root)


@given(logarithms())
def test_fold_keeps_the_value(drawn: Drawn) -> None:
    plain = drawn.ours.plain()
    exponent = tuple(sorted((root, c) for (_, root), c in plain.terms.items()))
    folded = Combination.of([(exponent, (6, ()), Fraction(1))])
    with precision(200):
        ball = folded.ball() / (arb(6).sqrt() * plain.ball().exp())
    assert ball.contains(1)
    assert ball.rel_accuracy_bits() > 150
    expected = (sympy.sqrt(6) * sympy.exp(drawn.sympys)).evalf(40)
    assert abs(combination_to_sympy(folded).evalf(40) - expected) <= expected / 10**30


def combination(*generators: tuple[tuple[tuple[Root, Fraction], ...], Root]) -> Combination:
    """A sum of generators, each with coefficient 1."""
    return Combination({generator: Fraction(1) for generator in generators})


@pytest.mark.parametrize(
    ("terms", "proven"),
    [
        ([], True),
        ([((), ONE), ((), SQRT2), ((), (3, ())), ((), (6, ()))], True),  # distinct roots
        ([((), ONE), (power((ONE, "1")), ONE), (power((SQRT2, "1")), ONE)], True),  # 1, e, e^√2
        ([(power((ONE, "1")), SQRT2), (power((ONE, "1")), ONE), ((), ONE)], True),
        ([((), ONE), ((), LN2), ((), LN3), ((), (2, (3,)))], True),  # Baker
        ([((), LN2_LN3), ((), ONE)], False),  # a product of logarithms
        ([((), LN2), (power((ONE, "1")), ONE)], False),  # a logarithm beside e
        ([(power(((2, (2,)), "1")), ONE), ((), ONE)], False),  # 2^√2
        ([(power((LN2_LN3, "1")), ONE), ((), ONE)], False),  # 2^ln 3
        ([(power((LN2, "1/3")), ONE), (power((LN2, "2/3")), ONE), ((), ONE)], True),  # cube roots
        ([(power((LN2, "1/3")), ONE), (power((ONE, "1")), ONE)], True),
        ([(power((LN2, "1/3")), ONE), ((), LN3)], True),
        ([(power((LN2, "70000")), ONE), ((), ONE)], False),  # not folded: 2^70000 and 1 are dependent
        ([(power((LN2, "70000")), ONE), (power((LN2, "70001")), ONE)], False),
    ],
)
def test_where_independence_is_a_theorem(
    terms: list[tuple[tuple[tuple[Root, Fraction], ...], Root]], proven: bool
) -> None:
    assert proven is combination(*terms).proven_independent()


def test_equal_numbers_have_one_form() -> None:
    """2^(4/3) is 2·2^(1/3), and √2·2^(1/3) is 2^(5/6), also after products."""
    third = Combination.of([(power((LN2, "1/3")), ONE, Fraction(1))])
    two_thirds = third * third
    assert Fraction(2) == (third * two_thirds).plain()
    assert Combination.of([(power((LN2, "4/3")), ONE, Fraction(1))]) == third.scaled(Fraction(2))
    root = Combination({((), SQRT2): Fraction(1)})
    assert Combination.of([(power((LN2, "5/6")), ONE, Fraction(1))]) == root * third
    assert third.inverse() == two_thirds.scaled(Fraction(1, 2))
    assert hash(third.inverse()) == hash(two_thirds.scaled(Fraction(1, 2)))


def test_opposite_terms_vanish() -> None:
    x = power((ONE, "1"))
    both = Combination.of([(x, ONE, Fraction(1)), (x, ONE, Fraction(-1))])
    assert Combination({}) == both
    assert Fraction(0) == both.plain()
    assert Combination({}) == Combination({(x, ONE): Fraction(2)}) + Combination({(x, ONE): Fraction(-2)})


def test_multiples() -> None:
    x = power((ONE, "1"))
    a = Combination({((), ONE): Fraction(1), (x, SQRT2): Fraction(-3)})
    assert Fraction(-2, 7) == a.scaled(Fraction(-2, 7)).multiple_of(a)
    assert Fraction(0) == Combination({}).multiple_of(a)
    assert None is a.multiple_of(Combination({((), ONE): Fraction(1)}))
    assert None is a.multiple_of(Combination({((), ONE): Fraction(1), (x, SQRT2): Fraction(3)}))
    assert None is Combination({((), ONE): Fraction(1)}).multiple_of(a)


def test_no_inverse_of_sums_and_logarithms() -> None:
    assert None is Combination({((), LN2): Fraction(1)}).inverse()
    assert None is combination(((), ONE), ((), SQRT2)).inverse()
    assert None is Combination({}).inverse()
