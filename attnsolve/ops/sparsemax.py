"""Sparsemax: the scores less a threshold, and nothing for those below it."""

from __future__ import annotations

from typing import Any

from attnsolve.exact import Cell, Matrix, Rational
from attnsolve.exact.cells import UNITY, ZERO, add, divide, multiply, subtract
from attnsolve.exact.masked import shown, visible
from attnsolve.exact.rationals import ones
from attnsolve.languages import message
from attnsolve.ops.back import GRADIENT, RESULT, back
from attnsolve.ops.base import Check, Family, Formula, Ledger, Mistake, Onward, Op, Options, Remark, Role
from attnsolve.ops.normaliser import as_scores, down_columns, mask_afterwards, require_keys
from attnsolve.ops.softmax import SOFTMAX
from attnsolve.ops.support import (
    SUPPORT,
    TAU,
    Sparse,
    Support,
    above,
    cut,
    descending,
    inner_values,
    leading,
    lowered,
    members,
    remarks_on,
    thresholds,
    uncountable,
)
from attnsolve.ops.writing import closing, factors
from attnsolve.working import Apply, Line, Num, Product, Quotient, Sum, equals

MINUS = Rational(-1)


def rule(S: Matrix) -> Matrix:
    """max(0, S - τ), with the τ of each row for which it sums to 1."""
    require_keys(S)
    return cut(S, supports(S))


def supports(S: Matrix) -> list[Support]:
    """The keys of each query that get weight: the largest k scores with 1 + k·s_(k) > s_(1) + … + s_(k)."""
    return [supported(S, i) for i in range(S.shape[0])]


def supported(S: Matrix, i: int) -> Support:
    """The support of row i, and τ = (its sum - 1)/k."""
    order = descending(S, i)
    sums = running_sums([S.cell(i, j) for j in order])

    def is_in(place: int) -> bool:
        return subtract(reach(S.cell(i, order[place]), place + 1), sums[place]).sign() > 0

    size = leading(len(order), is_in)
    return Support(order, size, divide(subtract(sums[size - 1], UNITY), Rational(size)))


def support(S: Matrix) -> Matrix:
    """1 for every key that gets weight."""
    return members(supports(S), S.shape[1])


def tau(S: Matrix) -> Matrix:
    """The threshold of every query."""
    require_keys(S)
    return thresholds(supports(S))


def tau_from(*, S: Matrix, support: Matrix) -> Matrix:
    """(the sum over a support that is there - 1)/k."""
    return ((shown(S) * support).row_sums() - ones(S.shape[0], 1)) / support.row_sums()


def from_inner(*, S: Matrix, support: Matrix | None = None, tau: Matrix | None = None) -> Matrix:
    """The weights from a threshold or a support that is there."""
    if support is None:
        assert tau is not None
        return above(S, tau)
    return above(S, tau_from(S=S, support=support) if tau is None else tau) * support


def running_sums(scores: list[Cell]) -> list[Cell]:
    """s_(1), s_(1) + s_(2), …"""
    total: Cell = ZERO
    sums = []
    for score in scores:
        total = add(total, score)
        sums.append(total)
    return sums


def reach(score: Cell, k: int) -> Cell:
    """1 + k·s_(k)."""
    return add(UNITY, multiply(Rational(k), score))


