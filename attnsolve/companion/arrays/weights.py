"""From scores to weights, and what is made with them, in NumPy: a token is a row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attnsolve.companion.arrays.layers import sigmoid

if TYPE_CHECKING:  # a script imports it itself; here the functions are only shown
    import numpy as np


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


def sigmoid_weights(S: Any, *, bias: float = 0.0) -> Any:
    """The sigmoid of each score; -inf gives 0."""
    return sigmoid(S + bias)


def sink_softmax(S: Any, *, sink: float = 0.0) -> Any:
    """Softmax with one more score, which nobody looks at."""
    top = np.maximum(S.max(axis=1, keepdims=True), sink)
    raised = np.exp(S - top)
    return raised / (raised.sum(axis=1, keepdims=True) + np.exp(sink - top))


def largest(S: Any, k: int) -> Any:
    """Where the k largest numbers of each row are; of equal ones the first."""
    ranks = np.argsort(np.argsort(-S, axis=1, kind="stable"), axis=1, kind="stable")
    return ranks < k


def top_k(S: Any, *, k: int, ties: str = "refuse") -> Any:
    """Softmax of the k largest scores."""
    return softmax(np.where(largest(S, k), S, -np.inf))


def top_words(P: Any, *, k: int) -> Any:
    """The k likeliest words, over their sum."""
    kept = np.where(largest(P, k), P, 0)
    return kept / kept.sum(axis=1, keepdims=True)


def nucleus(P: Any, *, p: float) -> Any:
    """The likeliest words that have p together, over their sum."""
    made = np.zeros(P.shape)
    for row, kept in zip(P, made, strict=True):
        so_far = 0.0
        for word in np.argsort(-row, kind="stable"):
            kept[word] = row[word]
            so_far += row[word]
            if so_far >= p - 1e-12:
                break
    return made / made.sum(axis=1, keepdims=True)


def mix(A: Any, V: Any) -> Any:
    """Averages of the values."""
    return A @ V
