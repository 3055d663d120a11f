"""Softmax of each row: exponentiate, add up, divide."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rational
from attnsolve.ops.base import Formula, Mistake, Op, Option, Options, Remark
from attnsolve.ops.normaliser import as_scores, down_columns
from attnsolve.ops.writing import alike
from attnsolve.working import Apply, Expression, Line, Num, Quotient, Sum, about, equals, evaluate


def tempered(S: Matrix, temperature: Expression | None) -> Matrix:
    """S / τ."""
    return S if temperature is None else S / evaluate(temperature)


def rule(S: Matrix, *, temperature: Expression | None = None) -> Matrix:
    """e^{S/τ}, each row over its sum."""
    return tempered(S, temperature).exp().normalised()


def lines(S: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """e^{s_j/τ} over the sum of the row's exponentials, then the shortest exact form."""
    temperature = options.get("temperature")
    cooled = tempered(S, temperature)
    keys = range(value.shape[1])
    made = []
    for i in range(value.shape[0]):
        powers = tuple(Apply("exp", Num(cooled.cell(i, k))) for k in keys)
        spelled: list[tuple[Expression, ...]] = [powers]
        if temperature is not None:
            spelled.insert(0, tuple(Apply("exp", Quotient(Num(S.cell(i, k)), temperature)) for k in keys))
        numbers = tuple(evaluate(power) for power in powers)
        if all(isinstance(number, Rational) for number in numbers):  # e^{ln 2} = 2
            spelled.append(tuple(map(Num, numbers)))
        for j in keys:
            result = value.cell(i, j)
            quotients = [equals(Quotient(row[j], Sum(row)), fine=row is not powers) for row in spelled]
            ending = (
                [equals(Num(result))]
                if isinstance(result, Rational)
                else [equals(Num(result)), about(result)]
            )
            made.append(Line(i, j, (*quotients, *ending)))
    return tuple(made)


def remarks(S: Matrix, *, value: Matrix, options: Options) -> tuple[Remark, ...]:
    """Equal scores, which get equal weights."""
    sentence = "{row} has equal scores at {columns}, so their weights are equal too."
    rows = ([S.cell(i, j) for j in range(S.shape[1])] for i in range(S.shape[0]))
    return tuple(
        Remark(sentence, i, group) for i, row in enumerate(rows) for group in alike(row) if len(group) > 1
    )


def twin(S: Any, *, temperature: float | None = None) -> Any:
    """torch's own softmax."""
    from torch.nn.functional import softmax

    return softmax(S if temperature is None else S / temperature, dim=-1)


def without_exp(S: Matrix, *, temperature: Expression | None = None) -> Matrix:
    """S over its row sums."""
    return tempered(S, temperature).normalised()


def without_sum(S: Matrix, *, temperature: Expression | None = None) -> Matrix:
    """e^{S/τ}."""
    return tempered(S, temperature).exp()


def temperature_multiplied(S: Matrix, *, temperature: Expression | None = None) -> Matrix:
    """Softmax of S·τ."""
    return rule(S) if temperature is None else rule(S.scaled(evaluate(temperature)))


TEMPERED = Formula(
    matrix=r"\operatorname{softmax}(${S} / ${temperature})",
    each=r"${out:ij} = \frac{e^{${S:ij} / ${temperature}}}{\sum_{k} e^{${S:ik} / ${temperature}}}",
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
    ),
    variants=(("temperature", TEMPERED),),
    frame=as_scores,
    rule=rule,
    lines=lines,
    twin=twin,
    remarks=remarks,
    check="rows-sum-to-1",
    mistakes=(
        down_columns(rule),
        Mistake("without-exp", "Exponentiate the scores before dividing by their sum.", without_exp),
        Mistake("without-sum", "Divide each exponential by the sum of its row.", without_sum),
        Mistake(
            "temperature-multiplied",
            "Divide the scores by the temperature; do not multiply.",
            temperature_multiplied,
        ),
    ),
)
