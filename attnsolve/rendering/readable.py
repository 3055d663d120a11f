"""Which exact numbers a person would write out; longer ones are shown by their decimals, or by name."""

from __future__ import annotations

from collections.abc import Sequence

from attnsolve.exact import Cell, Closed, Matrix, Rational, Rationals
from attnsolve.exact.combinations import Combination
from attnsolve.exact.masked import shown
from attnsolve.exact.surds import Surds
from attnsolve.rendering.numerals import terminating_places

# So many digits in a fraction or a decimal, above and below the line together.
MOST_DIGITS = 10
# A whole number may have a few more.
MOST_WHOLE_DIGITS = 15
# So many in all terms of a sum of roots or exponentials.
MOST_IN_A_SUM = 60
# So many in an exponent.
MOST_RAISED = 8
# Fractions with both sides below this need no closer look.
SHORT = 10 ** (MOST_DIGITS // 2)


def is_readable(cell: Cell, style: str) -> bool:
    """Whether a number is short enough to stand in a line of working; what has no digits of its own is."""
    if isinstance(cell, Rational):
        return is_short(cell.value.numerator, cell.value.denominator, style)
    if isinstance(cell, Closed):
        plain = cell.plain()
        if plain is not None:
            return is_short_sum(plain)
        return sum(digits(part) for quotient in cell.quotients for part in quotient) <= MOST_IN_A_SUM
    return True


def is_short(top: int, bottom: int, style: str) -> bool:
    """Whether a fraction in lowest terms is short as it is written: `355/113`, `0.79445237`."""
    if -SHORT < top < SHORT and bottom < SHORT:
        return True
    if bottom == 1:
        return len(str(abs(top))) <= MOST_WHOLE_DIGITS
    places = terminating_places(bottom) if style == "decimals" else None
    if places is not None:
        return places <= MOST_DIGITS and abs(top) * 10**places // bottom < 10**MOST_DIGITS
    return len(str(abs(top))) + len(str(bottom)) <= MOST_DIGITS


def is_short_sum(terms: Combination) -> bool:
    """Whether no term of Σ q·√r·e^x is long, nor all of them together."""
    sizes = [digits(Combination({generator: c})) for generator, c in terms.terms.items()]
    return max(sizes, default=0) <= MOST_DIGITS and sum(sizes) <= MOST_IN_A_SUM // 2


def digits(terms: Combination) -> int:
    """How many digits are written in Σ q·√r·e^x."""
    numbers: list[int] = []
    for (exponent, root), coefficient in terms.terms.items():
        pairs = [(root, coefficient), *exponent]
        numbers += (n for (radicand, _), c in pairs for n in (radicand, *c.as_integer_ratio()))
    return sum(len(str(abs(number))) for number in numbers if abs(number) != 1)


def is_long_power(power: str) -> bool:
    """Whether an exponent, or a power in print, has more digits than a person would write up there."""
    return len(power) > MOST_RAISED and sum(map(str.isdigit, power)) > MOST_RAISED


def are_readable(value: Matrix, style: str) -> bool:
    """Whether every number of a matrix is; most are short even before they are reduced."""
    numbers = shown(value)
    if isinstance(numbers, Rationals):
        return largest(numbers.denominator, numbers.rows) < SHORT or all(
            is_short(*numbers.fraction(i, j).as_integer_ratio(), style)
            for i in range(value.shape[0])
            for j in range(value.shape[1])
        )
    if not isinstance(numbers, Surds) or are_short_sums(numbers):
        return True
    return all(is_readable(cell, style) for _, _, cell in numbers.cells())


def are_short_sums(value: Surds) -> bool:
    """Whether the numbers of a matrix with roots are all short, even before they are reduced."""
    sizes = []
    for (radicand, _), part in value.parts.items():
        top = largest(1, part.rows)
        if max(top, part.denominator) >= SHORT:
            return False
        sizes.append(sum(len(str(number)) for number in (radicand, top, part.denominator)))
    return max(sizes) <= MOST_DIGITS and sum(sizes) <= MOST_IN_A_SUM // 2


def largest(denominator: int, rows: Sequence[Sequence[int]]) -> int:
    """The largest number above or below a line."""
    return max(denominator, max(map(max, rows)), -min(map(min, rows)))
