"""A gated recurrent unit, to stand beside a plan: written once, with the verbs that ops are written with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from attnsolve.costs.plan_costs import Cost, StepCost
from attnsolve.exact import Matrix
from attnsolve.exact.counting import Counted, Tally
from attnsolve.exact.polynomials import size


class Weights(NamedTuple):
    """The six d×d matrices of a GRU without biases, and a row of ones."""

    W_z: Matrix
    U_z: Matrix
    W_r: Matrix
    U_r: Matrix
    W_n: Matrix
    U_n: Matrix
    ones: Matrix


def step(x: Matrix, h: Matrix, weights: Weights) -> Iterator[tuple[str, Matrix]]:
    """One token read: update gate, reset gate, candidate, and the new state last.

    z = σ(x W_z + h U_z), r = σ(x W_r + h U_r), n = tanh(x W_n + (r∘h) U_n), h' = (1 - z)∘h + z∘n.
    """
    W_z, U_z, W_r, U_r, W_n, U_n, ones = weights
    z = (x @ W_z + h @ U_z).each("sigmoid")
    yield "z", z
    r = (x @ W_r + h @ U_r).each("sigmoid")
    yield "r", r
    n = (x @ W_n + (r * h) @ U_n).each("tanh")
    yield "n", n
    yield "h", (ones - z) * h + z * n


def count_gru() -> Cost:
    """What a GRU costs whose tokens and states have width d, over l tokens."""
    tally, d = Tally(), size("d")
    row, square = Counted(1, d, tally), Counted(d, d, tally)
    weights = Weights(square, square, square, square, square, square, ones=row)
    steps = tuple(StepCost(name, tally.taken()) for name, _ in step(row, row, weights))
    return Cost("gru", steps, size("l"))
