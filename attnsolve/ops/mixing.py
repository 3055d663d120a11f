"""Weighted sum of the values: Z = A V."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rationals
from attnsolve.languages import message
from attnsolve.ops.back import GRADIENT, back
from attnsolve.ops.base import Check, Family, Formula, Frame, Mistake, Op, Options, Role
from attnsolve.ops.misfits import counted, unfit
from attnsolve.ops.writing import alike, factors, flipped, summed
from attnsolve.working import Line


def frame(A: Frame, V: Frame) -> Frame:
    """A row for each query, as wide as the values."""
    keys, values = A.columns.size, V.rows.size
    if keys != values:
        said = f"{counted(keys, 'key')} but {counted(values, 'value')} ({{V}} is {{V:shape}})"
        raise unfit("V", f"{said}; every key needs its value", V=V)
    return Frame(A.rows, V.columns)


def rule(A: Matrix, V: Matrix) -> Matrix:
    """A V."""
    return A @ V


def lines(
    A: Matrix, V: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """Each weight times its value; equal weights are put together once."""
    weights, values = factors(names[0], A), flipped(factors(names[1], V))
    ties = alike(A)
    return tuple(
        Line(i, j, summed(weights[i], values[j], result, ties=ties[i])) for i, j, result in value.cells()
    )


def twin(A: Any, V: Any) -> Any:
    """The same sum, as torch's batched product has it."""
    import torch

    return torch.bmm(A[None], V[None])[0]


def weights_transposed(A: Matrix, V: Matrix) -> Matrix:
    """Aᵀ V."""
    return A.T @ V


def unweighted(A: Matrix, V: Matrix) -> Matrix:
    """The plain average of the values for every query."""
    height = V.shape[0]
    return Rationals([[1] * height] * A.shape[0], height) @ V


MIX = Op(
    name="mix",
    title="Average the values with these weights",
    why=(
        "The output of a query is an average of the values, in which a value counts as much as its "
        "weight says."
    ),
    parameters=("A", "V"),
    family=Family.MIXTURE,
    roles=(Role.SCORES, Role.TOKENS),
    formula=Formula(product=("A", "V"), each=r"${out:i} = \sum_{j} ${A:ij}\, ${V:j}"),
    frame=frame,
    rule=rule,
    lines=lines,
    twin=twin,
    check=Check.BETWEEN_VALUES,
    mistakes=(
        Mistake(
            "weights-transposed",
            "Row i of the weights belongs to query i: use A, not its transpose.",
            weights_transposed,
        ),
        Mistake("unweighted", "Use the attention weights, not the plain average of the values.", unweighted),
    ),
    gradients=(
        back("A", "left_gradient", GRADIENT, "V", title=message("Gradient of the weights")),
        back("V", "right_gradient", "A", GRADIENT, title=message("Gradient of the values")),
    ),
)
