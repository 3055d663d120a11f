"""A tile: some neighbouring keys of the scores, as many as are looked at together."""

from __future__ import annotations

from typing import Any

from attnsolve.errors import ShapeError
from attnsolve.exact import Matrix
from attnsolve.languages import message
from attnsolve.ops.back import GRADIENT, back
from attnsolve.ops.base import Axis, Formula, Frame, Op, Option, Role
from attnsolve.ops.misfits import unfit
from attnsolve.ops.splitting import places


def frame(S: Frame, *, start: int, stop: int) -> Frame:
    """The same queries, only the chosen keys."""
    if not 0 <= start < stop <= S.columns.size:
        wanted = f"{{{start}:place}} to {{{stop - 1}:place}}"
        has = f"{{0:place}} to {{{S.columns.size - 1}:place}}"
        raise unfit("stop", f"there are no keys {wanted}; {{S}} has the keys {has}", S=S)
    tokens = S.columns.tokens
    return Frame(S.rows, Axis(stop - start, tokens and tokens[start:stop], S.columns.labels))


def rule(S: Matrix, *, start: int, stop: int) -> Matrix:
    """The columns from start up to, not including, stop."""
    if stop > S.shape[1]:  # a wrong plan may have fewer keys than the right one
        raise ShapeError(f"there are no keys {start + 1} to {stop} among {S.shape[1]}")
    return S.columns(start, stop)


def counting(S: Matrix, *, start: int, stop: int) -> Matrix:
    """Copying is free; a tile is the same part of the keys however many there are."""
    return S.columns(start, stop)


def twin(S: Any, *, start: int, stop: int) -> Any:
    """torch's own narrowing of a side."""
    import torch

    return torch.narrow(S, 1, start, stop - start)


TILE = Op(
    name="tile",
    title="Scores of this tile",
    parameters=("S",),
    options=(
        Option("start", "integer", "the first key", required=True),
        Option("stop", "integer", "the last key", required=True),
    ),
    moves=True,
    roles=(Role.SCORES,),
    formula=Formula(matrix="${S:columns}"),
    frame=frame,
    rule=rule,
    counting=counting,
    twin=twin,
    gradients=(
        back(
            "S",
            "spread",
            GRADIENT,
            title=message("Only the keys of this tile have a gradient through it"),
            settings=places,
        ),
    ),
)
