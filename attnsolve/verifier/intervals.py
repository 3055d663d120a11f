"""Which numbers a written number stands for: all that round to it, or are cut off to it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from attnsolve.errors import Undecided
from attnsolve.exact import Cell, Matrix, Rational
from attnsolve.exact.balls import around
from attnsolve.exact.infinity import HIDDEN
from attnsolve.exact.masked import Masked
from attnsolve.verifier.records import Written

# Kinds of matrix whose cells can be rounded by proof; of the others a ball is all there may be.
PROVABLE = ("rational", "surd", "attention")


def unit(written: Written) -> Fraction:
    """The last place of a written decimal, 0 for an exact form."""
    return Fraction(0) if written.places is None else Fraction(10) ** -written.places


def stands_for(written: Written) -> Any:
    """The ball of all numbers that round to what was written."""
    assert written.cell is not None
    return around(written.cell, unit(written) / 2)


def cut_off_to(written: Written) -> Any:
    """The ball of all numbers that are cut off to what was written: those up to a unit further from 0."""
    assert written.cell is not None
    value = written.cell.rational()
    step = unit(written)
    if value is None or not step:
        return stands_for(written)
    return around(Rational(value + (step / 2 if value >= 0 else -step / 2)), step / 2)


def fits(written: Written, right: Cell, *, truncation: bool) -> str | None:
    """How a written number goes with the right one: `right`, `rounded`, `truncated`, or not at all (None)."""
    assert written.cell is not None
    if HIDDEN in (right, written.cell):
        return "right" if right is written.cell else None
    if written.places is None:
        same = written.cell.same(right)
        if same is None:
            raise Undecided(f"cannot decide whether {written.text} equals the exact value")
        return "right" if same else None
    claimed = written.cell.rational()
    rounded = right.rounded(written.places)
    if rounded.exact:
        return "right" if rounded.fraction == claimed else None
    modes = ("half_up", "half_even", *(("truncate",) if truncation else ()))
    for mode in modes:
        if right.rounded(written.places, mode=mode).fraction == claimed:
            return "truncated" if mode == "truncate" else "rounded"
    return None


def reachable(written: Written, ball: Any, *, truncation: bool) -> bool:
    """Whether some number of a ball could have been written like this."""
    if stands_for(written).overlaps(ball):
        return True
    return truncation and bool(cut_off_to(written).overlaps(ball))


def goes_with(written: Written, value: Matrix, ball: Any, i: int, j: int, *, truncation: bool) -> bool:
    """Whether a number could have been written for a cell: by proof where there is one, else by its ball."""
    kind = value.base.kind if isinstance(value, Masked) else value.kind
    if kind in PROVABLE or value.cell(i, j) is HIDDEN:
        return fits(written, value.cell(i, j), truncation=truncation) is not None
    return reachable(written, ball, truncation=truncation)


def is_coarse(written: Written, right: Cell, asked: int) -> bool:
    """Whether fewer digits were written than were asked for, although the value has more."""
    if written.places is None or written.places >= asked:
        return False
    return not right.rounded(written.places).exact
