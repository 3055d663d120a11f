"""Every op in NumPy, as scripts and notebooks show it: functions of arrays in which a token is a row."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # a script imports them itself; here the functions are only shown
    import math

    import numpy as np


def one_hot(X: Any, *, length: int | None = None) -> Any:
    """The rows of an identity matrix."""
    return np.eye(len(X), length or len(X))


def sinusoid(
    X: Any,
    *,
    width: int | None = None,
    base: float = 10_000.0,
    frequencies_from: str = "0",
    positions_from: str = "0",
) -> Any:
    """Sines and cosines in turn, of angles that are slower from pair to pair."""
    columns = X.shape[1] if width is None else width
    places = [[int(positions_from) + row] for row in range(len(X))]
    return waves(np.array(places), width=columns, base=base, frequencies_from=frequencies_from)


def waves(t: Any, *, width: int, base: float = 10_000.0, frequencies_from: str = "0") -> Any:
    """The same for some places alone."""
    pairs = [int(frequencies_from) + pair for pair in range((width + 1) // 2)]
    angles = t / [base ** (2 * pair / width) for pair in pairs]
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(t), -1)[:, :width]


def add(X: Any, Y: Any) -> Any:
    """Number by number; a row is added to every row."""
    return X + Y


def subtract(X: Any, Y: Any) -> Any:
    """Number by number."""
    return X - Y


def times(X: Any, Y: Any) -> Any:
    """Number by number."""
    return X * Y


def join(X: Any, Y: Any) -> Any:
    """Side by side."""
    return np.hstack([X, Y])


def stack(*pieces: Any) -> Any:
    """One under the other."""
    return np.vstack(pieces)


def product(X: Any, Y: Any) -> Any:
    """The matrix product."""
    return X @ Y


def transpose(X: Any) -> Any:
    """Rows and columns exchanged."""
    return X.T


def select(X: Any, *, rows: tuple[int, ...]) -> Any:
    """Some rows."""
    return X[list(rows)]


def project(X: Any, W: Any, b: Any = 0.0) -> Any:
    """A linear layer."""
    return X @ W + b


def split(X: Any, *, start: int, stop: int) -> Any:
    """Some columns."""
    return X[:, start:stop]


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


def causal(S: Any, *, rows: tuple[int, ...] | None = None) -> Any:
    """-inf for every key after its query."""
    queries = np.arange(len(S)) if rows is None else np.array(rows)
    return np.where(np.arange(S.shape[1])[None, :] <= queries[:, None], S, -np.inf)


def lengths(S: Any, *, lengths: tuple[int, ...]) -> Any:
    """-inf for every key behind the real ones."""
    return np.where(np.arange(S.shape[1])[None, :] < np.array(lengths)[:, None], S, -np.inf)


def drop_keys(S: Any, *, keys: tuple[int, ...]) -> Any:
    """-inf for these keys."""
    return np.where(np.isin(np.arange(S.shape[1]), keys), -np.inf, S)


def keep(S: Any, M: Any) -> Any:
    """-inf where the mask has 0."""
    return np.where(M != 0, S, -np.inf)


def drop(S: Any, M: Any) -> Any:
    """-inf where the mask has 1."""
    return np.where(M != 0, -np.inf, S)


def softmax(S: Any, *, temperature: float = 1.0) -> Any:
    """Exponentials over their sum, the largest score taken out so that none overflows."""
    raised = np.exp((S - S.max(axis=1, keepdims=True)) / temperature)
    return raised / raised.sum(axis=1, keepdims=True)


def argmax(S: Any, *, ties: str = "refuse") -> Any:
    """1 for the largest score; ties share it, or the first has it."""
    top = S == S.max(axis=1, keepdims=True)
    first = np.eye(S.shape[1])[S.argmax(axis=1)]
    return top / top.sum(axis=1, keepdims=True) if ties == "split" else first


def relu(S: Any) -> Any:
    """The positive scores over their sum."""
    kept = np.maximum(S, 0)
    return kept / kept.sum(axis=1, keepdims=True)


def thresholded(S: Any, power: float) -> Any:
    """max(0, S - τ) to a power, with the τ at which each row sums to 1, found by halving."""
    high = S.max(axis=1, keepdims=True)
    low = high - 1
    for _ in range(100):
        middle = (low + high) / 2
        too_much = (np.maximum(S - middle, 0) ** power).sum(axis=1, keepdims=True) >= 1
        low, high = np.where(too_much, middle, low), np.where(too_much, high, middle)
    weights = np.maximum(S - low, 0) ** power
    return weights / weights.sum(axis=1, keepdims=True)


def sparsemax(S: Any) -> Any:
    """What is above a threshold."""
    return thresholded(S, 1.0)


def entmax15(S: Any) -> Any:
    """The squares of what half the scores have above a threshold."""
    return thresholded(S / 2, 2.0)


def entmax(S: Any, *, alpha: float) -> Any:
    """Between softmax (alpha near 1) and sparsemax (2)."""
    return thresholded((alpha - 1) * S, 1 / (alpha - 1))


def sum_norm(S: Any) -> Any:
    """The scores over their sum; what a mask hides has no share."""
    kept = np.where(np.isinf(S), 0, S)
    return kept / kept.sum(axis=1, keepdims=True)


def softmax2(S: Any) -> Any:
    """Softmax with powers of 2."""
    raised = np.exp2(S - S.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


def drop_queries(A: Any, *, queries: tuple[int, ...]) -> Any:
    """0 in the rows of these queries."""
    return np.where(np.isin(np.arange(len(A)), queries)[:, None], 0, A)


def mix(A: Any, V: Any) -> Any:
    """Averages of the values."""
    return A @ V


def concatenate(*heads: Any) -> Any:
    """Heads side by side."""
    return np.hstack(heads)


def layer_norm(
    X: Any, gamma: Any = 1.0, beta: Any = 0.0, *, epsilon: float = 1e-5, epsilon_at: str = "variance"
) -> Any:
    """Each row less its mean, over its deviation."""
    mean, variance = X.mean(axis=1, keepdims=True), X.var(axis=1, keepdims=True)
    below = np.sqrt(variance + epsilon) if epsilon_at == "variance" else np.sqrt(variance) + epsilon
    return (X - mean) / below * gamma + beta


def tanh(X: Any) -> Any:
    """Number by number."""
    return np.tanh(X)


def rectify(X: Any) -> Any:
    """0 for what is negative."""
    return np.maximum(X, 0)


def sigmoid(X: Any) -> Any:
    """Between 0 and 1, number by number."""
    return 1 / (1 + np.exp(-X))


def recur(X: Any, W: Any, H: Any, U: Any, b: Any = 0.0) -> Any:
    """A linear layer of an input and a state."""
    return X @ W + H @ U + b


def blend(Z: Any, X: Any, Y: Any) -> Any:
    """From X, where Z is 0, to Y, where it is 1."""
    return (1 - Z) * X + Z * Y


def gate(F: Any, C: Any, I: Any, N: Any) -> Any:
    """What is kept, and what comes in."""
    return F * C + I * N


def sigmoid_weights(S: Any, *, bias: float = 0.0) -> Any:
    """The sigmoid of each score; -inf gives 0."""
    return sigmoid(S + bias)


def sink_softmax(S: Any, *, sink: float = 0.0) -> Any:
    """Softmax with one more score, which nobody looks at."""
    top = np.maximum(S.max(axis=1, keepdims=True), sink)
    raised = np.exp(S - top)
    return raised / (raised.sum(axis=1, keepdims=True) + np.exp(sink - top))


def soft_cap(S: Any, *, cap: float) -> Any:
    """Scores between -cap and cap; what is hidden stays so."""
    return np.where(np.isinf(S), S, cap * np.tanh(S / cap))


def total(X: Any) -> Any:
    """The sum of all rows."""
    return X.sum(axis=0, keepdims=True)


def gelu(X: Any) -> Any:
    """x times the share of a normal distribution below x."""
    return X / 2 * np.vectorize(math.erfc)(-X / math.sqrt(2))


def cross_entropy(P: Any, *, target: tuple[int, ...]) -> Any:
    """-ln of the probability of what was right."""
    return -np.log(P[np.arange(len(P)), list(target)])[:, None]


SHOWN: tuple[Callable[..., Any], ...] = (
    *(one_hot, sinusoid, waves, add, subtract, times, join, stack, product, transpose, select),
    *(project, split, dot, bilinear, additive, concat, cosine, divide, multiply),
    *(causal, lengths, drop_keys, keep, drop, softmax, argmax, relu, sparsemax, entmax15, entmax),
    *(softmax2, drop_queries, mix, concatenate, layer_norm, tanh, rectify, gelu, cross_entropy),
    *(sigmoid, recur, blend, gate, sigmoid_weights, sink_softmax, soft_cap, total),
)
# By the names of the ops; some do the same under another name.
ARRAYS: dict[str, Callable[..., Any]] = {
    **{function.__name__: function for function in SHOWN},
    **{"add_mask": add, "sum": sum_norm, "output": project, "probabilities": softmax},
}
