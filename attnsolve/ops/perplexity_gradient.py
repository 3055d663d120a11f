"""Back through the perplexity: itself, shared out among the losses that were averaged."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rational
from attnsolve.ops import Role, perplexity
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Options
from attnsolve.ops.misfits import unfit
from attnsolve.ops.softmax_gradient import calculable
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Line, Num, Product, Quotient, equals


def frame(L: Frame, P: Frame, G: Frame) -> Frame:
    """As the losses."""
    single = perplexity.frame(L)
    for name, number in (("P", P), ("G", G)):
        if number.shape != single.shape:
            raise unfit(name, "the perplexity is one number", needs=(1, 1), **{name: number})
    return L


def rule(L: Matrix, P: Matrix, G: Matrix) -> Matrix:
    """g times the perplexity, over the number of losses, for each of them."""
    return (calculable(P) * G).repeated(L.shape[0]) / Rational(L.shape[0])


def counting(L: Matrix, P: Matrix, G: Matrix) -> Matrix:
    """One product and one division; all get the same."""
    return (P * G / Rational(2)).repeated(L.shape[0])


def lines(
    L: Matrix, P: Matrix, G: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """The same for every loss."""
    top = Product((factors(names[2], G)[0][0], factors(names[1], P)[0][0]))
    over = Quotient(top, Num(Rational(value.shape[0])))
    return tuple(Line(i, j, (equals(over), *closing(result))) for i, j, result in value.cells())


def twin(L: Any, P: Any, G: Any) -> Any:
    """torch's own way back through a mean."""
    import torch

    return torch.func.vjp(torch.mean, L)[1]((G * P)[0, 0])[0]


def mean_forgotten(L: Matrix, P: Matrix, G: Matrix) -> Matrix:
    """g times the perplexity."""
    return (calculable(P) * G).repeated(L.shape[0])


def as_mean(L: Matrix, P: Matrix, G: Matrix) -> Matrix:
    """g over the number of losses."""
    return G.repeated(L.shape[0]) / Rational(L.shape[0])


PERPLEXITY_GRADIENT = Op(
    name="perplexity_gradient",
    title="Back through the perplexity: itself, over the number of losses",
    parameters=("L", "P", "G"),
    roles=(Role.TOKENS, Role.ANY, Role.ANY),
    by_rows=False,
    formula=Formula(
        matrix=r"\tfrac{1}{n}\, ${G}\, ${P}\, \mathbf{1}",
        each=r"${out:i} = \tfrac{1}{n}\, ${G}\, ${P}",
    ),
    frame=frame,
    rule=rule,
    counting=counting,
    lines=lines,
    twin=twin,
    mistakes=(
        Mistake(
            "mean-forgotten",
            "Each loss has only its share in the mean: divide by their number.",
            mean_forgotten,
        ),
        Mistake(
            "power-forgotten",
            "The slope of e to something is e to it: multiply by the perplexity.",
            as_mean,
        ),
    ),
)
