"""Gradients of the factors of a product Z = X Y: that of X is G Yᵀ, that of Y is Xᵀ G."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Options, Role
from attnsolve.ops.misfits import counted, unfit
from attnsolve.ops.writing import each_with_each, factors, flipped
from attnsolve.working import Line


def left_frame(G: Frame, Y: Frame) -> Frame:
    """The rows of the gradient, and a column for each row of Y."""
    if G.columns.size != Y.columns.size:
        said = f"{counted(G.columns.size, 'column')} in {{G}}, but {Y.columns.size} in {{Y}}"
        raise unfit(
            "Y", f"{said}; the gradient of a product has as many columns as its right factor", G=G, Y=Y
        )
    return Frame(G.rows, Y.rows)


def left(G: Matrix, Y: Matrix) -> Matrix:
    """G Yᵀ."""
    return G @ Y.T


def left_lines(
    G: Matrix, Y: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """Row i of the gradient against row j of Y, product by product."""
    rows, others = factors(names[0], G), factors(names[1], Y)
    return each_with_each(rows, others, value)


def left_twin(G: Any, Y: Any) -> Any:
    """The same sum of products, as torch's einsum has it."""
    import torch

    return torch.einsum("ik,jk->ij", G, Y)


def not_turned(G: Matrix, Y: Matrix) -> Matrix:
    """G Y."""
    return G @ Y


LEFT_GRADIENT = Op(
    name="left_gradient",
    title="Gradient of the left factor of a product",
    parameters=("G", "Y"),
    roles=(Role.ANY, Role.ANY),
    formula=Formula(product=("G", "Y'"), each=r"${out:ij} = \sum_{k} ${G:ik}\, ${Y:jk}"),
    frame=left_frame,
    rule=left,
    lines=left_lines,
    twin=left_twin,
    mistakes=(
        Mistake(
            "factor-not-transposed",
            "On the way back the other factor is transposed: look at the shapes.",
            not_turned,
        ),
    ),
)


def right_frame(X: Frame, G: Frame) -> Frame:
    """A row for each column of X, and the columns of the gradient."""
    if X.rows.size != G.rows.size:
        said = f"{counted(X.rows.size, 'row')} in {{X}}, but {G.rows.size} in {{G}}"
        raise unfit("G", f"{said}; the gradient of a product has as many rows as its left factor", X=X, G=G)
    return Frame(X.columns, G.columns)


def right(X: Matrix, G: Matrix) -> Matrix:
    """Xᵀ G."""
    return X.T @ G


def right_lines(
    X: Matrix, G: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """Column i of X against column j of the gradient, product by product."""
    columns, others = flipped(factors(names[0], X)), flipped(factors(names[1], G))
    return each_with_each(columns, others, value)


def right_twin(X: Any, G: Any) -> Any:
    """The same as a sum of one outer product for each row."""
    import torch

    return torch.einsum("ki,kj->ij", X, G)


def also_not_turned(X: Matrix, G: Matrix) -> Matrix:
    """X G."""
    return X @ G


def result_turned(X: Matrix, G: Matrix) -> Matrix:
    """Gᵀ X."""
    return G.T @ X


RIGHT_GRADIENT = Op(
    name="right_gradient",
    by_rows=False,
    title="Gradient of the right factor of a product",
    parameters=("X", "G"),
    roles=(Role.ANY, Role.ANY),
    formula=Formula(product=("X'", "G"), each=r"${out:ij} = \sum_{k} ${X:ki}\, ${G:kj}"),
    frame=right_frame,
    rule=right,
    lines=right_lines,
    twin=right_twin,
    mistakes=(
        Mistake(
            "left-factor-not-transposed",
            "On the way back the left factor is transposed: look at the shapes.",
            also_not_turned,
        ),
        Mistake(
            "gradient-turned",
            "A gradient has the shape of what it is the gradient of; yours is its transpose.",
            result_turned,
        ),
    ),
)
