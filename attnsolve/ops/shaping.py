"""Putting matrices together and taking parts of them: concatenate, select, split."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any

from attnsolve.errors import ShapeError
from attnsolve.exact import Matrix, Rational
from attnsolve.ops.base import Axis, Formula, Frame, Mistake, Op, Option


def concatenated_frame(*heads: Frame) -> Frame:
    """The same tokens, all features."""
    if len({head.rows.size for head in heads}) > 1:
        sizes = ", ".join(map(str, heads))
        raise ShapeError(f"the heads are {sizes}; they need the same number of rows to stand side by side")
    return Frame(heads[0].rows, Axis(sum(head.columns.size for head in heads)))


def concatenated(*heads: Matrix) -> Matrix:
    """[H₁ | H₂ | …]."""
    return reduce(or_, heads)


def concatenate_twin(*heads: Any) -> Any:
    """torch's own concatenation."""
    import torch

    return torch.cat(heads, dim=-1)


def reversed_order(*heads: Matrix) -> Matrix:
    """[… | H₂ | H₁]."""
    return concatenated(*reversed(heads))


def averaged(*heads: Matrix) -> Matrix:
    """The mean of the heads."""
    total = heads[0]
    for head in heads[1:]:
        if head.shape != total.shape:
            raise ShapeError("heads of different width have no mean")
        total = total + head
    return total / Rational(len(heads))


CONCATENATE = Op(
    name="concatenate",
    title="Put the heads side by side",
    parameters=("H",),
    gathers=True,
    roles=("tokens",),
    formula=Formula(matrix="${H...}"),
    frame=concatenated_frame,
    rule=concatenated,
    twin=concatenate_twin,
    mistakes=(
        Mistake("order", "Concatenate the heads in their order: head 1 first.", reversed_order),
        Mistake("averaged", "The heads stand side by side; they are not averaged.", averaged),
    ),
)


def selected_frame(X: Frame, *, rows: tuple[int, ...]) -> Frame:
    """Only the chosen tokens."""
    bad = [row for row in rows if not 0 <= row < X.rows.size]
    if bad:
        raise ShapeError(f"there is no row {bad[0] + 1}; X has {X.rows.size} rows")
    tokens = X.rows.tokens or tuple(range(X.rows.size))
    return Frame(Axis(len(rows), tuple(tokens[row] for row in rows), X.rows.labelled), X.columns)


def selected(X: Matrix, *, rows: tuple[int, ...]) -> Matrix:
    """The chosen rows of X."""
    return X.take(rows)


def select_twin(X: Any, *, rows: tuple[int, ...]) -> Any:
    """torch's own row picker."""
    import torch

    return torch.index_select(X, 0, torch.tensor(rows))


def neighbour(X: Matrix, *, rows: tuple[int, ...]) -> Matrix:
    """The rows one too early: counted from 0 where the sheet counts from 1."""
    return X.take([row - 1 if row else X.shape[0] - 1 for row in rows])


SELECT = Op(
    name="select",
    title="Take the tokens that ask",
    parameters=("X",),
    options=(Option("rows", "rows", "the rows to take, such as 2"),),
    roles=("tokens",),
    formula=Formula(matrix="${X:rows}"),
    frame=selected_frame,
    rule=selected,
    twin=select_twin,
    mistakes=(Mistake("neighbour", "Mind where the sheet starts counting: this is the token next to it.", neighbour),),
)


def split_frame(X: Frame, *, start: int, stop: int) -> Frame:
    """Only the chosen features."""
    if not 0 <= start < stop <= X.columns.size:
        raise ShapeError(f"columns {start + 1} to {stop} do not exist; the matrix has {X.columns.size}")
    return Frame(X.rows, Axis(stop - start))


def split(X: Matrix, *, start: int, stop: int) -> Matrix:
    """The columns that belong to one head."""
    return X.columns(start, stop)


def split_twin(X: Any, *, start: int, stop: int) -> Any:
    """torch's own narrowing of a side."""
    import torch

    return torch.narrow(X, 1, start, stop - start)


def interleaved(X: Matrix, *, start: int, stop: int) -> Matrix:
    """Every other column, as when a reshape mixes the heads up."""
    width = stop - start
    heads = X.shape[1] // width
    if heads * width != X.shape[1] or heads < 2:
        raise ShapeError("heads of unequal width cannot be interleaved")
    return X.T.take([start // width + k * heads for k in range(width)]).T


SPLIT = Op(
    name="split",
    title="Take this head's columns",
    parameters=("X",),
    options=(Option("start", "integer", "the first column"), Option("stop", "integer", "the last column")),
    roles=("tokens",),
    formula=Formula(matrix="${X:columns}"),
    frame=split_frame,
    rule=split,
    twin=split_twin,
    mistakes=(Mistake("interleaved", "A head's columns stand next to each other in the wide matrix.", interleaved),),
)
