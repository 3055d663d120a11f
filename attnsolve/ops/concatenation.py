"""Concatenation: the outputs of the heads side by side."""

from __future__ import annotations

from functools import reduce
from operator import add, or_
from typing import Any

from attnsolve.errors import ShapeError
from attnsolve.exact import Matrix, Rational
from attnsolve.languages import message
from attnsolve.ops.back import GRADIENT, back
from attnsolve.ops.base import Axis, Formula, Frame, Mistake, Op, Role
from attnsolve.ops.joining import piece
from attnsolve.ops.misfits import Misfit, Unfit, counted


def frame(*heads: Frame) -> Frame:
    """The same tokens, all features."""
    if len({head.rows.size for head in heads}) > 1:
        named = {f"H{place}": head for place, head in enumerate(heads, start=1)}
        said = ", ".join(f"{{{name}}} has {counted(head.rows.size, 'token')}" for name, head in named.items())
        raise Unfit(Misfit("H", f"{said}; what stands side by side needs equally many"), named)
    return Frame(heads[0].rows, Axis(sum(head.columns.size for head in heads)))


def rule(*heads: Matrix) -> Matrix:
    """[H₁ | H₂ | …]."""
    return reduce(or_, heads)


def twin(*heads: Any) -> Any:
    """torch's own concatenation."""
    import torch

    return torch.cat(heads, dim=-1)


def reversed_order(*heads: Matrix) -> Matrix:
    """[… | H₂ | H₁]."""
    return rule(*reversed(heads))


def summed(*heads: Matrix) -> Matrix:
    """H₁ + H₂ + …."""
    if len({head.shape for head in heads}) > 1:
        raise ShapeError("heads of different width have no sum")
    return reduce(add, heads)


def averaged(*heads: Matrix) -> Matrix:
    """The mean of the heads."""
    return summed(*heads) / Rational(len(heads))


CONCATENATE = Op(
    name="concatenate",
    title="Concatenate the heads",
    why="Every head has found something of its own; side by side nothing of it is lost.",
    parameters=("H",),
    moves=True,
    gathers=True,
    roles=(Role.TOKENS,),
    formula=Formula(matrix="${H...}"),
    frame=frame,
    rule=rule,
    twin=twin,
    mistakes=(
        Mistake("order", "Concatenate the heads in their order: head 1 first.", reversed_order),
        Mistake("averaged", "The heads are put together; they are not averaged.", averaged),
    ),
    gradients=(back("H", "split", GRADIENT, title=message("Gradient of one head"), settings=piece),),
)
