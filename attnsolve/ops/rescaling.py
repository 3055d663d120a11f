"""Rescaling: the factor that brings what was exponentiated less an old maximum to a new one."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.exact.masked import visible
from attnsolve.exact.rationals import ones
from attnsolve.languages import message
from attnsolve.ops import Role, shifted_exponentials
from attnsolve.ops.base import Formula, Frame, Mistake, Op
from attnsolve.ops.running_maximum import FROM_ALL_TILES, require_column


def frame(m: Frame, n: Frame) -> Frame:
    """One number for each query."""
    require_column("m", m, "m", m)
    require_column("n", n, "m", m)
    return m


def rule(m: Matrix, n: Matrix) -> Matrix:
    """e^{m - n}; 0 where nothing was seen before."""
    return shifted_exponentials.rule(m, n)


def other_way(m: Matrix, n: Matrix) -> Matrix:
    """e^{n - m}."""
    return shifted_exponentials.rule(n, m)


def not_rescaled(m: Matrix, n: Matrix) -> Matrix:
    """1."""
    return ones(*m.shape) * visible(m)


def twin(m: Any, n: Any) -> Any:
    """torch's own exponential of the difference; 0 where nothing was seen before."""
    import torch

    return torch.nan_to_num(torch.exp(m - n), nan=0.0)


RESCALING = Op(
    name="rescaling",
    title="Rescaling: e to the old maximum less the new one",
    why=message("What was exponentiated less the old maximum times this factor is as if less the new one."),
    parameters=("m", "n"),
    roles=(Role.ANY, Role.ANY),
    formula=Formula(matrix=r"\exp(${m} - ${n})", each=r"${out:i} = e^{${m:i} - ${n:i}}"),
    frame=frame,
    rule=rule,
    counting=shifted_exponentials.counting,
    counted_as="a subtraction and an exponential for each query",
    lines=shifted_exponentials.lines,
    twin=twin,
    cancelling=shifted_exponentials.cancelled,
    mistakes=(
        Mistake(
            "rescaled-the-other-way",
            "The exponent is the old maximum less the new one, so that the factor is at most 1.",
            other_way,
        ),
        Mistake(
            "factor-left-out",
            "Sums and outputs of earlier tiles belong to an older maximum: rescale both.",
            not_rescaled,
        ),
    ),
    no_gradient=FROM_ALL_TILES,
)
