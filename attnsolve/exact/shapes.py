"""Which matrices fit together; those that do not are refused before anything is computed."""

from __future__ import annotations

from typing import Protocol

from attnsolve.errors import ShapeError


class Shaped(Protocol):
    """Anything with rows and columns."""

    shape: tuple[int, int]


def size(matrix: Shaped) -> str:
    """`2×3`."""
    return f"{matrix.shape[0]}×{matrix.shape[1]}"


def require_product(a: Shaped, b: Shaped) -> None:
    """Refuse a product whose inner sides differ."""
    if a.shape[1] != b.shape[0]:
        raise ShapeError(f"a {size(a)} matrix cannot be multiplied by a {size(b)} one")


def require_same_shape(a: Shaped, b: Shaped) -> None:
    """Refuse a sum of matrices that differ in size."""
    if a.shape != b.shape:
        raise ShapeError(f"a {size(a)} matrix cannot be added to a {size(b)} one")


def require_same_height(a: Shaped, b: Shaped) -> None:
    """Refuse to put matrices side by side that have not equally many rows."""
    if a.shape[0] != b.shape[0]:
        raise ShapeError(f"a {size(a)} matrix cannot stand beside a {size(b)} one")
