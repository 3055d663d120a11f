"""Which numbers a given may get: as the file says, or in the style of the original."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil, floor

from attnsolve.ops import Role
from attnsolve.problem import Given, Problem
from attnsolve.variation import Domain, Vary, ranged


def domains_of(problem: Problem, vary: Vary) -> Mapping[str, Domain]:
    """The domain of every given that varies; one whose entries are all alike would not."""
    if not vary.inferred:
        return vary.domains
    inferred = {name: inferred_domain(given) for name, given in problem.givens.items()}
    return {
        name: domain
        for name, domain in inferred.items()
        if domain is not None and name not in vary.fixed and len(domain.entries) > 1
    }


def inferred_domain(given: Given) -> Domain | None:
    """Numbers like those of the original: its range, its denominators and its way of writing them.

    What is made by rule, or from other givens, or stands in a question itself, stays as it is.
    """
    if not (given.typed and given.shown):
        return None
    numbers = [cell.rational() for _, _, cell in given.value.cells()]
    known = [number for number in numbers if number is not None]
    if len(known) < len(numbers):
        return None
    if {abs(number) for number in known} <= {0, 1} and min(known) >= 0 and given.role is Role.SCORES:
        return None  # zeros and ones between queries and keys are a mask
    low, high = min(-1, floor(min(known))), max(1, ceil(max(known)))
    denominators = sorted({number.denominator for number in known} | {1})
    decimals = any("." in text for row in given.typed for text in row)
    return ranged(Fraction(low), Fraction(high), denominators, decimals=decimals)
