"""Which keys a query sees: -inf for the others, in NumPy: a token is a row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # a script imports it itself; here the functions are only shown
    import numpy as np


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


def window(
    S: Any,
    *,
    size: int,
    sinks: int = 0,
    everywhere: tuple[int, ...] = (),
    rows: tuple[int, ...] | None = None,
) -> Any:
    """-inf for what is further away than the window, but for some keys that all see."""
    places = np.arange(len(S)) if rows is None else np.array(rows)
    keys = np.arange(S.shape[1])
    near = np.abs(keys[None, :] - places[:, None]) < size
    always = (keys < sinks) | np.isin(keys, everywhere)
    return np.where(near | always[None, :] | np.isin(places, everywhere)[:, None], S, -np.inf)


def blocks(S: Any, *, size: int, rows: tuple[int, ...] | None = None) -> Any:
    """-inf for keys of another block."""
    places = np.arange(len(S)) if rows is None else np.array(rows)
    return np.where(np.arange(S.shape[1])[None, :] // size == places[:, None] // size, S, -np.inf)


def drop_queries(A: Any, *, queries: tuple[int, ...]) -> Any:
    """0 in the rows of these queries."""
    return np.where(np.isin(np.arange(len(A)), queries)[:, None], 0, A)
