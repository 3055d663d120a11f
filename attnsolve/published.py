"""Is the sheet's own key right? Each published number against the exact one, at its printed precision."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from attnsolve.errors import AttnsolveError, Undecided
from attnsolve.exact import Cell, Rational
from attnsolve.exact.cells import multiply
from attnsolve.exact.decimals import decimal_text
from attnsolve.exact.infinity import HIDDEN, MINUS_INFINITY
from attnsolve.expressions import normalise, number
from attnsolve.findings import Finding, Fit
from attnsolve.problem import Part, Published, Target
from attnsolve.trace import Trace

DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?([0-9]*)|\.([0-9]+))(?:[eE]([+-]?[0-9]{1,3}))?")
# An exact form longer than this is told by its decimals.
LONGEST_FORM = 60
# What people and programs write for -∞ where they have none is at most this.
VERY_NEGATIVE = -99
# With fewer digits than these, one more or less in the last of them is no small thing.
ENOUGH_DIGITS = 3
# A program prints so many digits or more, of which single precision keeps about this many right.
MACHINE_DIGITS, NOISE_PLACES = 7, 6
BITS = 256


def judge(trace: Trace, part: Part) -> tuple[Finding, ...]:
    """A finding for every number that the sheet prints as an answer of this part."""
    return tuple(finding for published in part.published for finding in _judged(trace, published))


def _judged(trace: Trace, published: Published) -> Iterator[Finding]:
    name, first_row, first_column = published.target
    value = trace.value(name)
    rounding = trace.problem.rounding
    # A whole number among decimals, as in `1.88 2`, was rounded like its neighbours.
    places = max((printed_places(text) or 0 for row in published.rows for text in row), default=0)
    for i, row in enumerate(published.rows, start=first_row or 0):
        for j, typed in enumerate(row, start=first_column or 0):
            fit, expected = compare(
                value.cell(i, j), typed, places=places, mode=rounding.mode if rounding else "half_up"
            )
            yield Finding(Target(name, i, j), fit, typed, expected, published.line, published.column)


def printed_places(typed: str) -> int | None:
    """How many decimal places a number is printed with (2·10⁻⁵ has five); None for a fraction or a root."""
    match = DECIMAL.fullmatch(normalise(typed).strip())
    if match is None:
        return None
    return len(match[1] or match[2] or "") - int(match[3] or 0)


def compare(cell: Cell, typed: str, *, places: int = 0, mode: str = "half_up") -> tuple[Fit, str]:
    """How one printed number goes with the exact one, and what stands there when it is right.

    A whole number counts as printed with `places`; a fraction or a root must be the value itself.
    """
    is_hidden = MINUS_INFINITY.fullmatch(typed.strip()) is not None
    if is_hidden or cell is HIDDEN:
        right = cell is HIDDEN and (is_hidden or is_as_good_as_hidden(number(typed).rational()))
        return (Fit.RIGHT, typed) if right else (Fit.WRONG, "-∞" if cell is HIDDEN else shown(cell))
    claim = number(typed)
    same = cell.same(claim)
    if same:
        return Fit.RIGHT, typed
    printed = printed_places(typed)
    try:
        if printed is None:
            return (Fit.WRONG if same is False else Fit.UNDECIDED), shown(cell)
        return _compare_decimals(cell, claim, typed, printed or places, mode)
    except Undecided:
        return Fit.UNDECIDED, shown(cell)


def _compare_decimals(cell: Cell, claim: Cell, typed: str, places: int, mode: str) -> tuple[Fit, str]:
    unit = Fraction(10) ** places
    scaled, value = multiply(cell, Rational(unit)), claim.rational()
    assert value is not None  # a decimal is a fraction
    digits = scaled.rounded(0, mode=mode).digits
    expected = decimal_text(digits, places) if places >= 0 else str(digits * 10**-places)
    if digits == value * unit:
        return Fit.ROUNDED, typed
    if scaled.rounded(0, mode="truncate").digits == value * unit:
        return Fit.CUT_OFF, expected
    written = significant_digits(typed)
    if written >= ENOUGH_DIGITS and abs(digits - value * unit) == 1:
        return Fit.LAST_DIGIT, expected
    if max(written, places) >= MACHINE_DIGITS and _is_noise(cell, value):
        return Fit.NOISE, expected
    return Fit.WRONG, expected


def significant_digits(typed: str) -> int:
    """How many digits a printed decimal has from its first that is not 0: 3 in 0.0120."""
    digits = re.sub(r"[^0-9]", "", re.split("[eE]", normalise(typed))[0])
    return len(digits.lstrip("0"))


def _is_noise(cell: Cell, value: Fraction) -> bool:
    """Whether a number is off by no more than single precision loses in a few steps."""
    exact = cell.ball(BITS)
    off = abs(exact - Rational(value).ball(BITS)) * 10**NOISE_PLACES
    return bool(off <= abs(exact)) or (cell.is_zero() is True and bool(off <= 1))


def is_as_good_as_hidden(value: Fraction | None) -> bool:
    """Whether a score is so far below 0 that its exponential is 0 for everybody: -999, -1e9."""
    return value is not None and value <= VERY_NEGATIVE


def shown(cell: Cell) -> str:
    """A number in a finding: its exact form where that is short, else six decimals."""
    form = cell.text()
    if len(form) <= LONGEST_FORM:
        return form
    try:
        return f"≈ {cell.decimals(6).text}"
    except AttnsolveError:
        return f"{form[: LONGEST_FORM - 1]}…"
