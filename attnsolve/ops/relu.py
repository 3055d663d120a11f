"""ReLU normalisation: negative scores count as 0, the rest is divided by its sum."""

from __future__ import annotations

from typing import Any

from attnsolve.errors import UndefinedStep
from attnsolve.exact import Matrix
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Options
from attnsolve.working import Apply, Line, Num, Quotient, Sum, equals, evaluate


def frame(S: Frame) -> Frame:
    """As the scores."""
    return S


def rule(S: Matrix) -> Matrix:
    """max(0, S), each row over its sum."""
    kept = S.relu()
    for i in range(kept.shape[0]):
        if all(kept.cell(i, j).is_zero() for j in range(kept.shape[1])):
            raise UndefinedStep(
                f"row {i + 1}: no score is above 0, so ReLU normalisation is 0/0 there; "
                "change the data or use softmax"
            )
    return kept.normalised()


def lines(S: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """The score if positive, over the sum of the row's positive scores."""
    made = []
    for i in range(value.shape[0]):
        kept = tuple(Apply("relu", Num(S.cell(i, k))) for k in range(value.shape[1]))
        numbers = tuple(Num(evaluate(part)) for part in kept)
        for j in range(value.shape[1]):
            stages = (
                equals(Quotient(kept[j], Sum(kept)), fine=True),
                equals(Quotient(numbers[j], Sum(numbers))),
                equals(Num(value.cell(i, j))),
            )
            made.append(Line(i, j, stages))
    return tuple(made)


def twin(S: Any) -> Any:
    """torch's relu and its L1 normalisation."""
    from torch.nn.functional import normalize, relu

    return normalize(relu(S), p=1.0, dim=-1)


def down_columns(S: Matrix) -> Matrix:
    """Normalised over the queries instead of the keys."""
    return rule(S.T).T


def without_relu(S: Matrix) -> Matrix:
    """S over its row sums."""
    return S.normalised()


def with_exp(S: Matrix) -> Matrix:
    """Softmax of the positive parts."""
    return S.relu().exp().normalised()


RELU = Op(
    name="relu",
    title="ReLU normalisation: drop negative scores, divide by the sum",
    parameters=("S",),
    family="normaliser",
    roles=("scores",),
    formula=Formula(
        matrix=r"\operatorname{ReLU-norm}(${S})",
        each=r"${out:ij} = \frac{\max(0, ${S:ij})}{\sum_{k} \max(0, ${S:ik})}",
        each_column=r"${out:ij} = \frac{\max(0, ${S:ij})}{\sum_{k} \max(0, ${S:ik})}",
    ),
    frame=frame,
    rule=rule,
    lines=lines,
    twin=twin,
    check="rows-sum-to-1",
    mistakes=(
        Mistake("down-columns", "The weights of one query must sum to 1: normalise over the keys, not the queries.", down_columns),
        Mistake("without-relu", "Negative scores count as 0 before you add up.", without_relu),
        Mistake("with-exp", "There is no exponential here: divide the positive scores by their sum.", with_exp),
    ),
)
