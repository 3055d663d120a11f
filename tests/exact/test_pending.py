"""Numbers that are written out on demand: the same number as its form, whatever is asked first."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from attnsolve.exact import Closed, Matrix, Rational, Rationals
from attnsolve.exact.cells import square_root
from attnsolve.exact.exponentials import Exponentials
from attnsolve.exact.mixtures import Mixtures
from attnsolve.exact.pending import Pending
from attnsolve.exact.precision import LADDER, precision


def drawn(random: Random, rows: int, columns: int) -> Rationals:
    """Small numbers, so that equal scores and values come up often."""
    return Rationals([[random.randint(-1, 1) for _ in range(columns)] for _ in range(rows)], 2)


def outputs(seed: int) -> list[Exponentials | Mixtures]:
    """Weights, what they mix, and two heads of it side by side and added up."""
    random = Random(seed)
    made: list[Matrix] = []
    for scale in (square_root(Fraction(2)), square_root(Fraction(random.choice([2, 3])))):
        weights = drawn(random, 3, 3).scaled(scale).exp().normalised()
        made += [weights, weights @ drawn(random, 3, 2)]
    beside = made[1] | made[3]
    mixed = beside @ drawn(random, 4, 2)
    rooted = drawn(random, 3, 2).scaled(square_root(Fraction(5)))
    with_roots = [made[0] @ rooted, made[0] @ (rooted + drawn(random, 3, 2)), made[0] @ rooted + made[1]]
    kinds = Exponentials | Mixtures
    return [each for each in (*made, beside, mixed, *with_roots) if isinstance(each, kinds)]


@pytest.mark.parametrize("seed", range(40))
def test_a_number_is_what_its_form_says(seed: int) -> None:
    for matrix in outputs(seed):
        for i, j, cell in matrix.cells():
            form = matrix.form(i, j)
            assert isinstance(cell, Pending) or type(cell) is type(form)
            if isinstance(cell, Pending):
                assert type(form) is Closed and form.plain() is None is cell.plain()
            assert cell.rational() == form.rational()
            assert cell.decimals(4) == form.decimals(4)
            assert cell.quotients == form.quotients
            with precision(LADDER[1]):
                assert cell.enclosure().overlaps(form.enclosure())


def test_what_comes_out_even_is_rational() -> None:
    weights = Rationals([[0, 1, 2]]).exp().normalised()
    value = weights @ Rationals([[1, 3], [1, 4], [1, 5]], 8)
    assert isinstance(value.cell(0, 0), Rational) and value.cell(0, 0).rational() == Fraction(1, 8)
    assert isinstance(value.cell(0, 1), Pending) and value.cell(0, 1).rational() is None


def test_what_vanishes_beside_a_root_is_zero() -> None:
    weights = Rationals([[0, 1]]).exp().normalised()
    value = weights @ Rationals([[0, 1], [0, 2]]).scaled(square_root(Fraction(5)))
    assert isinstance(value.cell(0, 0), Rational) and value.cell(0, 0).rational() == 0
    assert value.decimals(4)[0][0].exact


def test_two_heads_that_cancel_are_written_out() -> None:
    weights = Rationals([[0, 1]]).exp().normalised()
    twice = (weights @ Rationals([[1], [2]])) | (weights @ Rationals([[2], [4]]))
    assert (twice @ Rationals([[2], [-1]])).cell(0, 0).rational() == 0
