"""Hand working as ops write it: which numbers of a row are equal."""

import pytest

from attnsolve.exact import Matrix, Rationals
from attnsolve.exact.masked import Masked
from attnsolve.exact.surds import Surds
from attnsolve.ops.writing import alike

SCORES = Rationals([[2, 1, 2, 0], [1, 2, 3, 4]], 2)
ROOTS = Surds({(1, ()): Rationals([[2, 1, 1, 2]], 2), (2, ()): Rationals([[1, 1, 1, 0]], 3)})
HIDDEN = Masked(Rationals([[5, 5, 5, 1]]), Rationals([[1, 0, 1, 0]]))


@pytest.mark.parametrize(
    ("matrix", "expected"),
    [
        (SCORES, [[(0, 2), (1,), (3,)], [(0,), (1,), (2,), (3,)]]),
        (ROOTS, [[(0,), (1, 2), (3,)]]),
        (SCORES.exp().normalised(), [[(0, 2), (1,), (3,)], [(0,), (1,), (2,), (3,)]]),
        (SCORES.exp().normalised() @ Rationals([[1, 1], [0, 0], [2, 2], [0, 0]]), [[(0, 1)], [(0, 1)]]),
        (HIDDEN, [[(0, 2), (1,), (3,)]]),
    ],
    ids=["fractions", "roots", "weights", "mixtures", "hidden"],
)
def test_equal_numbers_of_a_row_stand_together(matrix: Matrix, expected: list[list[tuple[int, ...]]]) -> None:
    """2/2, 1/2, 2/2, 0 has one pair; 1 + √2/3, ½ + √2/3 twice, and 1; what is hidden is like nothing."""
    assert expected == alike(matrix)
