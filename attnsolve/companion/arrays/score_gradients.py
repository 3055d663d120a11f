"""The way back through scores, biases and linear attention, in NumPy: a token is a row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attnsolve.companion.arrays.positions import bucket_bias, distance_bias, distances

if TYPE_CHECKING:  # a script imports it itself; here the functions are only shown
    import numpy as np


def cosine_queries_gradient(Q: Any, K: Any, G: Any) -> Any:
    """What the keys' directions make, less what lies along the query, over its length."""
    length = np.linalg.norm(Q, axis=1, keepdims=True)
    pulled = G @ (K / np.linalg.norm(K, axis=1, keepdims=True))
    return (pulled - (pulled * Q).sum(axis=1, keepdims=True) * Q / length**2) / length


def cosine_keys_gradient(Q: Any, K: Any, G: Any) -> Any:
    """The same with queries and keys exchanged."""
    return cosine_queries_gradient(K, Q, G.T)


def concat_slopes(Q: Any, K: Any, W: Any) -> Any:
    """For each query and key what comes out of the tanh, and its slope."""
    outside = np.tanh((Q @ W[: Q.shape[1]])[:, None, :] + (K @ W[Q.shape[1] :])[None, :, :])
    return outside, 1 - outside**2


def concat_queries_gradient(Q: Any, K: Any, W: Any, v: Any, G: Any) -> Any:
    """Of v · tanh([q, k] W) to what q makes of it: through the tanh of every key."""
    return (G[:, :, None] * v * concat_slopes(Q, K, W)[1]).sum(axis=1)


def concat_keys_gradient(Q: Any, K: Any, W: Any, v: Any, G: Any) -> Any:
    """The same to what k makes of it: through the tanh of every query."""
    return (G[:, :, None] * v * concat_slopes(Q, K, W)[1]).sum(axis=0)


def concat_weighing_gradient(Q: Any, K: Any, W: Any, v: Any, G: Any) -> Any:
    """The same to v: the tanh of every pair."""
    return np.einsum("ij,ijk->k", G, concat_slopes(Q, K, W)[0])[None, :]


def concat_matrix_gradient(Q: Any, K: Any, G: Any, H: Any) -> Any:
    """The rows that met the queries, then those that met the keys."""
    return np.vstack([Q.T @ G, K.T @ H])


def part_gradient(G: Any, W: Any, *, start: int, width: int) -> Any:
    """By the rows of the matrix that this part of the long vector met."""
    return G @ W[start : start + width].T


def distance_bias_gradient(G: Any, B: Any, *, rows: tuple[int, ...] | None = None) -> Any:
    """For each bias the gradients of the scores that have it."""
    each = np.eye(B.shape[1])[:, None, :]
    return np.array([[(G * distance_bias(0 * G, one, rows=rows)).sum() for one in each]])


def bucket_bias_gradient(
    G: Any,
    B: Any,
    *,
    longest: int = 128,
    direction: str = "both",
    rows: tuple[int, ...] | None = None,
) -> Any:
    """For each bias the gradients of the scores that have it."""
    each = np.eye(B.shape[1])[:, None, :]
    kept = [bucket_bias(0 * G, one, longest=longest, direction=direction, rows=rows) for one in each]
    return np.array([[(G * scores).sum() for scores in kept]])


def relative_queries_gradient(G: Any, K: Any, R: Any, *, rows: tuple[int, ...] | None = None) -> Any:
    """Each gradient times key plus distance."""
    reach = len(R) // 2
    vectors = K + R[np.clip(distances(len(G), len(K), rows), -reach, reach) + reach]
    return np.einsum("ij,ijd->id", G, vectors)


def relative_table_gradient(G: Any, Q: Any, R: Any, *, rows: tuple[int, ...] | None = None) -> Any:
    """For each distance the queries of the pairs that have it, times their gradients."""
    reach, made = len(R) // 2, np.zeros(R.shape)
    places = np.clip(distances(len(G), G.shape[1], rows), -reach, reach) + reach
    np.add.at(made, places, G[:, :, None] * Q[:, None, :])
    return made


def feature_gradient(X: Any, G: Any, *, map: str = "elu") -> Any:
    """The slope of the map times the gradient."""
    if map == "square":
        return 2 * X * G
    if map == "relu":
        return np.where(X > 0, G, 0)
    return np.exp(X if map == "exp" else np.minimum(X, 0)) * G


def total_gradient(X: Any, G: Any) -> Any:
    """The same gradient for every token of a sum."""
    return np.repeat(G, len(X), axis=0)


def ratio_queries_gradient(X: Any, M: Any, u: Any, Z: Any, G: Any) -> Any:
    """Of x M / (x · u) to x, by the quotient rule."""
    return (G @ M.T - (G * Z).sum(axis=1, keepdims=True) * u) / (X @ u.T)


def ratio_above_gradient(X: Any, u: Any, G: Any) -> Any:
    """The same to what stands above."""
    return G / (X @ u.T)


def ratio_below_gradient(X: Any, u: Any, Z: Any, G: Any) -> Any:
    """The same to what stands below."""
    return -(G * Z).sum(axis=1, keepdims=True) / (X @ u.T)


def perplexity_gradient(L: Any, P: Any, G: Any) -> Any:
    """The perplexity, shared out among the losses."""
    return np.full(L.shape, G[0, 0] * P[0, 0] / len(L))
