"""Perplexity: e to the mean of the losses."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.ops.back import GRADIENT, RESULT, back
from attnsolve.ops.base import Axis, Formula, Frame, Mistake, Op, Role
from attnsolve.ops.misfits import unfit


def frame(L: Frame) -> Frame:
    """One number."""
    if L.columns.size != 1:
        raise unfit("L", "a loss is one number for each token", needs=(None, 1), L=L)
    return Frame(Axis(1), Axis(1))


def rule(L: Matrix) -> Matrix:
    """e^{mean of L}."""
    return L.T.means().columns(0, 1).exp()


def counting(L: Matrix) -> Matrix:
    """A mean and an exponential."""
    return L.T.row_sums().exp()


def twin(L: Any) -> Any:
    """torch's own mean, exponentiated."""
    import torch

    return torch.exp(torch.mean(L)).reshape(1, 1)


def of_sum(L: Matrix) -> Matrix:
    """e^{sum of L}."""
    return L.T.row_sums().exp()


def mean_of_powers(L: Matrix) -> Matrix:
    """The mean of e^L."""
    return L.T.exp().means().columns(0, 1)


def mean_loss(L: Matrix) -> Matrix:
    """The mean of the losses itself."""
    return L.T.means().columns(0, 1)


PERPLEXITY = Op(
    name="perplexity",
    title="Perplexity: e to the mean of the losses",
    parameters=("L",),
    roles=(Role.TOKENS,),
    formula=Formula(matrix=r"\exp\Bigl(\tfrac{1}{n} \textstyle\sum_{i} ${L:i}\Bigr)"),
    frame=frame,
    rule=rule,
    counting=counting,
    counted_as="a sum of the losses and one exponential",
    twin=twin,
    mistakes=(
        Mistake("of-the-sum", "Take the mean of the losses, not their sum.", of_sum),
        Mistake("mean-of-powers", "Take the mean first and then e to it.", mean_of_powers),
        Mistake("mean-loss", "The perplexity is e to the mean of the losses.", mean_loss),
    ),
    gradients=(back("L", "perplexity_gradient", "L", RESULT, GRADIENT),),
)
