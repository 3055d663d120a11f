"""Recurrence: what comes in and the state before it, each times its own matrix: X W + H U + b."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.languages import message
from attnsolve.ops import Role, projection
from attnsolve.ops.back import GRADIENT, back
from attnsolve.ops.base import Axis, Formula, Frame, Mistake, Op, Options
from attnsolve.ops.misfits import counted, numbers, require_product, require_row, unfit
from attnsolve.ops.writing import factors, flipped, summed
from attnsolve.working import Line


def frame(X: Frame, W: Frame, H: Frame, U: Frame, b: Frame | None = None) -> Frame:
    """The tokens of X, as wide as the next state."""
    require_product("X", X, "W", W)
    require_product("H", H, "U", U)
    if X.rows.size != H.rows.size:
        said = f"{counted(X.rows.size, 'token')} in {{X}}, but {counted(H.rows.size, 'state')} in {{H}}"
        raise unfit("H", f"{said}; each token has one state before it", X=X, H=H)
    makes = W.columns.size
    if U.columns.size != makes:
        said = f"{{U}} makes {numbers(U.columns.size)} of a state, but {{W}} makes {makes} of a token"
        raise unfit("U", f"{said}; both are added, so they must make equally many", W=W, U=U)
    if b is not None:
        require_row("b", b, makes, f"{{W}} makes {numbers(makes)} per token", W=W)
    return Frame(X.rows, Axis(makes))


def rule(X: Matrix, W: Matrix, H: Matrix, U: Matrix, b: Matrix | None = None) -> Matrix:
    """X W + H U + b, the bias added to every row."""
    return projection.rule(X, W, b) + H @ U


def lines(
    X: Matrix,
    W: Matrix,
    H: Matrix,
    U: Matrix,
    b: Matrix | None = None,
    *,
    value: Matrix,
    options: Options,
    names: tuple[str, ...],
) -> tuple[Line, ...]:
    """Row i of X against column j of W, then the state against column j of U, product by product."""
    tokens, states = factors(names[0], X), factors(names[2], H)
    weights, others = flipped(factors(names[1], W)), flipped(factors(names[3], U))
    biases = [None if b is None else b.cell(0, j) for j in range(value.shape[1])]
    return tuple(
        Line(
            i,
            j,
            summed((*tokens[i], *states[i]), (*weights[j], *others[j]), result, plus=biases[j]),
        )
        for i, j, result in value.cells()
    )


def twin(X: Any, W: Any, H: Any, U: Any, b: Any = None) -> Any:
    """torch's own linear layer of both in one vector."""
    import torch

    both, stacked = torch.cat([X, H], dim=1), torch.cat([W, U], dim=0)
    return torch.nn.functional.linear(both, stacked.T, None if b is None else b[0])


def without_state(X: Matrix, W: Matrix, H: Matrix, U: Matrix, b: Matrix | None = None) -> Matrix:
    """X W + b."""
    return projection.rule(X, W, b)


def exchanged(X: Matrix, W: Matrix, H: Matrix, U: Matrix, b: Matrix | None = None) -> Matrix:
    """X U + H W + b."""
    return rule(X, U, H, W, b)


def transposed(X: Matrix, W: Matrix, H: Matrix, U: Matrix, b: Matrix | None = None) -> Matrix:
    """X Wᵀ + H Uᵀ + b."""
    return rule(X, W.T, H, U.T, b)


def without_bias(X: Matrix, W: Matrix, H: Matrix, U: Matrix, b: Matrix | None = None) -> Matrix:
    """X W + H U."""
    return rule(X, W, H, U)


RECUR = Op(
    name="recur",
    title="What comes in and the state before, each times its matrix",
    parameters=("X", "W", "H", "U", "b"),
    optional=("b",),
    roles=(Role.TOKENS, Role.WEIGHTS, Role.TOKENS, Role.WEIGHTS, Role.ROW),
    formula=Formula(product=("X", "W"), added=("H", "U"), plus="b"),
    frame=frame,
    rule=rule,
    lines=lines,
    twin=twin,
    mistakes=(
        Mistake(
            "state-forgotten", "The state before has its share too: add it times its matrix.", without_state
        ),
        Mistake(
            "matrices-exchanged",
            "One matrix is for what comes in, the other for the state: do not exchange them.",
            exchanged,
        ),
        Mistake("weights-transposed", projection.TRANSPOSED.advice, transposed),
        Mistake("without-bias", projection.WITHOUT_BIAS.advice, without_bias),
    ),
    gradients=(
        back("X", "left_gradient", GRADIENT, "W", title=message("Gradient of what came in")),
        back("W", "right_gradient", "X", GRADIENT, title=message("Gradient of the matrix")),
        back("H", "left_gradient", GRADIENT, "U", title=message("Gradient of the state before")),
        back("U", "right_gradient", "H", GRADIENT, title=message("Gradient of the matrix")),
        back("b", "total", GRADIENT, title=message("Gradient of a bias: the sum of all rows")),
    ),
)
