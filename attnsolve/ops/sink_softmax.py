"""Softmax with a sink: a score that no key has takes its share, so that weights sum to less than 1."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix, Rational, matrix_of_cells
from attnsolve.languages import message
from attnsolve.ops import Role, softmax
from attnsolve.ops.back import GRADIENT, RESULT, back
from attnsolve.ops.base import Family, Formula, Mistake, Op, Option, Options, Remark
from attnsolve.ops.normaliser import as_scores, down_columns, mask_afterwards, require_keys
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Apply, Expression, Line, Num, Quotient, Sum, equals, evaluate

ZERO: Expression = Num(Rational(0))


def rule(S: Matrix, *, sink: Expression = ZERO) -> Matrix:
    """e^S over e^b plus the sum of its row."""
    require_keys(S)
    column = matrix_of_cells([[evaluate(sink)]] * S.shape[0])
    return (S | column).exp().normalised().columns(0, S.shape[1])


def counting(S: Matrix, *, sink: Expression = ZERO) -> Matrix:
    """As a softmax with one more key, whose share nobody works out."""
    return S.exp().normalised()


def lines(S: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """e^{s_j} over the sum of the row's exponentials and that of the sink."""
    made, extra = [], Apply("exp", options.get("sink", ZERO))
    for i, row in enumerate(factors(names[0], S)):
        powers = [Apply("exp", score) for score in row]
        for j, power in enumerate(powers):
            share = Quotient(power, Sum((extra, *powers)))
            ending = closing(value.cell(i, j), long=value.kind != "certified")
            made.append(Line(i, j, (equals(share), *ending)))
    return tuple(made)


def remarks(S: Matrix, *, value: Matrix, options: Options) -> tuple[Remark, ...]:
    """Equal scores, which get equal weights."""
    return softmax.remarks(S, value=value, options={})


def twin(S: Any, *, sink: float = 0.0) -> Any:
    """e to the scores less torch's log-sum-exp of them and the sink."""
    import torch

    both = torch.cat([S, torch.full_like(S[:, :1], sink)], dim=1)
    return torch.exp(S - torch.logsumexp(both, dim=1, keepdim=True))


def without_sink(S: Matrix, *, sink: Expression = ZERO) -> Matrix:
    """Softmax."""
    return softmax.rule(S)


def sink_as_zero(S: Matrix, *, sink: Expression = ZERO) -> Matrix:
    """The sink's own number added to the sum instead of e to it."""
    require_keys(S)
    powers = S.exp()
    column = matrix_of_cells([[evaluate(sink)]] * S.shape[0])
    return (powers | column).normalised().columns(0, S.shape[1])


SINK_SOFTMAX = Op(
    name="sink_softmax",
    title="Softmax with a sink: one more exponential in the sum",
    parameters=("S",),
    options=(
        Option(
            "sink",
            "number",
            "the score of the sink (default 0: 1 is added to the sum)",
            symbol="b",
            zero=True,
        ),
    ),
    family=Family.NORMALISER,
    roles=(Role.SCORES,),
    why=message("A query may find nothing to look at: what the sink takes is weight that no key gets."),
    formula=Formula(
        matrix=r"\operatorname{softmax}_1(${S})",
        each=r"${out:ij} = \frac{e^{${S:ij}}}{1 + \sum_{k} e^{${S:ik}}}",
    ),
    variants=(
        (
            "sink",
            Formula(
                matrix=r"\operatorname{softmax}_{${sink}}(${S})",
                each=r"${out:ij} = \frac{e^{${S:ij}}}{e^{${sink}} + \sum_{k} e^{${S:ik}}}",
            ),
        ),
    ),
    frame=as_scores,
    rule=rule,
    counting=counting,
    counted_as="as a softmax; the sink's own exponential is one for all queries",
    lines=lines,
    twin=twin,
    remarks=remarks,
    mistakes=(
        down_columns(rule),
        mask_afterwards(rule),
        Mistake("sink-forgotten", "The sink's exponential belongs to the sum below.", without_sink),
        Mistake("sink-not-exponentiated", "Add e to the sink's score, not the score itself.", sink_as_zero),
    ),
    # e^s over a sum in which it stands: what else stands there does not show.
    gradients=(back("S", "softmax_gradient", RESULT, GRADIENT),),
)
