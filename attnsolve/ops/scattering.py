"""Scattering: what was picked gets its gradient where it came from, and everything else gets 0."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rationals
from attnsolve.ops.base import Axis, Formula, Frame, Mistake, Op, Option, Role
from attnsolve.ops.misfits import counted, unfit


def rows_frame(G: Frame, *, rows: tuple[int, ...], height: int) -> Frame:
    """So many rows."""
    if len(rows) != G.rows.size:
        raise unfit("rows", f"{counted(len(rows), 'place')} for {counted(G.rows.size, 'row')} of {{G}}", G=G)
    if max(rows) >= height:
        raise unfit(
            "rows",
            f"there is no row {{{max(rows)}:place}}; the rows are {{0:place}} to {{{height - 1}:place}}",
        )
    return Frame(Axis(height, tuple(range(height))), G.columns)


def scattered(G: Matrix, *, rows: tuple[int, ...], height: int) -> Matrix:
    """Each row of G at its place, 0 elsewhere."""
    return Rationals([[int(row == place) for row in rows] for place in range(height)]) @ G


def scattered_counting(G: Matrix, *, rows: tuple[int, ...], height: int) -> Matrix:
    """Nothing to work out."""
    return G.take(range(height))


def scatter_twin(G: Any, *, rows: tuple[int, ...], height: int) -> Any:
    """torch's own sum at places."""
    import torch

    return torch.zeros(height, G.shape[1], dtype=G.dtype).index_add(0, torch.tensor(rows), G)


def from_the_top(G: Matrix, *, rows: tuple[int, ...], height: int) -> Matrix:
    """The rows of G first, then zeros."""
    return scattered(G, rows=tuple(range(len(rows))), height=height)


def everywhere(G: Matrix, *, rows: tuple[int, ...], height: int) -> Matrix:
    """The first row of G in every row."""
    return G.repeated(height)


ROWS = Option("rows", "rows", "where the rows belong, such as 2", required=True)

SCATTER = Op(
    name="scatter",
    by_rows=False,
    title="Only the rows that were taken have a gradient",
    parameters=("G",),
    options=(ROWS, Option("height", "count", "how many rows there are", required=True)),
    roles=(Role.TOKENS,),
    formula=Formula(matrix=r"\operatorname{scatter}(${G})"),
    frame=rows_frame,
    rule=scattered,
    counting=scattered_counting,
    twin=scatter_twin,
    mistakes=(
        Mistake("rows-from-the-top", "Each gradient belongs to the row that was taken.", from_the_top),
        Mistake("every-row", "Rows that nobody took have the gradient 0.", everywhere),
    ),
)


def columns_frame(G: Frame, *, start: int, width: int) -> Frame:
    """So many columns."""
    if start + G.columns.size > width:
        raise unfit(
            "width", f"{{G}} is {{G:shape}}; from {{{start}:place}} on it does not fit into {width}", G=G
        )
    return Frame(G.rows, Axis(width))


def spread(G: Matrix, *, start: int, width: int) -> Matrix:
    """The columns of G from a place on, 0 elsewhere."""
    return G @ Rationals([[int(column == start + k) for column in range(width)] for k in range(G.shape[1])])


def spread_counting(G: Matrix, *, start: int, width: int) -> Matrix:
    """Nothing to work out."""
    return G.T.take(range(width)).T


def spread_twin(G: Any, *, start: int, width: int) -> Any:
    """torch's own padding."""
    import torch

    return torch.nn.functional.pad(G, (start, width - start - G.shape[1]))


def from_the_left(G: Matrix, *, start: int, width: int) -> Matrix:
    """The columns of G first, then zeros."""
    return spread(G, start=0, width=width)


SPREAD = Op(
    name="spread",
    title="Only the columns that were taken have a gradient",
    parameters=("G",),
    options=(
        Option("start", "integer", "the first column", required=True),
        Option("width", "count", "how many columns there are", required=True),
    ),
    roles=(Role.TOKENS,),
    formula=Formula(matrix=r"\operatorname{spread}(${G})"),
    frame=columns_frame,
    rule=spread,
    counting=spread_counting,
    twin=spread_twin,
    mistakes=(
        Mistake(
            "columns-from-the-left", "Each gradient belongs to the columns that were taken.", from_the_left
        ),
    ),
)
