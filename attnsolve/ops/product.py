"""Matrix product: rows of the first against columns of the second, whatever they stand for."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.ops.back import GRADIENT, back
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Options, Role
from attnsolve.ops.misfits import unfit
from attnsolve.ops.writing import each_with_each, factors, flipped
from attnsolve.working import Line


def frame(X: Frame, Y: Frame) -> Frame:
    """The rows of the first, the columns of the second."""
    inner, rows = X.columns.size, Y.rows.size
    if inner != rows:
        said = f"the inner sizes of this product, {inner} and {rows}, are not equal"
        raise unfit("Y", f"{said}; {{X}} is {{X:shape}} and {{Y}} is {{Y:shape}}", X=X, Y=Y)
    return Frame(X.rows, Y.columns)


def rule(X: Matrix, Y: Matrix) -> Matrix:
    """X Y."""
    return X @ Y


def lines(
    X: Matrix, Y: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """Row i against column j, product by product."""
    rows, columns = factors(names[0], X), flipped(factors(names[1], Y))
    return each_with_each(rows, columns, value)


def twin(X: Any, Y: Any) -> Any:
    """The same sum of products, as torch's einsum has it."""
    import torch

    return torch.einsum("ik,kj->ij", X, Y)


def other_order(X: Matrix, Y: Matrix) -> Matrix:
    """Y X."""
    return Y @ X


def second_transposed(X: Matrix, Y: Matrix) -> Matrix:
    """X Yᵀ."""
    return X @ Y.T


PRODUCT = Op(
    name="product",
    title="Multiply the matrices",
    parameters=("X", "Y"),
    roles=(Role.ANY, Role.ANY),
    formula=Formula(product=("X", "Y"), each=r"${out:ij} = \sum_{k} ${X:ik}\, ${Y:kj}"),
    frame=frame,
    rule=rule,
    lines=lines,
    twin=twin,
    mistakes=(
        Mistake("multiplied-in-other-order", "Mind which of the two matrices stands first.", other_order),
        Mistake(
            "second-transposed",
            "Multiply rows of the first matrix by columns of the second, not by its rows.",
            second_transposed,
        ),
    ),
    gradients=(
        back("X", "left_gradient", GRADIENT, "Y"),
        back("Y", "right_gradient", "X", GRADIENT),
    ),
)
