"""SiLU: every number times its own sigmoid."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.ops.activation import sigmoid_worked, without
from attnsolve.ops.back import GRADIENT, back
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Options, Role
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Line, Product, Quotient, equals


def frame(X: Frame) -> Frame:
    """As what comes in."""
    return X


def rule(X: Matrix) -> Matrix:
    """x·σ(x)."""
    return X * X.each("sigmoid")


def lines(X: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """x/(1 + e^{-x})."""
    inside = factors(names[0], X)
    made = []
    for i, j, result in value.cells():
        gate = sigmoid_worked(inside[i][j])
        whole = Quotient(inside[i][j], gate.bottom) if isinstance(gate, Quotient) else gate
        made.append(Line(i, j, (equals(Product((inside[i][j], gate))), equals(whole), *closing(result))))
    return tuple(made)


def twin(X: Any) -> Any:
    """torch's own SiLU."""
    from torch.nn.functional import silu

    return silu(X)


def sigmoid_alone(X: Matrix) -> Matrix:
    """σ(x)."""
    return X.each("sigmoid")


def rectified(X: Matrix) -> Matrix:
    """max(0, x)."""
    return X.relu()


SILU = Op(
    name="silu",
    title="SiLU of every number",
    parameters=("X",),
    roles=(Role.TOKENS,),
    formula=Formula(
        matrix=r"\operatorname{SiLU}(${X})",
        each=r"${out:ij} = \operatorname{SiLU}(${X:ij}), \quad \operatorname{SiLU}(x) = \frac{x}{1 + e^{-x}}",
    ),
    frame=frame,
    rule=rule,
    lines=lines,
    twin=twin,
    mistakes=(
        Mistake("not-activated", "Take SiLU of every number.", without),
        Mistake(
            "sigmoid-for-silu", "SiLU is x times the sigmoid of x, not the sigmoid alone.", sigmoid_alone
        ),
        Mistake("relu-for-silu", "This is SiLU, which is not 0 for negative numbers.", rectified),
    ),
    gradients=(back("X", "silu_gradient", "X", GRADIENT),),
)
