"""The causal mask: no query looks at a later token."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rationals
from attnsolve.ops.base import Frame, Option
from attnsolve.ops.masking import masking
from attnsolve.ops.misfits import unfit


def kept_by_rows(S: Matrix, *, rows: tuple[int, ...] | None = None) -> Rationals:
    """Query i sees the keys up to its own place; `rows` are the places of the queries, if not all ask."""
    places = range(S.shape[0]) if rows is None else rows
    return Rationals([[int(j <= place) for j in range(S.shape[1])] for place in places])


def has_places(S: Frame, *, rows: tuple[int, ...] | None = None) -> Frame:
    """As the scores."""
    if rows is not None and len(rows) != S.rows.size:
        raise unfit("rows", f"{len(rows)} places for {S.rows.size} queries; each query has one")
    return S


def causal_twin(S: Any, *, rows: tuple[int, ...] | None = None) -> Any:
    """torch's own masked_fill above its lower triangle, or above the rows of it that ask."""
    import torch

    places = list(range(S.shape[0])) if rows is None else list(rows)
    kept = torch.ones(max(places) + 1, S.shape[1], dtype=torch.bool).tril()[places]
    return S.masked_fill(~kept, float("-inf"))


CAUSAL = masking(
    "causal",
    "Causal mask: no query looks at a later token",
    kept_by_rows,
    condition=r"j \le ${out:query}",
    twin=causal_twin,
    option=Option("rows", "rows", "the places of the queries, when only some of the tokens ask"),
    frame=has_places,
)
