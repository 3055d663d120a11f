"""The libraries that a script can compute with, a record for each: NumPy and PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from attnsolve.companion.arrays import ARRAYS
from attnsolve.ops import Family, Op

# A function of matrices that does what an op does.
Function = Callable[..., Any]


class Library(NamedTuple):
    """How a library is called, how it makes a matrix, and its function for an op."""

    title: str
    package: str  # what is installed
    imports: str
    name: str  # after the import
    start: str  # what stands before the rows of a matrix
    ending: str  # and behind them
    function: Callable[[Op], Function | None]  # None where the library has none for an op


def array_function(op: Op) -> Function | None:
    """NumPy's function for an op; values inside a step have none."""
    return None if op.family is Family.INNER else ARRAYS.get(op.name)


TORCH = Library(
    "PyTorch",
    "torch",
    "import torch",
    "torch",
    "torch.tensor(",
    ", dtype=torch.float64)",
    lambda op: op.twin,
)
NUMPY = Library("NumPy", "numpy", "import numpy as np", "np", "np.array(", ", dtype=float)", array_function)
