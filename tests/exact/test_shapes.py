"""Matrices that do not fit together are told apart by their sizes."""

import pytest

from attnsolve.errors import ShapeError
from attnsolve.exact import Rationals
from attnsolve.exact.shapes import require_product, require_same_height, require_same_shape

WIDE, TALL = Rationals([[1, 2, 3]]), Rationals([[1], [2]])


@pytest.mark.parametrize(
    ("require", "sentence"),
    [
        (require_product, "a 1×3 matrix cannot be multiplied by a 2×1 one"),
        (require_same_shape, "a 1×3 matrix cannot be added to a 2×1 one"),
        (require_same_height, "a 1×3 matrix cannot stand beside a 2×1 one"),
    ],
)
def test_sentence(require: object, sentence: str) -> None:
    with pytest.raises(ShapeError, match=sentence):
        require(WIDE, TALL)  # type: ignore[operator]


def test_what_fits_is_let_through() -> None:
    require_product(TALL, WIDE)
    require_same_shape(WIDE, WIDE)
    require_same_height(TALL, TALL)
