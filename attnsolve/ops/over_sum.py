"""Over the sum: each row over its own number, as at the end of a softmax whose sum ran along."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Options, Role, UndefinedRow
from attnsolve.ops.running_maximum import FROM_ALL_TILES, require_column
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Line, Quotient, equals


def frame(X: Frame, D: Frame) -> Frame:
    """As what is divided."""
    require_column("D", D, "X", X)
    return X


def rule(X: Matrix, D: Matrix) -> Matrix:
    """Row i of X over number i of D."""
    for i in X.row_places():
        if D.cell(i, 0).is_zero():
            raise UndefinedRow("query {row}: its sum is 0, so nothing can be divided by it", i)
    return X.rows_over(D)


def lines(
    X: Matrix,
    D: Matrix,
    *,
    value: Matrix,
    options: Options,
    names: tuple[str, ...],
) -> tuple[Line, ...]:
    """Each number over the sum of its query."""
    rows, sums = factors(names[0], X), factors(names[1], D)
    return tuple(
        Line(i, j, (equals(Quotient(rows[i][j], sums[i][0])), *closing(result)))
        for i, j, result in value.cells()
    )


def twin(X: Any, D: Any) -> Any:
    """torch's own division."""
    import torch

    return torch.div(X, D)


def not_divided(X: Matrix, D: Matrix) -> Matrix:
    """X."""
    return X


def multiplied(X: Matrix, D: Matrix) -> Matrix:
    """X times D."""
    return X.rows_times(D)


OVER_SUM = Op(
    name="over_sum",
    title="Divide by the sum",
    parameters=("X", "D"),
    roles=(Role.TOKENS, Role.ANY),
    formula=Formula(
        matrix=r"\operatorname{diag}(${D})^{-1}\, ${X:laid}",
        each=r"${out:i} = \frac{${X:i}}{${D:i}}",
    ),
    frame=frame,
    rule=rule,
    lines=lines,
    twin=twin,
    mistakes=(
        Mistake("not-divided", "Divide by the sum of the exponentials at the end.", not_divided),
        Mistake("multiplied-by-the-sum", "Divide by the sum; do not multiply by it.", multiplied),
    ),
    no_gradient=FROM_ALL_TILES,
)
