"""Linear combinations Σ q·√r·e^x with rational q: what numerators and denominators are made of."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from flint import arb, fmpq

from attnsolve.exact.roots import ONE, Root, independent, multiply_roots, root_ball

# The x of e^x: Σ q·root as sorted pairs; () is e^0 = 1.
Exponent = tuple[tuple[Root, Fraction], ...]
Generator = tuple[Exponent, Root]

UNIT: Generator = ((), ONE)
FOLDED_BITS = 65_536


def fraction_ball(value: Fraction) -> arb:
    """The ball of a rational at the working precision."""
    return arb(fmpq(value.numerator, value.denominator))


def make_exponent(terms: Iterable[tuple[Root, Fraction]]) -> Exponent:
    """Σ q·root in canonical order, without zeros."""
    sums: dict[Root, Fraction] = {}
    for root, coefficient in terms:
        sums[root] = sums.get(root, Fraction(0)) + coefficient
    return tuple(sorted((root, c) for root, c in sums.items() if c))


def exponent_ball(exponent: Exponent) -> arb:
    """The ball of x itself (not of e^x)."""
    return sum((root_ball(root) * fraction_ball(c) for root, c in exponent), arb(0))


def fold(exponent: Exponent) -> tuple[Fraction, Root, Exponent]:
    """Take whole and half multiples of ln p out of e^x: e^{x + 3/2·ln 2} = 2·√2·e^x."""
    factor, root, left = Fraction(1), ONE, []
    for kind, power in exponent:
        prime = kind[1][0] if kind[0] == 1 and len(kind[1]) == 1 else 0
        small = prime and abs(power) * prime.bit_length() < FOLDED_BITS
        if small and power.denominator <= 2:
            whole = power.numerator // power.denominator
            factor *= Fraction(prime) ** whole
            if power.denominator == 2:
                whole, root = multiply_roots(root, (prime, ()))
                factor *= whole
        else:
            left.append((kind, power))
    return factor, root, tuple(left)


class Combination:
    """Σ coefficient·√r·e^x, as a map from generator to coefficient without zeros."""

    __slots__ = ("terms",)

    def __init__(self, terms: dict[Generator, Fraction]) -> None:
        self.terms = terms

    @classmethod
    def of(cls, terms: Iterable[tuple[Exponent, Root, Fraction]]) -> Combination:
        """The sum of coefficient·root·e^exponent, with logarithms folded and equal generators added up."""
        sums: dict[Generator, Fraction] = {}
        for exponent, root, coefficient in terms:
            if exponent:
                factor, extra, exponent = fold(exponent)
                whole, root = multiply_roots(root, extra)
                coefficient *= factor * whole
            generator = (exponent, root)
            total = sums.get(generator, 0) + coefficient
            if total:
                sums[generator] = total
            else:
                sums.pop(generator, None)
        return cls(sums)

    @classmethod
    def rational(cls, value: Fraction) -> Combination:
        """A plain rational number."""
        return cls({UNIT: value} if value else {})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Combination) and self.terms == other.terms

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    def __add__(self, other: Combination) -> Combination:
        sums = dict(self.terms)
        for generator, coefficient in other.terms.items():
            total = sums.get(generator, 0) + coefficient
            if total:
                sums[generator] = total
            else:
                sums.pop(generator, None)
        return Combination(sums)

    def __mul__(self, other: Combination) -> Combination:
        def products() -> Iterable[tuple[Exponent, Root, Fraction]]:
            for (x, r), a in self.terms.items():
                for (y, s), b in other.terms.items():
                    whole, root = multiply_roots(r, s)
                    exponent = make_exponent((*x, *y)) if x and y else x or y
                    yield exponent, root, a * b * whole

        return Combination.of(products())

    def scaled(self, factor: Fraction) -> Combination:
        """Every coefficient times a rational."""
        return Combination({g: c * factor for g, c in self.terms.items()} if factor else {})

    def shifted(self, exponent: Exponent) -> Combination:
        """The combination times e^exponent."""
        return Combination.of((make_exponent((*x, *exponent)), root, c) for (x, root), c in self.terms.items())

    def inverse(self) -> Combination | None:
        """1 divided by a single term without logarithms; None for anything longer."""
        if len(self.terms) != 1:
            return None
        ((exponent, root), coefficient), *_ = self.terms.items()
        if root[1]:
            return None
        return Combination({(tuple((r, -c) for r, c in exponent), root): 1 / (coefficient * root[0])})

    def plain(self) -> Fraction | None:
        """The value when it is written as a rational, else None."""
        if not self.terms:
            return Fraction(0)
        return self.terms.get(UNIT) if len(self.terms) == 1 else None

    def proven_independent(self) -> bool:
        """Whether "zero only when all coefficients are zero" is a theorem for these generators.

        Distinct algebraic exponents give independent exponentials (Lindemann-Weierstrass); with a
        logarithm left in an exponent, or beside an exponential, that theorem does not speak.
        """
        exponents = {x for x, _ in self.terms}
        algebraic = all(not root[1] for x in exponents for root, _ in x)
        roots = [root for _, root in self.terms]
        logarithms = any(root[1] for root in roots)
        return algebraic and all(map(independent, roots)) and not (logarithms and exponents != {()})

    def ball(self) -> arb:
        """The enclosure at the working precision."""
        total = arb(0)
        for (exponent, root), coefficient in self.terms.items():
            term = fraction_ball(coefficient)
            if root != ONE:
                term *= root_ball(root)
            if exponent:
                term *= exponent_ball(exponent).exp()
            total += term
        return total
