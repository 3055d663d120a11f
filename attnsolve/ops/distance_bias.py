"""Biases by distance: a learned number for each distance of query and key, the last ones for all beyond."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attnsolve.ops.base import Formula, Frame
from attnsolve.ops.biasing import biasing, has_places
from attnsolve.ops.misfits import numbers, unfit
from attnsolve.working import Expression


def clipped(distance: int, reach: int) -> int:
    """The place in a table for the distances -reach … reach, those beyond at its ends."""
    return max(-reach, min(reach, distance)) + reach


def terms(place: int, keys: int, B: Sequence[Expression]) -> list[Expression]:
    """b_{j-i}."""
    reach = len(B) // 2
    return [B[clipped(j - place, reach)] for j in range(keys)]


def reversed_distance(place: int, keys: int, B: Sequence[Expression]) -> list[Expression]:
    """b_{i-j}."""
    return terms(place, keys, tuple(B)[::-1])


def by_key(place: int, keys: int, B: Sequence[Expression]) -> list[Expression]:
    """b_{j}, counted from the first number, whatever the query."""
    return [B[min(j, len(B) - 1)] for j in range(keys)]


def frame(S: Frame, B: Frame, *, rows: tuple[int, ...] | None = None) -> Frame:
    """As the scores; the table has a middle, the distance 0."""
    if B.rows.size != 1:
        raise unfit("B", "one number belongs to each distance", needs=(1, None), B=B)
    if B.columns.size % 2 == 0:
        said = f"{{B}} has {numbers(B.columns.size)}, but the distances -k to k are 2k+1; give an odd number"
        raise unfit("B", said, B=B)
    return has_places(S, rows)


def twin(S: Any, B: Any, *, rows: tuple[int, ...] | None = None) -> Any:
    """torch's own look-up in a table, with clamped distances."""
    import torch

    places = torch.arange(len(S)) if rows is None else torch.tensor(rows)
    reach = B.shape[1] // 2
    far = (torch.arange(S.shape[1])[None, :] - places[:, None]).clamp(-reach, reach) + reach
    return S + torch.nn.functional.embedding(far, B[0][:, None])[:, :, 0]


DISTANCE_BIAS = biasing(
    "distance_bias",
    "Bias by distance: add the number of each distance",
    terms,
    parameters=("S", "B"),
    formula=Formula(
        matrix=r"${S} + \operatorname{bias}",
        each=r"${out:ij} = ${S:ij} + \beta_{j-i} "
        r"\text{ with } \beta_{-k}, \ldots, \beta_{k} \text{ from } ${B}",
    ),
    frame=frame,
    twin=twin,
    options=(),
    mistakes=(
        (
            "distance-reversed",
            "The distance is the key's place less the query's: keys before the query have a negative one.",
            reversed_distance,
        ),
        ("bias-by-key", "The bias hangs on the distance of query and key, not on the key alone.", by_key),
    ),
)
