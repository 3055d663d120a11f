"""Sigmoid attention: every score by itself through a sigmoid, without any sum."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rational, matrix_of_cells
from attnsolve.exact.masked import shown, visible
from attnsolve.ops import Role, softmax
from attnsolve.ops.back import GRADIENT, RESULT, back
from attnsolve.ops.base import Family, Formula, Mistake, Op, Option, Options
from attnsolve.ops.normaliser import as_scores, require_keys
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Apply, Expression, Line, Num, Sum, equals, evaluate

ZERO: Expression = Num(Rational(0))


def shifted(S: Matrix, bias: Expression) -> Matrix:
    """S + b, also of what is hidden."""
    cell, scores = evaluate(bias), shown(S)
    return scores if cell.is_zero() else scores + matrix_of_cells([[cell] * S.shape[1]] * S.shape[0])


def rule(S: Matrix, *, bias: Expression = ZERO) -> Matrix:
    """1/(1 + e^{-(S + b)}), and 0 for what is hidden."""
    require_keys(S)
    return shifted(S, bias).each("sigmoid") * visible(S)


def counting(S: Matrix, *, bias: Expression = ZERO) -> Matrix:
    """A function of each score."""
    return S.each("sigmoid")


def lines(S: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """σ(s + b)."""
    scores, bias = factors(names[0], S), options.get("bias")
    made = []
    for i, j, result in value.cells():
        if not visible(S).rows[i][j]:
            made.append(Line(i, j, (equals(ZERO),)))
            continue
        inside: Expression = scores[i][j] if bias is None else Sum((scores[i][j], bias))
        made.append(Line(i, j, (equals(Apply("sigmoid", inside)), *closing(result))))
    return tuple(made)


def twin(S: Any, *, bias: float = 0.0) -> Any:
    """torch's own sigmoid, in which -inf gives 0."""
    import torch

    return torch.sigmoid(S + bias)


def as_softmax(S: Matrix, *, bias: Expression = ZERO) -> Matrix:
    """Softmax."""
    return softmax.rule(S)


def divided_by_sum(S: Matrix, *, bias: Expression = ZERO) -> Matrix:
    """The sigmoids over their sum."""
    return rule(S, bias=bias).normalised()


def without_bias(S: Matrix, *, bias: Expression = ZERO) -> Matrix:
    """σ(S)."""
    return rule(S)


SIGMOID_WEIGHTS = Op(
    name="sigmoid_weights",
    title="Sigmoid weights: each score by itself",
    parameters=("S",),
    options=(
        Option(
            "bias",
            "number",
            "what is added to every score (default 0), such as -ln(n)",
            symbol="b",
            zero=True,
        ),
    ),
    family=Family.NORMALISER,
    roles=(Role.SCORES,),
    formula=Formula(matrix=r"\sigma(${S})", each=r"${out:ij} = \frac{1}{1 + e^{-${S:ij}}}"),
    variants=(
        (
            "bias",
            Formula(
                matrix=r"\sigma(${S} + ${bias})", each=r"${out:ij} = \frac{1}{1 + e^{-(${S:ij} + ${bias})}}"
            ),
        ),
    ),
    frame=as_scores,
    rule=rule,
    counting=counting,
    lines=lines,
    twin=twin,
    mistakes=(
        Mistake(
            "softmax-for-sigmoid",
            "Each score goes through its own sigmoid; nothing is shared out.",
            as_softmax,
        ),
        Mistake("divided-by-sum", "Sigmoid weights are not divided by their sum.", divided_by_sum),
        Mistake("bias-forgotten", "Add the bias to every score before the sigmoid.", without_bias),
    ),
    gradients=(back("S", "sigmoid_gradient", RESULT, GRADIENT),),
)
