"""The padding mask: only the first keys are real."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rationals
from attnsolve.ops.base import Frame, Option
from attnsolve.ops.masking import masking
from attnsolve.ops.misfits import unfit


def kept_by_lengths(S: Matrix, *, lengths: tuple[int, ...]) -> Rationals:
    """The first keys only: one number for all queries, or one for each."""
    each = lengths if len(lengths) > 1 else lengths * S.shape[0]
    return Rationals([[int(j < length) for j in range(S.shape[1])] for length in each])


def has_lengths(S: Frame, *, lengths: tuple[int, ...]) -> Frame:
    """As the scores."""
    if len(lengths) not in (1, S.rows.size):
        said = f"{len(lengths)} lengths for {S.rows.size} queries"
        raise unfit("lengths", f"{said}; write one for all, or one for each")
    wrong = [length for length in lengths if not 1 <= length <= S.columns.size]
    if wrong:
        raise unfit("lengths", f"the length {wrong[0]} is not from 1 to {S.columns.size}, the number of keys")
    return S


def lengths_twin(S: Any, *, lengths: tuple[int, ...]) -> Any:
    """torch's own masked_fill, with places compared with lengths."""
    import torch

    kept = torch.arange(S.shape[1])[None, :] < torch.tensor(lengths)[:, None].expand(S.shape[0], 1)
    return S.masked_fill(~kept, float("-inf"))


LENGTHS = masking(
    "lengths",
    "Padding mask: only the first keys are real",
    kept_by_lengths,
    condition=r"\text{key } j \text{ is no padding}",
    twin=lengths_twin,
    option=Option(
        "lengths", "sizes", "how many keys are real: one number, or one for each query", required=True
    ),
    frame=has_lengths,
)
