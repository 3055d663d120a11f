"""Counts against another count: the textbook's loops over single numbers, each operation tallied."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import reduce
from operator import add

import pytest

from attnsolve.costs import count
from attnsolve.loader import loads

TALLY: Counter[str] = Counter()


class Number:
    """A number that only notes what is done with it."""

    def __add__(self, other: Number) -> Number:
        TALLY["additions"] += 1
        return self

    __sub__ = __add__

    def __mul__(self, other: Number) -> Number:
        TALLY["multiplications"] += 1
        return self

    def __truediv__(self, other: Number) -> Number:
        TALLY["divisions"] += 1
        return self

    def function(self) -> Number:
        TALLY["functions"] += 1
        return self


Row = Sequence[Number]
X = Number()
SIZES = {"l": 4, "m": 5, "d": 3, "h": 2}


def matrix(rows: int, columns: int) -> list[Row]:
    return [[X] * columns for _ in range(rows)]


def total(numbers: Row) -> Number:
    return reduce(add, numbers)


def dot(a: Row, b: Row) -> Number:
    return total([x * y for x, y in zip(a, b, strict=True)])


def projected(rows: list[Row], W: list[Row]) -> list[Row]:
    return [[dot(row, column) for column in zip(*W, strict=True)] for row in rows]


def cosine() -> None:
    """q·k / (|q| |k|), each length found once."""
    Q, K = matrix(4, 3), matrix(5, 3)
    lengths = [[dot(row, row).function() for row in rows] for rows in (Q, K)]
    for query, a in zip(Q, lengths[0], strict=True):
        for key, b in zip(K, lengths[1], strict=True):
            dot(query, key) / (a * b)


def additive() -> None:
    """v · tanh(q W + k U), each projection found once."""
    queries, keys = projected(matrix(4, 3), matrix(3, 2)), projected(matrix(5, 3), matrix(3, 2))
    for q in queries:
        for k in keys:
            dot([(a + b).function() for a, b in zip(q, k, strict=True)], [X, X])


def bilinear() -> None:
    """q W k + b."""
    for q in projected(matrix(4, 3), matrix(3, 3)):
        for k in matrix(5, 3):
            dot(q, k) + X


def added_mask() -> None:
    """s + m."""
    for row in matrix(4, 5):
        for s in row:
            s + X


def layer_norm(*, epsilon: bool, gain: bool) -> None:
    """γ (x - mean)/√(variance + ε) + β, token by token."""
    for row in matrix(4, 3):
        mean = total(row) / X
        differences = [x - mean for x in row]
        variance = total([x * x for x in differences]) / X
        spread = (variance + X if epsilon else variance).function()
        for x in differences:
            normal = x / spread
            if gain:
                normal * X + X


GIVEN = (
    "Q: ones(4x3), K: ones(5x3), W: ones(3x2), U: ones(3x2), v: 1 1, WU: ones(6x2), B: ones(3x3), b: 1, "
    "M: zeros(4x5), S: ones(4x5), X: 1 2 4; 1 2 5; 2 0 1; 0 0 1, g: 1 1 1"
)


@pytest.mark.parametrize(
    ("call", "textbook"),
    [
        ("cosine(Q, K)", cosine),
        ("additive(Q, K, W, U, v)", additive),
        ("concat(Q, K, WU, v)", additive),  # the upper rows of W meet the query, the lower ones the key
        ("bilinear(Q, K, B, b)", bilinear),
        ("add_mask(S, M)", added_mask),
        ("layer_norm(X)", lambda: layer_norm(epsilon=True, gain=False)),
        ("layer_norm(X, epsilon=0)", lambda: layer_norm(epsilon=False, gain=False)),
        ("layer_norm(X, g, g)", lambda: layer_norm(epsilon=True, gain=True)),
        ("layer_norm(X, g, g, epsilon_at=deviation)", lambda: layer_norm(epsilon=True, gain=True)),
        ("argmax(S, ties=first)", lambda: None),
    ],
)
def test_count_is_that_of_the_textbook(call: str, textbook: Callable[[], None]) -> None:
    text = f"format: 1\ntitle: T\ngiven: {{{GIVEN}}}\nparts:\n  - {{ask: w, plan: [{{R: '{call}'}}]}}\n"
    problem = loads(f"{text}  - {{ask: w, costs: {{of: a}}}}\n")
    costs = count(problem, problem.parts[-1])
    TALLY.clear()
    textbook()
    found = costs.plans[0].total.values(costs.sizes)
    assert dict(TALLY) == {name: number for name, number in found.items() if number}
    assert not costs.plans[0].uncounted
