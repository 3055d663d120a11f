"""Padding among the queries: they get no weights at all, so that their output is 0."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rationals
from attnsolve.languages import message
from attnsolve.ops.back import GRADIENT, back, same_settings
from attnsolve.ops.base import Family, Formula, Frame, Mistake, Op, Option, Role
from attnsolve.ops.masking import for_free
from attnsolve.ops.misfits import unfit


def frame(A: Frame, *, queries: tuple[int, ...]) -> Frame:
    """As the weights."""
    missing = [query for query in queries if not 0 <= query < A.rows.size]
    if missing:
        known = f"the queries are {{0:place}} to {{{A.rows.size - 1}:place}}"
        raise unfit("queries", f"there is no query {{{missing[0]}:place}}; {known}")
    return A


def rule(A: Matrix, *, queries: tuple[int, ...]) -> Matrix:
    """A with 0 in the rows of these queries."""
    rows, columns = A.shape
    return A * Rationals([[int(i not in queries)] * columns for i in range(rows)])


def twin(A: Any, *, queries: tuple[int, ...]) -> Any:
    """torch's own index_fill of the rows of these queries."""
    import torch

    return A.index_fill(0, torch.tensor(queries), 0.0)


def as_keys(A: Matrix, *, queries: tuple[int, ...]) -> Matrix:
    """A with 0 in the columns of these tokens."""
    return rule(A.T, queries=queries).T


DROP_QUERIES = Op(
    name="drop_queries",
    title="Query mask: padding that asks gets no weights",
    why="Padding is no token that asks: its row gets no weights.",
    parameters=("A",),
    options=(Option("queries", "rows", "the queries that are padding, such as 4", required=True),),
    family=Family.QUERY_MASK,
    roles=(Role.SCORES,),
    moves=True,
    formula=Formula(
        matrix=r"\operatorname{mask}(${A})",
        each=r"${out:ij} = ${A:ij} \text{ if query } i \text{ is no padding}, \text{ else } 0",
    ),
    frame=frame,
    rule=rule,
    counting=for_free,
    twin=twin,
    mistakes=(
        Mistake("padding-as-keys", "This mask is about the tokens that ask: their rows are 0.", as_keys),
    ),
    gradients=(
        back(
            "A",
            "drop_queries",
            GRADIENT,
            title=message("Padding that asks has no gradient"),
            settings=same_settings,
        ),
    ),
)
