"""Is the sheet's own answer key right? Each published number against the exact one."""

from __future__ import annotations

from collections.abc import Iterator

from attnsolve.exact import Cell
from attnsolve.exact.decimals import decimal_text
from attnsolve.expressions import normalise, number
from attnsolve.problem import Part, Published, Target
from attnsolve.report import Finding
from attnsolve.trace import Trace


def judge(trace: Trace, part: Part) -> tuple[Finding, ...]:
    """A finding for every number that the sheet prints as an answer of this part."""
    return tuple(finding for published in part.published for finding in _judged(trace, published))


def _judged(trace: Trace, published: Published) -> Iterator[Finding]:
    value = trace.value(published.target.name)
    first_row = published.target.row or 0
    first_column = published.target.column or 0
    for i, row in enumerate(published.rows):
        for j, typed in enumerate(row):
            target = Target(published.target.name, first_row + i, first_column + j)
            cell = value.cell(first_row + i, first_column + j)
            verdict, expected = compare(cell, typed)
            yield Finding(target, verdict, typed, expected, published.line, published.column)


def compare(cell: Cell, typed: str) -> tuple[str, str]:
    """The verdict on one printed number, and what stands there when it is right."""
    claim = number(typed)
    same = cell.same(claim)
    if same:
        return "right", typed
    text = normalise(typed).strip()
    if "." not in text or not text.lstrip("+-").replace(".", "", 1).isdigit():
        return ("wrong" if same is False else "undecided"), cell.text()
    places = len(text.partition(".")[2])
    rounded = cell.rounded(places)
    value = claim.rational()
    if rounded.fraction == value:
        return "rounded", typed
    if cell.rounded(places, mode="truncate").fraction == value:
        return "truncated", decimal_text(rounded.digits, places)
    return "wrong", decimal_text(rounded.digits, places)
