"""The block mask: a query sees the keys of its own block."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rationals
from attnsolve.ops.base import Frame, Option
from attnsolve.ops.biasing import ROWS, has_places, places_of
from attnsolve.ops.masking import masking
from attnsolve.ops.misfits import unfit


def kept_in_block(S: Matrix, *, size: int, rows: tuple[int, ...] | None = None) -> Rationals:
    """The keys whose number over the size is that of the query."""
    keys = range(S.shape[1])
    return Rationals([[int(place // size == j // size) for j in keys] for place in places_of(S, rows)])


def frame(S: Frame, *, size: int, rows: tuple[int, ...] | None = None) -> Frame:
    """As the scores."""
    if size < 1:
        raise unfit("size", "blocks of 0 tokens; a block has at least one")
    return has_places(S, rows)


def blocks_twin(S: Any, *, size: int, rows: tuple[int, ...] | None = None) -> Any:
    """torch's block-diagonal matrix of ones."""
    import torch

    places = list(range(len(S))) if rows is None else list(rows)
    most = max(max(places) + 1, S.shape[1])
    seen = torch.block_diag(*[torch.ones(size, size)] * -(-most // size)).bool()
    return S.masked_fill(~seen[places, : S.shape[1]], float("-inf"))


BLOCKS = masking(
    "blocks",
    "Block mask: a query sees its own block",
    kept_in_block,
    condition=r"\text{key } j \text{ is in the block of } ${out:query}",
    twin=blocks_twin,
    option=Option("size", "count", "how many tokens a block has", required=True),
    more=(ROWS,),
    frame=frame,
    turnable=False,
)
