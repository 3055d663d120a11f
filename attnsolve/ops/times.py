"""Elementwise product: number by number, as a gate has it."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.languages import message
from attnsolve.ops.addition import same_size
from attnsolve.ops.back import GRADIENT, back
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Options, Role
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Line, Product, equals


def frame(X: Frame, Y: Frame) -> Frame:
    """As the first."""
    return same_size(X, Y, "multiplied number by number")


def rule(X: Matrix, Y: Matrix) -> Matrix:
    """X ⊙ Y, number by number."""
    return X * Y


def lines(
    X: Matrix, Y: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """Number by number."""
    first, second = factors(names[0], X), factors(names[1], Y)
    return tuple(
        Line(i, j, (equals(Product((first[i][j], second[i][j]))), *closing(result)))
        for i, j, result in value.cells()
    )


def twin(X: Any, Y: Any) -> Any:
    """torch's own multiplication."""
    import torch

    return torch.mul(X, Y)


def matrix_product(X: Matrix, Y: Matrix) -> Matrix:
    """X Y."""
    return X @ Y


TIMES = Op(
    name="times",
    title="Multiply number by number",
    parameters=("X", "Y"),
    roles=(Role.TOKENS, Role.TOKENS),
    formula=Formula(matrix=r"${X:laid} \odot ${Y:laid}", each=r"${out:ij} = ${X:ij}\, ${Y:ij}"),
    frame=frame,
    rule=rule,
    lines=lines,
    twin=twin,
    mistakes=(
        Mistake(
            "matrix-product", "Multiply number by number; this is no product of matrices.", matrix_product
        ),
    ),
    gradients=(
        back("X", "times", GRADIENT, "Y", title=message("Gradient of one factor: times the other one")),
        back("Y", "times", GRADIENT, "X", title=message("Gradient of one factor: times the other one")),
    ),
)
