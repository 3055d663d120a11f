"""Back through α-entmax: as through sparsemax, with the weights' powers a^{2-α} in place of the support."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from attnsolve.exact import Matrix, Rational
from attnsolve.exact.balls import Balls
from attnsolve.exact.cells import Cell, subtract
from attnsolve.exact.thresholds import powers
from attnsolve.ops import Role, softmax_gradient
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Options
from attnsolve.ops.entmax import OPTIONS, factor_of
from attnsolve.ops.softmax_gradient import along_rows, calculable
from attnsolve.ops.sparsemax_gradient import rule as back_through_sparsemax
from attnsolve.ops.sparsemax_gradient import support
from attnsolve.ops.support import uncountable
from attnsolve.ops.writing import WRITTEN_OUT, closing, factors
from attnsolve.working import Expression, Line, Num, Product, Quotient, Sum, equals, evaluate

MINUS, TWO = Num(Rational(-1)), Rational(2)


def frame(A: Frame, G: Frame, *, alpha: Expression | None = None) -> Frame:
    """As the weights."""
    factor_of(alpha)
    return softmax_gradient.frame(A, G)


def slopes(A: Matrix, alpha: Expression) -> Matrix:
    """a^{2-α} where there is weight: the root for 1.5-entmax, 1 for sparsemax."""
    exponent: Cell = subtract(TWO, evaluate(alpha))
    if exponent.rational() == 0:
        return support(A)
    if exponent.rational() == Fraction(1, 2) and A.kind == "rational":
        roots = A.each("sqrt")
        return roots if roots.kind in WRITTEN_OUT else Balls.of(roots)
    return powers(A, exponent)


def rule(A: Matrix, G: Matrix, *, alpha: Expression) -> Matrix:
    """U ∘ (G - rowsum(U ∘ G)/rowsum(U)), with U = A^{2-α}."""
    return weighed(slopes(A, alpha), G)


def weighed(U: Matrix, G: Matrix) -> Matrix:
    """U ∘ (G - rowsum(U ∘ G)/rowsum(U))."""
    return (G - along_rows((G * U).row_sums() / U.row_sums(), U)) * U


def counting(A: Matrix, G: Matrix, *, alpha: Expression) -> Matrix:
    """How many keys are on the support is up to the scores."""
    return uncountable(A)


def lines(
    A: Matrix, G: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """The gradient less the average by the powers, times the power."""
    return weighed_lines(slopes(A, options["alpha"]), G, value=value, name=names[1])


def weighed_lines(U: Matrix, G: Matrix, *, value: Matrix, name: str) -> tuple[Line, ...]:
    """u (g - Σ u g/Σ u), the numbers u written out where they have closed forms."""
    gradients, made = factors(name, G), []
    for i, j, result in value.cells():
        if U.kind not in WRITTEN_OUT or U.cell(i, j).is_zero():
            made.append(Line(i, j, closing(result)))
            continue
        row = [Num(U.cell(i, k)) for k in range(U.shape[1])]
        total = Sum(tuple(Product(pair) for pair in zip(row, gradients[i], strict=True)))
        average = Quotient(total, Sum(tuple(row)))
        whole = Product((row[j], Sum((gradients[i][j], Product((MINUS, average))))))
        made.append(Line(i, j, (equals(whole), *closing(result))))
    return tuple(made)


def twin(A: Any, G: Any, *, alpha: float) -> Any:
    """The whole Jacobian of each row, diag(u) - u uᵀ/Σu, times its gradient."""
    import torch

    on = A > 1e-12
    u = torch.where(on, torch.where(on, A, 1.0) ** (2 - alpha), 0.0)
    jacobians = torch.diag_embed(u) - u[:, :, None] * u[:, None, :] / u.sum(dim=1)[:, None, None]
    return torch.einsum("ikj,ik->ij", jacobians, G)


def terms(A: Any, G: Any, *, alpha: float) -> Any:
    """u (|G| + their average): torch subtracts them."""
    u = A.clamp(min=1e-12) ** (2 - alpha)
    return u * (G.abs() + (u * G.abs()).sum(dim=1, keepdim=True) / u.sum(dim=1, keepdim=True))


def average_forgotten(A: Matrix, G: Matrix, *, alpha: Expression) -> Matrix:
    """U ∘ G."""
    return G * slopes(A, alpha)


def weights_for_powers(A: Matrix, G: Matrix, *, alpha: Expression) -> Matrix:
    """A ∘ (G - rowsum(G ∘ A)), as for a softmax."""
    return softmax_gradient.rule(calculable(A), G)


def as_sparsemax(A: Matrix, G: Matrix, *, alpha: Expression) -> Matrix:
    """G less its mean over the support, on the support."""
    return back_through_sparsemax(A, G)


ENTMAX_GRADIENT = Op(
    name="entmax_gradient",
    title="Back through entmax: less an average, times a power of the weight",
    parameters=("A", "G"),
    options=OPTIONS,
    roles=(Role.SCORES, Role.SCORES),
    formula=Formula(
        matrix=r"${alpha}\text{-entmax}'(${A}, ${G})",
        each=r"${out:ij} = ${local:u_j} \Bigl(${G:ij} - "
        r"\frac{\sum_{l} ${local:u_l}\, ${G:il}}{\sum_{l} ${local:u_l}}\Bigr), \quad "
        r"${local:u_j} = ${A:ij}^{2 - ${alpha}} \text{ if } ${A:ij} > 0, \text{ else } 0",
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
        Mistake(
            "with-softmax", "Entmax has no exponentials: this is the softmax's Jacobian.", weights_for_powers
        ),
        Mistake(
            "as-sparsemax", "Only for sparsemax do all weights of the support count alike.", as_sparsemax
        ),
    ),
)
