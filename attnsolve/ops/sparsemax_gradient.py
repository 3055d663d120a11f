"""Back through sparsemax: on its support the gradient less the mean of those on it, elsewhere 0."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rational, Rationals
from attnsolve.ops import Role, softmax_gradient
from attnsolve.ops.base import Formula, Mistake, Op, Options
from attnsolve.ops.softmax_gradient import along_rows
from attnsolve.ops.support import uncountable
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Line, Num, Product, Quotient, Sum, equals

MINUS = Num(Rational(-1))


def support(A: Matrix) -> Rationals:
    """1 for every key that has weight."""
    rows, columns = map(range, A.shape)
    return Rationals([[int(A.cell(i, j).sign() > 0) for j in columns] for i in rows])


def rule(A: Matrix, G: Matrix) -> Matrix:
    """G less its mean over the support, on the support."""
    kept = support(A)
    mean = (G * kept).row_sums() / kept.row_sums()
    return (G - along_rows(mean, A)) * kept


def counting(A: Matrix, G: Matrix) -> Matrix:
    """How many keys are on the support is up to the scores."""
    return uncountable(A)


def lines(
    A: Matrix, G: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """The gradient less the mean of the support's; 0 beside it."""
    gradients, kept = factors(names[1], G), support(A)
    made = []
    for i, j, result in value.cells():
        on = [k for k, yes in enumerate(kept.rows[i]) if yes]
        mean = Quotient(Sum(tuple(gradients[i][k] for k in on)), Num(Rational(len(on))))
        whole = (equals(Sum((gradients[i][j], Product((MINUS, mean))))),) if j in on else ()
        made.append(Line(i, j, (*whole, *closing(result))))
    return tuple(made)


def twin(A: Any, G: Any) -> Any:
    """The whole Jacobian of each row, diag(s) - s sᵀ/|s|, times its gradient."""
    import torch

    on = (A > 1e-12).to(A.dtype)
    jacobians = torch.diag_embed(on) - on[:, :, None] * on[:, None, :] / on.sum(dim=1)[:, None, None]
    return torch.einsum("ikj,ik->ij", jacobians, G)


def terms(A: Any, G: Any) -> Any:
    """|G| and its mean: torch subtracts them."""
    return G.abs() + G.abs().mean(dim=1, keepdim=True)


def mean_forgotten(A: Matrix, G: Matrix) -> Matrix:
    """G on the support."""
    return G * support(A)


def mean_of_all(A: Matrix, G: Matrix) -> Matrix:
    """G less the mean of the whole row, on the support."""
    return (G - G.means()) * support(A)


def as_softmax(A: Matrix, G: Matrix) -> Matrix:
    """A ∘ (G - rowsum(G ∘ A))."""
    return softmax_gradient.rule(A, G)


SPARSEMAX_GRADIENT = Op(
    name="sparsemax_gradient",
    title="Back through sparsemax: on the support, less the mean over it",
    parameters=("A", "G"),
    roles=(Role.SCORES, Role.SCORES),
    formula=Formula(
        matrix=r"\operatorname{sparsemax}'(${A}, ${G})",
        each=r"${out:ij} = ${G:ij} - \tfrac{1}{${local:k}} \textstyle\sum_{l \text{ in the support}} "
        r"${G:il} \text{ if } ${A:ij} > 0, \text{ else } 0",
    ),
    frame=softmax_gradient.frame,
    rule=rule,
    counting=counting,
    lines=lines,
    twin=twin,
    cancelling=terms,
    mistakes=(
        Mistake(
            "mean-forgotten",
            "The threshold moves with every score of the support: subtract the mean of their gradients.",
            mean_forgotten,
        ),
        Mistake("mean-of-all", "The mean runs over the support alone, not over all keys.", mean_of_all),
        Mistake("with-softmax", "Sparsemax has no exponentials: this is the softmax's Jacobian.", as_softmax),
    ),
)
