"""What probably happened at one wrong number: a sign, two digits swapped, a product left out, …"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from attnsolve.errors import AttnsolveError
from attnsolve.exact import Cell, Matrix, Rational
from attnsolve.exact.cells import add, multiply, subtract
from attnsolve.exact.infinity import HIDDEN
from attnsolve.scheme import Scheme
from attnsolve.trace import Step
from attnsolve.verifier.intervals import fits, reachable
from attnsolve.verifier.records import Written

BITS = 64
MINUS = Rational(-1)


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
        for words, candidate in candidates(step, values, i, j, expected):
            if goes_with(written, candidate, scheme):
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
) -> Iterator[tuple[str, Cell]]:
    """What the number would be after each common slip."""
    yield "the sign is wrong", multiply(MINUS, expected)
    rows, columns = step.value.shape
    if rows == columns and i != j:
        yield "row and column are exchanged", step.value.cell(j, i)
    for ten, words in ((Rational(10), "right"), (Rational(Fraction(1, 10)), "left")):
        yield f"the decimal point is one place too far to the {words}", multiply(ten, expected)
    yield from products(step, values, i, j, expected)
    for other in range(columns):
        if other != j:
            yield "this is the number beside it", step.value.cell(i, other)


def products(
    step: Step, values: Mapping[str, Matrix], i: int, j: int, expected: Cell
) -> Iterator[tuple[str, Cell]]:
    """One product of a sum left out, taken twice, or with the wrong sign."""
    factors = step.call.op.formula.product
    if len(factors) != 2:
        return
    arguments = dict(zip(step.call.op.parameters, step.call.args, strict=False))
    left, right = (values[arguments[factor.rstrip("'")]] for factor in factors)
    for k in range(left.shape[1]):
        other = right.cell(j, k) if factors[1].endswith("'") else right.cell(k, j)
        product = multiply(left.cell(i, k), other)
        if product.is_zero():
            continue
        yield f"product {k + 1} of the sum has the wrong sign", subtract(expected, add(product, product))
        yield f"product {k + 1} of the sum is left out", subtract(expected, product)
        yield f"product {k + 1} of the sum is taken twice", add(expected, product)


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
