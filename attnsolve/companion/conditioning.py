"""How far a correct float calculation may be off: the conditioning of a function at its own inputs.

Every float operation is exact for inputs that are off by a rounding or two. So the error of a result is
at most what such small changes of the inputs can do to it, which its derivatives tell: Σ |∂y/∂x|·|x|·u.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

from attnsolve.companion.tensors import Precision

Function = Callable[..., torch.Tensor]

# Roundings of an operation besides those of its sums: exponentials, quotients, roots.
ROUNDINGS = 8


def tolerance(
    function: Function, inputs: Sequence[torch.Tensor], form: Precision, *, steps: int = 1
) -> torch.Tensor:
    """The error allowed in each number of function(*inputs), from its derivatives and the sums in it."""
    value = function(*inputs)
    longest = max((max(x.shape) for x in inputs), default=1)
    growth = steps * (longest + ROUNDINGS) * form.unit
    return growth * (sensitivity(function, inputs) + value.abs().nan_to_num(0.0, 0.0, 0.0)) + form.smallest


def sensitivity(function: Function, inputs: Sequence[torch.Tensor]) -> torch.Tensor:
    """Σ |∂y/∂x|·|x| for each number y of the result; a number that is -∞ has no part in it."""
    shape = function(*inputs).shape
    derivatives = torch.autograd.functional.jacobian(function, tuple(inputs))
    total = torch.zeros(shape, dtype=torch.float64)
    for derivative, x in zip(derivatives, inputs, strict=True):
        size = torch.where(x.isfinite(), x.abs(), torch.zeros_like(x))
        total += (derivative.nan_to_num(0.0).abs() * size).flatten(start_dim=2).sum(dim=2)
    return total
