"""Some keys hidden from every query."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rationals
from attnsolve.ops.base import Frame, Option
from attnsolve.ops.masking import masking
from attnsolve.ops.misfits import unfit


def kept_without_keys(S: Matrix, *, keys: tuple[int, ...]) -> Rationals:
    """Every key but these."""
    return Rationals([[int(j not in keys) for j in range(S.shape[1])]] * S.shape[0])


def has_keys(S: Frame, *, keys: tuple[int, ...]) -> Frame:
    """As the scores."""
    missing = [key for key in keys if not 0 <= key < S.columns.size]
    if missing:
        known = f"the keys are {{0:place}} to {{{S.columns.size - 1}:place}}"
        raise unfit("keys", f"there is no key {{{missing[0]}:place}}; {known}")
    return S


def drop_keys_twin(S: Any, *, keys: tuple[int, ...]) -> Any:
    """torch's own index_fill of the columns of these keys."""
    import torch

    return S.index_fill(1, torch.tensor(keys), float("-inf"))


DROP_KEYS = masking(
    "drop_keys",
    "Mask: hide these keys from every query",
    kept_without_keys,
    condition=r"\text{key } j \text{ is not hidden}",
    twin=drop_keys_twin,
    option=Option("keys", "rows", "the keys to hide, such as 4", required=True),
    frame=has_keys,
    turnable=False,  # no row of a turned mask would see a key
)
