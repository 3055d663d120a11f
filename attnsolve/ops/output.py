"""Output projection: what the heads found, put together, times W_O."""

from __future__ import annotations

from attnsolve.exact import Matrix
from attnsolve.ops import Role, projection
from attnsolve.ops.base import Family, Formula, Mistake, Op


def forgotten(X: Matrix, W: Matrix, b: Matrix | None = None) -> Matrix:
    """The concatenation itself."""
    return X


def wrong_side(X: Matrix, W: Matrix, b: Matrix | None = None) -> Matrix:
    """W X, or Wᵀ X where only that fits."""
    return W @ X if W.shape[1] == X.shape[0] else W.T @ X


OUTPUT = Op(
    name="output",
    title="Project the concatenation to the output",
    why=(
        "The heads stand side by side; this mixes what they have found, and gives it the width that the "
        "layer wants."
    ),
    parameters=("X", "W", "b"),
    optional=("b",),
    family=Family.PROJECTION,
    roles=(Role.TOKENS, Role.WEIGHTS, Role.ROW),
    formula=Formula(product=("X", "W"), plus="b"),
    frame=projection.frame,
    rule=projection.rule,
    lines=projection.lines,
    twin=projection.twin,
    mistakes=(
        Mistake(
            "forgotten", "The concatenated heads still have to be multiplied by the output matrix.", forgotten
        ),
        Mistake(
            "wrong-side",
            "The output matrix is multiplied from the other side of the concatenation.",
            wrong_side,
        ),
        projection.TRANSPOSED,
        projection.WITHOUT_BIAS,
    ),
    gradients=projection.GRADIENTS,
)
