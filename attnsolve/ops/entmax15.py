"""1.5-entmax, between softmax and sparsemax: half the scores less a threshold, squared."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from typing import Any, NamedTuple

from attnsolve.exact import Cell, Matrix, Rational
from attnsolve.exact.cells import UNITY, ZERO, add, divide, multiply, subtract
from attnsolve.exact.functions import apply
from attnsolve.exact.masked import shown
from attnsolve.exact.rationals import ones
from attnsolve.languages import message
from attnsolve.ops.back import GRADIENT, back
from attnsolve.ops.base import Check, Family, Formula, Ledger, Mistake, Onward, Op, Options, Remark, Role
from attnsolve.ops.normaliser import as_scores, down_columns, mask_afterwards, require_keys
from attnsolve.ops.softmax import SOFTMAX
from attnsolve.ops.sparsemax import halved_interval, halved_threshold
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
from attnsolve.working import Apply, Entry, Expression, Line, Num, Power, Quotient, Sum, equals

HALF = Rational(Fraction(1, 2))
TWO = Rational(2)
NOTHING: Cell = ZERO
TAU_OF = r"TAU = ${local:M} - \sqrt{(1 - ${local:D})/${local:k}}"
LETTERS = (
    r" \text{ with the mean } ${local:M} \text{ and the squared deviations } ${local:D}"
    r" \text{ of the } ${local:k} \text{ largest}"
)
HEADER = TAU_OF.replace("TAU", r"\tau")


def rule(S: Matrix) -> Matrix:
    """max(0, S/2 - τ)², with the τ of each row for which it sums to 1."""
    root = rooted(S)
    return root * root


def rooted(S: Matrix) -> Matrix:
    """max(0, S/2 - τ), the roots of the weights."""
    require_keys(S)
    return cut(S.scaled(HALF), supports(S))


def supports(S: Matrix) -> list[Support]:
    """The keys of each query that get weight: the largest k with τ_k < s_(k)/2."""
    return [supported(S, i) for i in range(S.shape[0])]


def supported(S: Matrix, i: int) -> Support:
    """The support of row i, and its τ."""
    order = descending(S, i)
    halves = [multiply(HALF, S.cell(i, j)) for j in order]

    def is_in(place: int) -> bool:
        # τ_k < s_(k)/2 without roots: at a τ as large as this half the squares are still less than 1.
        return subtract(squares(halves[:place], halves[place]), UNITY).sign() < 0

    size = leading(len(order), is_in)
    mean, _, delta = moments(halves[:size])
    return Support(order, size, subtract(mean, apply("sqrt", delta)))


def support(S: Matrix) -> Matrix:
    """1 for every key that gets weight."""
    return members(supports(S), S.shape[1])


def tau(S: Matrix) -> Matrix:
    """The threshold of every query."""
    require_keys(S)
    return thresholds(supports(S))


def tau_from(*, S: Matrix, support: Matrix) -> Matrix:
    """M - √((1 - D)/k) over a support that is there."""
    halves, size = shown(S).scaled(HALF), support.row_sums()
    mean = (halves * support).row_sums() / size
    spread = (halves - mean @ ones(1, S.shape[1])) * support
    return mean - ((ones(S.shape[0], 1) - (spread * spread).row_sums()) / size).each("sqrt")


def from_inner(*, S: Matrix, support: Matrix | None = None, tau: Matrix | None = None) -> Matrix:
    """The weights from a threshold or a support that is there."""
    half = S.scaled(HALF)
    if support is None:
        assert tau is not None
        root = above(half, tau)
    else:
        root = above(half, tau_from(S=S, support=support) if tau is None else tau) * support
    return root * root


class Moments(NamedTuple):
    """Of the k largest halves: their mean M, the squares S of what they differ from it, and (1 - S)/k."""

    mean: Cell
    squares: Cell
    delta: Cell


def moments(halves: Sequence[Cell]) -> Moments:
    """M, S and δ, from which τ = M - √δ."""
    size = Rational(len(halves))
    mean = divide(reduce(add, halves), size)
    spread = squares(halves, mean)
    return Moments(mean, spread, divide(subtract(UNITY, spread), size))


def squares(halves: Sequence[Cell], centre: Cell) -> Cell:
    """Σ (s/2 - centre)²."""
    differences = [subtract(half, centre) for half in halves]
    return reduce(add, [multiply(x, x) for x in differences], NOTHING)


def lines(S: Matrix, *, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """Half the score less the threshold, or 0; then the square."""
    made = []
    for i, (row, support) in enumerate(zip(factors(names[0], S), supports(S), strict=True)):
        mean, spread, _ = moments([multiply(HALF, row[j].cell) for j in support.keys])
        under = Quotient(Sum((Num(UNITY), Num(opposite(spread)))), Num(Rational(support.size)))
        for j, score in enumerate(row):
            differences = lowered(halved(score), support.threshold, Num(opposite(mean)), Apply("sqrt", under))
            stages = [equals(Power(Apply("relu", x), 2)) for x in differences]
            made.append(Line(i, j, (*stages, *closing(value.cell(i, j)))))
    return tuple(made)


def opposite(number: Cell) -> Cell:
    """-x."""
    return subtract(ZERO, number)


def halved(score: Num | Entry) -> Expression:
    """s/2, as a number where it is one."""
    return Num(multiply(HALF, score.cell)) if isinstance(score, Num) else Quotient(score, Num(TWO))


def ledger(S: Matrix, *, value: Matrix, options: Options, row: int) -> Ledger:
    """How the support of one query is found: its halves sorted, their mean and spread, and τ for each k."""
    order, size, _ = supported(S, row)
    halves = [multiply(HALF, S.cell(row, j)) for j in order]
    rows = []
    for place, half in enumerate(halves):
        mean, spread, delta = moments(halves[: place + 1])
        # The last one in has a root; after it there may be none, and then none is looked for.
        tau = (
            Num(subtract(mean, apply("sqrt", delta)))
            if place < size or delta.sign() >= 0
            else message("none")
        )
        numbers = (Num(half), Num(Rational(place + 1)), Num(mean), Num(spread), tau)
        rows.append((*numbers, message("yes") if place < size else message("no")))
    headers = ("${S:ij}/2", "${local:k}", "${local:M}", "${local:D}", HEADER, r"\tau < ${S:ij}/2\text{?}")
    return Ledger(headers, tuple(rows), order)


def remarks(S: Matrix, *, value: Matrix, options: Options) -> tuple[Remark, ...]:
    """Who gets weight, and above which threshold."""
    return remarks_on(supports(S), S.shape[1])


def twin(S: Any) -> Any:
    """No sorting: τ is found by halving the interval in which it must lie."""
    return halved_interval(S / 2, 2.0)


def support_twin(S: Any) -> Any:
    """Where torch finds any weight."""
    return (twin(S) > 1e-12).to(S.dtype)


def tau_twin(S: Any) -> Any:
    """τ by halving the interval in which it must lie."""
    return halved_threshold(S / 2, 2.0)


def without_half(S: Matrix) -> Matrix:
    """max(0, S - τ)²."""
    return rule(S.scaled(TWO))


def with_softmax(S: Matrix) -> Matrix:
    """The softmax."""
    return SOFTMAX.rule(S)


ENTMAX15 = Op(
    name="entmax15",
    title="Entmax 1.5: half the score less a threshold, squared",
    why="Weights must not be negative and have to sum to 1 for each query, and small ones become exactly 0.",
    parameters=("S",),
    family=Family.NORMALISER,
    roles=(Role.SCORES,),
    formula=Formula(
        matrix=r"1.5\text{-entmax}(${S})",
        each=r"${out:ij} = \max(0, ${S:ij}/2 - \tau)^2, \quad " + HEADER + LETTERS,
    ),
    frame=as_scores,
    rule=rule,
    counting=uncountable,
    lines=lines,
    ledger=ledger,
    twin=twin,
    remarks=remarks,
    inner=inner_values(
        Sparse(
            "entmax15",
            support,
            tau,
            support_twin,
            tau_twin,
            TAU_OF.replace("TAU", "${out:i}") + LETTERS.replace("largest", "largest halves"),
            tau_from,
        )
    ),
    onward=Onward((SUPPORT, TAU), from_inner),
    check=Check.ROWS_SUM_TO_1,
    mistakes=(
        down_columns(rule),
        mask_afterwards(rule),
        Mistake("without-half", "Halve the scores before you look for the threshold.", without_half),
        Mistake("without-square", "Square what is left above the threshold.", rooted),
        Mistake("with-softmax", "There is no exponential here, but a threshold.", with_softmax),
    ),
    gradients=(back("S", "entmax15_gradient", "S", GRADIENT),),
)
