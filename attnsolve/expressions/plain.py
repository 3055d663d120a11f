"""Numbers as most people type them, `-0.5`, `1e-3`, `3/2`, read without any grammar."""

from __future__ import annotations

import re
from fractions import Fraction

from attnsolve.errors import ExpressionError
from attnsolve.limits import Limits
from attnsolve.reasons import reason

PLAIN = re.compile(r"([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d{1,3}))?(?:/(\d+))?", re.ASCII)
SPELLINGS = str.maketrans("−–‐‑×·∙⋅÷⁄∕\u00a0\u2009\u202f", "----****///   ")


def normalise(text: str) -> str:
    """Other spellings of the same signs, one character for one: `−`, `×`, `·`, fullwidth digits."""
    if text.isascii():
        return text
    plain = text.translate(SPELLINGS)
    return "".join(chr(ord(c) - 0xFEE0) if "！" <= c <= "～" else c for c in plain)


def plain_value(match: re.Match[str], limits: Limits, column: int) -> Fraction:
    """The number that a match of PLAIN, starting at a column, stands for."""
    sign, whole, after, only_after, exponent, below = match.groups()
    places = after or only_after or ""
    value = Fraction(int(f"{sign}{whole or ''}{places}"), 10 ** len(places))
    if exponent:
        value *= Fraction(10) ** int(exponent)
    if below:
        if not int(below):
            raise ExpressionError(reason("division by zero"), column=column + match.start(6))
        value /= int(below)
    return check_size(value, limits, column)


def check_size(value: Fraction, limits: Limits, column: int) -> Fraction:
    """The value, unless it has more digits than anybody wants to read."""
    if bits(value) > limits.bits:
        raise ExpressionError(
            reason("this number is too large; the limit is {limit} bits", limit=limits.bits), column=column
        )
    return value


def bits(value: Fraction) -> int:
    """How long a number is, above or below."""
    return max(value.numerator.bit_length(), value.denominator.bit_length())
