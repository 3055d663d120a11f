"""Back through a soft cap: the gradient times the slope of c·tanh(s/c), which is 1 - (result/c)²."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rational
from attnsolve.exact.masked import shown, visible
from attnsolve.ops.activation_gradients import frame as as_activated
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Options, Role
from attnsolve.ops.blending import complement
from attnsolve.ops.soft_cap import SOFT_CAP
from attnsolve.ops.softmax_gradient import calculable
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Expression, Line, Num, Power, Product, Quotient, Sum, equals, evaluate

UNITY, MINUS = Num(Rational(1)), Num(Rational(-1))


def frame(X: Frame, G: Frame, *, cap: Expression) -> Frame:
    """As the scores."""
    return as_activated(X, G)


def slope(X: Matrix, cap: Expression) -> Matrix:
    """1 - (X/c)², and 0 for what is hidden."""
    share = calculable(shown(X)) / evaluate(cap)
    return complement(share * share) * visible(X)


def rule(X: Matrix, G: Matrix, *, cap: Expression) -> Matrix:
    """G ∘ (1 - (X/c)²)."""
    return slope(X, cap) * G


def counting(X: Matrix, G: Matrix, *, cap: Expression) -> Matrix:
    """A quotient, a square, a difference and a product for each score."""
    share = X / evaluate(cap)
    return complement(share * share) * G


def lines(
    X: Matrix, G: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """The gradient times 1 less the square of the capped score over the cap."""
    capped, gradients, kept = factors(names[0], shown(X)), factors(names[1], G), visible(X)
    made = []
    for i, j, result in value.cells():
        square = Quotient(Power(capped[i][j], 2), Power(options["cap"], 2))
        whole = Product((gradients[i][j], Sum((UNITY, Product((MINUS, square))))))
        made.append(Line(i, j, (*((equals(whole),) if kept.rows[i][j] else ()), *closing(result))))
    return tuple(made)


def twin(X: Any, G: Any, *, cap: float) -> Any:
    """torch's own way back through tanh."""
    import torch

    return torch.ops.aten.tanh_backward(G, X.masked_fill(X.isneginf(), -cap) / cap)


def without_slope(X: Matrix, G: Matrix, *, cap: Expression) -> Matrix:
    """G."""
    return G


def cap_forgotten(X: Matrix, G: Matrix, *, cap: Expression) -> Matrix:
    """G ∘ (1 - X²)."""
    return rule(X, G, cap=UNITY)


def over_cap(X: Matrix, G: Matrix, *, cap: Expression) -> Matrix:
    """G ∘ (1 - (X/c)²)/c."""
    return rule(X, G, cap=cap) / evaluate(cap)


SOFT_CAP_GRADIENT = Op(
    name="soft_cap_gradient",
    title="Back through the soft cap: times its slope",
    parameters=("X", "G"),
    options=SOFT_CAP.options,
    roles=(Role.SCORES, Role.SCORES),
    formula=Formula(
        matrix=r"${G} \odot (1 - (${X} / ${cap})^2)",
        each=r"${out:ij} = ${G:ij}\, (1 - (${X:ij} / ${cap})^2)",
    ),
    frame=frame,
    rule=rule,
    counting=counting,
    lines=lines,
    twin=twin,
    mistakes=(
        Mistake("slope-forgotten", "Multiply by the slope of the cap.", without_slope),
        Mistake("cap-forgotten", "Divide the capped score by the cap before you square it.", cap_forgotten),
        Mistake(
            "cap-divided-twice",
            "The cap outside the tanh and the one inside cancel: the slope is 1 - tanh².",
            over_cap,
        ),
    ),
)
