"""The Jacobian of a softmax for one row of weights: diag(a) - aᵀ a."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rational, Rationals
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Option, Options, Role
from attnsolve.ops.misfits import unfit
from attnsolve.ops.softmax_gradient import calculable, jacobian_entry
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Line, equals

MINUS = Rational(-1)


def frame(A: Frame, *, rows: tuple[int, ...]) -> Frame:
    """A row and a column for each key."""
    if len(rows) != 1:
        raise unfit("rows", f"{len(rows)} rows; a Jacobian is written out for one row of the weights")
    if not 0 <= rows[0] < A.rows.size:
        known = f"{{A}} has the rows {{0:place}} to {{{A.rows.size - 1}:place}}"
        raise unfit("rows", f"there is no row {{{rows[0]}:place}}; {known}", A=A)
    return Frame(A.columns, A.columns, Role.BETWEEN)


def rule(A: Matrix, *, rows: tuple[int, ...]) -> Matrix:
    """diag(a) - aᵀ a."""
    a = calculable(A.take(rows))
    n = a.shape[1]
    identity = Rationals([[int(i == j) for j in range(n)] for i in range(n)])
    return a.repeated(n) * identity - a.T @ a


def counting(A: Matrix, *, rows: tuple[int, ...]) -> Matrix:
    """An outer product, and a difference on the diagonal."""
    a = A.take(rows)
    a + a
    return a.T @ a


def lines(A: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """a_j (1 - a_j) on the diagonal, -a_i a_j beside it."""
    weights = factors(names[0], A)[options["rows"][0]]
    return tuple(
        Line(i, j, (equals(jacobian_entry(weights, i, j)), *closing(result)))
        for i, j, result in value.cells()
    )


def twin(A: Any, *, rows: tuple[int, ...]) -> Any:
    """torch's own derivatives of its softmax, at the logarithms of the weights."""
    import torch

    def softmax(scores: Any) -> Any:
        return torch.softmax(scores, dim=-1)

    return torch.func.jacrev(softmax)(A[rows[0]].log())


def outer_only(A: Matrix, *, rows: tuple[int, ...]) -> Matrix:
    """aᵀ a."""
    a = calculable(A.take(rows))
    return a.T @ a


def diagonal_only(A: Matrix, *, rows: tuple[int, ...]) -> Matrix:
    """diag(a ∘ (1 - a))."""
    n = A.shape[1]
    identity = Rationals([[int(i == j) for j in range(n)] for i in range(n)])
    return rule(A, rows=rows) * identity


def signs_exchanged(A: Matrix, *, rows: tuple[int, ...]) -> Matrix:
    """aᵀ a - diag(a)."""
    return rule(A, rows=rows).scaled(MINUS)


SOFTMAX_JACOBIAN = Op(
    name="softmax_jacobian",
    by_rows=False,
    title="The Jacobian of the softmax, written out for one row",
    parameters=("A",),
    options=(Option("rows", "rows", "the row of the weights, such as 1", required=True),),
    roles=(Role.SCORES,),
    symbol="J",
    formula=Formula(
        matrix=r"\operatorname{diag}(${local:a}) - ${local:a}^{\top} ${local:a}",
        each=r"${out:ij} = ${local:a_i}\, ([i = j] - ${local:a_j}), \quad ${local:a} = ${A:rows}",
    ),
    frame=frame,
    rule=rule,
    counting=counting,
    lines=lines,
    twin=twin,
    mistakes=(
        Mistake("outer-product-only", "On the diagonal stands a (1 - a): do not forget diag(a).", outer_only),
        Mistake(
            "diagonal-only",
            "Each score changes all weights of its row: beside the diagonal stands minus a product of two.",
            diagonal_only,
        ),
        Mistake(
            "signs-exchanged", "A weight grows with its own score and shrinks with others.", signs_exchanged
        ),
    ),
)
