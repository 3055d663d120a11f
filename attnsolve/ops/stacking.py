"""Stacking: tokens put beneath each other, such as a start token above the others."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any

from attnsolve.exact import Matrix
from attnsolve.languages import message
from attnsolve.ops.back import GRADIENT, Passing, back
from attnsolve.ops.base import Axis, Formula, Frame, Mistake, Op, Options, Role
from attnsolve.ops.misfits import Misfit, Unfit, numbers


def frame(*pieces: Frame) -> Frame:
    """All tokens, counted anew; the same features."""
    if len({piece.columns.size for piece in pieces}) > 1:
        named = {f"X{place}": piece for place, piece in enumerate(pieces, start=1)}
        said = ", ".join(
            f"{numbers(piece.columns.size)} per token in {{{name}}}" for name, piece in named.items()
        )
        raise Unfit(Misfit("X", f"{said}; what stands beneath each other needs equally many"), named)
    height = sum(piece.rows.size for piece in pieces)
    return Frame(Axis(height, tuple(range(height))), pieces[0].columns)


def rule(*pieces: Matrix) -> Matrix:
    """X₁ above X₂ above …."""
    return reduce(or_, [piece.T for piece in pieces]).T


def twin(*pieces: Any) -> Any:
    """torch's own concatenation, along the other side."""
    import torch

    return torch.cat(pieces, dim=0)


def other_order(*pieces: Matrix) -> Matrix:
    """The last one first."""
    return rule(*reversed(pieces))


def rows(passing: Passing) -> Options:
    """The rows in which one of the pieces stands."""
    start = sum(frame.rows.size for frame in passing.frames[: passing.place])
    return {"rows": tuple(range(start, start + passing.frames[passing.place].rows.size))}


STACK = Op(
    name="stack",
    title="Put the tokens into one matrix",
    moves=True,
    parameters=("X",),
    gathers=True,
    roles=(Role.TOKENS,),
    formula=Formula(matrix="${X:beneath}"),
    frame=frame,
    rule=rule,
    twin=twin,
    mistakes=(Mistake("stacked-in-other-order", "Mind which of the matrices stands first.", other_order),),
    gradients=(back("X", "select", GRADIENT, title=message("Gradient of one piece"), settings=rows),),
)
