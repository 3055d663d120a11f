"""ReLU normalisation: negative scores count as 0, the rest is divided by its sum."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.exact.masked import Masked, visible
from attnsolve.ops.back import GRADIENT, RESULT, back
from attnsolve.ops.base import Check, Family, Formula, Mistake, Op, Options, Role, UndefinedRow
from attnsolve.ops.normaliser import as_scores, down_columns, mask_afterwards, require_keys
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Apply, Expression, Line, Num, Quotient, Sum, equals, evaluate


def rule(S: Matrix) -> Matrix:
    """max(0, S), each row over its sum."""
    require_keys(S)
    for i in S.row_places():
        if not any(S.cell(i, j).sign() > 0 for j in range(S.shape[1])):
            raise UndefinedRow(
                "query {row}: no score is above 0, so ReLU normalisation is 0/0 there; "
                "change the data or use softmax",
                i,
            )
    return S.relu().normalised()


def lines(S: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """The score if positive, over the sum of the row's positive scores."""
    made = []
    for i, row in enumerate(factors(names[0], S)):
        spellings: list[tuple[Expression, ...]] = [tuple(Apply("relu", score) for score in row)]
        if isinstance(row[0], Num):
            spellings.append(tuple(Num(evaluate(kept)) for kept in spellings[0]))
        for j in range(len(row)):
            quotients = [
                equals(Quotient(kept[j], Sum(kept)), fine=kept is not spellings[-1]) for kept in spellings
            ]
            made.append(Line(i, j, (*quotients, *closing(value.cell(i, j)))))
    return tuple(made)


def twin(S: Any) -> Any:
    """torch's relu and its L1 normalisation."""
    from torch.nn.functional import normalize, relu

    return normalize(relu(S), p=1.0, dim=-1)


def without_relu(S: Matrix) -> Matrix:
    """S over its row sums."""
    return S.normalised()


def with_exp(S: Matrix) -> Matrix:
    """Softmax of the positive parts; what a mask hides stays hidden."""
    return Masked.of(S.relu(), visible(S)).exp().normalised()


RELU = Op(
    name="relu",
    title="ReLU normalisation: drop negative scores, divide by the sum",
    why="Scores can be any numbers; weights must not be negative and have to sum to 1 for each query.",
    parameters=("S",),
    family=Family.NORMALISER,
    scale_free=True,
    roles=(Role.SCORES,),
    formula=Formula(
        matrix=r"\operatorname{ReLU-norm}(${S})",
        each=r"${out:ij} = \frac{\max(0, ${S:ij})}{\sum_{k} \max(0, ${S:ik})}",
    ),
    frame=as_scores,
    rule=rule,
    lines=lines,
    twin=twin,
    check=Check.ROWS_SUM_TO_1,
    mistakes=(
        down_columns(rule),
        mask_afterwards(rule),
        Mistake("without-relu", "Negative scores count as 0 before you add up.", without_relu),
        Mistake(
            "with-exp", "There is no exponential here: divide the positive scores by their sum.", with_exp
        ),
    ),
    gradients=(back("S", "relu_gradient", "S", RESULT, GRADIENT),),
)
