"""Where the way back begins: a loss changes as itself, so its own gradient is 1; that of a mean is 1/n."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rational
from attnsolve.exact.rationals import ones
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Option, Role

SHARES = ("sum", "mean")


def frame(L: Frame, *, share: str = "sum") -> Frame:
    """As the loss."""
    return L


def rule(L: Matrix, *, share: str = "sum") -> Matrix:
    """1 everywhere, or 1/n of n losses that are averaged."""
    return ones(*L.shape) / Rational(L.shape[0] * L.shape[1]) if share == "mean" else ones(*L.shape)


def counting(L: Matrix, *, share: str = "sum") -> Matrix:
    """Nothing to work out."""
    return L


def twin(L: Any, *, share: str = "sum") -> Any:
    """torch's own ones."""
    import torch

    return torch.ones_like(L) / (L.numel() if share == "mean" else 1)


def averaged(L: Matrix, *, share: str = "sum") -> Matrix:
    """The mean where the sum is meant, and the other way round."""
    return rule(L, share="sum" if share == "mean" else "mean")


UNIT_GRADIENT = Op(
    name="unit_gradient",
    title="The way back begins: a loss changes as itself",
    parameters=("L",),
    roles=(Role.ANY,),
    options=(
        Option(
            "share", "choice", "whether losses of several rows are a sum (default) or a mean", choices=SHARES
        ),
    ),
    formula=Formula(matrix=r"\mathbf{1}"),
    variants=(("share=mean", Formula(matrix=r"\tfrac{1}{n}\, \mathbf{1}")),),
    frame=frame,
    rule=rule,
    counting=counting,
    twin=twin,
    mistakes=(
        Mistake("mean-and-sum", "Mind whether the losses of the rows are added up or averaged.", averaged),
    ),
)
