"""The running sum: the old one, rescaled to the new maximum, and the exponentials of this tile."""

from __future__ import annotations

from typing import Any

from attnsolve.errors import UndefinedStep
from attnsolve.exact import Matrix
from attnsolve.languages import message
from attnsolve.ops.base import Axis, Formula, Frame, Mistake, Op, Options, Role
from attnsolve.ops.misfits import unfit
from attnsolve.ops.running_maximum import FROM_ALL_TILES, require_column
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Expression, Line, Product, Sum, equals


def frame(P: Frame, r: Frame | None = None, D: Frame | None = None) -> Frame:
    """One number for each query."""
    require_both("D", r, D)
    for name, column in (("r", r), ("D", D)):
        if column is not None:
            require_column(name, column, "P", P)
    return Frame(P.rows, Axis(1))


def require_both(old: str, r: Frame | None, before: Frame | None) -> None:
    """Refuse a factor without anything to rescale."""
    if r is not None and before is None:
        raise unfit(old, "a factor rescales what there was before; give both or none", r=r)


def rule(P: Matrix, r: Matrix | None = None, D: Matrix | None = None) -> Matrix:
    """r ∘ D + P 1."""
    return P.row_sums() if r is None or D is None else D.rows_times(r) + P.row_sums()


def lines(
    P: Matrix, *before: Matrix, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """The factor times the old sum, and the exponentials of the row."""
    rows, old = factors(names[0], P), [factors(name, x) for name, x in zip(names[1:], before, strict=True)]
    made = []
    for i, row in enumerate(rows):
        kept: tuple[Expression, ...] = (Product((old[0][i][0], old[1][i][0])),) if old else ()
        made.append(Line(i, 0, (equals(Sum((*kept, *row))), *closing(value.cell(i, 0)))))
    return tuple(made)


def twin(P: Any, r: Any = None, D: Any = None) -> Any:
    """torch's own fused product and sum."""
    import torch

    sums = torch.sum(P, dim=1, keepdim=True)
    return sums if r is None else torch.addcmul(sums, r, D)


def not_rescaled(P: Matrix, r: Matrix | None = None, D: Matrix | None = None) -> Matrix:
    """D + P 1."""
    if D is None:
        raise UndefinedStep("before the first tile there is no sum")
    return D + P.row_sums()


def all_rescaled(P: Matrix, r: Matrix | None = None, D: Matrix | None = None) -> Matrix:
    """r ∘ (D + P 1)."""
    if r is None or D is None:
        raise UndefinedStep("before the first tile there is nothing to rescale")
    return (D + P.row_sums()).rows_times(r)


def forgotten(P: Matrix, r: Matrix | None = None, D: Matrix | None = None) -> Matrix:
    """P 1."""
    if D is None:
        raise UndefinedStep("before the first tile there is no sum")
    return P.row_sums()


RUNNING_SUM = Op(
    name="running_sum",
    title="Running sum of the exponentials",
    why=message(
        "The old exponentials were taken with the old maximum: one factor brings them to the new one."
    ),
    parameters=("P", "r", "D"),
    optional=("r", "D"),
    roles=(Role.SCORES, Role.ANY, Role.ANY),
    formula=Formula(
        matrix=r"$[D:${r} \odot ${D} + ]${P}\,\mathbf{1}",
        each=r"${out:i} = $[D:${r:i}\, ${D:i} + ]\sum_{k} ${P:ik}",
    ),
    frame=frame,
    rule=rule,
    lines=lines,
    twin=twin,
    mistakes=(
        Mistake(
            "old-sum-not-rescaled",
            "The old sum belongs to the old maximum: rescale it before you add to it.",
            not_rescaled,
        ),
        Mistake(
            "new-sum-rescaled-too",
            "Only the old sum is rescaled; the new exponentials have the new maximum already.",
            all_rescaled,
        ),
        Mistake("old-sum-forgotten", "The sum runs on: add to what the tiles before it gave.", forgotten),
    ),
    no_gradient=FROM_ALL_TILES,
)
