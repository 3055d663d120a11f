"""Back through a layer norm: to the tokens, and to the gain γ."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attnsolve.exact import Matrix
from attnsolve.ops import Role, layer_norm
from attnsolve.ops.addition import same_size
from attnsolve.ops.base import Axis, Formula, Frame, Mistake, Op, Options
from attnsolve.ops.layer_norm import LAYER_NORM, spread
from attnsolve.ops.misfits import numbers, require_row
from attnsolve.ops.moments import moments
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Line, Num, Product, Quotient, Sum, equals


def frame(X: Frame, G: Frame, gamma: Frame | None = None, **settings: Any) -> Frame:
    """As the tokens."""
    same_size(X, G, "normalised", second="G")
    if gamma is not None:
        require_row("gamma", gamma, X.columns.size, f"a token has {numbers(X.columns.size)} here")
    return X


def gained(G: Matrix, gamma: Matrix | None) -> Matrix:
    """γ ∘ G, row by row."""
    return G if gamma is None else G * gamma.repeated(G.shape[0])


def rule(X: Matrix, G: Matrix, gamma: Matrix | None = None, **settings: Any) -> Matrix:
    """(D - mean(D) - N ∘ mean(D ∘ N))/σ, with D = γ ∘ G and the normalised tokens N."""
    D, N, below = gained(G, gamma), layer_norm.rule(X, **settings), spread(X, **settings)
    turning = N * (D * N).means()
    if settings.get("epsilon_at") == "deviation":  # N is over σ + ε, but the deviation changes as x/σ
        turning = turning * below / moments(X)[1].each("sqrt")
    return (D - D.means() - turning) / below


def counting(X: Matrix, G: Matrix, gamma: Matrix | None = None, **settings: Any) -> Matrix:
    """Both means of each token, then a product, two differences and a quotient for each number."""
    D = gained(G, gamma)
    N = layer_norm.counting(X)
    return (D - D.means() - N * (D * N).means()) / D


def lines(
    X: Matrix,
    G: Matrix,
    gamma: Matrix | None = None,
    *,
    value: Matrix,
    options: Options,
    names: tuple[str, ...],
) -> tuple[Line, ...]:
    """Less the mean of the gradients, less the normalised number times their mean product, over σ."""
    if options.get("epsilon_at") == "deviation":
        return tuple(Line(i, j, closing(result)) for i, j, result in value.cells())
    G = G.take(range(X.shape[0]))  # where only the first row is worked out
    D, N, below = gained(G, gamma), layer_norm.rule(X, **options), spread(X, **options)
    means, products, minus = D.means(), (D * N).means(), Num(layer_norm.MINUS)
    if "certified" in (products.kind, N.kind, below.kind):
        return tuple(Line(i, j, closing(result)) for i, j, result in value.cells())
    made = []
    for i, j, result in value.cells():
        turned = Product((minus, Num(N.cell(i, j)), Num(products.cell(i, j))))
        top = Sum((Num(D.cell(i, j)), Product((minus, Num(means.cell(i, j)))), turned))
        made.append(Line(i, j, (equals(Quotient(top, Num(below.cell(i, j)))), *closing(result))))
    return tuple(made)


def twin(X: Any, G: Any, gamma: Any = None, *, epsilon: float = 1e-5, epsilon_at: str = "variance") -> Any:
    """The whole Jacobian of each token's normalisation, by torch."""
    import torch

    D = G if gamma is None else G * gamma
    width = X.shape[1]
    centring = torch.eye(width, dtype=X.dtype) - 1 / width
    centred = X @ centring
    variance = (centred**2).mean(dim=1)
    root = (variance + (epsilon if epsilon_at == "variance" else 0.0)).sqrt()
    below = root + (epsilon if epsilon_at == "deviation" else 0.0)
    outer = centred[:, :, None] * centred[:, None, :] / (width * root * below)[:, None, None]
    jacobians = (centring - outer) / below[:, None, None]
    return torch.einsum("ikj,ik->ij", jacobians, D)


def terms(X: Any, G: Any, gamma: Any = None, *, epsilon: float = 1e-5, epsilon_at: str = "variance") -> Any:
    """What is subtracted from each other: of two numbers a token, hardly anything is left."""
    D = (G if gamma is None else G * gamma).abs()
    variance, mean = X.var(dim=1, correction=0, keepdim=True), X.mean(dim=1, keepdim=True)
    below = (variance + epsilon).sqrt() if epsilon_at == "variance" else variance.sqrt() + epsilon
    N = (X - mean).abs() / below
    return (D + D.mean(dim=1, keepdim=True) + N * (D * N).mean(dim=1, keepdim=True)) / below


def as_constants(X: Matrix, G: Matrix, gamma: Matrix | None = None, **settings: Any) -> Matrix:
    """γ ∘ G / σ."""
    return gained(G, gamma) / spread(X, **settings)


