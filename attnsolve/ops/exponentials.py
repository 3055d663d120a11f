"""Inside a softmax: the exponentials of the scores, and what those of each row add up to."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.exact.rationals import ones
from attnsolve.ops.base import Family, Formula, Inner, Onward, Op, Option, Options, Role
from attnsolve.ops.normaliser import as_scores, each_row, require_keys
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Apply, Expression, Line, Quotient, Sum, equals, evaluate

EXPONENTIALS, SUMS = "exp", "sum"
TEMPERATURE = Option(
    "temperature", "number", "what the scores are divided by first", symbol=r"\tau", positive=True
)


def tempered(S: Matrix, *, temperature: Expression | None = None) -> Matrix:
    """S / τ."""
    return S if temperature is None else S / evaluate(temperature)


def exponentials(S: Matrix, *, temperature: Expression | None = None) -> Matrix:
    """e^{S/τ}."""
    return tempered(S, temperature=temperature).exp()


def sums(S: Matrix, *, temperature: Expression | None = None) -> Matrix:
    """The sum of each row of e^{S/τ}."""
    require_keys(S)
    return added_up(exponentials(S, temperature=temperature))


def added_up(E: Matrix) -> Matrix:
    """The sum of every row."""
    return E.row_sums()


def divided(E: Matrix, D: Matrix) -> Matrix:
    """Every row of E over its number in the column D."""
    return E / (D @ ones(1, E.shape[1]))


def weights(
    *,
    S: Matrix | None = None,
    exp: Matrix | None = None,
    sum: Matrix | None = None,
    temperature: Expression | None = None,
) -> Matrix:
    """The softmax from what there is of it: exponentials, sums or both."""
    if exp is None:
        assert S is not None
        exp = exponentials(S, temperature=temperature)
    return exp.normalised() if sum is None else divided(exp, sum)


def sums_of(*, exp: Matrix, temperature: Expression | None = None) -> Matrix:
    """The sums of exponentials that are there."""
    return added_up(exp)


def powers(row: list[Any], temperature: Expression | None) -> list[Expression]:
    """e to each score of a row, as one writes it first."""
    exponents = row if temperature is None else [Quotient(score, temperature) for score in row]
    return [Apply("exp", exponent) for exponent in exponents]


def exponential_lines(
    S: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """e to the score."""
    made = []
    for i, row in enumerate(factors(names[0], S)):
        for j, power in enumerate(powers(list(row), options.get("temperature"))):
            made.append(Line(i, j, (equals(power), *closing(value.cell(i, j)))))
    return tuple(made)


def sum_lines(S: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """The exponentials of the row, added up."""
    rows = [powers(list(row), options.get("temperature")) for row in factors(names[0], S)]
    return tuple(
        Line(i, 0, (equals(Sum(tuple(row))), *closing(value.cell(i, 0)))) for i, row in enumerate(rows)
    )


def exponential_twin(S: Any, *, temperature: float | None = None) -> Any:
    """torch's own exponential."""
    import torch

    return torch.exp(S if temperature is None else S / temperature)


def sum_twin(S: Any, *, temperature: float | None = None) -> Any:
    """e to the power of torch's log-sum-exp."""
    import torch

    return torch.logsumexp(S if temperature is None else S / temperature, dim=-1, keepdim=True).exp()


EXPONENTIALS_OP = Op(
    name="softmax_exponentials",
    title="Exponentials of the scores",
    parameters=("S",),
    options=(TEMPERATURE,),
    family=Family.INNER,
    roles=(Role.SCORES,),
    symbol="E",
    formula=Formula(matrix=r"\exp(${S})", each=r"${out:ij} = e^{${S:ij}}"),
    variants=(
        (
            "temperature",
            Formula(matrix=r"\exp(${S} / ${temperature})", each=r"${out:ij} = e^{${S:ij} / ${temperature}}"),
        ),
    ),
    frame=as_scores,
    rule=exponentials,
    lines=exponential_lines,
    twin=exponential_twin,
)

SUMS_OP = Op(
    name="softmax_sums",
    title="Sums of the exponentials",
    parameters=("S",),
    options=(TEMPERATURE,),
    family=Family.INNER,
    roles=(Role.SCORES,),
    symbol=r"\Sigma",
    formula=Formula(matrix=r"\exp(${S})\,\mathbf{1}", each=r"${out:i} = \sum_{k} e^{${S:ik}}"),
    variants=(
        (
            "temperature",
            Formula(
                matrix=r"\exp(${S} / ${temperature})\,\mathbf{1}",
                each=r"${out:i} = \sum_{k} e^{${S:ik} / ${temperature}}",
            ),
        ),
    ),
    frame=each_row,
    rule=sums,
    lines=sum_lines,
    twin=sum_twin,
    onward=Onward((EXPONENTIALS,), sums_of),
)

INNER = (
    Inner(EXPONENTIALS, EXPONENTIALS_OP, replaces=("S",), spoken=("e", "exponentials")),
    Inner(SUMS, SUMS_OP, spoken=("d", "sums", "denominator")),
)
