"""Handing on: what is added, or only masked, gets the gradient of the result as it is."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.ops.base import Formula, Frame, Op, Role


def frame(G: Frame) -> Frame:
    """As the gradient."""
    return G


def rule(G: Matrix) -> Matrix:
    """G."""
    return G


def twin(G: Any) -> Any:
    """torch's own copy."""
    return G.clone()


HAND_ON = Op(
    name="hand_on",
    title="The gradient goes on as it is",
    moves=True,
    parameters=("G",),
    roles=(Role.ANY,),
    formula=Formula(matrix="${G:laid}"),
    frame=frame,
    rule=rule,
    twin=twin,
)
