"""What probably happened at one wrong number: a sign, two digits swapped, a product left out, …"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from attnsolve.causes import Slip, SlipKind
from attnsolve.errors import AttnsolveError
from attnsolve.exact import Cell, Matrix, Rational
from attnsolve.exact.cells import add, multiply
from attnsolve.exact.infinity import HIDDEN
from attnsolve.scheme import Scheme
from attnsolve.submission import Numbers, Written
from attnsolve.trace import Step
from attnsolve.verifier.case import Case
from attnsolve.verifier.digits import BITS, fits, is_short, numbers_meant, reachable
from attnsolve.verifier.exercise import Exercise

MINUS, TEN, TENTH = Rational(-1), Rational(10), Rational(Fraction(1, 10))
# What may happen to all numbers of a step at once.
EVERYWHERE = (SlipKind.SIGN, SlipKind.EXCHANGED, SlipKind.POINT_RIGHT, SlipKind.POINT_LEFT)
# Whatever is further from a number than so many units of its last place was not made of it by rounding.
OFF_BY_ROUNDING = 2
# So many are named where several lead to the same number.
MOST = 2
# What it is, with the place of a product, as a ball that clears nearly all of them at a glance, and the exact
# number where it does not.
Candidate = tuple[SlipKind, int, Any, Callable[[], Cell]]


def likely_slips(case: Case, off: Numbers, exercise: Exercise) -> tuple[Slip, ...]:
    """What probably went wrong at the first number; where most numbers are off, one slip for all of them."""
    is_single = 2 * len(off) <= len(case.numbers) or len(case.numbers) == 1
    try:
        found = slips_at(case, off[0], exercise)
        for place in () if is_single or not found else off[1:]:
            others = slips_at(case, place, exercise)
            found = [one for one in found if one.kind in EVERYWHERE and one in others]
    except AttnsolveError:
        return ()  # nothing that can be proven
    return tuple(found[:MOST])


def slips_at(case: Case, place: tuple[int, int, Written], exercise: Exercise) -> list[Slip]:
    """Every common slip that leads to a number."""
    i, j, written = place
    right, scheme, values = case.expected(i, j), exercise.scheme, case.calculation.values
    if goes_with(written, right, scheme):
        return []  # it is off for another reason, such as zeros without any digits
    glance = None if HIDDEN in (written.cell, right) else numbers_meant(written, truncation=True)
    found = [
        Slip(kind, product)
        for kind, product, near, candidate in candidates(case.step, values, i, j, right, exercise)
        if (glance is None or glance.overlaps(near)) and explains(written, candidate(), exercise)
    ]
    if any(goes_with(other, right, scheme) for other in swapped(written, right)):
        found.append(Slip(SlipKind.DIGITS_SWAPPED))
    return list(dict.fromkeys(found))


def explains(written: Written, cell: Cell, exercise: Exercise) -> bool:
    """Whether a slip leads to what was written: exactly, where nothing has to be rounded."""
    if written.cell is HIDDEN or cell is HIDDEN:
        return written.cell is cell
    exact, value = cell.rational(), written.fraction
    if value is not None and is_short(exact, exercise.asked):
        return exact == value
    return bool(value) and goes_with(written, cell, exercise.scheme)  # 0 is near to everything small


def goes_with(written: Written, cell: Cell, scheme: Scheme) -> bool:
    """Whether a number could have been written for a value."""
    if written.places is not None and cell is not HIDDEN and written.cell is not HIDDEN:
        near = reachable(written, cell.ball(BITS), truncation=scheme.truncation)
        if not near or cell.rational() is None:  # a proof is only needed, or to be had, where it may fit
            return near
    return fits(written, cell, truncation=scheme.truncation) is not None


def candidates(
    step: Step, values: Mapping[str, Matrix], i: int, j: int, expected: Cell, exercise: Exercise
) -> Iterator[Candidate]:
    """What the number would be after each common slip."""
    near, right = expected.ball(BITS), exercise.key.balls(step)
    yield SlipKind.SIGN, 0, -near, partial(multiply, MINUS, expected)
    rows, columns = step.value.shape
    if rows == columns and i != j:
        yield SlipKind.EXCHANGED, 0, right[j][i], partial(step.value.cell, j, i)
    yield SlipKind.POINT_RIGHT, 0, near * 10, partial(multiply, TEN, expected)
    yield SlipKind.POINT_LEFT, 0, near / 10, partial(multiply, TENTH, expected)
    yield from products(step, values, i, j, expected)
    for other in range(columns):
        if other != j and not right[i][other].is_zero():  # a 0 is beside too many numbers
            yield SlipKind.NEIGHBOUR, 0, right[i][other], partial(step.value.cell, i, other)


def products(step: Step, values: Mapping[str, Matrix], i: int, j: int, expected: Cell) -> Iterator[Candidate]:
    """One product of a sum left out, taken twice, or with the wrong sign."""
    factors = step.call.op.formula.product
    if len(factors) != 2:
        return
    arguments = dict(zip(step.call.op.parameters, step.call.args, strict=False))
    left, right = (values[arguments[factor.rstrip("'")]] for factor in factors)
    row = line(left, i, is_row=not factors[0].endswith("'"))
    column = line(right, j, is_row=factors[1].endswith("'"))
    near, sides = expected.ball(BITS), zip(row.balls(BITS)[0], column.balls(BITS)[0], strict=True)
    for k, (above, below) in enumerate(sides):
        size = above * below
        if size.is_zero():
            continue
        more = partial(with_product, expected, row, column, k)
        yield SlipKind.PRODUCT_SIGN, k + 1, near - 2 * size, partial(more, -2)
        yield SlipKind.PRODUCT_MISSING, k + 1, near - size, partial(more, -1)
        yield SlipKind.PRODUCT_TWICE, k + 1, near + size, partial(more, 1)


def line(value: Matrix, place: int, *, is_row: bool) -> Matrix:
    """A row of a matrix, or one of its columns as a row."""
    return value.take([place]) if is_row else value.columns(place, place + 1).T


def with_product(sum_: Cell, row: Matrix, column: Matrix, k: int, times: int) -> Cell:
    """A sum with one of its products so many times more."""
    return add(sum_, multiply(Rational(times), multiply(row.cell(0, k), column.cell(0, k))))


def swapped(written: Written, right: Cell) -> Iterator[Written]:
    """The same number with two neighbouring digits exchanged, where that may be the right one."""
    if written.places is None:
        return
    value, steps = written.fraction or Fraction(0), 10**written.places
    near = None if right is HIDDEN else right.ball(BITS) * steps
    digits = str(abs(value) * steps)  # the point does not stand in the way
    sign = -1 if value < 0 else 1
    for place in range(len(digits) - 1):
        pair = digits[place : place + 2]
        if pair[0] != pair[1]:
            other = sign * int(digits[:place] + pair[::-1] + digits[place + 2 :])
            if near is None or not abs(near - other) > OFF_BY_ROUNDING:
                yield written._replace(cell=Rational(Fraction(other, steps)))
