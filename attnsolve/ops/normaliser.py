"""What the ops that turn scores into weights share: a shape, and a mistake."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attnsolve.exact import Matrix
from attnsolve.ops.base import Frame, Mistake


def as_scores(S: Frame, **settings: Any) -> Frame:
    """A row for each query, a column for each key."""
    return S


ADVICE = "The weights of one query must sum to 1: normalise over the keys, not the queries."


def down_columns(rule: Callable[..., Matrix], *, advice: str = ADVICE) -> Mistake:
    """The same rule over the queries instead of the keys."""

    def mistaken(S: Matrix, **settings: Any) -> Matrix:
        return rule(S.T, **settings).T

    return Mistake("down-columns", advice, mistaken)
