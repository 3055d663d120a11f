"""Every op in NumPy, as scripts and notebooks show it: functions of arrays in which a token is a row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attnsolve.companion.arrays import (
    gradients,
    layers,
    masks,
    moving,
    positions,
    score_gradients,
    scores,
    tiles,
    weights,
)
from attnsolve.ops import OPS

ROOMS = (moving, positions, scores, masks, weights, tiles, layers, gradients, score_gradients)
# Where a function is not called like its op: it does the same, or Python has another use for the name.
RENAMED: dict[str, Callable[..., Any]] = {
    "add_mask": moving.add,
    "sum": weights.sum_norm,
    "output": scores.project,
    "probabilities": weights.softmax,
    "divide_gradient": scores.divide,
    "multiply_gradient": scores.multiply,
}
NAMED: dict[str, Callable[..., Any]] = {name: found for room in ROOMS for name, found in vars(room).items()}
# By the names of the ops; one that is not there has none, and a script is written for PyTorch.
ARRAYS = {op.name: found for op in OPS if (found := RENAMED.get(op.name) or NAMED.get(op.name))}
