"""Formulas as elements of one field: ℚ(symbols, roots, logarithms, exponentials).

Every exponent is written over one denominator and taken apart into monomials t; each e^t is a generator. What
is equal as elements is equal as functions. The other way round nothing is concluded from it. The root of a
prime, such as √2, is a generator whose square is put in wherever it comes up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from math import comb, gcd, lcm, prod
from typing import Any

from sympy import QQ, Symbol
from sympy.polys.fields import field as make_field

from attnsolve.errors import AttnsolveError, UndefinedStep
from attnsolve.exact.roots import prime_powers, square_part
from attnsolve.statements.tree import (
    Call,
    Function,
    Name,
    Number,
    Order,
    Power,
    Product,
    Quotient,
    Sum,
    Tree,
    walk,
)

# An element of the field, as SymPy has it.
Element = Any
MOST_TERMS = 2_000  # of a formula that is multiplied out
MOST_SYMBOLS = 24
LARGEST_POWER = 64
MOST_BITS = 20_000  # of a number that is raised to a power
MOST_POWERS = 2_000_000  # of the two exponentials with the highest, multiplied


class TooLong(AttnsolveError):
    """A formula that would have more terms than anybody reads."""

    exit_code = 4


class Unreadable(AttnsolveError):
    """A formula of another kind than those that are decided here."""


@dataclass(eq=False)
class Algebra:
    """The field that some formulas live in, and what its generators stand for."""

    trees: Iterable[Tree]
    symbols: list[Name] = field(default_factory=list)  # a rooted one stands for its root
    rooted: set[Name] = field(default_factory=set)
    logarithms: list[Tree] = field(default_factory=list)
    exponents: list[Element] = field(default_factory=list)  # of each exponential generator, in this field
    is_below_zero: Callable[[Element], bool] | None = None  # set by who knows signs, for how factors print
    has_roots: bool = False  # of numbers; who calculates with elements then has to settle them

    def __post_init__(self) -> None:
        trees = tuple(self.trees)
        for tree in trees:
            estimate = terms_of(tree)
            if estimate > MOST_TERMS:
                raise TooLong(f"multiplied out this has about {estimate} terms; the limit is {MOST_TERMS}")
        pieces = [piece for tree in trees for piece in walk(tree)]
        self.symbols = sorted({piece for piece in pieces if isinstance(piece, Name)}, key=spelled)
        if len(self.symbols) > MOST_SYMBOLS:
            raise TooLong(f"{len(self.symbols)} symbols in one formula; the limit is {MOST_SYMBOLS}")
        self.rooted = {
            piece.argument
            for piece in pieces
            if isinstance(piece, Call)
            and piece.function is Function.SQRT
            and isinstance(piece.argument, Name)
        }
        constants = {name for piece in pieces if self.has_roots for name in primes_under_root(piece)}
        self.symbols = [*sorted(constants, key=spelled), *self.symbols]
        self.rooted |= constants
        self.squares = {place: int(name.name) for place, name in enumerate(self.symbols) if name in constants}
        self.logarithms = list(
            dict.fromkeys(p.argument for p in pieces if isinstance(p, Call) and p.function is Function.LN)
        )
        powers = [p.argument for p in pieces if isinstance(p, Call) and p.function is Function.EXP]
        self._build(0)
        exponents = [self.value(tree) for tree in dict.fromkeys(powers)]
        self._take_apart(exponents)

    def _build(self, exponentials: int) -> None:
        """Make the field; symbols come first, exponentials last."""
        names = [f"x{i}" for i in range(len(self.symbols))]
        names += [f"L{i}" for i in range(len(self.logarithms))]
        names += [f"E{i}" for i in range(exponentials)]
        made = make_field([Symbol(name) for name in names or ["unused"]], QQ)
        self.field, generators = made[0], made[1:]
        count = len(self.symbols) + len(self.logarithms)
        self.generator_of = dict(zip(self.symbols, generators, strict=False))
        self.logarithm_of = dict(zip(self.logarithms, generators[len(self.symbols) :], strict=False))
        self.exponentials = list(generators[count : count + exponentials])
        self.first_exponential = count

    def _take_apart(self, exponents: list[Element]) -> None:
        """Monomials that all exponents are whole multiples of, over one denominator; e^(2 ln x) is x²."""
        exponents = [self._without_logarithms(x)[0] for x in exponents]
        below = reduce(lambda one, other: one.lcm(other), (x.denom for x in exponents), self.field.ring.one)
        shares: dict[tuple[int, ...], list[Fraction]] = {}
        for x in exponents:
            for monomial, share in (x.numer * below.exquo(x.denom)).terms():
                shares.setdefault(monomial, []).append(Fraction(int(share.numerator), int(share.denominator)))
        units = {monomial: common(found) for monomial, found in sorted(shares.items(), reverse=True)}
        require_common_measure(shares, units)
        self._build(len(units))
        below = below.set_ring(self.field.ring)
        self.units = {}
        for (monomial, unit), generator in zip(units.items(), self.exponentials, strict=True):
            padded = (*monomial, *[0] * (self.field.ring.ngens - len(monomial)))[: self.field.ring.ngens]
            term = self.field.ring({padded: QQ(unit.numerator, unit.denominator)})
            self.exponents.append(self.field(term) / self.field(below))
            self.units[padded] = (unit, generator)
        self.below = below

    def _without_logarithms(self, exponent: Element) -> tuple[Element, dict[Tree, int]]:
        """An exponent without whole multiples of logarithms, and these."""
        found: dict[Tree, int] = {}
        for argument, generator in self.logarithm_of.items():
            share = rational(exponent.diff(generator))
            if share and share.denominator == 1:
                found[argument] = int(share)
                exponent -= int(share) * generator
        return exponent, found

    def value(self, tree: Tree) -> Element:
        """A formula as an element of the field."""
        return self.settled(self._worked_out(tree))

    def settled(self, element: Element) -> Element:
        """An element with 2 for the square of √2, and √2/2 for 1/√2: it is 0 only if its numerator is."""
        if not self.squares:
            return element
        above, below = self._without_squares(element.numer), self._without_squares(element.denom)
        for place, prime in self.squares.items():
            root = below.ring.gens[place]
            if below and all(monomial[place] for monomial in below.monoms()):
                below, above = below.exquo(root) * prime, self._without_squares(above * root)
        if not below:
            raise UndefinedStep("division by zero")
        return self.field(above) / self.field(below)

    def _without_squares(self, polynomial: Element) -> Element:
        made = polynomial.ring.zero
        for monomial, share in polynomial.terms():
            powers, number = list(monomial), share
            for place, prime in self.squares.items():
                whole, powers[place] = divmod(powers[place], 2)
                number *= prime**whole
            made += polynomial.ring({tuple(powers): number})
        return made

    def _worked_out(self, tree: Tree) -> Element:
        match tree:
            case Number(value):
                return self.field(QQ(value.numerator, value.denominator))
            case Name():
                generator = self.generator_of[tree]
                return generator**2 if tree in self.rooted else generator
            case Sum(terms):
                return reduce(lambda one, other: one + other, map(self.value, terms), self.field.zero)
            case Product(factors):
                return reduce(lambda one, other: one * other, map(self.value, factors), self.field.one)
            case Quotient(above, under):
                divisor = self.value(under)
                if not divisor:
                    raise UndefinedStep("division by zero")
                return self.value(above) / divisor
            case Power(base, exponent):
                return self._raised(base, exponent)
            case Call(function, argument):
                return self._called(function, argument)
        raise Unreadable("this is not a number")

    def _raised(self, base: Tree, exponent: Tree) -> Element:
        power = self.value(exponent)
        constant = rational(power)
        if constant == Fraction(1, 2):
            return self._called(Function.SQRT, base)
        if constant is None or constant.denominator != 1 or abs(constant) > LARGEST_POWER:
            raise Unreadable(f"exponents are whole numbers up to {LARGEST_POWER}, but for those of e")
        value = self.value(base)
        if not value and constant < 0:
            raise UndefinedStep("division by zero")
        require_power(value, abs(int(constant)))
        return value ** int(constant)

    def _called(self, function: Function, argument: Tree) -> Element:
        if function is Function.LN:
            return self.logarithm_of[argument]
        if function is Function.EXP:
            return self._exponential(self.value(argument))
        if function is not Function.SQRT:
            raise Unreadable(f"{function.value} of a formula is beyond this")
        if isinstance(argument, Name):
            return self.generator_of[argument]
        constant = rational(self.value(argument))
        if constant is None or constant < 0:
            raise Unreadable("roots are taken of single symbols and of numbers here, such as sqrt(d)")
        return self._root_of(constant)

    def _root_of(self, number: Fraction) -> Element:
        """√(a/b) as a multiple of roots of primes."""
        outside, inside = square_part(number.numerator * number.denominator) if number else (0, 1)
        made = self.field(QQ(outside, number.denominator))
        for prime, _ in prime_powers(inside):
            name = Name(str(prime))
            if name not in self.generator_of:
                raise Unreadable("roots are taken of single symbols and of numbers here, such as sqrt(d)")
            made *= self.generator_of[name]
        return made

    def _exponential(self, exponent: Element) -> Element:
        """e^exponent, as a product of generators."""
        if not hasattr(self, "units"):
            return self.field.one  # while the exponents are collected, none is inside another
        if any(self.depends(exponent, generator) for generator in self.exponentials):
            raise Unreadable("an exponential in an exponent is beyond this")
        exponent, logarithms = self._without_logarithms(exponent)
        made = self.field.one
        for argument, power in logarithms.items():
            made *= self.value(argument) ** power
        for monomial, share in (exponent.numer * self.below.exquo(exponent.denom)).terms():
            unit, generator = self.units[monomial]
            made *= generator ** int(Fraction(int(share.numerator), int(share.denominator)) / unit)
        return made

    def depends(self, element: Element, generator: Element) -> bool:
        """Whether a generator occurs in an element."""
        place = self.field.gens.index(generator)
        return bool(element.numer.degree(place) > 0 or element.denom.degree(place) > 0)

    def place(self, name: Name) -> int | None:
        """Which generator a symbol, or its root, is."""
        return self.symbols.index(name) if name in self.symbols else None


def spelled(name: Name) -> tuple[str, ...]:
    """What names are sorted by."""
    return (name.name, *name.index)


def rational(element: Element) -> Fraction | None:
    """The number that an element is, if it is one."""
    if element.numer.is_ground and element.denom.is_ground:
        above, below = element.numer.LC, element.denom.LC
        value = above / below if above else QQ(0)
        return Fraction(int(value.numerator), int(value.denominator))
    return None


def primes_under_root(tree: Tree) -> set[Name]:
    """The primes whose roots the root of a number is made of: 2 and 3 of √6."""
    match tree:
        case Call(Function.SQRT, Number(value)) if value > 0:
            _, inside = square_part(value.numerator * value.denominator)
            return {Name(str(prime)) for prime, _ in prime_powers(inside)}
    return set()


def require_power(value: Element, power: int) -> None:
    """Refuse ((x^64)^64)^64 and 9…9^64^64 before they are worked out."""
    degree = max((*value.numer.degrees(), *value.denom.degrees()), default=0)
    shares = (*value.numer.coeffs(), *value.denom.coeffs())
    bits = max(max(abs(int(x.numerator)), int(x.denominator)).bit_length() for x in shares)
    if power * degree > MOST_POWERS or power * bits > MOST_BITS:
        raise TooLong("a power that is too large to be worked out")


def require_common_measure(
    shares: Mapping[tuple[int, ...], list[Fraction]], units: Mapping[tuple[int, ...], Fraction]
) -> None:
    """Refuse exponents such as 100 and 1/10^9: a power that nobody calculates with."""
    powers = sorted(int(max(map(abs, found)) / units[monomial]) for monomial, found in shares.items())
    if prod(powers[-2:]) > MOST_POWERS:
        raise TooLong(
            "exponents of e whose sizes are too different to be calculated with; type them with fewer digits"
        )


def common(shares: list[Fraction]) -> Fraction:
    """The largest number that all of these are whole multiples of."""
    below = reduce(lcm, (share.denominator for share in shares))
    return Fraction(reduce(gcd, (abs(int(share * below)) for share in shares)), below)


def terms_of(tree: Tree) -> int:
    """About how many terms a formula has when it is multiplied out: an estimate before any work is done."""
    match tree:
        case Sum(terms):
            return sum(map(terms_of, terms))
        case Product(factors):
            return reduce(lambda one, other: min(one * other, 10**12), map(terms_of, factors), 1)
        case Quotient(above, below):
            return min(terms_of(above) * terms_of(below), 10**12)
        case Power(base, Number(value)):
            inside, power = terms_of(base), min(abs(int(value)), 10**4)
            return inside if inside == 1 else min(comb(inside + power - 1, power), 10**12)
        case Call(_, argument) | Order(argument):
            return terms_of(argument)
    return 1
