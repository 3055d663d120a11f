"""Means and shares as a report on a class prints them, after ≈ where they are rounded."""

from __future__ import annotations

from fractions import Fraction

from attnsolve.exact.decimals import round_rational
from attnsolve.languages import decimal

NOTHING = "–"


def rounded(value: Fraction | None, places: int = 2, unit: str = "") -> str:
    """A number with a few decimals, after ≈ where they are not all of it."""
    if value is None:
        return NOTHING
    found = round_rational(value, places)
    text = found.text.rstrip("0").rstrip(".") if "." in found.text and found.exact else found.text
    return f"{'' if found.exact else '≈ '}{decimal(text)}{unit}"


def percent(share: Fraction | None) -> str:
    """A share in per cent, after ≈ where it is not a whole number of them."""
    return NOTHING if share is None else rounded(share * 100, 0, " %")
