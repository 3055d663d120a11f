"""A softmax in tiles, what is kept from one to the next, and half precision, in NumPy: a token is a row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # a script imports it itself; here the functions are only shown
    import numpy as np


def tile(S: Any, *, start: int, stop: int) -> Any:
    """The scores of some keys."""
    return S[:, start:stop]


def running_maximum(S: Any, m: Any = None) -> Any:
    """The largest score so far."""
    largest = S.max(axis=1, keepdims=True)
    return largest if m is None else np.maximum(m, largest)


def shifted_exponentials(S: Any, m: Any) -> Any:
    """e to the scores less their largest; 0 where nothing has been seen yet."""
    return np.exp(S - np.where(np.isinf(m), 0, m))


def rescaling(m: Any, n: Any) -> Any:
    """What is kept of earlier sums when the largest score grows from m to n."""
    return np.exp(m - np.where(np.isinf(n), 0, n))


def running_sum(P: Any, r: Any = 0.0, D: Any = 0.0) -> Any:
    """The sum of the exponentials so far."""
    return r * D + P.sum(axis=1, keepdims=True)


def running_output(P: Any, V: Any, r: Any = 0.0, Z: Any = 0.0) -> Any:
    """The sum of the values so far, times their exponentials."""
    return r * Z + P @ V


def over_sum(X: Any, D: Any) -> Any:
    """Every row over its sum."""
    return X / D


def half(X: Any) -> Any:
    """Rounded to half precision, in which numbers from 65520 on are infinite."""
    with np.errstate(over="ignore"):
        return X.astype(np.float16).astype(float)


def overflow(X: Any) -> Any:
    """1 for what half precision cannot hold."""
    return np.where(np.isfinite(X) & np.isinf(half(X)), 1.0, 0.0)
