"""Back through 1.5-entmax: as through any entmax, with max(0, s/2 - τ), the roots of its weights."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.ops import Role, softmax_gradient
from attnsolve.ops.addition import same_size
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Options
from attnsolve.ops.entmax15 import rooted
from attnsolve.ops.entmax15 import rule as weights
from attnsolve.ops.entmax_gradient import weighed, weighed_lines
from attnsolve.ops.softmax_gradient import calculable
from attnsolve.ops.sparsemax import halved_threshold
from attnsolve.ops.sparsemax_gradient import rule as back_through_sparsemax
from attnsolve.ops.support import uncountable
from attnsolve.working import Line


def frame(S: Frame, G: Frame) -> Frame:
    """As the scores."""
    return same_size(S, G, "multiplied number by number", first="S", second="G")


def rule(S: Matrix, G: Matrix) -> Matrix:
    """U ∘ (G - rowsum(U ∘ G)/rowsum(U)), with U = max(0, S/2 - τ)."""
    return weighed(rooted(S), G)


def counting(S: Matrix, G: Matrix) -> Matrix:
    """How many keys are on the support is up to the scores."""
    return uncountable(S)


def lines(
    S: Matrix, G: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """The gradient less the average by the roots, times the root."""
    return weighed_lines(rooted(S), G, value=value, name=names[1])


def twin(S: Any, G: Any) -> Any:
    """The whole Jacobian of each row, diag(u) - u uᵀ/Σu with u = √a, times its gradient."""
    import torch

    u = torch.relu(S / 2 - halved_threshold(S / 2, 2.0))
    jacobians = torch.diag_embed(u) - u[:, :, None] * u[:, None, :] / u.sum(dim=1)[:, None, None]
    return torch.einsum("ikj,ik->ij", jacobians, G)


def terms(S: Any, G: Any) -> Any:
    """(u + |s|/2) (|G| + their average): torch subtracts them, and the threshold from half the score."""
    u = (S / 2 - halved_threshold(S / 2, 2.0)).relu()
    average = (u * G.abs()).sum(dim=1, keepdim=True) / u.sum(dim=1, keepdim=True)
    return (u + S.nan_to_num(neginf=0.0).abs() / 2) * (G.abs() + average)


def average_forgotten(S: Matrix, G: Matrix) -> Matrix:
    """U ∘ G."""
    return G * rooted(S)


def with_weights(S: Matrix, G: Matrix) -> Matrix:
    """A ∘ (G - rowsum(G ∘ A)), as for a softmax."""
    return softmax_gradient.rule(calculable(weights(S)), G)


def as_sparsemax(S: Matrix, G: Matrix) -> Matrix:
    """G less its mean over the support, on the support."""
    return back_through_sparsemax(weights(S), G)


ENTMAX15_GRADIENT = Op(
    name="entmax15_gradient",
    title="Back through 1.5-entmax: less an average, times the root of the weight",
    parameters=("S", "G"),
    roles=(Role.SCORES, Role.SCORES),
    formula=Formula(
        matrix=r"1.5\text{-entmax}'(${S}, ${G})",
        each=r"${out:ij} = ${local:u_j} \Bigl(${G:ij} - "
        r"\frac{\sum_{l} ${local:u_l}\, ${G:il}}{\sum_{l} ${local:u_l}}\Bigr), \quad "
        r"${local:u_j} = \max(0, ${S:ij}/2 - \tau)",
    ),
    frame=frame,
    rule=rule,
    counting=counting,
    lines=lines,
    twin=twin,
    cancelling=terms,
    mistakes=(
        Mistake(
            "average-forgotten",
            "The threshold moves with every score of the support: subtract the average of their gradients.",
            average_forgotten,
        ),
        Mistake("with-softmax", "Entmax has no exponentials: this is the softmax's Jacobian.", with_weights),
        Mistake(
            "as-sparsemax", "Only for sparsemax do all weights of the support count alike.", as_sparsemax
        ),
    ),
)
