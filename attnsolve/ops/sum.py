"""Sum normalisation: every score over the sum of its row, negative ones too."""

from __future__ import annotations

from functools import reduce
from typing import Any

from attnsolve.errors import Undecided
from attnsolve.exact import Cell, Matrix
from attnsolve.exact.cells import add
from attnsolve.exact.masked import visible
from attnsolve.ops.back import GRADIENT, RESULT, back
from attnsolve.ops.base import Check, Family, Formula, Mistake, Op, Options, Role, UndefinedRow
from attnsolve.ops.normaliser import as_scores, down_columns, mask_afterwards, require_keys
from attnsolve.ops.relu import RELU
from attnsolve.ops.softmax import SOFTMAX
from attnsolve.ops.writing import closing, factors
from attnsolve.reasons import reason
from attnsolve.working import Line, Quotient, Sum, equals


def rule(S: Matrix) -> Matrix:
    """S, each row over its sum."""
    require_keys(S)
    for i in S.row_places():
        is_zero = row_total(S, i).is_zero()
        if is_zero:
            raise UndefinedRow(
                "query {row}: its scores add up to 0, so they cannot be divided by their sum; "
                "change the data or use softmax",
                i,
            )
        if is_zero is None:
            raise Undecided(reason("cannot decide whether the scores of query {row} add up to 0", row=i + 1))
    return S.normalised()


def row_total(S: Matrix, i: int) -> Cell:
    """The sum of the visible scores of a row."""
    return reduce(add, [S.cell(i, j) for j, kept in enumerate(visible(S).rows[i]) if kept])


def lines(S: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """The score over the sum of the visible ones; a hidden key has no share."""
    made = []
    for i, row in enumerate(factors(names[0], S)):
        kept = visible(S).rows[i]
        below = Sum(tuple(score for score, yes in zip(row, kept, strict=True) if yes))
        for j, score in enumerate(row):
            quotient = (equals(Quotient(score, below)),) if kept[j] else ()
            made.append(Line(i, j, (*quotient, *closing(value.cell(i, j)))))
    return tuple(made)


def twin(S: Any) -> Any:
    """The same in torch, as a product with the reciprocal of the sum."""
    import torch

    kept = torch.where(torch.isinf(S), torch.zeros_like(S), S)
    return kept * kept.sum(dim=-1, keepdim=True).reciprocal()


def with_exp(S: Matrix) -> Matrix:
    """The softmax."""
    return SOFTMAX.rule(S)


def with_relu(S: Matrix) -> Matrix:
    """Only the positive scores."""
    return RELU.rule(S)


SUM = Op(
    name="sum",
    title="Sum normalisation: divide by the sum",
    why="Weights have to sum to 1 for each query.",
    parameters=("S",),
    family=Family.NORMALISER,
    scale_free=True,
    roles=(Role.SCORES,),
    formula=Formula(
        matrix=r"\operatorname{sum-norm}(${S})",
        each=r"${out:ij} = \frac{${S:ij}}{\sum_{k} ${S:ik}}",
    ),
    frame=as_scores,
    rule=rule,
    lines=lines,
    twin=twin,
    check=Check.SIGNED_ROWS_SUM_TO_1,
    mistakes=(
        down_columns(rule),
        mask_afterwards(rule),
        Mistake("with-exp", "There is no exponential here: divide the scores by their sum.", with_exp),
        Mistake("with-relu", "Negative scores count as they are, with their sign.", with_relu),
    ),
    gradients=(back("S", "sum_gradient", "S", RESULT, GRADIENT),),
)
