"""The sum of all tokens: one vector."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.exact.rationals import ones
from attnsolve.ops.back import GRADIENT, back
from attnsolve.ops.base import Axis, Formula, Frame, Mistake, Op, Options, Role
from attnsolve.ops.writing import closing, factors, flipped
from attnsolve.working import Line, Sum, equals


def frame(X: Frame) -> Frame:
    """One row, as wide as the tokens."""
    return Frame(Axis(1), X.columns)


def rule(X: Matrix) -> Matrix:
    """1ᵀ X."""
    return ones(1, X.shape[0]) @ X


def lines(X: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """Down each column."""
    columns = flipped(factors(names[0], X))
    return tuple(
        Line(i, j, (equals(Sum(tuple(columns[j]))), *closing(result))) for i, j, result in value.cells()
    )


def counting(X: Matrix) -> Matrix:
    """An addition for each number but those of the first token."""
    return X.T.row_sums().T


def twin(X: Any) -> Any:
    """torch's own sum over the tokens."""
    import torch

    return torch.sum(X, dim=0, keepdim=True)


def averaged(X: Matrix) -> Matrix:
    """The mean in place of the sum."""
    return X.T.means().T.take([0])


def first_left_out(X: Matrix) -> Matrix:
    """The sum without the first token."""
    return rule(X) - X.take([0])


TOTAL = Op(
    name="total",
    title="Add up all tokens",
    parameters=("X",),
    roles=(Role.TOKENS,),
    formula=Formula(matrix=r"\textstyle\sum_i ${X:i}"),
    frame=frame,
    rule=rule,
    by_rows=False,
    lines=lines,
    counting=counting,
    counted_as="an addition for each number of all tokens but one",
    twin=twin,
    mistakes=(
        Mistake("averaged", "Add the vectors up; do not divide by their number.", averaged),
        Mistake("first-left-out", "Every token belongs to the sum.", first_left_out),
    ),
    gradients=(back("X", "total_gradient", "X", GRADIENT),),
)
