"""Why torch disagrees: the op's own mistakes are tried, to see which of them our numbers look like."""

from __future__ import annotations

import torch

from attnsolve.companion.tensors import tensor
from attnsolve.errors import AttnsolveError
from attnsolve.trace import Step

# Closer than this, relative to the largest number, two matrices are taken for the same.
ALIKE = 1e-9


def likely_cause(step: Step, theirs: torch.Tensor) -> str:
    """What our numbers look like, every mistake that they fit; nothing when they fit none."""
    ours, causes = tensor(step.value), []
    right = tensor(step.call.op.rule(*step.inputs, **step.call.options))
    # A mistake that makes no difference here is not the one that was made.
    for mistake in step.call.op.mistakes if not alike(ours, right) else ():
        try:
            wrong = tensor(mistake.rule(*step.inputs, **step.call.options))
        except AttnsolveError:
            continue  # not defined on these numbers
        if alike(wrong, ours) and not alike(wrong, theirs):
            causes.append(f"our numbers are those of the mistake '{mistake.name}': {mistake.advice}")
    if alike(ours.T, theirs):
        causes.append("torch agrees with our answer transposed")
    if alike(-ours, theirs):
        causes.append("torch agrees with our answer with the opposite sign")
    return "; or ".join(causes)


def alike(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Whether two matrices have the same numbers, as far as floats can tell."""
    if a.shape != b.shape:
        return False
    finite = a[a.isfinite()]
    scale = float(finite.abs().max()) if len(finite) else 1.0
    return bool(torch.allclose(a, b, rtol=0.0, atol=ALIKE * max(scale, 1e-300)))
