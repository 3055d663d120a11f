"""Back through SiLU: the gradient times σ(x) (1 + x (1 - σ(x)))."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rational
from attnsolve.exact.rationals import ones
from attnsolve.ops.activation_gradients import UNITY, going_back
from attnsolve.ops.base import Mistake
from attnsolve.ops.blending import complement
from attnsolve.ops.softmax_gradient import calculable
from attnsolve.working import Apply, Entry, Expression, Num, Product, Sum


def slope(X: Matrix) -> Matrix:
    """σ(x) (1 + x (1 - σ(x)))."""
    gate = calculable(X.each("sigmoid"))
    return gate * (ones(*X.shape) + X * complement(gate))


def worked(x: Num | Entry) -> Expression:
    """σ(x) (1 + x (1 - σ(x)))."""
    gate = Apply("sigmoid", x)
    return Product(
        (gate, Sum((Num(UNITY), Product((x, Sum((Num(UNITY), Product((Num(Rational(-1)), gate)))))))))
    )


def twin(X: Any, G: Any) -> Any:
    """By torch's sigmoids of x and of -x; its own way back has no derivative, which `check` needs."""
    import torch

    return G * torch.sigmoid(X) * (1 + X * torch.sigmoid(-X))


def gate_constant(X: Matrix, G: Matrix) -> Matrix:
    """G ∘ σ(X)."""
    return calculable(X).each("sigmoid") * G


SILU_GRADIENT = going_back(
    "silu_gradient",
    "SiLU",
    slope,
    worked,
    formula=r"(\sigma(*) \odot (1 + * \odot (1 - \sigma(*))))",
    twin=twin,
    mistake=Mistake("gate-constant", "SiLU is x times σ(x): the product rule has two terms.", gate_constant),
)
