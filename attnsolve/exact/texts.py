"""Exact values as plain text: `exp(-9*sqrt(2)/2)/(1 + 2*exp(-sqrt(2)))`."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from attnsolve.exact.combinations import Combination, Exponent
from attnsolve.exact.roots import Root

if TYPE_CHECKING:
    from attnsolve.exact.closed import Closed


def root_factors(root: Root) -> list[str]:
    """The roots and logarithms of a term, each as typed."""
    radicand = [f"sqrt({root[0]})"] if root[0] != 1 else []
    return radicand + [f"log({prime})" for prime in root[1]]


def term_text(coefficient: Fraction, factors: list[str]) -> str:
    """coefficient·factors with the denominator last: `-9*sqrt(2)/2`."""
    if not factors:
        return str(coefficient)
    sign = "-" if coefficient < 0 else ""
    size = abs(coefficient.numerator)
    head = "*".join(([str(size)] if size != 1 else []) + factors)
    return sign + (head if coefficient.denominator == 1 else f"{head}/{coefficient.denominator}")


def joined(terms: list[str]) -> str:
    """Terms put into a sum with their own signs."""
    if not terms:
        return "0"
    return terms[0] + "".join(f" - {t[1:]}" if t.startswith("-") else f" + {t}" for t in terms[1:])


def exponent_text(exponent: Exponent) -> str:
    """The x of e^x."""
    return joined([term_text(c, root_factors(root)) for root, c in exponent])


def combination_text(combination: Combination) -> str:
    """Σ q·√r·e^x, what has no exponential first."""
    return joined(
        [
            term_text(c, root_factors(root) + ([f"exp({exponent_text(x)})"] if x else []))
            for (x, root), c in sorted(combination.terms.items(), key=lambda term: bool(term[0][0]))
        ]
    )


def closed_text(cell: Closed) -> str:
    """Σ N/D."""
    texts = []
    for numerator, denominator in cell.quotients:
        top = combination_text(numerator)
        if denominator.plain() == 1:
            texts.append(top)
            continue
        if len(numerator.terms) > 1:
            top = f"({top})"
        texts.append(f"{top}/({combination_text(denominator)})")
    return joined(texts)
