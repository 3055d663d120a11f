"""The additive mask: 0 for what may be seen, -∞ for what may not, added to the scores."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.exact.masked import Masked, shown, visible
from attnsolve.ops.back import handed_on
from attnsolve.ops.base import Family, Formula, Mistake, Op, Role
from attnsolve.ops.masking import fits_the_scores, hide


def added(S: Matrix, M: Matrix) -> Matrix:
    """S + M, where M may have -∞."""
    return hide(shown(S) + shown(M), visible(S) * visible(M))  # type: ignore[arg-type]


def counting(S: Matrix, M: Matrix) -> Matrix:
    """An addition for each score."""
    return S + M


def add_twin(S: Any, M: Any) -> Any:
    """torch's own addition, in which -inf stays -inf."""
    import torch

    return torch.add(S, M)


def added_as_zero(S: Matrix, M: Matrix) -> Matrix:
    """S + M with 0 in place of every -∞."""
    return Masked.of((shown(S) + shown(M)) * visible(M), visible(S))


def subtracted(S: Matrix, M: Matrix) -> Matrix:
    """S - M, which leaves what is hidden hidden."""
    return hide(shown(S) - shown(M), visible(S) * visible(M))  # type: ignore[arg-type]


def without_mask(S: Matrix, M: Matrix) -> Matrix:
    """S."""
    return S


ADD_MASK = Op(
    name="add_mask",
    title="Additive mask: add it to the scores",
    why="A mask is added before the weights are made: where it is −∞, the weight becomes 0.",
    parameters=("S", "M"),
    roles=(Role.SCORES, Role.SCORES),
    family=Family.MASK,
    formula=Formula(matrix="${S} + ${M}", each="${out:ij} = ${S:ij} + ${M:ij}"),
    frame=fits_the_scores,
    rule=added,
    counting=counting,
    twin=add_twin,
    mistakes=(
        Mistake(
            "mask-as-zero", "Anything plus -∞ is -∞, not 0: a score of 0 still gets weight.", added_as_zero
        ),
        Mistake("mask-subtracted", "The mask is added to the scores, not subtracted.", subtracted),
        Mistake("mask-forgotten", "Add the mask before the weights are computed.", without_mask),
    ),
    gradients=(handed_on("S"), handed_on("M")),
)
