"""The window mask: a query sees the keys near it, and some that every query sees."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rationals
from attnsolve.ops.base import Frame, Option
from attnsolve.ops.biasing import ROWS, has_places, places_of
from attnsolve.ops.masking import masking
from attnsolve.ops.misfits import unfit


def sees(place: int, key: int, size: int, sinks: int, everywhere: tuple[int, ...]) -> bool:
    """Whether a key is near, among the first, or if either of the two is for all."""
    return abs(place - key) < size or key < sinks or key in everywhere or place in everywhere


def kept_near(
    S: Matrix,
    *,
    size: int,
    sinks: int = 0,
    everywhere: tuple[int, ...] = (),
    rows: tuple[int, ...] | None = None,
) -> Rationals:
    """Keys less than `size` places away, the first `sinks`, and what is seen from everywhere."""
    keys = range(S.shape[1])
    return Rationals(
        [[int(sees(place, j, size, sinks, everywhere)) for j in keys] for place in places_of(S, rows)]
    )


def frame(
    S: Frame,
    *,
    size: int,
    sinks: int = 0,
    everywhere: tuple[int, ...] = (),
    rows: tuple[int, ...] | None = None,
) -> Frame:
    """As the scores."""
    if size < 1:
        raise unfit("size", "a window of 0 keys; a query sees at least itself")
    missing = [key for key in everywhere if not 0 <= key < S.columns.size]
    if missing:
        known = f"the keys are {{0:place}} to {{{S.columns.size - 1}:place}}"
        raise unfit("everywhere", f"there is no key {{{missing[0]}:place}}; {known}")
    return has_places(S, rows)


def window_twin(
    S: Any,
    *,
    size: int,
    sinks: int = 0,
    everywhere: tuple[int, ...] = (),
    rows: tuple[int, ...] | None = None,
) -> Any:
    """torch's band of a matrix of ones, with whole rows and columns put in."""
    import torch

    places = list(range(len(S))) if rows is None else list(rows)
    most = max(max(places) + 1, S.shape[1])
    seen = torch.ones(most, most, dtype=torch.bool).triu(1 - size).tril(size - 1)
    seen[:, :sinks] = True
    seen[:, list(everywhere)] = True
    seen[list(everywhere), :] = True
    return S.masked_fill(~seen[places, : S.shape[1]], float("-inf"))


WINDOW = masking(
    "window",
    "Window mask: a query sees the keys near it",
    kept_near,
    condition=r"\text{key } j \text{ is in the window of } ${out:query}",
    twin=window_twin,
    option=Option("size", "count", "keys less than so many places away are seen", required=True),
    more=(
        Option("sinks", "count", "the first so many keys, which every query sees"),
        Option("everywhere", "rows", "tokens that see all and are seen by all"),
        ROWS,
    ),
    frame=frame,
    turnable=False,
)
