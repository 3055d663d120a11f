"""Softmax with 2 in place of e: powers of two, divided by their sum."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rational
from attnsolve.exact.functions import apply
from attnsolve.ops.base import Family, Formula, Mistake, Op, Options
from attnsolve.ops.normaliser import as_scores, down_columns, mask_afterwards, require_keys
from attnsolve.ops.softmax import SOFTMAX
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Apply, Expression, Line, Num, Quotient, Sum, equals, evaluate

LN_2 = apply("ln", Rational(2))


def rule(S: Matrix) -> Matrix:
    """2^S = e^{S ln 2}, each row over its sum."""
    require_keys(S)
    return powers(S).normalised()


def powers(S: Matrix) -> Matrix:
    """2^S."""
    return S.scaled(LN_2).exp()


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


def with_e(S: Matrix) -> Matrix:
    """The ordinary softmax."""
    return SOFTMAX.rule(S)


SOFTMAX2 = Op(
    name="softmax2",
    title="Softmax with base 2: powers of two, add up, divide",
    parameters=("S",),
    family=Family.NORMALISER,
    roles=("scores",),
    formula=Formula(
        matrix=r"\operatorname{softmax}_2(${S})",
        each=r"${out:ij} = \frac{2^{${S:ij}}}{\sum_{k} 2^{${S:ik}}}",
    ),
    frame=as_scores,
    rule=rule,
    lines=lines,
    twin=twin,
    check="rows-sum-to-1",
    mistakes=(
        down_columns(rule),
        mask_afterwards(rule),
        Mistake("with-e", "The base is 2 here, not e.", with_e),
        Mistake("without-sum", "Divide each power by the sum of its row.", powers),
    ),
)
