"""Logits with the embedding again: every token against every word, O = X Eᵀ."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from attnsolve.exact import Matrix
from attnsolve.exact.cells import square_root
from attnsolve.languages import message
from attnsolve.ops.back import GRADIENT, back
from attnsolve.ops.base import Axis, Formula, Frame, Mistake, Op, Options, Role
from attnsolve.ops.misfits import numbers, unfit
from attnsolve.ops.writing import each_with_each, factors
from attnsolve.working import Line


def frame(X: Frame, E: Frame) -> Frame:
    """A row for each token, a column for each word."""
    if X.columns.size != E.columns.size:
        said = f"a token has {numbers(X.columns.size)}, a word {E.columns.size} ({{E}} is {{E:shape}})"
        raise unfit("E", f"{said}; both need equally many", X=X, E=E)
    return Frame(X.rows, Axis(E.rows.size))


def rule(X: Matrix, E: Matrix) -> Matrix:
    """X Eᵀ."""
    return X @ E.T


def lines(
    X: Matrix, E: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """Token i against word j, product by product."""
    tokens, words = factors(names[0], X), factors(names[1], E)
    return each_with_each(tokens, words, value)


def twin(X: Any, E: Any) -> Any:
    """torch's own linear layer, whose weights are the embedding as it is."""
    from torch.nn.functional import linear

    return linear(X, E)


def scaled(X: Matrix, E: Matrix) -> Matrix:
    """X Eᵀ/√d, as if these were scores."""
    return rule(X, E) / square_root(Fraction(E.shape[1]))


LOGITS = Op(
    name="logits",
    title="Logits: compare each token with each word of the embedding",
    parameters=("X", "E"),
    roles=(Role.TOKENS, Role.TOKENS),
    formula=Formula(product=("X", "E'")),
    frame=frame,
    rule=rule,
    lines=lines,
    twin=twin,
    mistakes=(Mistake("logits-scaled", "Logits are no scores of attention: nothing divides them.", scaled),),
    gradients=(
        back("X", "product", GRADIENT, "E", title=message("Gradient of the tokens")),
        back("E", "right_gradient", GRADIENT, "X", title=message("Gradient of the embedding")),
    ),
)
