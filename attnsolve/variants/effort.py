"""How much work a variant is: its products, negatives, fractions and digits, step by step.

A plain product counts 4. One with a factor of 1 or -1 counts 1, one with 0 nothing. A negative product
counts 1 more, a fraction among its factors 2, every digit after the first 1. Weights, and all that comes
from them, are decimals on paper: a product with one of those counts 8, or 1 where the other factor is 1 or
-1. Every other number that is written down counts 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from attnsolve.exact import Matrix, Rationals
from attnsolve.ops import Op
from attnsolve.ops.addition import ADD
from attnsolve.ops.bilinear import BILINEAR
from attnsolve.ops.concatenation import CONCATENATE
from attnsolve.ops.dot import DOT
from attnsolve.ops.joining import JOIN
from attnsolve.ops.mixing import MIX
from attnsolve.ops.output import OUTPUT
from attnsolve.ops.product import PRODUCT
from attnsolve.ops.projection import PROJECTION
from attnsolve.ops.selection import SELECT
from attnsolve.ops.splitting import SPLIT
from attnsolve.ops.stacking import STACK
from attnsolve.ops.subtraction import SUBTRACT
from attnsolve.ops.times import TIMES
from attnsolve.ops.transpose import TRANSPOSE
from attnsolve.problem import Call, Problem

PLAIN, TRIVIAL, NEGATIVE, FRACTION, DECIMAL = 4, 1, 1, 2, 8
# Ops that multiply their first two matrices; the dot product turns the second one round.
PRODUCTS: tuple[Op, ...] = (PROJECTION, DOT, MIX, OUTPUT, PRODUCT)
# Ops whose results are as exact as what they start from.
MOVING: tuple[Op, ...] = (JOIN, SELECT, SPLIT, CONCATENATE, STACK, TRANSPOSE)
EXACT: tuple[Op, ...] = (PROJECTION, DOT, OUTPUT, BILINEAR, ADD, SUBTRACT, TIMES, PRODUCT, *MOVING)


def effort(problem: Problem, *, made: Mapping[str, Matrix] | None = None) -> int:
    """The work of a whole problem, in quarters of a plain product; what is `made` is not made again."""
    made = made or {}
    values: dict[str, Matrix | None] = {name: given.value for name, given in problem.givens.items()}
    total = 0
    for call in problem.calls():
        inputs = [values[name] for name in call.args]
        total += call_effort(problem, call, inputs)
        known = [value for value in inputs if isinstance(value, Rationals)]
        if call.op not in EXACT or len(known) < len(inputs):
            values[call.out] = None  # decimals
        elif call.out in made:
            values[call.out] = made[call.out]
        else:
            values[call.out] = call.op.rule(*known, **call.options)
    return total


def exact_calls(problem: Problem) -> tuple[Call, ...]:
    """The calls whose results are as exact as the givens."""
    exact, found = set(problem.givens), list[Call]()
    for call in problem.calls():
        if call.op in EXACT and exact.issuperset(call.args):
            exact.add(call.out)
            found.append(call)
    return tuple(found)


def call_effort(problem: Problem, call: Call, inputs: Sequence[Matrix | None]) -> int:
    """The work of one call on these matrices, where None is a matrix of decimals."""
    rows, columns = problem.frames[call.out].shape
    if call.op not in PRODUCTS:
        return PLAIN * rows * columns
    left, right = inputs[0], inputs[1]
    if not isinstance(right, Rationals):
        inner = problem.frames[call.args[0]].shape[1]
        return DECIMAL * rows * inner * columns
    lines = right.rows if call.op is DOT else list(zip(*right.rows, strict=True))
    across = [weights_of(line, right.denominator) for line in lines]
    if not isinstance(left, Rationals):
        return rows * sum(decimal_effort(weight) for line in across for weight in line)
    down = [weights_of(row, left.denominator) for row in left.rows]
    return sum(sum(map(factor_effort, row, line)) for row in down for line in across)


def weights_of(numbers: Sequence[int], denominator: int) -> list[int]:
    """What each factor adds to a product: its digits and its fraction, with its sign; 0 is 0 and ±1 is ±1."""
    return [weight_of(number, denominator) for number in numbers]


@lru_cache(maxsize=8192)
def weight_of(number: int, denominator: int) -> int:
    """How heavy a factor is: 0 and 1 for themselves, 2 for a plain digit, more for digits and fractions."""
    if not number:
        return 0
    size, remainder = divmod(abs(number), denominator)
    weight = 1 if size == 1 and not remainder else 1 + len(str(size)) + (FRACTION if remainder else 0)
    return weight if number > 0 else -weight


@lru_cache(maxsize=4096)
def factor_effort(a: int, b: int) -> int:
    """The work of one product of two factors by their weights."""
    if not (a and b):
        return 0
    sign = NEGATIVE if (a < 0) != (b < 0) else 0
    a, b = abs(a), abs(b)
    return sign + (TRIVIAL if 1 in (a, b) else PLAIN + (a - 2) + (b - 2))


def decimal_effort(weight: int) -> int:
    """The work of a product of a decimal with a factor of this weight."""
    return 0 if not weight else TRIVIAL if abs(weight) == 1 else DECIMAL
