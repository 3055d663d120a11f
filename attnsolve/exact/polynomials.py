"""Polynomials in named sizes such as l and d, with exact coefficients: what a count of operations is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from operator import index

from attnsolve.errors import Uncountable, UndefinedStep

# l²·d is (("l", 2), ("d", 1)): powers above 0, in the order of `by_name`.
Monomial = tuple[tuple[str, int], ...]
Number = int | Fraction


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Polynomial:
    """Σ c·l^a·d^b…, kept as monomial → coefficient without zeros, so that equal ones have equal terms."""

    terms: Mapping[Monomial, Fraction]

    @classmethod
    def of(cls, terms: Iterable[tuple[Monomial, Fraction]]) -> Polynomial:
        """Terms added up."""
        sums: dict[Monomial, Fraction] = {}
        for monomial, coefficient in terms:
            sums[monomial] = sums.get(monomial, Fraction(0)) + coefficient
        return cls({monomial: c for monomial, c in sums.items() if c})

    @property
    def names(self) -> tuple[str, ...]:
        """The sizes it depends on."""
        return tuple(sorted({name for monomial in self.terms for name, _ in monomial}, key=by_name))

    def ordered(self) -> list[tuple[Monomial, Fraction]]:
        """The terms as one writes them: highest degree first, more tokens before more features."""
        names = self.names

        def place(term: tuple[Monomial, Fraction]) -> list[int]:
            powers = dict(term[0])
            return [-sum(powers.values()), *(-powers.get(name, 0) for name in names)]

        return sorted(self.terms.items(), key=place)

    def value(self, sizes: Mapping[str, Number]) -> Fraction:
        """What it is worth when every size is a number."""
        total = Fraction(0)
        for monomial, coefficient in self.terms.items():
            for name, power in monomial:
                coefficient *= Fraction(sizes[name]) ** power
            total += coefficient
        return total

    def powers_of(self, name: str) -> dict[int, Polynomial]:
        """The coefficients when it is read as a polynomial in one size: power → the rest."""
        found: dict[int, list[tuple[Monomial, Fraction]]] = {}
        for monomial, coefficient in self.terms.items():
            rest = tuple(factor for factor in monomial if factor[0] != name)
            found.setdefault(dict(monomial).get(name, 0), []).append((rest, coefficient))
        return {power: Polynomial.of(terms) for power, terms in found.items()}

    def sign(self) -> int | None:
        """1, 0 or -1 when it has this sign for all sizes above 0; None when that depends on them."""
        signs = {1 if coefficient > 0 else -1 for coefficient in self.terms.values()} or {0}
        return signs.pop() if len(signs) == 1 else None

    def __add__(self, other: Polynomial | Number) -> Polynomial:
        if not isinstance(other, (Polynomial, int, Fraction)):
            return NotImplemented
        return Polynomial.of((*self.terms.items(), *polynomial(other).terms.items()))

    __radd__ = __add__

    def __neg__(self) -> Polynomial:
        return Polynomial({monomial: -c for monomial, c in self.terms.items()})

    def __sub__(self, other: Polynomial | Number) -> Polynomial:
        return self + -other

    def __rsub__(self, other: Number) -> Polynomial:
        return -self + other

    def __mul__(self, other: Polynomial | Number) -> Polynomial:
        if not isinstance(other, (Polynomial, int, Fraction)):
            return NotImplemented  # Python then repeats a list this many times, which asks for __index__
        others = polynomial(other).terms.items()
        return Polynomial.of((times(a, b), c * k) for a, c in self.terms.items() for b, k in others)

    __rmul__ = __mul__

    def __truediv__(self, divisor: Polynomial | Number) -> Polynomial:
        """The quotient by a single term; an UndefinedStep when it leaves a rest."""
        below = polynomial(divisor)
        if len(below.terms) != 1:
            raise UndefinedStep(f"{self} can only be divided by a single term, not by {below}")
        ((under, scale),) = below.terms.items()
        made: dict[Monomial, Fraction] = {}
        for monomial, coefficient in self.terms.items():
            powers = dict(monomial)
            for name, power in under:
                powers[name] = powers.get(name, 0) - power
            if min(powers.values(), default=0) < 0:
                raise UndefinedStep(f"{self} cannot be divided by {below} without a rest")
            made[tuple((name, power) for name, power in powers.items() if power)] = coefficient / scale
        return Polynomial(made)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Polynomial, int, Fraction)):
            return NotImplemented
        return self.terms == polynomial(other).terms

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    def __index__(self) -> int:
        """A size that is a whole number may count rows; a letter may not."""
        whole = self.terms.get((), Fraction(0))
        if self.names or whole.denominator != 1:
            raise Uncountable(f"it needs the size {self} as a number")
        return whole.numerator

    def __floordiv__(self, divisor: int) -> int:
        return index(self) // divisor

    def __lt__(self, other: int) -> bool:
        return index(self) < other

    def __gt__(self, other: int) -> bool:
        return index(self) > other

    def __str__(self) -> str:
        """Plain text that SymPy reads too: `2*l^2*d - l*d - l`."""
        texts = []
        for monomial, coefficient in self.ordered():
            factors = [name if power == 1 else f"{name}^{power}" for name, power in monomial]
            if coefficient.denominator != 1 or abs(coefficient) != 1 or not factors:
                factors.insert(0, str(abs(coefficient)))
            texts.append(("- " if coefficient < 0 else "+ ") + "*".join(factors))
        text = " ".join(texts) or "+ 0"
        return text[2:] if text.startswith("+") else f"-{text[2:]}"

    def __repr__(self) -> str:
        return f"<{self}>"


def size(name: str) -> Polynomial:
    """A size by its name."""
    return Polynomial({((name, 1),): Fraction(1)})


def polynomial(value: Polynomial | Number) -> Polynomial:
    """A number as a polynomial without names; a polynomial as it is."""
    return value if isinstance(value, Polynomial) else Polynomial.of([((), Fraction(value))])


ZERO, ONE = polynomial(0), polynomial(1)


def times(a: Monomial, b: Monomial) -> Monomial:
    """The product of two monomials."""
    powers = dict(a)
    for name, power in b:
        powers[name] = powers.get(name, 0) + power
    return tuple(sorted(powers.items(), key=lambda factor: by_name(factor[0])))


def by_name(name: str) -> tuple[bool, str]:
    """Numbers of tokens (l, m) stand before widths (d, d_k), as papers write l²d."""
    return name.startswith("d"), name
