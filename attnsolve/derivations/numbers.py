"""Numbers that are chosen for symbols: what formulas are for them, and whether the assumptions allow them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from attnsolve.exact.formulas.letters import Letters
from attnsolve.exact.formulas.values import LARGEST_EXPONENT, at
from attnsolve.statements.tree import Name

__all__ = ["LARGEST_EXPONENT", "at", "is_allowed"]


def is_allowed(point: Mapping[Name, Fraction], setting: Letters) -> bool:
    """Whether numbers are as the problem assumes."""
    for name, value in point.items():
        domain = setting.domain(name)
        low, high = domain.least, domain.most
        if domain.whole and value.denominator != 1:
            return False
        if low is not None and (value < low or (value == low and not domain.may_be_least)):
            return False
        if high is not None and (value > high or (value == high and not domain.may_be_most)):
            return False
        other = Name(domain.above)
        if domain.above and other in point and value < point[other]:
            return False
    return True
