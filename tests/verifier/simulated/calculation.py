"""The calculation itself, rightly or with a wrong idea that is followed through."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
from verifier.simulated.arithmetic import HIDDEN, Array, exp, matrix, row_sums, tanh
from verifier.simulated.exercises import Exercise, Head
from verifier.simulated.hands import Hand


def carry_out(exercise: Exercise, hand: Hand, idea: str = "") -> Hand:
    """All steps of an exercise by somebody's hand; a wrong idea spoils those it is about."""
    outputs = [
        attend(exercise, head, hand, prefix, idea)
        for head, prefix in zip(exercise.heads, exercise.prefixes, strict=True)
    ]
    if exercise.W_O is None:
        return hand
    if idea == "heads summed":
        hand.keep("a.Z", sum(outputs[1:], outputs[0]))
        return hand
    joined = hand.keep("a.C", np.hstack(outputs))
    hand.keep("a.Z", joined if idea == "W_O forgotten" else joined @ exercise.W_O, joined, exercise.W_O)
    return hand


def attend(exercise: Exercise, head: Head, hand: Hand, prefix: str, idea: str) -> Array:
    """One head from its tokens to its output."""

    def project(letter: str, tokens: Array, W: Array | None) -> Array:
        return tokens if W is None else hand.keep(prefix + letter, tokens @ W, tokens, W)

    Q = project("Q", exercise.asking, head.W_Q)
    K = project("K", exercise.keys, head.W_K)
    V = project("V", exercise.values, head.W_V)
    if idea == "K and V swapped":
        K, V = V, K
    S = compare(exercise, hand, prefix, idea, Q, Q if idea == "queries as keys" else K)
    T = scale(exercise, hand, prefix, idea, S, K.shape[1])
    hides = exercise.keep is not None and idea not in ("mask forgotten", "mask after softmax")
    M = hand.keep(prefix + "M", hide(T, exercise.keep)) if hides else T
    A = weigh(exercise, hand, prefix, idea, M)
    return hand.keep(prefix + "Z", A @ V, A, V)


def compare(exercise: Exercise, hand: Hand, prefix: str, idea: str, Q: Array, K: Array) -> Array:
    """The scores of all queries and keys."""
    if exercise.additive is None:
        return hand.keep(prefix + "S", Q @ K.T, Q, K.T)
    W, U, v = exercise.additive
    queries, keys = hand.inside(Q @ W), hand.inside(K @ U)
    rows = []
    for query in queries:
        hidden = hand.inside(tanh(keys + query))
        weighed = hidden.sum(axis=1) if idea == "v forgotten" else hidden @ v[0]
        rows.append(list(weighed))
    return hand.keep(prefix + "S", matrix(rows))


def scale(exercise: Exercise, hand: Hand, prefix: str, idea: str, S: Array, d_k: int) -> Array:
    """The scores over what they are divided by."""
    if exercise.divide_by == "none" or idea == "unscaled":
        return S
    if idea == "scaled by √d_model":
        by = hand.root(exercise.keys.shape[1])
    elif idea == "scaled by d_k":
        by = Decimal(d_k)
    else:
        by = hand.root(d_k) if exercise.divide_by == "sqrt(d_k)" else Decimal(exercise.divide_by)
    return hand.keep(prefix + "T", S / by)


def hide(scores: Array, keep: Array | None) -> Array:
    """Scores with −∞ where a query may not look."""
    if keep is None:
        return scores
    return matrix(
        [
            [score if kept else HIDDEN for score, kept in zip(row, marked, strict=True)]
            for row, marked in zip(scores, keep, strict=True)
        ]
    )


def weigh(exercise: Exercise, hand: Hand, prefix: str, idea: str, M: Array) -> Array:
    """Weights from scores: exponentials, their sums, shares."""
    if exercise.temperature and idea != "temperature forgotten":
        M = hand.inside(M / Decimal(exercise.temperature))
    if idea == "without exp":
        plain = matrix([[Decimal(0) if score == HIDDEN else score for score in row] for row in M])
        return hand.keep(prefix + "A", plain / row_sums(plain))
    if hand.shifts:
        M = M - matrix([[max(row)] for row in M])
    E = hand.keep(prefix + "exp", exp(M))
    if idea == "softmax down columns":
        return hand.keep(prefix + "A", (E.T / row_sums(E.T)).T)
    A = E / hand.keep(prefix + "sum", row_sums(E))
    if not {prefix + "exp", prefix + "sum"} & set(hand.changes):
        A = matrix([certain(scores, list(shares)) for scores, shares in zip(M, A, strict=True)])
    if idea == "mask after softmax":
        A = A * exercise.keep
    return hand.keep(prefix + "A", A)


def certain(scores: Array, shares: list[Decimal]) -> list[Decimal]:
    """The shares of a row; a key that nobody competes with has weight 1 without any division."""
    seen = [score != HIDDEN for score in scores]
    return [Decimal(one) for one in seen] if sum(seen) == 1 else shares


def applies(exercise: Exercise, idea: str) -> bool:
    """Whether somebody can have a wrong idea here and write it down in the shapes that belong there."""
    head, width = exercise.heads[0], exercise.keys.shape[1]
    d_k = width if head.W_K is None else head.W_K.shape[1]
    d_v = exercise.values.shape[1] if head.W_V is None else head.W_V.shape[1]
    out = None if exercise.W_O is None else exercise.W_O.shape[1]
    return {
        "unscaled": exercise.divide_by not in ("none", "1") and (exercise.divide_by == "2" or d_k > 1),
        "scaled by √d_model": exercise.divide_by == "sqrt(d_k)" and width != d_k,
        "scaled by d_k": exercise.divide_by == "sqrt(d_k)" and d_k > 1,
        "softmax down columns": len(exercise.asking) > 1 and exercise.keep is None,
        "without exp": True,
        "mask forgotten": exercise.keep is not None,
        "mask after softmax": exercise.keep is not None,
        "K and V swapped": exercise.additive is None
        and d_k == d_v
        and (exercise.keys is not exercise.values or head.W_K is not None),
        "queries as keys": exercise.is_self_attention and head.W_Q is not None,
        "heads summed": out == d_v and exercise.W_O is not None,
        "W_O forgotten": out == len(exercise.heads) * d_v,
        "temperature forgotten": bool(exercise.temperature),
        "v forgotten": exercise.additive is not None,
    }[idea]


# Each with the names that a report may give it.
IDEAS: dict[str, tuple[str, ...]] = {
    "unscaled": ("unscaled",),
    "scaled by √d_model": ("scaled-by-d-model",),
    "scaled by d_k": ("divided-by-d", "scaled-by-d", "without-root"),
    "softmax down columns": ("down-columns",),
    "without exp": ("without-exp",),
    "mask forgotten": ("mask-forgotten", "lengths-ignored"),
    "mask after softmax": ("mask-afterwards",),
    "K and V swapped": ("keys-and-values-swapped",),
    "queries as keys": ("queries-as-keys",),
    "heads summed": ("heads-summed",),
    "W_O forgotten": ("output-forgotten", "forgotten"),
    "temperature forgotten": ("temperature-forgotten",),
    "v forgotten": ("v-forgotten",),
}
