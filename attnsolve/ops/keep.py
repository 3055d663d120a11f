"""Masks of zeros and ones; libraries disagree on what a 1 means, so the ops say it: `keep` or `drop`."""

from __future__ import annotations

from typing import Any

from attnsolve.errors import UndefinedStep
from attnsolve.exact import Matrix, Rationals
from attnsolve.ops.masking import fits_the_scores, masking, opposite


def kept_where_one(S: Matrix, M: Matrix) -> Rationals:
    """As the mask says, which may hold only zeros and ones."""
    places = [(i, j, cell.rational()) for i, j, cell in M.cells()]
    for i, j, value in places:
        if value not in (0, 1):
            raise UndefinedStep(
                f"the mask has {M.cell(i, j).text()} in row {i + 1}, column {j + 1}; it may have only 0 and 1"
            )
    return Rationals([[int(value or 0) for a, _, value in places if a == i] for i in range(M.shape[0])])


def kept_where_zero(S: Matrix, M: Matrix) -> Rationals:
    """The opposite of what the mask says."""
    return opposite(kept_where_one(S, M))


def keep_twin(S: Any, M: Any) -> Any:
    """torch's own masked_fill where the mask is not true."""
    return S.masked_fill(~M.bool(), float("-inf"))


def drop_twin(S: Any, M: Any) -> Any:
    """torch's own masked_fill where the mask is true."""
    return S.masked_fill(M.bool(), float("-inf"))


KEEP = masking(
    "keep",
    "Mask: a query sees the keys marked 1",
    kept_where_one,
    condition="${M:ij} = 1",
    twin=keep_twin,
    frame=fits_the_scores,
)
DROP = masking(
    "drop",
    "Mask: the keys marked 1 are hidden",
    kept_where_zero,
    condition="${M:ij} = 0",
    twin=drop_twin,
    frame=fits_the_scores,
)