def lines(S: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """The score less the threshold, or 0."""
    made = []
    for i, (row, support) in enumerate(zip(factors(names[0], S), supports(S), strict=True)):
        above = Sum((*(row[j] for j in support.keys), Num(MINUS)))
        tau = Product((Num(MINUS), Quotient(above, Num(Rational(support.size)))))
        for j, score in enumerate(row):
            stages = [equals(Apply("relu", x)) for x in lowered(score, support.threshold, tau)]
            made.append(Line(i, j, (*stages, *closing(value.cell(i, j)))))
    return tuple(made)


def tau_lines(S: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """The scores of the support less 1, over how many they are."""
    made = []
    for i, (row, found) in enumerate(zip(factors(names[0], S), supports(S), strict=True)):
        over = Quotient(Sum((*(row[j] for j in found.keys), Num(MINUS))), Num(Rational(found.size)))
        made.append(Line(i, 0, (equals(over), *closing(value.cell(i, 0)))))
    return tuple(made)


def ledger(S: Matrix, *, value: Matrix, options: Options, row: int) -> Ledger:
    """How the support of one query is found: its scores sorted, their running sum, and what it is held to."""
    order, size, _ = supported(S, row)
    scores = [S.cell(row, j) for j in order]
    sums = running_sums(scores)
    rows = []
    for place, (score, total) in enumerate(zip(scores, sums, strict=True)):
        k = place + 1
        numbers = (Num(score), Num(Rational(k)), Num(total), Num(reach(score, k)))
        rows.append((*numbers, message("yes") if place < size else message("no")))
    reached = r"1 + ${local:k}\,${S:ij}"
    headers = (
        "${S:ij}",
        "${local:k}",
        message(r"\text{sum so far}"),
        reached,
        message(r"\text{larger than the sum?}"),
    )
    return Ledger(headers, tuple(rows), order)


def remarks(S: Matrix, *, value: Matrix, options: Options) -> tuple[Remark, ...]:
    """Who gets weight, and above which threshold."""
    return remarks_on(supports(S), S.shape[1])


def twin(S: Any) -> Any:
    """No sorting: halving an interval finds who has weight; τ follows from them, which autograd needs."""
    kept = S > halved_threshold(S, 1.0)
    tau = (S.masked_fill(~kept, 0.0).sum(dim=-1, keepdim=True) - 1) / kept.sum(dim=-1, keepdim=True)
    return (S - tau).clamp(min=0)


def support_twin(S: Any) -> Any:
    """Where torch finds any weight."""
    return (twin(S) > 1e-12).to(S.dtype)


def tau_twin(S: Any) -> Any:
    """τ by halving the interval in which it must lie."""
    return halved_threshold(S, 1.0)


def halved_interval(S: Any, power: float) -> Any:
    """max(0, S - τ)^power with the τ for which it sums to 1; a last step of Newton's gives τ its slopes."""
    import torch

    tau = halved_threshold(S.detach(), power)
    kept = S > tau
    above = torch.where(kept, S - tau, 1.0)
    steep = torch.where(kept, power * above.detach() ** (power - 1), 0.0).sum(dim=-1, keepdim=True)
    tau = tau + (torch.where(kept, above**power, 0.0).sum(dim=-1, keepdim=True) - 1) / steep
    return torch.where(kept, torch.where(kept, S - tau, 1.0).clamp(min=0) ** power, 0.0)


def halved_threshold(S: Any, power: float) -> Any:
    """The τ for which max(0, S - τ)^power sums to 1, between the largest score less 1 and that score."""
    import torch

    high = S.amax(dim=-1, keepdim=True)
    low = high - 1
    for _ in range(64):
        middle = (low + high) / 2
        is_low = ((S - middle).clamp(min=0) ** power).sum(dim=-1, keepdim=True) > 1
        low, high = torch.where(is_low, middle, low), torch.where(is_low, high, middle)
    return high


def with_softmax(S: Matrix) -> Matrix:
    """The softmax."""
    return SOFTMAX.rule(S)


def whole_row(S: Matrix) -> Matrix:
    """max(0, S - τ) with τ = (the sum of all scores - 1)/n."""
    return cut(S, whole_supports(S)).relu()


def whole_threshold(S: Matrix) -> Matrix:
    """(the sum of all scores - 1)/n."""
    return thresholds(whole_supports(S))


def whole_supports(S: Matrix) -> list[Support]:
    """All keys that can be seen, as if they were the support."""
    found = []
    for i in range(S.shape[0]):
        keys = tuple(j for j, kept in enumerate(visible(S).rows[i]) if kept)
        total = running_sums([S.cell(i, j) for j in keys])[-1]
        found.append(Support(keys, len(keys), divide(subtract(total, UNITY), Rational(len(keys)))))
    return found


OF_ALL = "The threshold comes from the scores of the support, not from all of them."
INSIDE = Sparse(
    "sparsemax",
    support,
    tau,
    support_twin,
    tau_twin,
    r"${out:i} = \tfrac{1}{${local:k}}\left(\textstyle\sum_{l \text{ in the support}} ${S:il} - 1\right)",
    tau_from,
    mistakes=(Mistake("threshold-of-all", OF_ALL, whole_threshold),),
    lines=tau_lines,
)


SPARSEMAX = Op(
    name="sparsemax",
    title="Sparsemax: less a threshold, never below 0",
    why="Weights must not be negative and have to sum to 1 for each query, and small ones become exactly 0.",
    parameters=("S",),
    family=Family.NORMALISER,
    roles=(Role.SCORES,),
    formula=Formula(
        matrix=r"\operatorname{sparsemax}(${S})",
        each=r"${out:ij} = \max(0, ${S:ij} - \tau), \quad "
        r"\tau = \tfrac{1}{${local:k}}\left(\textstyle\sum_{l \text{ in the support}} ${S:il} - 1\right)",
    ),
    frame=as_scores,
    rule=rule,
    counting=uncountable,
    lines=lines,
    ledger=ledger,
    twin=twin,
    remarks=remarks,
    inner=inner_values(INSIDE),
    onward=Onward((SUPPORT, TAU), from_inner),
    check=Check.ROWS_SUM_TO_1,
    mistakes=(
        down_columns(rule),
        mask_afterwards(rule),
        Mistake("with-softmax", "Sparsemax has no exponentials: take the threshold off.", with_softmax),
        Mistake(
            "threshold-of-all",
            OF_ALL,
            whole_row,
        ),
    ),
    gradients=(back("S", "sparsemax_gradient", RESULT, GRADIENT),),
)
