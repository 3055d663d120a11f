"""Is the sheet's own key right? Each published number against the exact one, at its printed precision."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from attnsolve.errors import AttnsolveError, Undecided
from attnsolve.exact import Cell, Rational
from attnsolve.exact.cells import multiply
from attnsolve.exact.decimals import decimal_text
from attnsolve.expressions import normalise, number
from attnsolve.problem import Part, Published, Target
from attnsolve.report import Finding
from attnsolve.trace import Trace

DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?([0-9]*)|\.([0-9]+))(?:[eE]([+-]?[0-9]{1,3}))?")
# An exact form longer than this is told by its decimals.
LONGEST_FORM = 60


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
            verdict, expected = compare(
                value.cell(i, j), typed, places=places, mode=rounding.mode if rounding else "half_up"
            )
            yield Finding(Target(name, i, j), verdict, typed, expected, published.line, published.column)


def printed_places(typed: str) -> int | None:
    """How many decimal places a number is printed with (2·10⁻⁵ has five); None for a fraction or a root."""
    match = DECIMAL.fullmatch(normalise(typed).strip())
    if match is None:
        return None
    return len(match[1] or match[2] or "") - int(match[3] or 0)


def compare(cell: Cell, typed: str, *, places: int = 0, mode: str = "half_up") -> tuple[str, str]:
    """The verdict on one printed number, and what stands there when it is right.

    A whole number counts as printed with `places`; a fraction or a root must be the value itself.
    """
    claim = number(typed)
    same = cell.same(claim)
    if same:
        return "right", typed
    printed = printed_places(typed)
    try:
        if printed is None:
            return ("wrong" if same is False else "undecided"), shown(cell)
        return _compare_decimals(cell, claim, typed, printed or places, mode)
    except Undecided:
        return "undecided", shown(cell)


def _compare_decimals(cell: Cell, claim: Cell, typed: str, places: int, mode: str) -> tuple[str, str]:
    unit = Fraction(10) ** places
    scaled, value = multiply(cell, Rational(unit)), claim.rational()
    assert value is not None  # a decimal is a fraction
    digits = scaled.rounded(0, mode=mode).digits
    expected = decimal_text(digits, places) if places >= 0 else str(digits * 10**-places)
    if digits == value * unit:
        return "rounded", typed
    if scaled.rounded(0, mode="truncate").digits == value * unit:
        return "truncated", expected
    return "wrong", expected


def shown(cell: Cell) -> str:
    """A number in a finding: its exact form where that is short, else six decimals."""
    form = cell.text()
    if len(form) <= LONGEST_FORM:
        return form
    try:
        return f"≈ {cell.decimals(6).text}"
    except AttnsolveError:
        return f"{form[: LONGEST_FORM - 1]}…"
