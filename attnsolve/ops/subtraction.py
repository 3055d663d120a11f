"""Subtraction: the difference of two matrices, number by number."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rational
from attnsolve.exact.cells import multiply
from attnsolve.languages import message
from attnsolve.ops.addition import same_size
from attnsolve.ops.back import GRADIENT, Passing, back, handed_on
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Options, Role
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Entry, Expression, Line, Num, Product, Sum, equals

MINUS = Rational(-1)


def frame(X: Frame, Y: Frame) -> Frame:
    """As the first."""
    return same_size(X, Y, "subtracted")


def rule(X: Matrix, Y: Matrix) -> Matrix:
    """X - Y."""
    return X - Y


def lines(
    X: Matrix, Y: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """Number by number."""
    first, second = factors(names[0], X), factors(names[1], Y)
    return tuple(
        Line(i, j, (equals(Sum((first[i][j], negative(second[i][j])))), *closing(result)))
        for i, j, result in value.cells()
    )


def negative(number: Num | Entry) -> Expression:
    """-y."""
    return Num(multiply(MINUS, number.cell)) if isinstance(number, Num) else Product((Num(MINUS), number))


def twin(X: Any, Y: Any) -> Any:
    """torch's own subtraction."""
    import torch

    return torch.sub(X, Y)


def other_order(X: Matrix, Y: Matrix) -> Matrix:
    """Y - X."""
    return Y - X


def added(X: Matrix, Y: Matrix) -> Matrix:
    """X + Y."""
    return X + Y


def minus(passing: Passing) -> Options:
    """Times -1."""
    return {"by": Num(MINUS)}


SUBTRACT = Op(
    name="subtract",
    title="Subtract",
    parameters=("X", "Y"),
    roles=(Role.TOKENS, Role.TOKENS),
    formula=Formula(matrix="${X:laid} - ${Y:laid}"),
    frame=frame,
    rule=rule,
    lines=lines,
    twin=twin,
    mistakes=(
        Mistake("subtracted-in-other-order", "Mind which of the two matrices is subtracted.", other_order),
        Mistake("added", "The second matrix is subtracted, not added.", added),
    ),
    gradients=(
        handed_on("X"),
        back("Y", "multiply", GRADIENT, title=message("Gradient of what was subtracted"), settings=minus),
    ),
)
