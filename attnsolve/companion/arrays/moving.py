"""Matrices put together, taken apart and added up, in NumPy: a token is a row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # a script imports it itself; here the functions are only shown
    import numpy as np


def one_hot(X: Any, *, length: int | None = None) -> Any:
    """The rows of an identity matrix."""
    return np.eye(len(X), length or len(X))


def embed(E: Any, *, words: tuple[int, ...]) -> Any:
    """The row of each word."""
    return E[list(words)]


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


def split(X: Any, *, start: int, stop: int) -> Any:
    """Some columns."""
    return X[:, start:stop]


def concatenate(*heads: Any) -> Any:
    """Heads side by side."""
    return np.hstack(heads)


def total(X: Any) -> Any:
    """The sum of all rows."""
    return X.sum(axis=0, keepdims=True)


def scatter(G: Any, *, rows: tuple[int, ...], height: int) -> Any:
    """Rows back to where they were taken from; those of one place are added up."""
    made = np.zeros((height, G.shape[1]))
    np.add.at(made, list(rows), G)
    return made


def spread(G: Any, *, start: int, width: int) -> Any:
    """Columns back to where they were taken from."""
    made = np.zeros((len(G), width))
    made[:, start : start + G.shape[1]] = G
    return made


def hand_on(G: Any) -> Any:
    """The same."""
    return G.copy()


def add_up(*shares: Any) -> Any:
    """The sum of some matrices."""
    return np.sum(shares, axis=0)
