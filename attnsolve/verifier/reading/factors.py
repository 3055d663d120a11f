"""A factor in front of a matrix, multiplied out exactly: `1/sqrt(3) * [[1, 2], [3, 4]]`."""

from __future__ import annotations

import re

from attnsolve.exact.infinity import HIDDEN
from attnsolve.submission import State, Written
from attnsolve.verifier.digits import BITS
from attnsolve.verifier.reading.budget import Budget
from attnsolve.verifier.reading.numbers import read_number, unread

# How MATLAB shows large numbers, 1.0e+03 * 0.0045, which have as many digits as they show.
POWER_OF_TEN = re.compile(r"1(?:\.0*)?[eE]([+-]?[0-9]{1,3})")
DECIMAL = re.compile(r"[+-]?[0-9]*\.?[0-9]+")


def multiplied(written: Written, factor: str, budget: Budget) -> Written:
    """A number of a matrix times the factor before it; what is no number stays what it is."""
    if written.state is not State.NUMBER:
        return written
    power = POWER_OF_TEN.fullmatch(factor)
    if power and DECIMAL.fullmatch(written.text):
        return read_number(f"{written.text}e{power[1]}", budget)
    if written.cell is not HIDDEN:
        return read_number(f"({factor})*({written.text})", budget)
    share = read_number(factor, budget)
    if share.cell is None or share.cell is HIDDEN or not share.cell.ball(BITS) > 0:
        return unread(f"{factor} * {written.text}", "only a factor above 0 leaves -∞ as it is")
    return written
