"""Weighted sum of the values: Z = A V."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rationals
from attnsolve.exact.cells import Cell, Rational, add
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Options, fits
from attnsolve.working import Entry, Expression, Line, Num, Product, Stage, Sum, about, dot_stages, equals


def frame(A: Frame, V: Frame) -> Frame:
    """A row for each query, as wide as the values."""
    fits("A", A, "V", V)
    return Frame(A.rows, V.columns)


def rule(A: Matrix, V: Matrix) -> Matrix:
    """A V."""
    return A @ V


def lines(A: Matrix, V: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """Each weight times its value; equal weights are put together once."""
    keys = range(A.shape[1])
    made = []
    for i, j, result in value.cells():
        if isinstance(A, Rationals):
            stages: tuple[Stage, ...] = dot_stages([(A.cell(i, k), V.cell(k, j)) for k in keys], result)
        else:
            entries = [Entry(names[0], i, k, A.cell(i, k)) for k in keys]
            values = [V.cell(k, j) for k in keys]
            products: list[Expression] = [Product((e, Num(v))) for e, v in zip(entries, values, strict=True)]
            stages = (equals(Sum(tuple(products))), *_collected(entries, values), about(result))
        made.append(Line(i, j, stages))
    return tuple(made)


def _collected(entries: list[Entry], values: list[Cell]) -> tuple[Stage, ...]:
    """The same sum with equal weights taken together, where that makes it shorter."""
    groups: list[tuple[Entry, Cell]] = []
    for entry, value in zip(entries, values, strict=True):
        for k, (known, total) in enumerate(groups):
            if known.cell.text() == entry.cell.text():  # equal canonical forms are equal numbers
                groups[k] = (known, add(total, value))
                break
        else:
            groups.append((entry, value))
    kept = [(entry, total) for entry, total in groups if not total.is_zero()]
    if len(kept) == len(entries):
        return ()
    if not kept:
        return (equals(Num(Rational(0))),)
    return (equals(Sum(tuple(Product((Num(total), entry)) for entry, total in kept))),)


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
    parameters=("A", "V"),
    roles=("scores", "tokens"),
    formula=Formula(
        product=("A", "V"),
        each=r"${out:i} = \sum_{j} ${A:ij}\, ${V:j}",
        each_column=r"${out:i} = \sum_{j} ${A:ij}\, ${V:j}",
    ),
    frame=frame,
    rule=rule,
    lines=lines,
    twin=twin,
    check="between-values",
    mistakes=(
        Mistake("weights-transposed", "Row i of the weights belongs to query i: use A, not its transpose.", weights_transposed),
        Mistake("unweighted", "Use the attention weights, not the plain average of the values.", unweighted),
    ),
)
