"""Back through a sum of all tokens: each of them gets the gradient of the sum."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rational
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Role
from attnsolve.ops.misfits import numbers, require_row
from attnsolve.ops.scattering import scattered


def frame(X: Frame, G: Frame) -> Frame:
    """As the tokens."""
    width = X.columns.size
    require_row("G", G, width, f"{{X}} has {numbers(width)} per token", X=X)
    return X


def rule(X: Matrix, G: Matrix) -> Matrix:
    """G in every row."""
    return G.repeated(X.shape[0])


def twin(X: Any, G: Any) -> Any:
    """torch's own way back through its sum."""
    import torch

    return torch.func.vjp(lambda X: torch.sum(X, dim=0, keepdim=True), X)[1](G)[0]


def shared_out(X: Matrix, G: Matrix) -> Matrix:
    """G over the number of tokens, in every row."""
    return G.repeated(X.shape[0]) / Rational(X.shape[0])


def first_only(X: Matrix, G: Matrix) -> Matrix:
    """G in the first row, 0 elsewhere."""
    return scattered(G, rows=(0,), height=X.shape[0])


TOTAL_GRADIENT = Op(
    name="total_gradient",
    by_rows=False,
    title="Back through a sum: every token gets its gradient",
    parameters=("X", "G"),
    roles=(Role.TOKENS, Role.ROW),
    formula=Formula(matrix=r"\operatorname{repeat}(${G})", each=r"${out:i} = ${G}"),
    frame=frame,
    rule=rule,
    twin=twin,
    mistakes=(
        Mistake("shared-out", "A sum hands its whole gradient to everything in it.", shared_out),
        Mistake("first-only", "Every token belongs to the sum, so every one gets its gradient.", first_only),
    ),
)
