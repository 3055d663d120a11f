"""Balls made at once hold the numbers that exact matrices have, whichever verb has made them."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from attnsolve.errors import Undecided, UndefinedStep
from attnsolve.exact import Matrix, Rational, Rationals
from attnsolve.exact.eager_balls import EagerBalls
from attnsolve.exact.precision import precision

A = Rationals([[1, -2, 3], [4, 5, -6]], 3)
B = Rationals([[2, 1], [-1, 4], [3, 3]], 7)
C = Rationals([[5, 1, 2], [3, 8, 4]], 2)
VERBS: dict[str, Callable[[Matrix], Matrix]] = {
    "product": lambda X: X @ B,
    "product from the left": lambda X: B @ X,
    "sum": lambda X: X + C,
    "difference": lambda X: X - C,
    "number by number": lambda X: X * C,
    "quotients": lambda X: X / C,
    "over a number": lambda X: X / Rational(Fraction(3, 5)),
    "transpose": lambda X: X.T,
    "exponentials": lambda X: X.exp(),
    "softmax": lambda X: X.exp().normalised(),
    "normalised": lambda X: X.normalised(),
    "function": lambda X: X.each("tanh"),
    "relu": lambda X: X.relu(),
    "row": lambda X: X.take((1,)),
    "columns": lambda X: X.columns(1, 3),
    "side by side": lambda X: X | C,
    "side by side from the left": lambda X: C | X,
    "row sums": lambda X: X.row_sums(),
}


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_encloses_what_it_gives_exactly(verb: str) -> None:
    with precision(64):
        eager = VERBS[verb](EagerBalls.of(A)).enclosures()
    finer = VERBS[verb](A).balls(256)
    assert len(eager) == len(finer)
    for own, exact in zip(eager, finer, strict=True):
        assert all(
            ball.contains(number) and ball.rad() < 2**-50 for ball, number in zip(own, exact, strict=True)
        )


def test_a_row_without_a_sum_cannot_be_normalised() -> None:
    with precision(64), pytest.raises(UndefinedStep):
        EagerBalls.of(Rationals([[1, -1]])).normalised()


def test_a_sum_that_may_be_zero_is_not_decided() -> None:
    thirds = EagerBalls.of(Rationals([[1, 1, -2]], 3))
    with precision(64), pytest.raises(Undecided):
        thirds.normalised()
