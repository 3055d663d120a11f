"""Projection: every token times a weight matrix, Q = X W + b."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.languages import message
from attnsolve.ops.back import GRADIENT, back
from attnsolve.ops.base import Axis, Family, Formula, Frame, Mistake, Op, Options, Role
from attnsolve.ops.misfits import numbers, require_product, require_row
from attnsolve.ops.writing import factors, flipped, summed
from attnsolve.working import Line


def frame(X: Frame, W: Frame, b: Frame | None = None) -> Frame:
    """Tokens of X, features of W."""
    require_product("X", X, "W", W)
    makes = W.columns.size
    if b is not None:
        require_row("b", b, makes, f"{{W}} makes {numbers(makes)} per token", W=W)
    return Frame(X.rows, Axis(makes))


def rule(X: Matrix, W: Matrix, b: Matrix | None = None) -> Matrix:
    """X W + b, the bias added to every row."""
    return X @ W if b is None else X @ W + b.repeated(X.shape[0])


def lines(
    X: Matrix,
    W: Matrix,
    b: Matrix | None = None,
    *,
    value: Matrix,
    options: Options,
    names: tuple[str, ...],
) -> tuple[Line, ...]:
    """Row i of X against column j of W, product by product."""
    tokens, weights = factors(names[0], X), flipped(factors(names[1], W))
    biases = [None if b is None else b.cell(0, j) for j in range(value.shape[1])]
    return tuple(
        Line(i, j, summed(tokens[i], weights[j], result, plus=biases[j])) for i, j, result in value.cells()
    )


def twin(X: Any, W: Any, b: Any = None) -> Any:
    """torch's own linear layer, which keeps its weights out × in."""
    from torch.nn.functional import linear

    return linear(X, W.T, None if b is None else b[0])


def weights_transposed(X: Matrix, W: Matrix, b: Matrix | None = None) -> Matrix:
    """X Wᵀ + b."""
    return rule(X, W.T, b)


def without_bias(X: Matrix, W: Matrix, b: Matrix | None = None) -> Matrix:
    """X W."""
    return rule(X, W)


TRANSPOSED = Mistake(
    "weights-transposed", "Multiply by the weights as they stand, not by their transpose.", weights_transposed
)
WITHOUT_BIAS = Mistake("without-bias", "Add the bias to every row after the product.", without_bias)

GRADIENTS = (
    back("X", "left_gradient", GRADIENT, "W", title=message("Gradient of what was projected")),
    back("W", "right_gradient", "X", GRADIENT, title=message("Gradient of the matrix")),
    back("b", "total", GRADIENT, title=message("Gradient of a bias: the sum of all rows")),
)


PROJECTION = Op(
    name="project",
    title="Project the tokens",
    why=(
        "A token plays several parts: what it asks for, what it is found by and what it hands on are "
        "different mixtures of its numbers."
    ),
    parameters=("X", "W", "b"),
    optional=("b",),
    family=Family.PROJECTION,
    roles=(Role.TOKENS, Role.WEIGHTS, Role.ROW),
    formula=Formula(product=("X", "W"), plus="b"),
    frame=frame,
    rule=rule,
    lines=lines,
    twin=twin,
    mistakes=(TRANSPOSED, WITHOUT_BIAS),
    gradients=GRADIENTS,
)
