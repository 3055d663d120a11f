"""The running maximum: the largest score of each query so far, tile after tile."""

from __future__ import annotations

from typing import Any

from attnsolve.errors import UndefinedStep
from attnsolve.exact import Matrix, Rational
from attnsolve.languages import message
from attnsolve.ops.base import Axis, Formula, Frame, Mistake, Op, Role
from attnsolve.ops.misfits import unfit

# Of what runs along tiles: the maxima cancel in the output alone, and only what cancels may be left out.
FROM_ALL_TILES = (
    "the maxima that run along tiles cancel only in the output of all of them, over_sum of the last output "
    "and the last sum; go back from that"
)


def frame(S: Frame, m: Frame | None = None) -> Frame:
    """One number for each query."""
    if m is not None:
        require_column("m", m, "S", S)
    return Frame(S.rows, Axis(1))


def require_column(parameter: str, column: Frame, other: str, of: Frame) -> None:
    """Refuse what is not one number for each query."""
    if column.shape != (of.rows.size, 1):
        height = of.rows.size
        why = f"{{{other}}} has {'1 query' if height == 1 else f'{height} queries'}"
        raise unfit(parameter, why, needs=(height, 1), **{parameter: column, other: of})


def rule(S: Matrix, m: Matrix | None = None) -> Matrix:
    """The largest number of each row, the maximum before it among them."""
    return (S if m is None else S | m).row_maxima()


def twin(S: Any, m: Any = None) -> Any:
    """torch's own cumulative maximum, of which the last number counts."""
    import torch

    return torch.cummax(S if m is None else torch.cat([m, S], dim=1), dim=1).values[:, -1:]


def of_this_tile(S: Matrix, m: Matrix | None = None) -> Matrix:
    """The largest number of this tile alone."""
    if m is None:
        raise UndefinedStep("before the first tile there is no maximum")
    return S.row_maxima()


def of_all_queries(S: Matrix, m: Matrix | None = None) -> Matrix:
    """One maximum for all queries."""
    return S.T.row_maxima().T.row_maxima().take([0] * S.shape[0])


def smallest(S: Matrix, m: Matrix | None = None) -> Matrix:
    """The smallest score of each row."""
    return S.scaled(Rational(-1)).row_maxima().scaled(Rational(-1))


RUNNING_MAXIMUM = Op(
    name="running_maximum",
    title="Running maximum of the scores",
    why=message("Exponentials of scores less their maximum are at most 1, so that none can overflow."),
    parameters=("S", "m"),
    optional=("m",),
    roles=(Role.SCORES, Role.ANY),
    formula=Formula(
        matrix=r"\max(${S}$[m:, ${m}])",
        each=r"${out:i} = \max\left($[m:${m:i}, ]\max_{k} ${S:ik}\right)",
    ),
    frame=frame,
    rule=rule,
    twin=twin,
    mistakes=(
        Mistake(
            "maximum-of-the-tile",
            "The maximum runs on: compare that of this tile with the one before.",
            of_this_tile,
        ),
        Mistake("maximum-of-all-queries", "Every query has a maximum of its own.", of_all_queries),
        Mistake("minimum", "Take the largest score, not the smallest.", smallest),
    ),
    no_gradient=FROM_ALL_TILES,
)
