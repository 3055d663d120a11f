"""Softmax of each row: exponentiate, add up, divide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attnsolve.exact import Matrix, Rational
from attnsolve.languages import message
from attnsolve.ops.back import GRADIENT, RESULT, back, same_settings
from attnsolve.ops.base import Check, Family, Formula, Mistake, Onward, Op, Options, Remark, Role
from attnsolve.ops.exponentials import EXPONENTIALS, INNER, SUMS, TEMPERATURE, exponentials, tempered, weights
from attnsolve.ops.normaliser import as_scores, down_columns, mask_afterwards, require_keys
from attnsolve.ops.writing import alike, closing, factors
from attnsolve.working import Apply, Entry, Expression, Line, Num, Quotient, Sum, equals, evaluate


def rule(S: Matrix, *, temperature: Expression | None = None) -> Matrix:
    """e^{S/τ}, each row over its sum."""
    require_keys(S)
    return exponentials(S, temperature=temperature).normalised()


def lines(S: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """e^{s_j/τ} over the sum of the row's exponentials, then the shortest exact form."""
    made = []
    for i, row in enumerate(factors(names[0], S)):
        ways = spellings(row, options.get("temperature"))
        for j in range(len(row)):
            quotients = [equals(Quotient(powers[j], Sum(powers)), fine=fine) for powers, fine in ways]
            ending = closing(value.cell(i, j), long=value.kind != "certified")
            made.append(Line(i, j, (*quotients, *ending)))
    return tuple(made)


def spellings(
    scores: Sequence[Num | Entry], temperature: Expression | None
) -> list[tuple[tuple[Expression, ...], bool]]:
    """The exponentials of a row as one writes them in turn, and if it is a fine point: e^{4/2}, e^2."""
    exponents: Sequence[Expression] = scores
    ways: list[tuple[tuple[Expression, ...], bool]] = []
    if temperature is not None:
        exponents = [Quotient(score, temperature) for score in scores]
    if isinstance(scores[0], Entry):
        return [(tuple(Apply("exp", x) for x in exponents), False)]
    if temperature is not None:
        ways.append((tuple(Apply("exp", x) for x in exponents), True))
        exponents = [Num(evaluate(x)) for x in exponents]
    powers = tuple(Apply("exp", x) for x in exponents)
    ways.append((powers, False))
    numbers = [evaluate(power) for power in powers]
    if all(isinstance(number, Rational) for number in numbers):
        ways.append((tuple(map(Num, numbers)), True))
    return ways


def remarks(S: Matrix, *, value: Matrix, options: Options) -> tuple[Remark, ...]:
    """Equal scores, which get equal weights."""
    sentence = message("{row} has equal scores at {columns}, so their weights are equal too.")
    rows = enumerate(alike(S))
    return tuple(Remark(sentence, i, group) for i, groups in rows for group in groups if len(group) > 1)


def twin(S: Any, *, temperature: float | None = None) -> Any:
    """torch's own softmax."""
    from torch.nn.functional import softmax

    return softmax(S if temperature is None else S / temperature, dim=-1)


def without_exp(S: Matrix, *, temperature: Expression | None = None) -> Matrix:
    """S over its row sums."""
    return tempered(S, temperature=temperature).normalised()


def without_sum(S: Matrix, *, temperature: Expression | None = None) -> Matrix:
    """e^{S/τ}."""
    return exponentials(S, temperature=temperature)


def temperature_forgotten(S: Matrix, *, temperature: Expression | None = None) -> Matrix:
    """Softmax of S."""
    return rule(S)


def temperature_multiplied(S: Matrix, *, temperature: Expression | None = None) -> Matrix:
    """Softmax of S·τ."""
    return rule(S) if temperature is None else rule(S.scaled(evaluate(temperature)))


TEMPERED = Formula(
    matrix=r"\operatorname{softmax}(${S} / ${temperature})",
    each=r"${out:ij} = \frac{e^{${S:ij} / ${temperature}}}{\sum_{k} e^{${S:ik} / ${temperature}}}",
    exponent="${S:ij} / ${temperature}",
)

SOFTMAX = Op(
    name="softmax",
    title="Softmax: exponentiate, add up, divide",
    why="Scores can be any numbers; weights must not be negative and have to sum to 1 for each query.",
    parameters=("S",),
    options=(TEMPERATURE,),
    family=Family.NORMALISER,
    roles=(Role.SCORES,),
    formula=Formula(
        matrix=r"\operatorname{softmax}(${S})",
        each=r"${out:ij} = \frac{e^{${S:ij}}}{\sum_{k} e^{${S:ik}}}",
        exponent="${S:ij}",
    ),
    variants=(("temperature", TEMPERED),),
    frame=as_scores,
    rule=rule,
    lines=lines,
    twin=twin,
    powers=tempered,
    inner=INNER,
    onward=Onward((EXPONENTIALS, SUMS), weights),
    remarks=remarks,
    check=Check.ROWS_SUM_TO_1,
    mistakes=(
        down_columns(rule),
        mask_afterwards(rule),
        Mistake("without-exp", "Exponentiate the scores before dividing by their sum.", without_exp),
        Mistake("without-sum", "Divide each exponential by the sum of its row.", without_sum),
        Mistake(
            "temperature-multiplied",
            "Divide the scores by the temperature; do not multiply.",
            temperature_multiplied,
        ),
        Mistake(
            "temperature-forgotten",
            "Divide the scores by the temperature first.",
            temperature_forgotten,
            since=2,
        ),
    ),
    gradients=(back("S", "softmax_gradient", RESULT, GRADIENT, settings=same_settings),),
)
