"""Linear attention, last step: each query with the summed products over each query with the summed keys."""

from __future__ import annotations

from typing import Any

from attnsolve.errors import UndefinedStep
from attnsolve.exact import Matrix
from attnsolve.exact.rationals import ones
from attnsolve.languages import message
from attnsolve.ops.back import GRADIENT, PARTIAL, RESULT, back
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Options, Role, UndefinedRow
from attnsolve.ops.misfits import numbers, require_product, require_row
from attnsolve.ops.writing import closing, factors, flipped
from attnsolve.working import Line, Product, Quotient, Sum, equals


def frame(X: Frame, M: Frame, u: Frame) -> Frame:
    """A row for each query, as wide as the values."""
    require_product("X", X, "M", M)
    width = X.columns.size
    require_row("u", u, width, f"{{X}} has {numbers(width)} per token", X=X)
    return Frame(X.rows, M.columns)


def rule(X: Matrix, M: Matrix, u: Matrix) -> Matrix:
    """X M, each row over X uᵀ."""
    below = X @ u.T
    for i in X.row_places():
        if below.cell(i, 0).is_zero():
            raise UndefinedRow("query {row}: its features add up to 0 with those of all keys", i)
    return (X @ M) / (below @ ones(1, M.shape[1]))


def counting(X: Matrix, M: Matrix, u: Matrix) -> Matrix:
    """Two products, and a division for each number."""
    X @ u.T
    above = X @ M
    return above / above


def lines(
    X: Matrix, M: Matrix, u: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """Query i against column j, over query i against the sum of the keys."""
    queries, columns = factors(names[0], X), flipped(factors(names[1], M))
    sums = factors(names[2], u)[0]
    made = []
    for i, j, result in value.cells():
        above = Sum(tuple(Product(pair) for pair in zip(queries[i], columns[j], strict=True)))
        below = Sum(tuple(Product(pair) for pair in zip(queries[i], sums, strict=True)))
        made.append(Line(i, j, (equals(Quotient(above, below)), *closing(result))))
    return tuple(made)


def twin(X: Any, M: Any, u: Any) -> Any:
    """torch's einsum, above and below."""
    import torch

    return torch.einsum("id,dv->iv", X, M) / torch.einsum("id,xd->ix", X, u)


def terms(X: Any, M: Any, u: Any) -> Any:
    """|X| |M| over |X u|: what may cancel above and below."""
    below = (X @ u.T).abs()
    return (X.abs() @ M.abs()) / below * ((X.abs() @ u.abs().T) / below)


def without_sum(X: Matrix, M: Matrix, u: Matrix) -> Matrix:
    """X M."""
    return X @ M


def over_one_query(X: Matrix, M: Matrix, u: Matrix) -> Matrix:
    """Every row over the sum of the first query."""
    first = X.take([0]) @ u.T
    if first.cell(0, 0).is_zero():
        raise UndefinedStep("the first query has the sum 0")
    return (X @ M) / (first.take([0] * X.shape[0]) @ ones(1, M.shape[1]))


RATIO = Op(
    name="ratio",
    title="Each query with the summed products, over each query with the summed keys",
    parameters=("X", "M", "u"),
    roles=(Role.TOKENS, Role.WEIGHTS, Role.ROW),
    formula=Formula(
        matrix=r"\operatorname{ratio}(${X}, ${M}, ${u})",
        each=r"${out:i} = \frac{${X:i} ${M}}{${X:i} \cdot ${u}}",
    ),
    frame=frame,
    rule=rule,
    counting=counting,
    counted_as="two products, and a division for each number",
    lines=lines,
    twin=twin,
    cancelling=terms,
    mistakes=(
        Mistake("without-sum", "Divide by what the query makes with the sum of all keys.", without_sum),
        Mistake("over-one-query", "Every query has a sum of its own to divide by.", over_one_query),
    ),
    gradients=(
        back("X", "ratio_queries_gradient", "X", "M", "u", RESULT, GRADIENT),
        back(
            "M",
            "right_gradient",
            "X",
            PARTIAL,
            title=message("Gradient of the summed products"),
            partial=("ratio_above_gradient", "X", "u", GRADIENT),
        ),
        back(
            "u",
            "right_gradient",
            PARTIAL,
            "X",
            title=message("Gradient of the summed keys"),
            partial=("ratio_below_gradient", "X", "u", RESULT, GRADIENT),
        ),
    ),
)
