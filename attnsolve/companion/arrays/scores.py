"""How queries and keys are compared, and what is done to scores, in NumPy: a token is a row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # a script imports it itself; here the functions are only shown
    import numpy as np


def project(X: Any, W: Any, b: Any = 0.0) -> Any:
    """A linear layer."""
    return X @ W + b


def dot(Q: Any, K: Any) -> Any:
    """Every query with every key."""
    return Q @ K.T


def bilinear(Q: Any, K: Any, W: Any, b: Any = 0.0) -> Any:
    """A matrix between query and key."""
    return Q @ W @ K.T + b


def additive(Q: Any, K: Any, W: Any, U: Any, v: Any) -> Any:
    """A small network for every pair."""
    return np.tanh((Q @ W)[:, None, :] + (K @ U)[None, :, :]) @ v[0]


def concat(Q: Any, K: Any, W: Any, v: Any) -> Any:
    """The same with one matrix for query and key, put together."""
    width = Q.shape[1]
    return np.tanh((Q @ W[:width])[:, None, :] + (K @ W[width:])[None, :, :]) @ v[0]


def cosine(Q: Any, K: Any) -> Any:
    """Dot products of vectors of length 1."""
    unit = [X / np.linalg.norm(X, axis=1, keepdims=True) for X in (Q, K)]
    return unit[0] @ unit[1].T


def divide(S: Any, *, by: float) -> Any:
    """Every number divided."""
    return S / by


def multiply(S: Any, *, by: float) -> Any:
    """Every number multiplied."""
    return S * by


def soft_cap(S: Any, *, cap: float) -> Any:
    """Scores between -cap and cap; what is hidden stays so."""
    return np.where(np.isinf(S), S, cap * np.tanh(S / cap))


def feature(X: Any, *, map: str = "elu") -> Any:
    """A function that leaves no number negative: elu + 1, relu, exp or the square."""
    if map == "elu":
        return np.where(X > 0, X + 1, np.exp(np.minimum(X, 0)))
    return np.maximum(X, 0) if map == "relu" else np.exp(X) if map == "exp" else X**2


def ratio(X: Any, M: Any, u: Any) -> Any:
    """What was summed up for all keys, over the sum of their weights."""
    return X @ M / (X @ u.T)
