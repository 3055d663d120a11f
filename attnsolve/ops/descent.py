"""A step of gradient descent: W - η G."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rational
from attnsolve.ops.addition import same_size
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Option, Options, Role
from attnsolve.ops.subtraction import negative
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Expression, Line, Num, Product, Sum, equals, evaluate

MINUS = Rational(-1)


def frame(W: Frame, G: Frame, *, rate: Expression) -> Frame:
    """As what is changed."""
    same_size(W, G, "subtracted", first="W", second="G")
    return W


def rule(W: Matrix, G: Matrix, *, rate: Expression) -> Matrix:
    """W - η G."""
    return W - G.scaled(evaluate(rate))


def lines(
    W: Matrix, G: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """Number by number."""
    old, gradients = factors(names[0], W), factors(names[1], G)
    rate = Num(evaluate(options["rate"]))
    return tuple(
        Line(
            i,
            j,
            (equals(Sum((old[i][j], Product((negative(rate), gradients[i][j]))))), *closing(result)),
        )
        for i, j, result in value.cells()
    )


def twin(W: Any, G: Any, *, rate: float) -> Any:
    """torch's own sum with a factor."""
    import torch

    return torch.add(W, G, alpha=-rate)


def uphill(W: Matrix, G: Matrix, *, rate: Expression) -> Matrix:
    """W + η G."""
    return W + G.scaled(evaluate(rate))


def without_rate(W: Matrix, G: Matrix, *, rate: Expression) -> Matrix:
    """W - G."""
    return W - G


DESCEND = Op(
    name="descend",
    title="One step of gradient descent",
    parameters=("W", "G"),
    options=(
        Option(
            "rate", "number", "the learning rate, such as 1/10", symbol=r"\eta", positive=True, required=True
        ),
    ),
    roles=(Role.ANY, Role.ANY),
    formula=Formula(matrix=r"${W:laid} - ${rate}\, ${G:laid}"),
    frame=frame,
    rule=rule,
    lines=lines,
    twin=twin,
    mistakes=(
        Mistake("uphill", "A loss falls against its gradient: subtract.", uphill),
        Mistake("rate-forgotten", "Multiply the gradient by the learning rate.", without_rate),
    ),
)
