"""Matrices that count: each verb against a schoolbook run in which every operation is tallied one by one."""

from collections import Counter
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from attnsolve.errors import ShapeError, Uncountable
from attnsolve.exact import Rational, Rationals
from attnsolve.exact.counting import OPERATIONS, Counted, Counts, Tally
from attnsolve.exact.polynomials import size

L, M, D = size("l"), size("m"), size("d")
SIZES = {"l": 4, "m": 3, "d": 5}


class Instrumented:
    """A table of nothing: its verbs go through the numbers one by one and note what is done to each."""

    def __init__(self, rows: int, columns: int, done: Counter[str]) -> None:
        self.rows, self.columns_, self.done = rows, columns, done

    def each(self, what: str) -> "Instrumented":
        for _ in product(range(self.rows), range(self.columns_)):
            self.done[what] += 1
        return self

    def times(self, other: "Instrumented") -> "Instrumented":
        for _ in product(range(self.rows), range(other.columns_)):
            for place in range(self.columns_):
                self.done["multiplications"] += 1
                if place > 0:
                    self.done["additions"] += 1
        return Instrumented(self.rows, other.columns_, self.done)

    def sums(self) -> "Instrumented":
        for _ in range(self.rows):
            for place in range(self.columns_):
                if place > 0:
                    self.done["additions"] += 1
        return Instrumented(self.rows, 1, self.done)


def softmax_by_hand(X: Instrumented, Y: Instrumented) -> None:
    X.each("exponentials").sums()
    X.each("divisions")


# What is done, on matrices X of l×d and Y of d×m, and the same with every operation tallied.
VERBS: dict[str, tuple[Callable[[Any, Any], Any], Callable[[Instrumented, Instrumented], Any]]] = {
    "product": (lambda X, Y: X @ Y, lambda X, Y: X.times(Y)),
    "two products": (lambda X, Y: (X @ Y) @ Y.T, lambda X, Y: X.times(Y).times(Instrumented(3, 5, X.done))),
    "sum": (lambda X, Y: X + X, lambda X, Y: X.each("additions")),
    "difference": (lambda X, Y: X - X, lambda X, Y: X.each("additions")),
    "number by number": (lambda X, Y: X * X, lambda X, Y: X.each("multiplications")),
    "quotient": (lambda X, Y: X / X, lambda X, Y: X.each("divisions")),
    "over a number": (lambda X, Y: X / Rational(2), lambda X, Y: X.each("divisions")),
    "times a number": (lambda X, Y: X.scaled(Rational(2)), lambda X, Y: X.each("multiplications")),
    "softmax": (lambda X, Y: X.exp().normalised(), softmax_by_hand),
    "tanh": (lambda X, Y: X.each("tanh"), lambda X, Y: X.each("functions")),
    "roots": (lambda X, Y: X.each("sqrt"), lambda X, Y: X.each("functions")),
    "powers of two": (lambda X, Y: X.each("exp2"), lambda X, Y: X.each("exponentials")),
    "means": (lambda X, Y: X.means(), lambda X, Y: X.sums().each("divisions")),
    "free": (lambda X, Y: (X.T.T | X).relu().each("relu").take([0, 1]).repeated(7), lambda X, Y: None),
}


@pytest.mark.parametrize("name", VERBS)
def test_formula_counts_what_a_schoolbook_run_does(name: str) -> None:
    verb, by_hand = VERBS[name]
    tally, done = Tally(SIZES), Counter[str]()
    verb(Counted(L, D, tally), Counted(D, M, tally))
    by_hand(Instrumented(4, 5, done), Instrumented(5, 3, done))
    assert {name: done[name] for name in OPERATIONS} == tally.counts.values(SIZES)


def test_product_has_its_formula() -> None:
    tally = Tally()
    result = Counted(L, D, tally) @ Counted(D, M, tally)
    assert (L, M) == result.shape
    assert Counts(multiplications=L * D * M, additions=L * M * (D - 1)) == tally.taken()
    assert Counts() == tally.taken()


@pytest.mark.parametrize(
    ("verb", "shape"),
    [
        (lambda X, Y: X.T, (D, L)),
        (lambda X, Y: X | X, (L, 2 * D)),
        (lambda X, Y: X.take([0, 2]), (2, D)),
        (lambda X, Y: X.take([1]).repeated(L), (L, D)),
        # Two of the five columns, whatever d will be.
        (lambda X, Y: X.columns(2, 4), (L, 2 * D / 5)),
        (lambda X, Y: X.columns(0, 2) | X.columns(2, 5), (L, D)),
        (lambda X, Y: X.means(), (L, D)),
    ],
)
def test_sizes_follow(verb: Callable[[Any, Any], Any], shape: Any) -> None:
    tally = Tally(SIZES)
    assert shape == verb(Counted(L, D, tally), Counted(D, M, tally)).shape


def test_numbers_may_stand_beside() -> None:
    tally = Tally()
    ones = Rationals([[1, 1, 1]])
    assert (1, L) == (ones @ Counted(3, L, tally)).shape
    assert (L, 1) == (Counted(L, 3, tally) @ Rationals([[1], [1], [1]])).shape
    assert Counts(multiplications=6 * L, additions=4 * L) == tally.taken()


@pytest.mark.parametrize(
    "verb",
    [
        lambda X, Y: Y @ X,
        lambda X, Y: X + Y,
        lambda X, Y: X * Y,
        lambda X, Y: X / Y,
        lambda X, Y: X | Y,
        lambda X, Y: X @ Rationals([[1, 2]]),
    ],
)
def test_different_letters_do_not_fit(verb: Callable[[Any, Any], Any]) -> None:
    tally = Tally()
    with pytest.raises(ShapeError, match="l×d"):
        verb(Counted(L, D, tally), Counted(D, M, tally))


@pytest.mark.parametrize(
    "look",
    [
        lambda X: X.cell(0, 0),
        lambda X: X.maxima(),
        lambda X: X.decimals(2),
        lambda X: list(X.cells()),
        lambda X: range(X.shape[0]),
        lambda X: X.balls(64),
    ],
)
def test_there_are_no_numbers_to_look_at(look: Callable[[Any], Any]) -> None:
    with pytest.raises(Uncountable):
        look(Counted(L, D, Tally()))
