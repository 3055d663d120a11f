"""Weighted sum of the values: Z = A V."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

from attnsolve.exact import Matrix, Rational, Rationals
from attnsolve.exact.cells import add
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Options, fits, product
from attnsolve.ops.writing import alike, factors, flipped, summed
from attnsolve.working import Entry, Line, Num, Product, Stage, Sum, equals


def frame(A: Frame, V: Frame) -> Frame:
    """A row for each query, as wide as the values."""
    fits("A", A, "V", V)
    return Frame(A.rows, V.columns)


def rule(A: Matrix, V: Matrix) -> Matrix:
    """A V."""
    return A @ V


def lines(
    A: Matrix, V: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """Each weight times its value; equal weights are put together once."""
    weights, values = factors(names[0], A), flipped(factors(names[1], V))
    ties = [alike([weight.cell for weight in row]) for row in weights]
    made = []
    for i, j, result in value.cells():
        first, *rest = summed(weights[i], values[j], result)
        made.append(Line(i, j, (first, *collected(weights[i], values[j], ties[i]), *rest)))
    return tuple(made)


def collected(
    weights: Sequence[Num | Entry], values: Sequence[Num | Entry], ties: Sequence[tuple[int, ...]]
) -> tuple[Stage, ...]:
    """The same sum with equal weights taken together, where that makes it shorter: -3.5 α₁ - α₂."""
    if not isinstance(weights[0], Entry) or not isinstance(values[0], Num):
        return ()
    totals = [reduce(add, [values[k].cell for k in group]) for group in ties]
    terms = [
        Product((Num(total), weights[group[0]]))
        for group, total in zip(ties, totals, strict=True)
        if not total.is_zero()
    ]
    if len(terms) == len(weights):
        return ()
    return (equals(Sum(tuple(terms)) if terms else Num(Rational(0))),)


def twin(A: Any, V: Any) -> Any:
    """The same sum, as torch's batched product has it."""
    import torch

    return torch.bmm(A[None], V[None])[0]


def weights_transposed(A: Matrix, V: Matrix) -> Matrix:
    """Aᵀ V."""
    return product(A.T, V)


def unweighted(A: Matrix, V: Matrix) -> Matrix:
    """The plain average of the values for every query."""
    height = V.shape[0]
    return Rationals([[1] * height] * A.shape[0], height) @ V


MIX = Op(
    name="mix",
    title="Average the values with these weights",
    parameters=("A", "V"),
    roles=("scores", "tokens"),
    formula=Formula(product=("A", "V"), each=r"${out:i} = \sum_{j} ${A:ij}\, ${V:j}"),
    frame=frame,
    rule=rule,
    lines=lines,
    twin=twin,
    check="between-values",
    mistakes=(
        Mistake(
            "weights-transposed",
            "Row i of the weights belongs to query i: use A, not its transpose.",
            weights_transposed,
        ),
        Mistake("unweighted", "Use the attention weights, not the plain average of the values.", unweighted),
    ),
)
