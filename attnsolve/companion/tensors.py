"""Between exact numbers and torch: tensors from matrices, and what a precision can hold."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch

from attnsolve.exact import Cell, Matrix
from attnsolve.exact.infinity import HIDDEN
from attnsolve.trace import Step
from attnsolve.working import evaluate

# Balls of this many bits have more digits than any of the precisions below.
BITS = 256


class Precision(NamedTuple):
    """One of torch's number formats: the relative error of rounding to it, and the least number it holds."""

    name: str
    dtype: torch.dtype
    unit: float
    smallest: float


def precision(name: str) -> Precision:
    """The number format of a name: float64, float32 or bfloat16."""
    dtype: torch.dtype = getattr(torch, name)
    limits = torch.finfo(dtype)
    return Precision(name, dtype, limits.eps / 2, limits.tiny)


def number(cell: Cell) -> float:
    """The float64 next to an exact number."""
    if cell is HIDDEN:
        return float("-inf")
    value = cell.rational()
    return float(cell.ball(BITS).mid()) if value is None else value.numerator / value.denominator


def tensor(matrix: Matrix) -> torch.Tensor:
    """A matrix in float64, every number rounded once."""
    rows, columns = map(range, matrix.shape)
    return torch.tensor([[number(matrix.cell(i, j)) for j in columns] for i in rows], dtype=torch.float64)


def options(step: Step) -> dict[str, Any]:
    """The settings of a step as a twin takes them: numbers as floats, words and places as they are."""
    kinds = {option.name: option.kind for option in step.call.op.options}
    return {
        name: number(evaluate(value)) if kinds[name] == "number" else value
        for name, value in step.call.options.items()
    }
