"""Certified thresholds: the τ for which max(0, x - τ)^power, added up over a row, is 1."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

from attnsolve.exact.arithmetic import Arithmetic
from attnsolve.exact.balls import Balls, Enclosed
from attnsolve.exact.cells import UNITY, Cell, multiply, subtract
from attnsolve.exact.flint_parts import arb, ctx
from attnsolve.exact.masked import visible
from attnsolve.exact.matrices import Matrix
from attnsolve.exact.precision import LADDER

# Halvings between two tries of Newton's method, which needs a good start.
HALVINGS = 12

# τ lies between the two, proven.
Bracket = tuple[arb, arb]


def shares(scores: Matrix, factor: Cell) -> Balls:
    """max(0, factor·s - τ)^{1/factor} in every row, with the τ for which the row sums to 1."""

    def compute(on: Arithmetic) -> list[list[Any]]:
        power = 1 / factor.enclosure()
        return on.weights([row_shares(row, power) for row in stretched(scores, factor)], scores)

    return Balls(scores.shape, compute)


def threshold(scores: Matrix, factor: Cell, i: int) -> Cell:
    """The τ of row i: where one number gets all of it, that number less 1."""
    winners = [j for j, ball in enumerate(shares(scores.take([i]), factor).balls(LADDER[0])[0]) if ball != 0]
    if len(winners) == 1:
        return subtract(multiply(factor, scores.cell(i, winners[0])), UNITY)

    def compute(on: Arithmetic) -> Any:
        row = stretched(scores.take([i]), factor)[0]
        low, high = bracket([x for x in row if x is not None], 1 / factor.enclosure())
        return on.measured([[low.union(high)]])[0][0]

    return Enclosed(compute)


def shares_above(scores: Matrix, factor: Cell, thresholds: Matrix) -> Balls:
    """max(0, factor·s - τ)^{1/factor} in every row, with a τ for each that is there, right or not."""

    def compute(on: Arithmetic) -> list[list[Any]]:
        power = 1 / factor.enclosure()
        pairs = zip(stretched(scores, factor), thresholds.enclosures(), strict=True)
        return [[arb(0) if x is None else raised(x - tau, power) for x in row] for row, (tau,) in pairs]

    return Balls(scores.shape, compute)


def powers(weights: Matrix, exponent: Cell) -> Balls:
    """Each weight to a power, above 0 or not; a weight of 0 stays 0."""

    def compute(on: Arithmetic) -> list[list[Any]]:
        power = exponent.enclosure()
        rows = [
            [arb(0) if x.is_zero() else raised_any(x, power) for x in row] for row in weights.enclosures()
        ]
        return on.measured(rows)

    return Balls(weights.shape, compute)


def raised_any(x: arb, power: arb) -> arb:
    """x^power of what is not below 0; without an end where x may be 0 and the power is not above it."""
    return raised(x, power) if power > 0 or x > 0 else arb("nan")


def stretched(scores: Matrix, factor: Cell) -> list[list[arb | None]]:
    """Every score times the factor, as a ball; None for a hidden one."""
    ball = factor.enclosure()
    pairs = zip(scores.enclosures(), visible(scores).rows, strict=True)
    return [[x * ball if kept else None for x, kept in zip(r, k, strict=True)] for r, k in pairs]


def row_shares(row: Sequence[arb | None], power: arb) -> list[arb]:
    """What each number of a row gets; a hidden one nothing, and one that gets all of it exactly 1."""
    low, high = bracket([x for x in row if x is not None], power)
    made = [arb(0) if x is None else share(x, low, high, power) for x in row]
    winners = [j for j, ball in enumerate(made) if not ball.is_zero()]
    return [arb(j in winners) for j in range(len(row))] if len(winners) == 1 else made


def share(x: arb, low: arb, high: arb, power: arb) -> arb:
    """max(0, x - τ)^power for every τ of the bracket: it grows with x - τ, so the two ends enclose it."""
    least, most = (x - high).lower(), (x - low).upper()
    return raised(least, power).union(raised(most, power)) if most > 0 else arb(0)


def raised(x: arb, power: arb) -> arb:
    """max(0, x)^power."""
    if x > 0:
        return x**power
    return arb(0) if x <= 0 else arb(0).union(x.upper() ** power)


def excess(row: Sequence[arb], tau: arb, power: arb) -> arb:
    """Σ max(0, x - τ)^power - 1, which falls as τ grows."""
    return sum((raised(x - tau, power) for x in row), arb(-1))


def bracket(row: Sequence[arb], power: arb) -> Bracket:
    """Two points between which τ lies, as near to each other as the working precision can prove.

    At the largest number less 1 its own term is 1 already, and at the largest number every term is 0.
    From there the interval is halved; every few halvings Newton's method may find τ at once. Whatever
    it finds is proven from both sides: a bad guess costs time, never truth.
    """
    largest = reduce(arb.max, row)
    low, high = (largest - 1).lower(), largest.upper()
    for step in range(1, ctx.prec):
        point = middle(low, high)
        over = excess(row, point, power)
        if over > 0:
            low = point
        elif over < 0:
            high = point
        else:  # τ itself, as far as can be seen
            return squeeze(row, power, point, (low, high))
        guess = newton(row, power, (low, high)) if step % HALVINGS == 0 else None
        if guess is not None:
            return squeeze(row, power, guess, (low, high))
    return low, high


def squeeze(row: Sequence[arb], power: arb, point: arb, known: Bracket) -> Bracket:
    """The narrowest interval around a point whose ends are proven to lie on either side of τ."""
    low, high = known
    step = unit_at(point)
    while point - step > low:
        left = (point - step).lower()
        if excess(row, left, power) > 0:
            low = left
            break
        step = (4 * step).mid()
    step = unit_at(point)
    while point + step < high:
        right = (point + step).upper()
        if excess(row, right, power) < 0:
            high = right
            break
        step = (4 * step).mid()
    return low, high


def newton(row: Sequence[arb], power: arb, known: Bracket) -> arb | None:
    """A guess at τ, or None where the method leaves the interval or wanders about in it."""
    low, high = known
    tau = middle(low, high)
    for _ in range(2 * ctx.prec.bit_length()):
        inside = [x.mid() - tau for x in row if x.mid() > tau]  # a guess needs middles only
        slope = power * sum((x ** (power - 1) for x in inside), arb(0))
        step = (sum((x**power for x in inside), arb(-1)) / slope).mid()
        if abs(step) < unit_at(tau):
            return tau
        tau = (tau + step).mid()
        if not low < tau < high:
            return None
    return None


def middle(low: arb, high: arb) -> arb:
    """The point halfway."""
    return ((low + high) / 2).mid()


def unit_at(point: arb) -> arb:
    """The smallest step that makes sense beside a point, at the working precision."""
    return ((1 + abs(point)) * arb(2) ** (2 - ctx.prec)).mid()
