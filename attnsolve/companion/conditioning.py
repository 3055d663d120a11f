"""How far a correct float calculation may be off: the conditioning of a function at its own inputs.

Every float operation is exact for inputs that are off by a rounding or two. So the error of a result is
at most what such small changes of the inputs can do to it, which its derivatives tell: Σ |∂y/∂x|·|x|·u.
Where large numbers cancel on the way that torch takes, their roundings stay: they are one more input of the
function, which is added to a result and is 0 but for roundings of numbers of that size.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch

from attnsolve.companion.tensors import Precision

Function = Callable[..., torch.Tensor]

# Roundings of an operation besides those of its sums: exponentials, quotients, roots.
ROUNDINGS = 8


class Input(NamedTuple):
    """What a function is taken of, and how large the numbers are whose roundings it may have."""

    value: torch.Tensor
    size: torch.Tensor


def rounded(value: torch.Tensor) -> Input:
    """Numbers that may be off by a rounding of themselves; -∞ is exact."""
    return Input(value, torch.where(value.isfinite(), value.abs(), torch.zeros_like(value)))


def cancelled(size: torch.Tensor) -> Input:
    """Roundings alone, of numbers of this size that have cancelled."""
    return Input(torch.zeros_like(size), size)


def tolerance(
    function: Function, inputs: Sequence[Input], form: Precision, *, steps: int = 1
) -> torch.Tensor:
    """The error allowed in each number of a function, from its derivatives and the sums in it."""
    value = function(*(x for x, _ in inputs))
    longest = max((max(x.shape) for x, _ in inputs), default=1)
    growth = steps * (longest + ROUNDINGS) * form.unit
    return growth * (sensitivity(function, inputs) + value.abs().nan_to_num(0.0, 0.0, 0.0)) + form.smallest


def sensitivity(function: Function, inputs: Sequence[Input]) -> torch.Tensor:
    """Σ |∂y/∂x|·size for each number y of the result; a number that is -∞ has no part in it."""
    values = tuple(x for x, _ in inputs)
    derivatives = torch.autograd.functional.jacobian(function, values)
    total = torch.zeros(function(*values).shape, dtype=torch.float64)
    for derivative, (_, size) in zip(derivatives, inputs, strict=True):
        total += (derivative.nan_to_num(0.0).abs() * size).flatten(start_dim=2).sum(dim=2)
    return total
