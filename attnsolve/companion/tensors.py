"""Between exact numbers and torch: tensors from matrices, and what a precision can hold."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch

from attnsolve.companion.floats import number
from attnsolve.exact import Matrix
from attnsolve.trace import Step
from attnsolve.working import evaluate


class Precision(NamedTuple):
    """One of torch's number formats: its relative error of rounding, its least and largest number."""

    name: str
    dtype: torch.dtype
    unit: float
    smallest: float
    largest: float


def precision(name: str) -> Precision:
    """The number format of a name: float64, float32 or bfloat16."""
    dtype: torch.dtype = getattr(torch, name)
    limits = torch.finfo(dtype)
    return Precision(name, dtype, limits.eps / 2, limits.tiny, limits.max)


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
