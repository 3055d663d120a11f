"""Where tokens stand: waves, turns, what is added to scores for a distance, in NumPy: a token is a row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # a script imports it itself; here the functions are only shown
    import numpy as np


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


def rotary(
    X: Any,
    *,
    base: float = 10_000.0,
    angle: float = 1.0,
    pairs: str = "interleaved",
    positions_from: str = "0",
    rows: tuple[int, ...] | None = None,
) -> Any:
    """Every pair of numbers turned by its angle, which grows with the place."""
    half = X.shape[1] // 2
    places = np.arange(len(X)) if rows is None else np.array(rows)
    angles = (places + int(positions_from))[:, None] * angle * base ** (-np.arange(half) / half)
    first = np.arange(0, 2 * half, 2) if pairs == "interleaved" else np.arange(half)
    second = first + 1 if pairs == "interleaved" else first + half
    turned = np.empty(X.shape)
    turned[:, first] = X[:, first] * np.cos(angles) - X[:, second] * np.sin(angles)
    turned[:, second] = X[:, first] * np.sin(angles) + X[:, second] * np.cos(angles)
    return turned


def distances(queries: int, keys: int, rows: tuple[int, ...] | None) -> Any:
    """How far each key is behind its query."""
    places = np.arange(queries) if rows is None else np.array(rows)
    return np.arange(keys)[None, :] - places[:, None]


def relative(Q: Any, K: Any, R: Any, *, rows: tuple[int, ...] | None = None) -> Any:
    """Every query with every key, to which a vector for their distance is added."""
    reach = len(R) // 2
    far = np.clip(distances(len(Q), len(K), rows), -reach, reach) + reach
    return (Q[:, None, :] * (K[None, :, :] + R[far])).sum(axis=2)


def alibi(S: Any, *, slope: float = 1 / 256, rows: tuple[int, ...] | None = None) -> Any:
    """Less for keys that are far away."""
    return S - slope * np.abs(distances(len(S), S.shape[1], rows))


def distance_bias(S: Any, B: Any, *, rows: tuple[int, ...] | None = None) -> Any:
    """A number from a table for each distance is added."""
    reach = B.shape[1] // 2
    return S + B[0][np.clip(distances(len(S), S.shape[1], rows), -reach, reach) + reach]


def bucket_bias(
    S: Any,
    B: Any,
    *,
    longest: int = 128,
    direction: str = "both",
    rows: tuple[int, ...] | None = None,
) -> Any:
    """The same with few numbers: near distances have their own, far ones share some."""
    far = distances(len(S), S.shape[1], rows)
    count = B.shape[1] // 2 if direction == "both" else B.shape[1]
    start = np.where(far > 0, count, 0) if direction == "both" else 0
    steps = np.abs(far) if direction == "both" else np.maximum(-far, 0)
    near = count // 2
    # Bucket near + n begins where the distance is near * (longest / near) ** (n / (count - near)).
    edges = [near * (longest / near) ** (n / (count - near)) for n in range(1, count - near)]
    large = near + np.searchsorted(np.array(edges) * (1 - 1e-12), steps, side="right")
    return S + B[0][start + np.where(steps < near, steps, large)]
