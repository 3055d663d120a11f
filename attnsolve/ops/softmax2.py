"""Softmax with 2 in place of e: powers of two, divided by their sum."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rational
from attnsolve.exact.functions import apply
from attnsolve.ops.back import GRADIENT, RESULT, Passing, back
from attnsolve.ops.base import Check, Family, Formula, Inner, Mistake, Onward, Op, Options, Role
from attnsolve.ops.exponentials import SUMS, added_up, divided
from attnsolve.ops.normaliser import as_scores, down_columns, each_row, mask_afterwards, require_keys
from attnsolve.ops.softmax import SOFTMAX
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Apply, Expression, Line, Num, Quotient, Sum, equals, evaluate

LN_2 = apply("ln", Rational(2))
POWERS = "powers"


def rule(S: Matrix) -> Matrix:
    """2^S = e^{S ln 2}, each row over its sum."""
    require_keys(S)
    return powers(S).normalised()


def powers(S: Matrix) -> Matrix:
    """2^S."""
    return S.scaled(LN_2).exp()


def sums(S: Matrix) -> Matrix:
    """The sum of each row of 2^S."""
    require_keys(S)
    return added_up(powers(S))


def weights(*, S: Matrix | None = None, powers: Matrix | None = None, sum: Matrix | None = None) -> Matrix:
    """The weights from what there is of them: powers, sums or both."""
    if powers is None:
        assert S is not None
        powers = S.scaled(LN_2).exp()
    return powers.normalised() if sum is None else divided(powers, sum)


def sums_of(*, powers: Matrix) -> Matrix:
    """The sums of powers that are there."""
    return added_up(powers)


def power_lines(S: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """2 to the score."""
    table = factors(names[0], S)
    return tuple(
        Line(i, j, (equals(Apply("exp2", table[i][j])), *closing(result))) for i, j, result in value.cells()
    )


def sum_lines(S: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """The powers of the row, added up."""
    rows = [tuple(Apply("exp2", score) for score in row) for row in factors(names[0], S)]
    return tuple(Line(i, 0, (equals(Sum(row)), *closing(value.cell(i, 0)))) for i, row in enumerate(rows))


def lines(S: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """2^{s_j} over the sum of the row's powers, in numbers where these are fractions; then the weight."""
    made = []
    for i, row in enumerate(factors(names[0], S)):
        spellings: list[tuple[Expression, ...]] = [tuple(Apply("exp2", score) for score in row)]
        numbers = [evaluate(power) for power in spellings[0]]
        if all(isinstance(number, Rational) for number in numbers):
            spellings.append(tuple(map(Num, numbers)))
        for j in range(len(row)):
            quotients = [equals(Quotient(raised[j], Sum(raised))) for raised in spellings]
            ending = closing(value.cell(i, j), long=value.kind != "certified")
            made.append(Line(i, j, (*quotients, *ending)))
    return tuple(made)


def twin(S: Any) -> Any:
    """torch's own powers of two, the largest taken out so that none overflows."""
    import torch

    raised = torch.exp2(S - S.amax(dim=-1, keepdim=True))
    return raised / raised.sum(dim=-1, keepdim=True)


def power_twin(S: Any) -> Any:
    """torch's own powers of two."""
    import torch

    return torch.exp2(S)


def sum_twin(S: Any) -> Any:
    """torch's own powers of two, added up."""
    import torch

    return torch.exp2(S).sum(dim=-1, keepdim=True)


def with_e(S: Matrix) -> Matrix:
    """The ordinary softmax."""
    return SOFTMAX.rule(S)


POWERS_OP = Op(
    name="softmax2_powers",
    title="Powers of two of the scores",
    parameters=("S",),
    family=Family.INNER,
    roles=(Role.SCORES,),
    symbol="E",
    formula=Formula(matrix="2^{${S}}", each="${out:ij} = 2^{${S:ij}}"),
    frame=as_scores,
    rule=powers,
    lines=power_lines,
    twin=power_twin,
)

SUMS_OP = Op(
    name="softmax2_sums",
    title="Sums of the powers",
    parameters=("S",),
    family=Family.INNER,
    roles=(Role.SCORES,),
    symbol=r"\Sigma",
    formula=Formula(matrix=r"2^{${S}}\,\mathbf{1}", each=r"${out:i} = \sum_{k} 2^{${S:ik}}"),
    frame=each_row,
    rule=sums,
    lines=sum_lines,
    twin=sum_twin,
    onward=Onward((POWERS,), sums_of),
)


def of_base_two(passing: Passing) -> Options:
    """2^s is e^{s/τ} with the temperature τ = 1/ln 2."""
    return {"temperature": Quotient(Num(Rational(1)), Apply("ln", Num(Rational(2))))}


SOFTMAX2 = Op(
    name="softmax2",
    title="Softmax with base 2: powers of two, add up, divide",
    why="Scores can be any numbers; weights must not be negative and have to sum to 1 for each query.",
    parameters=("S",),
    family=Family.NORMALISER,
    roles=(Role.SCORES,),
    formula=Formula(
        matrix=r"\operatorname{softmax}_2(${S})",
        each=r"${out:ij} = \frac{2^{${S:ij}}}{\sum_{k} 2^{${S:ik}}}",
    ),
    frame=as_scores,
    rule=rule,
    lines=lines,
    twin=twin,
    inner=(Inner(POWERS, POWERS_OP, replaces=("S",)), Inner(SUMS, SUMS_OP)),
    onward=Onward((POWERS, SUMS), weights),
    check=Check.ROWS_SUM_TO_1,
    mistakes=(
        down_columns(rule),
        mask_afterwards(rule),
        Mistake("with-e", "The base is 2 here, not e.", with_e),
        Mistake("without-sum", "Divide each power by the sum of its row.", powers),
    ),
    gradients=(back("S", "softmax_gradient", RESULT, GRADIENT, settings=of_base_two),),
)
