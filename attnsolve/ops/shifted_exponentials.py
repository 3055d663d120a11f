"""Exponentials of scores less one number for each query, such as their maximum: none is larger than 1."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Matrix
from attnsolve.exact.infinity import HIDDEN
from attnsolve.exact.masked import Masked, shown, visible
from attnsolve.exact.rationals import ones
from attnsolve.languages import message
from attnsolve.ops.base import Formula, Frame, Mistake, Op, Options, Role
from attnsolve.ops.running_maximum import FROM_ALL_TILES, require_column
from attnsolve.ops.subtraction import negative
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Apply, Entry, Expression, Line, Num, Sum, equals, evaluate


def frame(S: Frame, m: Frame) -> Frame:
    """As the scores."""
    require_column("m", m, "S", S)
    return S


def shifted(S: Matrix, m: Matrix) -> Matrix:
    """S - m; what is hidden stays hidden."""
    less = shown(S) - shown(m) @ ones(1, S.shape[1])
    return Masked.of(less, visible(S)) if isinstance(S, Masked) else less


def rule(S: Matrix, m: Matrix) -> Matrix:
    """e^{S - m}; 0 for what is hidden."""
    return shifted(S, m).exp()


def counting(S: Matrix, m: Matrix) -> Matrix:
    """A subtraction and an exponential for each score."""
    return (S - S).exp()


def lines(
    S: Matrix, m: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]
) -> tuple[Line, ...]:
    """e to the score less the maximum; 0 where the score is -∞."""
    made, largest = [], factors(names[1], m)
    for i, row in enumerate(factors(names[0], S)):
        for j, score in enumerate(row):
            stages = [equals(Apply("exp", x)) for x in exponents(score, largest[i][0])]
            made.append(Line(i, j, (*stages, *closing(value.cell(i, j)))))
    return tuple(made)


def exponents(score: Num | Entry, largest: Num | Entry) -> list[Expression]:
    """s - m, and what it comes to where both are numbers; nothing to write for what is hidden."""
    if score.cell is HIDDEN or largest.cell is HIDDEN:
        return []
    difference = Sum((score, negative(largest)))
    return (
        [difference, Num(evaluate(difference))]
        if isinstance(score, Num) and isinstance(largest, Num)
        else [difference]
    )


def twin(S: Any, m: Any) -> Any:
    """torch's own exponential; -∞ less -∞ is no number, and what nobody has seen counts 0."""
    import torch

    return torch.nan_to_num(torch.exp(S - m), nan=0.0)


def cancelled(S: Any, m: Any) -> Any:
    """How large the numbers are whose difference is exponentiated."""
    import torch

    size = torch.nan_to_num(S, neginf=0.0).abs() + torch.nan_to_num(m, neginf=0.0).abs()
    return twin(S, m) * (1 + size)


def not_shifted(S: Matrix, m: Matrix) -> Matrix:
    """e^S."""
    return S.exp()


def other_sign(S: Matrix, m: Matrix) -> Matrix:
    """e^{m - S}."""
    return (shown(m) @ ones(1, S.shape[1]) - shown(S)).exp() * visible(S)


def without_exp(S: Matrix, m: Matrix) -> Matrix:
    """S - m."""
    return shown(shifted(S, m))


SHIFTED_EXPONENTIALS = Op(
    name="shifted_exponentials",
    title="Exponentials of the scores less the maximum",
    why=message("A number that is taken off all scores of a query changes no weight, for it cancels."),
    parameters=("S", "m"),
    roles=(Role.SCORES, Role.ANY),
    formula=Formula(
        matrix=r"\exp(${S} - ${m}\,\mathbf{1}^{\top})",
        each=r"${out:ij} = e^{${S:ij} - ${m:i}}",
    ),
    frame=frame,
    rule=rule,
    counting=counting,
    counted_as="a subtraction and an exponential for each number",
    lines=lines,
    twin=twin,
    cancelling=cancelled,
    mistakes=(
        Mistake("not-shifted", "Take the maximum off before you exponentiate.", not_shifted),
        Mistake("shifted-the-other-way", "Take the maximum off the score, not the score off it.", other_sign),
        Mistake("without-exp", "The difference still has to be exponentiated.", without_exp),
    ),
    no_gradient=FROM_ALL_TILES,
)
