"""The denominators of a page that have a name, over which later results are written."""

from __future__ import annotations

from fractions import Fraction

from attnsolve.exact.closed import canonical
from attnsolve.exact.combinations import Combination
from attnsolve.exact.totals import Total
from attnsolve.rendering.numerals import DenominatorNames


class NamedDenominators:
    """What the rows of weights that a page shows are divided by."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Total, str]] = []  # in the order of the page; few pages ask for them
        self._names: dict[Combination, tuple[str, Fraction]] = {}

    def name(self, below: Total, name: str) -> None:
        """Name the denominator of a row."""
        self._waiting.append((below, name))

    @property
    def names(self) -> DenominatorNames:
        """The names by the canonical form of what they stand for, which is found for the first that asks."""
        for below, name in self._waiting:
            short, scale = shortened(below)
            if short is not None:
                self._names.setdefault(short, (name, scale))  # an equal one was named before
        self._waiting.clear()
        return self._names


def shortened(below: Total) -> tuple[Combination | None, Fraction]:
    """A denominator in canonical form, and how many times that it is; none where it is a single number."""
    whole = below.terms()
    _, short = canonical(whole, whole)
    if len(short.terms) < 2:
        return None, Fraction(1)
    generator = next(iter(short.terms))
    scale = whole.terms.get(generator, Fraction(1)) / short.terms[generator]
    return (short if whole == short.scaled(scale) else None), scale
