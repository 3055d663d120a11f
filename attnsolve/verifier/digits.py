"""Which numbers a written number stands for: all that round to it, or are cut off to it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from typing import Any

from attnsolve.errors import Undecided
from attnsolve.exact import Cell, Matrix, Rational
from attnsolve.exact.balls import WRITTEN_BITS, around, around_fraction
from attnsolve.exact.infinity import HIDDEN
from attnsolve.exact.masked import Masked
from attnsolve.findings import Fit
from attnsolve.published import is_as_good_as_hidden
from attnsolve.reasons import reason
from attnsolve.submission import Written
from attnsolve.verifier.memory import MOST_TEXTS

# The precision of all balls in this room: ample for what people write, and the same for all of them.
BITS = WRITTEN_BITS
# Kinds of matrix whose cells can be rounded by proof; of the others a ball is all there may be.
PROVABLE = ("rational", "surd", "attention")


def unit(written: Written) -> Fraction:
    """The last place of a written decimal, 0 for an exact form."""
    return Fraction(0) if written.places is None else Fraction(10) ** -written.places


def units(value: Fraction, places: int) -> int | None:
    """How many units of the last of so many places a number is; None where it takes more places."""
    top, bottom = value.as_integer_ratio()
    whole, rest = divmod(top * 10**places, bottom)
    return None if rest else whole


@lru_cache(maxsize=MOST_TEXTS)
def units_of(cell: Cell, places: int) -> int | None:
    """The same of a cell, which all have who wrote the same number; None of what is no fraction, too."""
    value = cell.rational()
    return None if value is None else units(value, places)


def is_short(value: Fraction | None, places: int) -> bool:
    """Whether a number can be written down in full with so many places."""
    return value is not None and 10**places % value.denominator == 0


def is_long(written: Written, asked: int) -> bool:
    """Whether all digits were written that were asked for."""
    return written.places is None or written.places >= asked


def cut_to(written: Written, asked: int) -> Written:
    """A number with no more digits than were asked for."""
    if written.places is None or written.places <= asked or written.cell is None or written.cell is HIDDEN:
        return written
    return written._replace(cell=Rational(written.cell.rounded(asked).fraction), places=asked)


def numbers_meant(written: Written, *, truncation: bool = True) -> Any:
    """The ball of all numbers that round to what was written or, where that is allowed, are cut off to it."""
    cell, places, ball = written.cell, written.places, written.ball
    assert cell is not None
    if ball is not None and is_narrow(ball):
        return ball
    meant = None if places is None else decimal_ball(cell, places, truncation)
    return around(cell, unit(written) / 2) if meant is None else meant


def is_rounded_form(written: Written) -> bool:
    """Whether a longer form has decimals in it that leave its value open, but not by much."""
    return written.ball is not None and is_narrow(written.ball)


def is_narrow(ball: Any) -> bool:
    """Whether a number is known to about a hundredth."""
    return bool(ball.rad() * 100 <= 1 + abs(ball))


@lru_cache(maxsize=MOST_TEXTS)
def decimal_ball(cell: Cell, places: int, truncation: bool) -> Any:
    """The ball of what a decimal stands for, None of what is none; all who wrote it have the same cell."""
    value = cell.rational()
    if value is None:
        return None
    top, bottom = value.as_integer_ratio()
    quarter = 4 * 10**places  # of a unit of the last place; fractions would take three times as long
    truncation = truncation and places > 0  # nobody cuts off to whole numbers
    side = (top > 0) - (top < 0) if truncation else 0
    # Half a unit to both sides; or nearer to 0, and a whole one away from it; from both sides to 0.
    width = 3 if side else 4 if truncation else 2
    return around_fraction(top * quarter + side * bottom, bottom * quarter, (width, quarter))


def rounded_unseen(ball: Any, places: int, *, truncation: bool) -> Any:
    """What a number may have become that was rounded to some places, or cut off where that is allowed.

    Cut off, it has lost up to a unit of its size and kept its sign: what lies around 0 does not move away.
    """
    either, above, below = head_balls(places)
    if not truncation or not (ball > 0 or ball < 0):
        return ball + either
    if ball > 0:
        return ball + above if ball + above > 0 else (ball + above).nonnegative_part()
    return ball + below if ball + below < 0 else -(-(ball + below)).nonnegative_part()


def rounded_to_digits(ball: Any, places: int, *, truncation: bool) -> Any:
    """The same for numbers that may be tiny: nobody keeps fewer than three digits of what is not 0."""
    kept = rounded_unseen(ball, places, truncation=truncation)
    few = ball * LAST_OF_THREE
    return few if few.rad() < kept.rad() else kept


@lru_cache(maxsize=64)
def head_balls(places: int) -> tuple[Any, Any, Any]:
    """How far a number moves that is rounded; one above 0 that is rounded or cut off; one below 0."""
    half = Fraction(1, 2 * 10**places)
    less, more = Rational(-half / 2), Rational(half / 2)
    return around(Rational(0), half), around(less, 3 * half / 2), around(more, 3 * half / 2)


# What rounding or cutting off after three digits leaves of a number, at least and at most.
LAST_OF_THREE = around(Rational(Fraction(399, 400)), Fraction(3, 400))

# A form that is off by one part in so many is as good as right.
SURELY = 10**8


def fits(written: Written, right: Cell, *, truncation: bool) -> Fit | None:
    """How a written number goes with the right one; None where it does not."""
    assert written.cell is not None
    if HIDDEN in (right, written.cell):
        return Fit.RIGHT if right is written.cell or is_as_good_as_hidden(written.fraction) else None
    if is_rounded_form(written):
        return Fit.ROUNDED if written.ball.overlaps(right.ball(BITS)) else None
    if written.places is None:
        same = written.cell.same(right)
        if same is None:
            raise Undecided(
                reason("cannot decide whether {typed} equals the exact value", typed=written.text)
            )
        return Fit.RIGHT if same else Fit.ROUNDED if is_as_good_as(written.cell, right) else None
    claimed = written.fraction
    if claimed is None:
        return None
    found, number = spellings(right, written.places, truncation=truncation), units(claimed, written.places)
    if number is None:
        return None
    if truncation and number not in found and number == open_cut(right, written.places, found):
        right.rounded(written.places, mode="truncate")  # raises Undecided, with the reason
    return found.get(number)


def is_as_good_as(cell: Cell, right: Cell) -> bool:
    """Whether an exact form is the right number but for what nobody would ask for: e^-202 over 1 + e^-202."""
    off = abs(cell.ball(BITS) - right.ball(BITS))
    return bool(off * SURELY <= abs(right.ball(BITS)))


def spellings(right: Cell, places: int, *, truncation: bool) -> dict[int, Fit]:
    """Every decimal with so many places that goes with a number, in units of the last one, and how."""
    rounded = right.rounded(places)
    if rounded.exact:
        return {rounded.digits: Fit.RIGHT}
    found = {}
    if truncation and places > 0:  # nobody cuts off to whole numbers
        with suppress(Undecided):  # certified decimals of 2 may be 1.999…, and then only rounding is known
            found = {right.rounded(places, mode="truncate").digits: Fit.CUT_OFF}
    return found | {right.rounded(places, mode="half_even").digits: Fit.ROUNDED, rounded.digits: Fit.ROUNDED}


def open_cut(right: Cell, places: int, found: Mapping[int, Fit]) -> int | None:
    """What a number may be when it is cut off, where its spellings leave that open: 1.99 for a 2 in balls."""
    if places == 0 or not {Fit.CUT_OFF, Fit.RIGHT}.isdisjoint(found.values()):
        return None
    try:
        right.rounded(places, mode="truncate")
    except Undecided:
        rounded = right.rounded(places).digits
        return rounded - (1 if rounded > 0 else -1)
    return None


def reachable(written: Written, ball: Any, *, truncation: bool) -> bool:
    """Whether some number of a ball could have been written like this."""
    return bool(numbers_meant(written, truncation=truncation).overlaps(ball))


def goes_with(written: Written, value: Matrix, ball: Any, i: int, j: int, *, truncation: bool) -> bool:
    """Whether a number could have been written for a cell: by proof where there is one, else by its ball."""
    if written.cell is HIDDEN:
        return value.cell(i, j) is HIDDEN
    if not numbers_meant(written, truncation=truncation).overlaps(ball):
        return False  # no proof is needed, nor where -∞ belongs
    return is_borne_out(written, value, ball, i, j, truncation=truncation)


def is_borne_out(written: Written, value: Matrix, ball: Any, i: int, j: int, *, truncation: bool) -> bool:
    """The same of a number that may stand for some number of the ball."""
    kind = value.base.kind if isinstance(value, Masked) else value.kind
    if kind in PROVABLE or ball.is_exact():
        return fits(written, value.cell(i, j), truncation=truncation) is not None
    return True
