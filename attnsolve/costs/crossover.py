"""From which number of tokens on one way costs more than the other: exactly, where that can be said."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from attnsolve.exact.polynomials import ONE, ZERO, Monomial, Polynomial

LENGTH = "l"


@dataclass(frozen=True, slots=True)
class Crossover:
    """When the first way is cheaper than the second, by `saved` operations.

    The verdict is `always`, `never` or `equal` for all sizes; `below` or `above` when it is a matter of
    l < top/bottom or l > top/bottom; `independent` when l has no say; else `unsolved`.
    """

    verdict: str
    saved: Polynomial
    top: Polynomial = ZERO
    bottom: Polynomial = ONE

    @property
    def sides(self) -> tuple[Polynomial, Polynomial]:
        """saved > 0 as an inequality between sums without minus signs: (the smaller, the larger)."""
        positive = Polynomial({m: c for m, c in self.saved.terms.items() if c > 0})
        return positive - self.saved, positive


def crossover(first: Polynomial, second: Polynomial) -> Crossover:
    """Where `first` is less than `second`: l < α/β when their difference is l^n (α - β l)."""
    saved = second - first
    sign = saved.sign()
    if sign is not None:
        return Crossover({1: "always", 0: "equal", -1: "never"}[sign], saved)
    powers = saved.powers_of(LENGTH)
    lowest, highest = min(powers), max(powers)
    # Dividing by a power of l does not change which side is larger: there is at least one token.
    divided = saved / Polynomial({((LENGTH, lowest),): Fraction(1)}) if lowest else saved
    if lowest == highest:
        return Crossover("independent", divided)
    slope = powers[highest].sign()
    if highest - lowest > 1 or slope is None:
        return Crossover("unsolved", divided)
    top, bottom = reduced(powers[lowest] * -slope, powers[highest] * slope)
    return Crossover("below" if slope < 0 else "above", divided, top, bottom)


def reduced(top: Polynomial, bottom: Polynomial) -> tuple[Polynomial, Polynomial]:
    """top/bottom without common factors that are single terms, and with the bottom 1 where it divides."""
    monomials = [dict(monomial) for side in (top, bottom) for monomial in side.terms]
    shared: Monomial = tuple(
        (name, power) for name in bottom.names if (power := min(powers.get(name, 0) for powers in monomials))
    )
    common = Polynomial({shared: Fraction(1)})
    top, bottom = top / common, bottom / common
    return (top, bottom) if bottom.names else (top / bottom, ONE)
