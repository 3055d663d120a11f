"""Splitting: the columns of a wide matrix that belong to one head."""

from __future__ import annotations

from typing import Any

from attnsolve.errors import ShapeError
from attnsolve.exact import Matrix
from attnsolve.ops.back import GRADIENT, Passing, back
from attnsolve.ops.base import Axis, Family, Formula, Frame, Mistake, Op, Option, Options, Role
from attnsolve.ops.misfits import unfit


def frame(X: Frame, *, start: int, stop: int) -> Frame:
    """Only the chosen features."""
    if not 0 <= start < stop <= X.columns.size:
        wanted = f"{{{start}:place}} to {{{stop - 1}:place}}"
        has = f"{{0:place}} to {{{X.columns.size - 1}:place}}"
        raise unfit("stop", f"there are no numbers {wanted} of a token; {{X}} has the numbers {has}", X=X)
    return Frame(X.rows, Axis(stop - start))


def rule(X: Matrix, *, start: int, stop: int) -> Matrix:
    """The columns from start up to, not including, stop."""
    return X.columns(start, stop)


def twin(X: Any, *, start: int, stop: int) -> Any:
    """torch's own narrowing of a side."""
    import torch

    return torch.narrow(X, 1, start, stop - start)


def interleaved(X: Matrix, *, start: int, stop: int) -> Matrix:
    """Every other column, as when a reshape mixes the heads up."""
    width = stop - start
    heads, rest = divmod(X.shape[1], width)
    if rest or heads < 2:
        raise ShapeError("heads of unequal width cannot be interleaved")
    return X.T.take([start // width + k * heads for k in range(width)]).T


def places(passing: Passing) -> Options:
    """Where the columns came from, and how many there were."""
    return {"start": passing.options["start"], "width": passing.frames[0].columns.size}


SPLIT = Op(
    name="split",
    title="Take this head's columns",
    parameters=("X",),
    options=(
        Option("start", "integer", "the first column", required=True),
        Option("stop", "integer", "the last column", required=True),
    ),
    moves=True,
    family=Family.SLICE,
    roles=(Role.TOKENS,),
    formula=Formula(matrix="${X:columns}"),
    frame=frame,
    rule=rule,
    twin=twin,
    mistakes=(
        Mistake("interleaved", "A head's columns stand next to each other in the wide matrix.", interleaved),
    ),
    gradients=(back("X", "spread", GRADIENT, settings=places),),
)
