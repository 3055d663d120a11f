"""Softmax of each row: exponentiate, add up, divide."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.exact.cells import UNITY, divide
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Option, Options
from attnsolve.working import Apply, Expression, Line, Num, Quotient, Sum, about, equals, evaluate


def frame(S: Frame, *, temperature: Expression | None = None) -> Frame:
    """As the scores."""
    return S


def tempered(S: Matrix, temperature: Expression | None) -> Matrix:
    """S / τ."""
    return S if temperature is None else S / evaluate(temperature)


def rule(S: Matrix, *, temperature: Expression | None = None) -> Matrix:
    """e^{S/τ}, each row over its sum."""
    return tempered(S, temperature).exp().normalised()


def lines(S: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """e^{s_j} over the sum of the row's exponentials, then the shortest exact form."""
    scores = tempered(S, options.get("temperature"))
    made = []
    for i in range(value.shape[0]):
        powers = tuple(Apply("exp", Num(scores.cell(i, k))) for k in range(value.shape[1]))
        for j in range(value.shape[1]):
            result = value.cell(i, j)
            made.append(Line(i, j, (equals(Quotient(powers[j], Sum(powers))), equals(Num(result)), about(result))))
    return tuple(made)


def twin(S: Any, *, temperature: float | None = None) -> Any:
    """torch's own softmax."""
    from torch.nn.functional import softmax

    return softmax(S if temperature is None else S / temperature, dim=-1)


def down_columns(S: Matrix, *, temperature: Expression | None = None) -> Matrix:
    """Softmax over the queries instead of the keys."""
    return rule(S.T, temperature=temperature).T


def without_exp(S: Matrix, *, temperature: Expression | None = None) -> Matrix:
    """S over its row sums."""
    return tempered(S, temperature).normalised()


def without_sum(S: Matrix, *, temperature: Expression | None = None) -> Matrix:
    """e^S."""
    return tempered(S, temperature).exp()


def temperature_multiplied(S: Matrix, *, temperature: Expression | None = None) -> Matrix:
    """Softmax of S·τ."""
    return rule(S) if temperature is None else rule(S / divide(UNITY, evaluate(temperature)))


TEMPERED = Formula(
    matrix=r"\operatorname{softmax}(${S} / ${temperature})",
    each=r"${out:ij} = \frac{e^{${S:ij} / ${temperature}}}{\sum_{k} e^{${S:ik} / ${temperature}}}",
    each_column=r"${out:ij} = \frac{e^{${S:ij} / ${temperature}}}{\sum_{k} e^{${S:ik} / ${temperature}}}",
)

SOFTMAX = Op(
    name="softmax",
    title="Softmax: exponentiate, add up, divide",
    parameters=("S",),
    options=(Option("temperature", "number", "what the scores are divided by first"),),
    family="normaliser",
    roles=("scores",),
    formula=Formula(
        matrix=r"\operatorname{softmax}(${S})",
        each=r"${out:ij} = \frac{e^{${S:ij}}}{\sum_{k} e^{${S:ik}}}",
        each_column=r"${out:ij} = \frac{e^{${S:ij}}}{\sum_{k} e^{${S:ik}}}",
    ),
    variants=(("temperature", TEMPERED),),
    frame=frame,
    rule=rule,
    lines=lines,
    twin=twin,
    check="rows-sum-to-1",
    mistakes=(
        Mistake("down-columns", "The weights of one query must sum to 1: normalise over the keys, not the queries.", down_columns),
        Mistake("without-exp", "Exponentiate the scores before dividing by their sum.", without_exp),
        Mistake("without-sum", "Divide each exponential by the sum of its row.", without_sum),
        Mistake("temperature-multiplied", "Divide the scores by the temperature; do not multiply.", temperature_multiplied),
    ),
)
