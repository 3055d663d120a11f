"""What the ops that turn scores into weights share: a shape, a refusal, and two mistakes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attnsolve.errors import UndefinedStep
from attnsolve.exact import Matrix
from attnsolve.exact.masked import Masked, visible
from attnsolve.ops.base import Axis, Frame, Mistake, UndefinedRow


def as_scores(S: Frame, **settings: Any) -> Frame:
    """A row for each query, a column for each key."""
    return S


def each_row(S: Frame, **settings: Any) -> Frame:
    """One number for each query."""
    return Frame(S.rows, Axis(1))


def require_keys(S: Matrix) -> None:
    """Refuse a query that sees no key at all: nothing can sum to 1 there."""
    if not isinstance(S, Masked):
        return  # nothing is hidden; and a matrix that only counts has no rows to look at
    for i, kept in enumerate(visible(S).rows):
        if not any(kept):
            raise UndefinedRow("query {row}: every key is hidden, so there are no weights", i)


ADVICE = "The weights of one query must sum to 1: normalise over the keys, not the queries."
AFTERWARDS = (
    "Mask the scores before they become weights; weights that are set to 0 afterwards no longer sum to 1."
)


def down_columns(rule: Callable[..., Matrix], *, advice: str = ADVICE) -> Mistake:
    """The same rule over the queries instead of the keys."""

    def mistaken(S: Matrix, **settings: Any) -> Matrix:
        return rule(S.T, **settings).T

    return Mistake("down-columns", advice, mistaken)


def mask_afterwards(rule: Callable[..., Matrix]) -> Mistake:
    """Weights of all keys, then 0 for the hidden ones."""

    def mistaken(S: Matrix, **settings: Any) -> Matrix:
        if not isinstance(S, Masked):
            raise UndefinedStep("there is no mask here that could come too late")
        return rule(S.base, **settings) * S.keep

    return Mistake("mask-afterwards", AFTERWARDS, mistaken)
