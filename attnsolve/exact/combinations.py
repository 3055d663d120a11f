"""Linear combinations Σ q·√r·e^x with rational q: what numerators and denominators are made of."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from attnsolve.exact.flint_parts import arb, fmpq
from attnsolve.exact.roots import ONE, Root, lone_prime, multiply_roots, root_ball

# The x of e^x: Σ q·root as sorted pairs; () is e^0 = 1.
Exponent = tuple[tuple[Root, Fraction], ...]
Generator = tuple[Exponent, Root]

UNIT: Generator = ((), ONE)
HALF = Fraction(1, 2)
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


def is_radical(root: Root, power: Fraction) -> bool:
    """Whether e^(power·root) is a folded power of a prime, such as e^{ln(2)/3}, the cube root of 2."""
    return lone_prime(root) > 0 and 0 < power < 1


def transcendental(exponent: Exponent) -> Exponent:
    """The exponent without folded powers of primes, which are algebraic factors."""
    return tuple(pair for pair in exponent if not is_radical(*pair))


def fold(exponent: Exponent, root: Root) -> tuple[Fraction, Generator]:
    """√r·e^x with each power of a prime below 1, and its square roots under the root.

    e^{x + 3/2·ln 2} = 2·√2·e^x and √2·e^{4/3·ln 2} = 2·e^{5/6·ln 2}: one form for one number.
    """
    factor, left = Fraction(1), []
    for kind, power in exponent:
        prime = lone_prime(kind)
        if not prime or abs(power) * prime.bit_length() > FOLDED_BITS:
            left.append((kind, power))
            continue
        if root[0] % prime == 0:
            root, power = (root[0] // prime, root[1]), power + HALF
        whole = power.numerator // power.denominator
        factor *= Fraction(prime) ** whole
        if power - whole == HALF:
            root = (root[0] * prime, root[1])
        elif power != whole:
            left.append((kind, power - whole))
    return factor, (tuple(left), root)


class Combination:
    """Σ coefficient·√r·e^x, as a map from generator to coefficient without zeros."""

    __slots__ = ("_hash", "form", "terms")

    def __init__(self, terms: dict[Generator, Fraction]) -> None:
        self.terms = terms
        self._hash: int | None = None
        self.form: Any = None  # how it is written as a denominator, found once (see `closed`)

    @classmethod
    def of(cls, terms: Iterable[tuple[Exponent, Root, Fraction]]) -> Combination:
        """The sum of coefficient·root·e^exponent, with logarithms folded and equal generators added up."""
        combination = cls({})
        for exponent, root, coefficient in terms:
            if exponent:
                factor, generator = fold(exponent, root)
                combination._put(generator, coefficient * factor)
            else:
                combination._put(((), root), coefficient)
        return combination

    @classmethod
    def rational(cls, value: Fraction) -> Combination:
        """A plain rational number."""
        return cls({UNIT: value} if value else {})

    def _put(self, generator: Generator, coefficient: Fraction) -> None:
        total = self.terms.get(generator, 0) + coefficient
        if total:
            self.terms[generator] = total
        else:
            self.terms.pop(generator, None)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Combination) and self.terms == other.terms)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.terms.items()))
        return self._hash

    def __add__(self, other: Combination) -> Combination:
        combination = Combination(dict(self.terms))
        for generator, coefficient in other.terms.items():
            combination._put(generator, coefficient)
        return combination

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
        return Combination.of(
            (make_exponent((*x, *exponent)), root, c) for (x, root), c in self.terms.items()
        )

    def inverse(self) -> Combination | None:
        """1 divided by a single term without logarithms; None for anything longer."""
        if len(self.terms) != 1:
            return None
        (((exponent, root), coefficient),) = self.terms.items()
        if root[1]:
            return None
        opposite = tuple((r, -c) for r, c in exponent)
        return Combination.of([(opposite, root, 1 / (coefficient * root[0]))])

    def plain(self) -> Fraction | None:
        """The value when it is written as a rational, else None."""
        if not self.terms:
            return Fraction(0)
        return self.terms.get(UNIT) if len(self.terms) == 1 else None

    def multiple_of(self, other: Combination) -> Fraction | None:
        """q with self = q·other, term by term, or None."""
        if not self.terms:
            return Fraction(0)
        if self.terms.keys() != other.terms.keys():
            return None
        generator = next(iter(other.terms))
        ratio = self.terms[generator] / other.terms[generator]
        return ratio if all(c == ratio * other.terms[g] for g, c in self.terms.items()) else None

    def proven_independent(self) -> bool:
        """Whether "zero only when all coefficients are zero" is a theorem for these generators.

        Distinct algebraic exponents give independent exponentials, also over algebraic coefficients
        (Lindemann-Weierstrass). Folded powers of primes and square roots are such coefficients, independent
        over the rationals (Besicovitch). Without exponentials, 1 and the ln p are independent over algebraic
        coefficients (Baker). About ln p beside e^x, in exponents otherwise, or squared, nothing is known.
        """
        left = [root for x, _ in self.terms for root, _ in transcendental(x)]
        logarithms = max((len(root[1]) for _, root in self.terms), default=0)
        return not any(root[1] for root in left) and logarithms <= (0 if left else 1)

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
