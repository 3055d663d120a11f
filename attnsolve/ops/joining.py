"""Joining: two vectors of each token put together into one, [c; s]."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.languages import message
from attnsolve.ops.back import GRADIENT, Passing, back
from attnsolve.ops.base import Axis, Formula, Frame, Mistake, Op, Options, Role
from attnsolve.ops.misfits import counted, unfit


def frame(X: Frame, Y: Frame) -> Frame:
    """The same tokens, the features of both."""
    if X.rows.size != Y.rows.size:
        said = f"{counted(X.rows.size, 'token')} in {{X}}, but {Y.rows.size} in {{Y}}"
        raise unfit("Y", f"{said}; what is joined needs equally many", X=X, Y=Y)
    return Frame(X.rows, Axis(X.columns.size + Y.columns.size))


def rule(X: Matrix, Y: Matrix) -> Matrix:
    """[X | Y]."""
    return X | Y


def twin(X: Any, Y: Any) -> Any:
    """torch's own concatenation."""
    import torch

    return torch.cat([X, Y], dim=1)


def other_order(X: Matrix, Y: Matrix) -> Matrix:
    """[Y | X]."""
    return Y | X


def piece(passing: Passing) -> Options:
    """The columns in which one of the pieces stands."""
    start = sum(frame.columns.size for frame in passing.frames[: passing.place])
    return {"start": start, "stop": start + passing.frames[passing.place].columns.size}


JOIN = Op(
    name="join",
    title="Join the vectors",
    moves=True,
    parameters=("X", "Y"),
    roles=(Role.TOKENS, Role.TOKENS),
    formula=Formula(matrix="${X...}"),
    frame=frame,
    rule=rule,
    twin=twin,
    mistakes=(Mistake("joined-in-other-order", "Mind which of the two vectors comes first.", other_order),),
    gradients=(
        back("X", "split", GRADIENT, title=message("Gradient of one piece"), settings=piece),
        back("Y", "split", GRADIENT, title=message("Gradient of one piece"), settings=piece),
    ),
)
