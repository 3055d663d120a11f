"""Matrices of decimals with 40 digits, in numpy: the students' own arithmetic, apart from ours."""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal, setcontext
from typing import Any

import numpy as np

DIGITS = Context(prec=40)
setcontext(DIGITS)

Array = np.ndarray[Any, Any]
HIDDEN = Decimal("-Infinity")
MODES = {"half_up": ROUND_HALF_UP, "half_even": ROUND_HALF_EVEN, "cut": ROUND_DOWN}


def matrix(rows: list[list[Any]]) -> Array:
    """Numbers or texts as decimals."""
    table = np.empty((len(rows), len(rows[0])), dtype=object)
    for i, row in enumerate(rows):
        for j, number in enumerate(row):
            table[i, j] = number if isinstance(number, Decimal) else Decimal(str(number))
    return table


def each(rule: Callable[[Decimal], Decimal], table: Array) -> Array:
    """A rule applied to every number."""
    return matrix([[rule(number) for number in row] for row in table])


def exp(table: Array) -> Array:
    """e to the power of every number; 0 for what is hidden."""
    return each(lambda number: Decimal(0) if number == HIDDEN else number.exp(DIGITS), table)


def tanh(table: Array) -> Array:
    """(e²ˣ − 1) / (e²ˣ + 1)."""

    def one(number: Decimal) -> Decimal:
        power = (2 * number).exp(DIGITS)
        return (power - 1) / (power + 1)

    return each(one, table)


def root(number: int) -> Decimal:
    """√number."""
    return Decimal(number).sqrt(DIGITS)


def row_sums(table: Array) -> Array:
    """The sums of the rows, one under the other."""
    return matrix([[sum(row, Decimal(0))] for row in table])


def rounded(number: Decimal, places: int, mode: str = "half_up") -> Decimal:
    """A number with so many places; what is hidden stays hidden, and there is no −0."""
    if number == HIDDEN:
        return number
    return number.quantize(Decimal(1).scaleb(-places), rounding=MODES[mode], context=DIGITS) + 0


def significant(number: Decimal, digits: int) -> int:
    """How many places a number needs so that it keeps so many digits other than leading zeros."""
    return 0 if not number or number == HIDDEN else max(0, digits - 1 - number.adjusted())


def text(number: Decimal, *, trim: bool = False) -> str:
    """A number as it is typed; trimmed, it has no zeros behind its last digit."""
    if number == HIDDEN:
        return "-inf"
    digits = format(number, "f")
    if trim and "." in digits:
        digits = digits.rstrip("0").rstrip(".")
    return "0" if digits in ("-0", "") else digits
