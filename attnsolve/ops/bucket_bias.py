"""Biases by bucket, as in T5: near distances have a bucket each, far ones share buckets that grow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attnsolve.ops.base import Formula, Frame, Option
from attnsolve.ops.biasing import biasing, has_places
from attnsolve.ops.misfits import numbers, unfit
from attnsolve.working import Expression

LONGEST = 128
DIRECTIONS = ("both", "past")


def bucket(distance: int, count: int, longest: int, direction: str) -> int:
    """The bucket of key minus query: ⌊e + ln(n/e)/ln(longest/e)·(count - e)⌋ beyond e = count/2, exactly."""
    start = 0
    if direction == "both":
        count //= 2
        start = count if distance > 0 else 0
        far = abs(distance)
    else:
        far = max(0, -distance)
    near = count // 2
    if far < near:
        return start + far
    steps, rest = 0, count - near
    # (longest/near)^(steps+1) ≤ (far/near)^rest, in whole numbers.
    while longest ** (steps + 1) * near**rest <= far**rest * near ** (steps + 1) and steps < rest - 1:
        steps += 1
    return start + near + steps


def terms(
    place: int, keys: int, B: Sequence[Expression], *, longest: int = LONGEST, direction: str = "both"
) -> list[Expression]:
    """b of the bucket of j - i."""
    return [B[bucket(j - place, len(B), longest, direction)] for j in range(keys)]


def reversed_distance(place: int, keys: int, B: Sequence[Expression], **settings: Any) -> list[Expression]:
    """The bucket of i - j."""
    longest, direction = settings.get("longest", LONGEST), settings.get("direction", "both")
    return [B[bucket(place - j, len(B), longest, direction)] for j in range(keys)]


def without_buckets(place: int, keys: int, B: Sequence[Expression], **settings: Any) -> list[Expression]:
    """A bucket for each distance, the last for all beyond, whatever the direction."""
    return [B[min(abs(j - place), len(B) - 1)] for j in range(keys)]


def frame(
    S: Frame,
    B: Frame,
    *,
    longest: int = LONGEST,
    direction: str = "both",
    rows: tuple[int, ...] | None = None,
) -> Frame:
    """As the scores, with a number for each bucket."""
    if B.rows.size != 1:
        raise unfit("B", "one number belongs to each bucket", needs=(1, None), B=B)
    least = 4 if direction == "both" else 2
    if B.columns.size % 2 or B.columns.size < least:
        said = f"{{B}} has {numbers(B.columns.size)}; buckets are even in number, at least {least}"
        raise unfit("B", said, B=B)
    near = B.columns.size // (4 if direction == "both" else 2)
    if longest <= near:
        said = f"the longest distance is {longest}; the buckets of single distances reach {near} already"
        raise unfit("longest", said)
    return has_places(S, rows)


def twin(
    S: Any,
    B: Any,
    *,
    longest: int = 128,
    direction: str = "both",
    rows: tuple[int, ...] | None = None,
) -> Any:
    """torch's own look-up in a table, by the buckets of T5's own code."""
    import torch

    found = t5_buckets(S, B.shape[1], longest, direction, rows)
    return S + torch.nn.functional.embedding(found, B[0][:, None])[:, :, 0]


def t5_buckets(S: Any, count: int, longest: int, direction: str, rows: tuple[int, ...] | None) -> Any:
    """As T5's own code has it, with logarithms; a little is added where they end just below a bucket."""
    import math

    import torch

    places = torch.arange(len(S)) if rows is None else torch.tensor(rows)
    far = torch.arange(S.shape[1])[None, :] - places[:, None]
    start = torch.zeros_like(far)
    if direction == "both":
        count //= 2
        start, far = (far > 0).long() * count, far.abs()
    else:
        far = -far.clamp(max=0)
    near = count // 2
    grown = (far.clamp(min=1) / near).double().log() / math.log(longest / near) * (count - near)
    large = (near + (grown + 1e-9).floor().long()).clamp(max=count - 1)
    return start + torch.where(far < near, far, large)


BUCKET_BIAS = biasing(
    "bucket_bias",
    "Bias by bucket: add the number of the bucket of each distance",
    terms,
    parameters=("S", "B"),
    formula=Formula(
        matrix=r"${S} + \operatorname{bias}",
        each=r"${out:ij} = ${S:ij} + \beta_{\operatorname{bucket}(j-i)} \text{ from } ${B}",
    ),
    frame=frame,
    twin=twin,
    options=(
        Option("longest", "count", "the distance from which on the last bucket holds (default 128)"),
        Option(
            "direction",
            "choice",
            "both (default): half of the buckets for keys after the query; past: later keys are in bucket 0",
            DIRECTIONS,
        ),
    ),
    mistakes=(
        (
            "distance-reversed",
            "The distance is the key's place less the query's: keys before the query have a negative one.",
            reversed_distance,
        ),
        (
            "without-buckets",
            "Far distances share buckets, and keys after the query have buckets of their own.",
            without_buckets,
        ),
    ),
)
