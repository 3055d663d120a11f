"""Soft cap: scores pressed between -c and c by a tanh, c·tanh(s/c)."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rational, matrix_of_cells
from attnsolve.exact.cells import multiply
from attnsolve.exact.infinity import HIDDEN
from attnsolve.exact.masked import Masked, shown, visible
from attnsolve.ops.back import GRADIENT, RESULT, back, same_settings
from attnsolve.ops.base import Formula, Mistake, Op, Option, Options, Role
from attnsolve.ops.normaliser import as_scores
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Apply, Expression, Line, Num, Product, Quotient, equals, evaluate


def pressed(S: Matrix, cap: Expression) -> Matrix:
    """tanh(S/c); what is hidden stays hidden."""
    inside = (shown(S) / evaluate(cap)).each("tanh")
    return Masked.of(inside, visible(S)) if isinstance(S, Masked) else inside


def rule(S: Matrix, *, cap: Expression) -> Matrix:
    """c·tanh(S/c)."""
    return pressed(S, cap).scaled(evaluate(cap))


def lines(S: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """The cap times the tanh of the score over the cap."""
    scores, cap = factors(names[0], S), options["cap"]
    made = []
    for i, j, result in value.cells():
        if result is HIDDEN:
            made.append(Line(i, j, (equals(Num(result)),)))
            continue
        whole = Product((cap, Apply("tanh", Quotient(scores[i][j], cap))))
        made.append(Line(i, j, (equals(whole), *closing(result))))
    return tuple(made)


def twin(S: Any, *, cap: float) -> Any:
    """torch's tanh; what is hidden stays at -inf."""
    import torch

    return (cap * torch.tanh(S / cap)).masked_fill(S.isneginf(), float("-inf"))


def cut_off(S: Matrix, *, cap: Expression) -> Matrix:
    """max(-c, min(c, S)) = max(0, S + c) - max(0, S - c) - c."""
    c, scores = evaluate(cap), shown(S)
    height, width = scores.shape
    all_c = matrix_of_cells([[c] * width] * height)
    cut = (scores + all_c).relu() - (scores - all_c).relu() - all_c
    return Masked.of(cut, visible(S))


def without_cap(S: Matrix, *, cap: Expression) -> Matrix:
    """S."""
    return S


def not_multiplied(S: Matrix, *, cap: Expression) -> Matrix:
    """tanh(S/c)."""
    return pressed(S, cap)


def turned_round(S: Matrix, *, cap: Expression) -> Matrix:
    """tanh(c·S)/c."""
    return rule(S, cap=Quotient(Num(Rational(1)), Num(multiply(evaluate(cap), Rational(1)))))


SOFT_CAP = Op(
    name="soft_cap",
    title="Soft cap: press the scores between two bounds",
    parameters=("S",),
    options=(Option("cap", "number", "the bound c, above 0", symbol="c", positive=True, required=True),),
    roles=(Role.SCORES,),
    formula=Formula(
        matrix=r"${cap} \tanh(${S} / ${cap})", each=r"${out:ij} = ${cap} \tanh(${S:ij} / ${cap})"
    ),
    frame=as_scores,
    rule=rule,
    lines=lines,
    twin=twin,
    mistakes=(
        Mistake("cut-off", "The cap bends all scores by tanh; it does not cut off the large ones.", cut_off),
        Mistake("cap-forgotten", "Cap the scores before the softmax.", without_cap),
        Mistake("cap-not-multiplied", "Multiply the tanh by the cap again.", not_multiplied),
        Mistake("cap-turned-round", "Divide by the cap inside the tanh and multiply outside.", turned_round),
    ),
    gradients=(back("S", "soft_cap_gradient", RESULT, GRADIENT, settings=same_settings),),
)
