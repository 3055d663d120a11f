"""The way back through each op, in NumPy: a token is a row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # a script imports it itself; here the functions are only shown
    import math

    import numpy as np


def unit_gradient(L: Any, *, share: str = "sum") -> Any:
    """1 for each loss, or an equal share of 1."""
    return np.full(L.shape, 1 / L.size if share == "mean" else 1.0)


def cross_entropy_gradient(P: Any, G: Any, *, target: tuple[int, ...]) -> Any:
    """-1 over the probability of what was right, 0 elsewhere."""
    made, rows = np.zeros(P.shape), np.arange(len(P))
    made[rows, list(target)] = -G[:, 0] / P[rows, list(target)]
    return made


def logits_gradient(P: Any, G: Any, *, target: tuple[int, ...]) -> Any:
    """The probabilities less 1 for what was right."""
    return (P - np.eye(P.shape[1])[list(target)]) * G


def left_gradient(G: Any, Y: Any) -> Any:
    """Of X Y to X."""
    return G @ Y.T


def right_gradient(X: Any, G: Any) -> Any:
    """Of X Y to Y."""
    return X.T @ G


def softmax_jacobian(A: Any, *, rows: tuple[int, ...]) -> Any:
    """How each weight of a row changes with each score."""
    a = A[rows[0]]
    return np.diag(a) - np.outer(a, a)


def softmax_gradient(A: Any, G: Any, *, temperature: float = 1.0) -> Any:
    """Each weight times what its gradient is above their average."""
    return A * (G - (A * G).sum(axis=1, keepdims=True)) / temperature


def sum_gradient(S: Any, A: Any, G: Any) -> Any:
    """The gradients less their average, over the sum; nothing goes back to what a mask hides."""
    kept = np.isfinite(S)
    total = np.where(kept, S, 0).sum(axis=1, keepdims=True)
    return np.where(kept, (G - (A * G).sum(axis=1, keepdims=True)) / total, 0)


def relu_gradient(S: Any, A: Any, G: Any) -> Any:
    """The same for what is above 0."""
    total = np.maximum(S, 0).sum(axis=1, keepdims=True)
    return np.where(S > 0, (G - (A * G).sum(axis=1, keepdims=True)) / total, 0)


def sparsemax_gradient(A: Any, G: Any) -> Any:
    """Where there is weight, the gradient less the mean of those there."""
    kept = A > 1e-12
    mean = np.where(kept, G, 0).sum(axis=1, keepdims=True) / kept.sum(axis=1, keepdims=True)
    return np.where(kept, G - mean, 0)


def entmax_gradient(A: Any, G: Any, *, alpha: float) -> Any:
    """Where there is weight, a power of it times what the gradient is above their average."""
    u = np.where(A > 1e-12, np.where(A > 1e-12, A, 1) ** (2 - alpha), 0)
    return u * (G - (u * G).sum(axis=1, keepdims=True) / u.sum(axis=1, keepdims=True))


def entmax15_gradient(S: Any, G: Any) -> Any:
    """The same with half the score less its threshold, which is found by halving where it lies."""
    half = S / 2
    top = half.max(axis=1, keepdims=True)
    low, high = top - 1, top
    for _ in range(100):
        tau = (low + high) / 2
        above = (np.maximum(0, half - tau) ** 2).sum(axis=1, keepdims=True) > 1
        low, high = np.where(above, tau, low), np.where(above, high, tau)
    u = np.maximum(0, half - high)
    return u * (G - (u * G).sum(axis=1, keepdims=True) / u.sum(axis=1, keepdims=True))


def tile_gradient(A: Any, H: Any, Z: Any, G: Any) -> Any:
    """Each weight times what its gradient is above the output with its own."""
    return A * (H - (Z * G).sum(axis=1, keepdims=True))


def score_bias_gradient(G: Any) -> Any:
    """The sum of everything."""
    return G.sum(keepdims=True)


def soft_cap_gradient(X: Any, G: Any, *, cap: float) -> Any:
    """1 - (x/c)² times the gradient, with x = the capped score; nothing goes back to what a mask hides."""
    return np.where(np.isfinite(X), 1 - (np.where(np.isfinite(X), X, 0) / cap) ** 2, 0) * G


def tanh_gradient(X: Any, G: Any) -> Any:
    """1 - x² times the gradient, with x = tanh of what went in."""
    return (1 - X**2) * G


def sigmoid_gradient(X: Any, G: Any) -> Any:
    """x (1 - x) times the gradient, with x = the sigmoid of what went in."""
    return X * (1 - X) * G


def rectify_gradient(X: Any, G: Any) -> Any:
    """The gradient where x is above 0."""
    return np.where(X > 0, G, 0)


def gelu_gradient(X: Any, G: Any) -> Any:
    """The share below x, and x times the density there."""
    below = np.vectorize(math.erfc)(-X / math.sqrt(2)) / 2
    return G * (below + X * np.exp(-(X**2) / 2) / math.sqrt(2 * math.pi))


def silu_gradient(X: Any, G: Any) -> Any:
    """σ(x) (1 + x (1 - σ(x))) times the gradient."""
    gate = 1 / (1 + np.exp(-X))
    return gate * (1 + X * (1 - gate)) * G


def rotary_gradient(
    G: Any,
    *,
    base: float = 10_000.0,
    angle: float = 1.0,
    pairs: str = "interleaved",
    positions_from: str = "0",
    rows: tuple[int, ...] | None = None,
) -> Any:
    """Every pair as a complex number, times e to the negative angle."""
    half = G.shape[1] // 2
    places = np.arange(len(G)) if rows is None else np.array(rows)
    angles = (places + int(positions_from))[:, None] * angle * base ** (-np.arange(half) / half)
    near = pairs == "interleaved"
    back = (G[:, ::2] + 1j * G[:, 1::2] if near else G[:, :half] + 1j * G[:, half:]) * np.exp(-1j * angles)
    return np.stack([back.real, back.imag], axis=2 if near else 1).reshape(G.shape)


def additive_queries_gradient(Q: Any, K: Any, W: Any, U: Any, v: Any, G: Any) -> Any:
    """Of v · tanh(q W + k U) to q W: through the tanh of every key."""
    outside = np.tanh((Q @ W)[:, None, :] + (K @ U)[None, :, :])
    return (G[:, :, None] * v * (1 - outside**2)).sum(axis=1)


def additive_keys_gradient(Q: Any, K: Any, W: Any, U: Any, v: Any, G: Any) -> Any:
    """The same to k U: through the tanh of every query."""
    outside = np.tanh((Q @ W)[:, None, :] + (K @ U)[None, :, :])
    return (G[:, :, None] * v * (1 - outside**2)).sum(axis=0)


def additive_weighing_gradient(Q: Any, K: Any, W: Any, U: Any, v: Any, G: Any) -> Any:
    """The same to v: the tanh of every pair."""
    outside = np.tanh((Q @ W)[:, None, :] + (K @ U)[None, :, :])
    return np.einsum("ij,ijk->k", G, outside)[None, :]


def normalised(X: Any, epsilon: float, epsilon_at: str) -> Any:
    """Each row less its mean, its deviation, and what it is divided by."""
    centred = X - X.mean(axis=1, keepdims=True)
    variance = (centred**2).mean(axis=1, keepdims=True)
    root = np.sqrt(variance + epsilon) if epsilon_at == "variance" else np.sqrt(variance)
    return centred, root, root if epsilon_at == "variance" else root + epsilon


def layer_norm_gradient(
    X: Any, G: Any, gamma: Any = 1.0, *, epsilon: float = 1e-5, epsilon_at: str = "variance"
) -> Any:
    """The gradients less their mean, and less what moves the deviation."""
    centred, root, below = normalised(X, epsilon, epsilon_at)
    D = G * gamma
    along = (centred * D).mean(axis=1, keepdims=True) * centred / (root * below)
    return (D - D.mean(axis=1, keepdims=True) - along) / below


def gain_gradient(X: Any, G: Any, *, epsilon: float = 1e-5, epsilon_at: str = "variance") -> Any:
    """The gradients times the normalised rows, summed over the tokens."""
    centred, _, below = normalised(X, epsilon, epsilon_at)
    return (G * centred / below).sum(axis=0, keepdims=True)


def rms_norm_gradient(X: Any, G: Any, gamma: Any = 1.0, *, epsilon: float = 1e-5) -> Any:
    """The gradients less what moves the root of the mean square."""
    root = np.sqrt((X**2).mean(axis=1, keepdims=True) + epsilon)
    D = G * gamma
    return (D - X * (D * X).mean(axis=1, keepdims=True) / root**2) / root


def rms_gain_gradient(X: Any, G: Any, *, epsilon: float = 1e-5) -> Any:
    """The gradients times the normalised rows, summed over the tokens."""
    return (G * X / np.sqrt((X**2).mean(axis=1, keepdims=True) + epsilon)).sum(axis=0, keepdims=True)


def gate_gradient(X: Any, Y: Any, G: Any) -> Any:
    """Of (1 - Z) X + Z Y to Z."""
    return G * (Y - X)


def kept_gradient(Z: Any, G: Any) -> Any:
    """Of (1 - Z) X + Z Y to X."""
    return G * (1 - Z)


def descend(W: Any, G: Any, *, rate: float) -> Any:
    """A step against the gradient."""
    return W - rate * G
