"""How much work a variant is: its products, negatives, fractions and digits, step by step.

A plain product counts 4. One with a factor of 1 or -1 counts 1, one with 0 nothing. A negative product
counts 1 more, a fraction among its factors 2, every digit after the first 1. Weights, and all that comes
from them, are decimals on paper: a product with one of those counts 8, or 1 where the other factor is 1 or
-1. Every other number that is written down counts 4.
"""

from __future__ import annotations

from collections.abc import Mapping
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


Factors = list[list[int]]  # what each number of a matrix adds to a product, row by row


def effort(problem: Problem, *, made: Mapping[str, Matrix] | None = None) -> int:
    """The work of a whole problem, in quarters of a plain product; what is `made` is not made again."""
    made = made or {}
    values: dict[str, Matrix | None] = {name: given.value for name, given in problem.givens.items()}
    factors: dict[str, Factors | None] = {}
    total = 0
    for call in problem.calls():
        if call.op in PRODUCTS:
            for name in call.args[:2]:
                if name not in factors:
                    factors[name] = factors_of(values[name])
            total += product_effort(problem, call, *[factors[name] for name in call.args[:2]])
        else:
            rows, columns = problem.frames[call.out].shape
            total += PLAIN * rows * columns
        known = [value for name in call.args if isinstance(value := values[name], Rationals)]
        if call.op not in EXACT or len(known) < len(call.args):
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


def product_effort(problem: Problem, call: Call, left: Factors | None, right: Factors | None) -> int:
    """The work of one product of two matrices; None is a matrix of decimals."""
    rows, columns = problem.frames[call.out].shape
    if right is None:
        inner = problem.frames[call.args[0]].shape[1]
        return DECIMAL * rows * inner * columns
    lines = right if call.op is DOT else list(zip(*right, strict=True))
    if left is None:
        return rows * sum(decimal_effort(weight) for line in lines for weight in line)
    return sum([sum(map(factor_effort, row, line)) for row in left for line in lines])


def factors_of(matrix: Matrix | None) -> Factors | None:
    """The weight of each number with its sign: 0 is 0 and ±1 is ±1; none for decimals."""
    if not isinstance(matrix, Rationals):
        return None
    return [[weight_of(number, matrix.denominator) for number in row] for row in matrix.rows]


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
