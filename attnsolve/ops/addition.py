"""Addition: a residual connection, or positions added to tokens."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.ops.back import handed_on
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Options, Role
from attnsolve.ops.misfits import counted, numbers, unfit
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Line, Sum, equals


def frame(X: Frame, Y: Frame) -> Frame:
    """As the first."""
    return same_size(X, Y, "added")


def same_size(X: Frame, Y: Frame, done: str, *, first: str = "X", second: str = "Y") -> Frame:
    """The frame of both; matrices that differ, in the numbers of a token or in the tokens, are refused."""
    if X.columns.size != Y.columns.size:
        said = f"{numbers(X.columns.size)} per token in {{{first}}}, but {Y.columns.size} in {{{second}}}"
    elif X.rows.size != Y.rows.size:
        said = f"{counted(X.rows.size, 'token')} in {{{first}}}, but {Y.rows.size} in {{{second}}}"
    else:
        return X
    frames = {first: X, second: Y}
    raise unfit(second, f"{said}; only matrices of the same size can be {done}", needs=None, **frames)


def rule(X: Matrix, Y: Matrix) -> Matrix:
    """X + Y."""
    return X + Y


def lines(
    X: Matrix, Y: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """Number by number."""
    first, second = factors(names[0], X), factors(names[1], Y)
    return tuple(
        Line(i, j, (equals(Sum((first[i][j], second[i][j]))), *closing(result)))
        for i, j, result in value.cells()
    )


def twin(X: Any, Y: Any) -> Any:
    """torch's own addition."""
    import torch

    return torch.add(X, Y)


def only_second(X: Matrix, Y: Matrix) -> Matrix:
    """Y."""
    return Y


ADD = Op(
    name="add",
    title="Add",
    parameters=("X", "Y"),
    roles=(Role.TOKENS, Role.TOKENS),
    formula=Formula(matrix="${X:laid} + ${Y:laid}"),
    frame=frame,
    rule=rule,
    lines=lines,
    twin=twin,
    mistakes=(
        Mistake("not-added", "What came in is added to what came out; do not leave it away.", only_second),
    ),
    gradients=(handed_on("X"), handed_on("Y")),
)
