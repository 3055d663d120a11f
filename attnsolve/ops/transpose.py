"""Transpose: rows become columns."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.ops.back import GRADIENT, back
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Role


def frame(X: Frame) -> Frame:
    """What were columns, and what were rows."""
    return Frame(X.columns, X.rows)


def rule(X: Matrix) -> Matrix:
    """Xᵀ."""
    return X.T


def twin(X: Any) -> Any:
    """torch's own exchange of two sides."""
    import torch

    return torch.swapaxes(X, 0, 1)


def as_it_is(X: Matrix) -> Matrix:
    """X."""
    return X


TRANSPOSE = Op(
    name="transpose",
    title="Transpose: rows become columns",
    moves=True,
    parameters=("X",),
    roles=(Role.ANY,),
    formula=Formula(product=("X'",), each="${out:ij} = ${X:ji}"),
    frame=frame,
    rule=rule,
    twin=twin,
    mistakes=(Mistake("not-transposed", "Exchange rows and columns.", as_it_is),),
    gradients=(back("X", "transpose", GRADIENT),),
)
