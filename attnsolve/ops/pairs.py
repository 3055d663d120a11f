"""A row for each query and key: what stands inside a score before it is added up."""

from __future__ import annotations

from collections.abc import Sequence

from attnsolve.exact import Matrix
from attnsolve.ops.base import Axis, Frame


def of_pairs(queries: Axis, keys: Axis, width: int) -> Frame:
    """A row for each key of a single query; else one for each key of query 1, then of query 2, and so on."""
    return Frame(keys if queries.size == 1 else Axis(queries.size * keys.size), Axis(width))


def beneath(rows: Sequence[Matrix]) -> Matrix:
    """Matrices put under each other."""
    turned = rows[0].T
    for row in rows[1:]:
        turned = turned | row.T
    return turned.T


def as_scores(column: Matrix, keys: int) -> Matrix:
    """One number for each query and key, as a row for each query."""
    queries = range(column.shape[0] // keys)
    return beneath([column.take(range(i * keys, (i + 1) * keys)).T for i in queries])
