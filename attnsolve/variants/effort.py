"""How much work a variant is: its products, negatives, fractions and digits, measured on its trace.

A plain product counts 4. One with a factor of 1 or -1 counts 1, one with 0 nothing. A negative product
counts 1 more, a fraction among its factors 2, every digit after the first 1. Where the factors have no
short exact form, a person multiplies decimals, which counts 8 whatever they are. Every other number that
is written down counts 4.
"""

from __future__ import annotations

from collections.abc import Sequence

from attnsolve.exact import Matrix, Rationals
from attnsolve.ops import Op
from attnsolve.ops.dot import DOT
from attnsolve.ops.mixing import MIX
from attnsolve.ops.output import OUTPUT
from attnsolve.ops.projection import PROJECTION
from attnsolve.trace import Step, Trace

PLAIN, TRIVIAL, NEGATIVE, FRACTION, DECIMAL = 4, 1, 1, 2, 8
# The two factors of each op that multiplies matrices.
PRODUCTS: dict[Op, str] = {PROJECTION: "W", DOT: "transposed", MIX: "W", OUTPUT: "W"}


def effort(trace: Trace) -> int:
    """The work of a whole trace, in quarters of a plain product."""
    return sum(map(step_effort, trace.steps))


def step_effort(step: Step) -> int:
    """The work of one step."""
    way = PRODUCTS.get(step.call.op)
    if way is None:
        return PLAIN * step.value.shape[0] * step.value.shape[1]
    left, right = step.inputs[0], step.inputs[1]
    return product_effort(left, right.T if way == "transposed" else right)


def product_effort(left: Matrix, right: Matrix) -> int:
    """The work of a matrix product."""
    if not isinstance(right, Rationals):
        return DECIMAL * left.shape[0] * left.shape[1] * right.shape[1]
    across = [weights_of(column, right.denominator) for column in zip(*right.rows, strict=True)]
    if not isinstance(left, Rationals):
        return left.shape[0] * sum(decimal_effort(weight) for column in across for weight in column)
    down = [weights_of(row, left.denominator) for row in left.rows]
    return sum(
        factor_effort(a, b) for row in down for column in across for a, b in zip(row, column, strict=True)
    )


def weights_of(numbers: Sequence[int], denominator: int) -> list[int]:
    """What each factor adds to a product: its digits and its fraction, with its sign; 0 is 0 and ±1 is ±1."""
    return [weight_of(number, denominator) for number in numbers]


def weight_of(number: int, denominator: int) -> int:
    """How heavy a factor is: 0 and 1 for themselves, 2 for a plain digit, more for digits and fractions."""
    if not number:
        return 0
    size, remainder = divmod(abs(number), denominator)
    weight = 1 if size == 1 and not remainder else 1 + len(str(size)) + (FRACTION if remainder else 0)
    return weight if number > 0 else -weight


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
