"""Mistakes that show: two matrices are told apart by their decimals, and by nothing else."""

import pytest

from attnsolve.exact import Matrix, Rationals
from attnsolve.exact.masked import Masked
from attnsolve.mistakes import are_told_apart

ONE = Rationals([[1, 0]]).exp()  # e and 1


@pytest.mark.parametrize(
    ("wrong", "right", "expected"),
    [
        (ONE, Rationals([[5, 2]], 2), True),  # e is not 2.50
        (ONE, Rationals([[272, 100]], 100), False),  # e = 2.71828… is 2.72
        (ONE, Rationals([[271, 100]], 100), True),  # but not 2.71, although that is less than a unit off
        (ONE, Rationals([[272, 101]], 100), True),
        (Rationals([[1]], 3), Rationals([[33]], 100), False),
        (Masked(ONE, Rationals([[1, 0]])), ONE, True),  # a number that is hidden is another
        (Masked(ONE, Rationals([[1, 0]])), Masked(ONE, Rationals([[1, 0]])), False),
        (ONE, Rationals([[9]]), False),  # nothing to compare
    ],
)
def test_numbers_are_told_apart_by_two_decimals(wrong: Matrix, right: Matrix, expected: bool) -> None:
    assert expected is are_told_apart(wrong, right, 2)
