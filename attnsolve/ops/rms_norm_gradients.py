"""Back through an RMS norm: to the tokens, and to the gain γ."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rational
from attnsolve.ops import Role, layer_norm_gradients, rms_norm
from attnsolve.ops.base import Formula, Mistake, Op, Options
from attnsolve.ops.layer_norm import EPSILON
from attnsolve.ops.layer_norm_gradients import GAIN_GRADIENT, frame, gain_working, gained
from attnsolve.ops.rms_norm import RMS_NORM, squared
from attnsolve.ops.writing import WRITTEN_OUT, closing
from attnsolve.working import Expression, Line, Num, Product, Quotient, Sum, equals

MINUS = Num(Rational(-1))


def spread(X: Matrix, epsilon: Expression = EPSILON) -> Matrix:
    """What each token is divided by: √(mean of x² + ε)."""
    return squared(X, epsilon).each("sqrt")


def rule(X: Matrix, G: Matrix, gamma: Matrix | None = None, *, epsilon: Expression = EPSILON) -> Matrix:
    """(D - N ∘ mean(D ∘ N))/r, with D = γ ∘ G, the root r and the normalised tokens N."""
    D, N = gained(G, gamma), rms_norm.rule(X, epsilon=epsilon)
    return (D - N * (D * N).means()) / spread(X, epsilon)


def counting(X: Matrix, G: Matrix, gamma: Matrix | None = None, *, epsilon: Expression = EPSILON) -> Matrix:
    """The mean of each token, then a product, a difference and a quotient for each number."""
    D, N = gained(G, gamma), rms_norm.counting(X)
    return (D - N * (D * N).means()) / D


def lines(
    X: Matrix,
    G: Matrix,
    gamma: Matrix | None = None,
    *,
    value: Matrix,
    options: Options,
    names: tuple[str, ...],
) -> tuple[Line, ...]:
    """Less the normalised number times the mean product, over the root."""
    G = G.take(range(X.shape[0]))  # where only the first row is worked out
    D, N, below = gained(G, gamma), rms_norm.rule(X, **options), spread(X, **options)
    products = (D * N).means()
    if not {D.kind, N.kind, products.kind, below.kind} <= set(WRITTEN_OUT):
        return tuple(Line(i, j, closing(result)) for i, j, result in value.cells())
    made = []
    for i, j, result in value.cells():
        turned = Product((MINUS, Num(N.cell(i, j)), Num(products.cell(i, j))))
        top = Sum((Num(D.cell(i, j)), turned))
        made.append(Line(i, j, (equals(Quotient(top, Num(below.cell(i, j)))), *closing(result))))
    return tuple(made)


def twin(X: Any, G: Any, gamma: Any = None, *, epsilon: float = 1e-5) -> Any:
    """The whole Jacobian of each token's normalisation, by torch."""
    import torch

    D = G if gamma is None else G * gamma
    below = ((X**2).mean(dim=1) + epsilon).sqrt()
    outer = X[:, :, None] * X[:, None, :] / (X.shape[1] * below**2)[:, None, None]
    jacobians = (torch.eye(X.shape[1], dtype=X.dtype) - outer) / below[:, None, None]
    return torch.einsum("ikj,ik->ij", jacobians, D)


def terms(X: Any, G: Any, gamma: Any = None, *, epsilon: float = 1e-5) -> Any:
    """What is subtracted from each other."""
    D = (G if gamma is None else G * gamma).abs()
    below = ((X**2).mean(dim=1, keepdim=True) + epsilon).sqrt()
    N = X.abs() / below
    return (D + N * (D * N).mean(dim=1, keepdim=True)) / below


def root_constant(
    X: Matrix, G: Matrix, gamma: Matrix | None = None, *, epsilon: Expression = EPSILON
) -> Matrix:
    """γ ∘ G / r."""
    return gained(G, gamma) / spread(X, epsilon)


def gain_forgotten(
    X: Matrix, G: Matrix, gamma: Matrix | None = None, *, epsilon: Expression = EPSILON
) -> Matrix:
    """As if γ were 1."""
    return rule(X, G, epsilon=epsilon)


def as_layer_norm(
    X: Matrix, G: Matrix, gamma: Matrix | None = None, *, epsilon: Expression = EPSILON
) -> Matrix:
    """The way back through a layer norm."""
    return layer_norm_gradients.rule(X, G, gamma, epsilon=epsilon)


RMS_NORM_GRADIENT = Op(
    name="rms_norm_gradient",
    title="Back through the RMS norm: its root changes too",
    parameters=("X", "G", "gamma"),
    optional=("gamma",),
    options=RMS_NORM.options,
    roles=(Role.TOKENS, Role.TOKENS, Role.ROW),
    formula=Formula(
        matrix=r"\frac{1}{${local:s}} "
        r"(${local:D} - ${local:N} \odot \overline{${local:D} \odot ${local:N}}), "
        r"\quad ${local:D} = $[gamma:${gamma} \odot ]${G}, \quad ${local:N} = \frac{${X}}{${local:s}}, "
        r"\quad ${local:s} = \sqrt{\overline{${X}^2} + \varepsilon}"
    ),
    frame=frame,
    rule=rule,
    counting=counting,
    lines=lines,
    twin=twin,
    cancelling=terms,
    mistakes=(
        Mistake("root-constant", "The root of the mean square depends on every number too.", root_constant),
        Mistake("gain-forgotten", "The gradient is multiplied by γ first.", gain_forgotten),
        Mistake("with-mean", "RMS norm takes no mean off, and neither does the way back.", as_layer_norm),
    ),
)


def gain(X: Matrix, G: Matrix, *, epsilon: Expression = EPSILON) -> Matrix:
    """The gradients times the normalised tokens, down each column."""
    return (G * rms_norm.rule(X, epsilon=epsilon)).T.row_sums().T


def gain_counting(X: Matrix, G: Matrix, *, epsilon: Expression = EPSILON) -> Matrix:
    """The normalised tokens, a product for each number, a sum for each column."""
    return (G * rms_norm.counting(X)).T.row_sums().T


def gain_twin(X: Any, G: Any, *, epsilon: float = 1e-5) -> Any:
    """torch's own RMS norm, and a sum of products."""
    import torch

    return torch.einsum("ij,ij->j", G, torch.nn.functional.rms_norm(X, X.shape[1:], None, epsilon))[None]


RMS_GAIN_GRADIENT = GAIN_GRADIENT._replace(
    name="rms_gain_gradient",
    options=RMS_NORM.options,
    formula=Formula(
        matrix=r"\mathbf{1}^{\top} \Bigl(${G} \odot \frac{${X}}{\sqrt{\overline{${X}^2} + \varepsilon}}\Bigr)"
    ),
    variants=(),
    rule=gain,
    counting=gain_counting,
    lines=gain_working(rms_norm.rule),
    twin=gain_twin,
)
