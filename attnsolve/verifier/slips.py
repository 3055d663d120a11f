"""What probably happened at one wrong number: a sign, two digits swapped, a product left out, …"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from attnsolve.errors import AttnsolveError
from attnsolve.exact import Cell, Matrix, Rational
from attnsolve.exact.cells import add, multiply
from attnsolve.exact.infinity import HIDDEN
from attnsolve.scheme import Scheme
from attnsolve.trace import Step
from attnsolve.verifier.intervals import fits, reachable, stands_for_either
from attnsolve.verifier.records import Written

BITS = 64
MINUS, TEN, TENTH = Rational(-1), Rational(10), Rational(Fraction(1, 10))
# In words, as a ball that clears nearly all of them at a glance, and the exact number where it does not.
Candidate = tuple[str, Any, Callable[[], Cell]]


def likely_slip(
    step: Step,
    values: Mapping[str, Matrix],
    i: int,
    j: int,
    written: Written,
    expected: Cell,
    scheme: Scheme,
) -> str:
    """A few words on what probably went wrong, or nothing."""
    try:
        if goes_with(written, expected, scheme):
            return ""  # it is off for another reason, such as zeros without any digits
        glance = None if HIDDEN in (written.cell, expected) else stands_for_either(written, truncation=True)
        for words, near, candidate in candidates(step, values, i, j, expected):
            seen = glance is None or glance.overlaps(near)
            if seen and goes_with(written, candidate(), scheme):
                return words
        for other in swapped(written):
            if goes_with(other, expected, scheme):
                return "two digits are swapped"
    except AttnsolveError:
        return ""  # nothing that can be proven
    return ""


def goes_with(written: Written, cell: Cell, scheme: Scheme) -> bool:
    """Whether a number could have been written for a value."""
    if written.places is not None and cell is not HIDDEN and written.cell is not HIDDEN:
        near = reachable(written, cell.ball(BITS), truncation=scheme.truncation)
        if not near or cell.rational() is None:  # a proof is only needed, or to be had, where it may fit
            return near
    return fits(written, cell, truncation=scheme.truncation) is not None


def candidates(
    step: Step, values: Mapping[str, Matrix], i: int, j: int, expected: Cell
) -> Iterator[Candidate]:
    """What the number would be after each common slip."""
    near, right = expected.ball(BITS), step.value.balls(BITS)
    yield "the sign is wrong", -near, partial(multiply, MINUS, expected)
    rows, columns = step.value.shape
    if rows == columns and i != j:
        yield "row and column are exchanged", right[j][i], partial(step.value.cell, j, i)
    too_far = "the decimal point is one place too far to the"
    yield f"{too_far} right", near * 10, partial(multiply, TEN, expected)
    yield f"{too_far} left", near / 10, partial(multiply, TENTH, expected)
    yield from products(step, values, i, j, expected)
    for other in range(columns):
        if other != j:
            yield "this is the number beside it", right[i][other], partial(step.value.cell, i, other)


def products(step: Step, values: Mapping[str, Matrix], i: int, j: int, expected: Cell) -> Iterator[Candidate]:
    """One product of a sum left out, taken twice, or with the wrong sign."""
    factors = step.call.op.formula.product
    if len(factors) != 2:
        return
    arguments = dict(zip(step.call.op.parameters, step.call.args, strict=False))
    left, right = (values[arguments[factor.rstrip("'")]] for factor in factors)
    right = right.T if factors[1].endswith("'") else right
    near, (lefts, rights) = expected.ball(BITS), (left.balls(BITS), right.balls(BITS))
    for k in range(left.shape[1]):
        size = lefts[i][k] * rights[k][j]
        if size.is_zero():
            continue
        more = partial(lambda k, times: add(expected, product(left, right, i, j, k, times)), k)
        yield f"product {k + 1} of the sum has the wrong sign", near - 2 * size, partial(more, -2)
        yield f"product {k + 1} of the sum is left out", near - size, partial(more, -1)
        yield f"product {k + 1} of the sum is taken twice", near + size, partial(more, 1)


def product(left: Matrix, right: Matrix, i: int, j: int, k: int, times: int) -> Cell:
    """One product of the sum in a cell, so many times."""
    return multiply(Rational(times), multiply(left.cell(i, k), right.cell(k, j)))


def swapped(written: Written) -> Iterator[Written]:
    """The same number with two neighbouring digits exchanged."""
    if written.places is None or written.cell is None:
        return
    value = written.cell.rational() or Fraction(0)
    digits = str(abs(value) * 10**written.places)  # the point does not stand in the way
    sign = -1 if value < 0 else 1
    for place in range(len(digits) - 1):
        pair = digits[place : place + 2]
        if pair[0] != pair[1]:
            other = digits[:place] + pair[::-1] + digits[place + 2 :]
            yield written._replace(cell=Rational(Fraction(sign * int(other), 10**written.places)))
