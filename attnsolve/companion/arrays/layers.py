"""What stands around attention: norms, activations, recurrent cells, losses, in NumPy: a token is a row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # a script imports it itself; here the functions are only shown
    import math

    import numpy as np


def layer_norm(
    X: Any, gamma: Any = 1.0, beta: Any = 0.0, *, epsilon: float = 1e-5, epsilon_at: str = "variance"
) -> Any:
    """Each row less its mean, over its deviation."""
    mean, variance = X.mean(axis=1, keepdims=True), X.var(axis=1, keepdims=True)
    below = np.sqrt(variance + epsilon) if epsilon_at == "variance" else np.sqrt(variance) + epsilon
    return (X - mean) / below * gamma + beta


def rms_norm(X: Any, gamma: Any = 1.0, *, epsilon: float = 1e-5) -> Any:
    """Each row over the root of its mean square."""
    return X / np.sqrt((X**2).mean(axis=1, keepdims=True) + epsilon) * gamma


def tanh(X: Any) -> Any:
    """Number by number."""
    return np.tanh(X)


def rectify(X: Any) -> Any:
    """0 for what is negative."""
    return np.maximum(X, 0)


def sigmoid(X: Any) -> Any:
    """Between 0 and 1, number by number."""
    return 1 / (1 + np.exp(-X))


def silu(X: Any) -> Any:
    """x times its sigmoid."""
    return X * sigmoid(X)


def gelu(X: Any) -> Any:
    """x times the share of a normal distribution below x."""
    return X / 2 * np.vectorize(math.erfc)(-X / math.sqrt(2))


def recur(X: Any, W: Any, H: Any, U: Any, b: Any = 0.0) -> Any:
    """A linear layer of an input and a state."""
    return X @ W + H @ U + b


def blend(Z: Any, X: Any, Y: Any) -> Any:
    """From X, where Z is 0, to Y, where it is 1."""
    return (1 - Z) * X + Z * Y


def gate(F: Any, C: Any, I: Any, N: Any) -> Any:
    """What is kept, and what comes in."""
    return F * C + I * N


def logits(X: Any, E: Any) -> Any:
    """Every token with the embedding of every word."""
    return X @ E.T


def cross_entropy(P: Any, *, target: tuple[int, ...]) -> Any:
    """-ln of the probability of what was right."""
    return -np.log(P[np.arange(len(P)), list(target)])[:, None]


def perplexity(L: Any) -> Any:
    """e to the mean of the losses."""
    return np.exp(L.mean()).reshape(1, 1)