def mean_only(X: Matrix, G: Matrix, gamma: Matrix | None = None, **settings: Any) -> Matrix:
    """(γ ∘ G - mean)/σ."""
    D = gained(G, gamma)
    return (D - D.means()) / spread(X, **settings)


D_AND_N = (
    r"(${local:D} - \overline{${local:D}} - FACTOR${local:N} \odot \overline{${local:D} \odot ${local:N}}), "
    r"\quad ${local:D} = $[gamma:${gamma} \odot ]${G}, \quad ${local:N} = \frac{${X} - \mu}{${local:s}}, "
    r"\quad ${local:s} = "
)

LAYER_NORM_GRADIENT = Op(
    name="layer_norm_gradient",
    title="Back through the layer norm: mean and deviation change too",
    parameters=("X", "G", "gamma"),
    optional=("gamma",),
    options=LAYER_NORM.options,
    roles=(Role.TOKENS, Role.TOKENS, Role.ROW),
    formula=Formula(
        matrix=r"\frac{1}{${local:s}} " + D_AND_N.replace("FACTOR", "") + r"\sqrt{\sigma^2 + \varepsilon}"
    ),
    variants=(
        (
            "epsilon_at=deviation",
            Formula(
                matrix=r"\frac{1}{${local:s}} "
                + D_AND_N.replace("FACTOR", r"\frac{${local:s}}{\sigma}\, ")
                + r"\sigma + \varepsilon"
            ),
        ),
    ),
    frame=frame,
    rule=rule,
    counting=counting,
    lines=lines,
    twin=twin,
    cancelling=terms,
    mistakes=(
        Mistake("moments-constant", "The mean and the deviation depend on every number too.", as_constants),
        Mistake("deviation-constant", "The deviation depends on every number too.", mean_only),
    ),
)


def gain_frame(X: Frame, G: Frame, **settings: Any) -> Frame:
    """A single row."""
    same_size(X, G, "multiplied number by number", second="G")
    return Frame(Axis(1), X.columns)


def gain(X: Matrix, G: Matrix, **settings: Any) -> Matrix:
    """The gradients times the normalised tokens, down each column."""
    return (G * layer_norm.rule(X, **settings)).T.row_sums().T


def gain_counting(X: Matrix, G: Matrix, **settings: Any) -> Matrix:
    """The normalised tokens, a product for each number, a sum for each column."""
    return (G * layer_norm.counting(X)).T.row_sums().T


def gain_working(normalise: Callable[..., Matrix]) -> Callable[..., tuple[Line, ...]]:
    """The lines of a gain's gradient, for tokens that are normalised so."""

    def lines(
        X: Matrix, G: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
    ) -> tuple[Line, ...]:
        """Down each column, product by product."""
        gradients, N = factors(names[1], G), normalise(X, **options)
        if N.kind == "certified":
            return tuple(Line(i, j, closing(result)) for i, j, result in value.cells())
        made = []
        for _, j, result in value.cells():
            products = (Product((row[j], Num(N.cell(i, j)))) for i, row in enumerate(gradients))
            made.append(Line(0, j, (equals(Sum(tuple(products))), *closing(result))))
        return tuple(made)

    return lines


def gain_twin(X: Any, G: Any, *, epsilon: float = 1e-5, epsilon_at: str = "variance") -> Any:
    """torch's own std and mean, and a sum of products."""
    import torch

    variance, mean = torch.var_mean(X, dim=1, correction=0, keepdim=True)
    inside = epsilon if epsilon_at == "variance" else 0.0
    normal = (X - mean) / ((variance + inside).sqrt() + epsilon - inside)
    return torch.einsum("ij,ij->j", G, normal)[None]


def without_norm(X: Matrix, G: Matrix, **settings: Any) -> Matrix:
    """The gradients times the tokens as they were."""
    return (G * X).T.row_sums().T


GAIN_GRADIENT = Op(
    name="gain_gradient",
    by_rows=False,
    title="Gradient of the gain: times the normalised tokens, added up",
    parameters=("X", "G"),
    options=LAYER_NORM.options,
    roles=(Role.TOKENS, Role.TOKENS),
    formula=Formula(
        matrix=r"\mathbf{1}^{\top} \Bigl(${G} \odot \frac{${X} - \mu}{\sqrt{\sigma^2 + \varepsilon}}\Bigr)"
    ),
    variants=(
        (
            "epsilon_at=deviation",
            Formula(
                matrix=r"\mathbf{1}^{\top} \Bigl(${G} \odot \frac{${X} - \mu}{\sigma + \varepsilon}\Bigr)"
            ),
        ),
    ),
    frame=gain_frame,
    rule=gain,
    counting=gain_counting,
    lines=gain_working(layer_norm.rule),
    twin=gain_twin,
    mistakes=(
        Mistake(
            "not-normalised",
            "The gain was multiplied by the normalised tokens, not by the tokens.",
            without_norm,
        ),
    ),
)
