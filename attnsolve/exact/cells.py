"""A single exact number: its value in balls, decimals and text, and what can be decided about it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from fractions import Fraction
from functools import reduce
from operator import mul
from typing import TYPE_CHECKING, Any

from flint import arb, fmpq

from attnsolve.errors import Undecided, UndefinedStep
from attnsolve.exact.combinations import Combination, Exponent, exponent_ball
from attnsolve.exact.decimals import Rounded, round_ball, round_fraction, scientific
from attnsolve.exact.precision import LADDER, precision
from attnsolve.exact.roots import ONE, Root, prime_powers, square_part

if TYPE_CHECKING:
    from collections.abc import Callable

MULTIPLIED_OUT = 4_000


class Cell(ABC):
    """One number of a matrix, whatever kind of matrix it came from."""

    __slots__ = ()

    @abstractmethod
    def enclosure(self) -> arb:
        """A ball around the value, at the working precision."""

    @abstractmethod
    def is_zero(self) -> bool | None:
        """Whether the value is zero: proven either way, or None."""

    @abstractmethod
    def rational(self) -> Fraction | None:
        """The value as a fraction when it is proven to be one, else None."""

    @abstractmethod
    def sympy(self) -> Any:
        """The value as a SymPy expression."""

    @abstractmethod
    def text(self) -> str:
        """The exact value as typed, readable by SymPy and by our own grammar."""

    def ball(self, bits: int) -> arb:
        """A ball around the value, computed with `bits` bits."""
        with precision(bits):
            return self.enclosure()

    def climb(self, judge: Callable[[arb], Any]) -> Any:
        """The first verdict other than None that `judge` gives on ever smaller balls, or None."""
        for bits in LADDER:
            with precision(bits):
                verdict = judge(self.enclosure())
            if verdict is not None:
                return verdict
        return None

    def sign(self) -> int:
        """-1, 0 or 1; raises Undecided when neither a proof nor 4096 bits settle it."""
        found = self.climb(lambda ball: 1 if ball > 0 else -1 if ball < 0 else 0 if self.is_zero() else None)
        if found is None:
            raise Undecided(f"cannot decide the sign of {self.text()}; checked to {LADDER[-1]} bits")
        return int(found)

    def same(self, other: Cell) -> bool | None:
        """Whether two numbers are equal: True and False are proofs, None is undecided."""
        if not self.ball(LADDER[0]).overlaps(other.ball(LADDER[0])):
            return False
        return subtract(self, other).is_zero()

    def rounded(self, places: int, *, mode: str = "half_up") -> Rounded:
        """The value rounded to `places`, proven, also when it is too small to show."""

        def judge(ball: arb) -> Rounded | None:
            digits = round_ball(ball * 10**places, mode=mode)
            if digits is not None and not (ball * 10**places).contains(digits):
                return Rounded(digits, places, False)
            # The ball may hold a decimal exactly, or a tie between two: only the exact value can tell.
            value = self.rational()
            if value is not None:
                return round_rational(value, places, mode=mode)
            return None if digits is None else Rounded(digits, places, False)

        found = self.climb(judge)
        if found is None:
            raise Undecided(f"cannot decide how {self.text()} rounds to {places} places; checked to {LADDER[-1]} bits")
        return found  # type: ignore[no-any-return]

    def decimals(self, places: int) -> Rounded:
        """As `rounded`, but a value that would show as 0.0000 without being 0 is given as 1.87·10^-88."""
        plain = self.rounded(places)
        if plain.digits or plain.exact or self.is_zero():
            return plain
        return self.climb(scientific) or plain

    def __repr__(self) -> str:
        return f"<{self.text()}>"


def round_rational(value: Fraction, places: int, *, mode: str = "half_up") -> Rounded:
    """A fraction rounded exactly."""
    scaled = value.numerator * 10**places
    return Rounded(
        round_fraction(scaled, value.denominator, mode=mode), places, scaled % value.denominator == 0
    )


class Closed(Cell):
    """Σ N/D with N and D linear combinations of √r·e^x: rationals, surds and attention outputs."""

    __slots__ = ("_rational", "quotients")

    def __init__(self, quotients: tuple[tuple[Combination, Combination], ...]) -> None:
        self.quotients = quotients
        self._rational: Fraction | None | bool = False  # False: not asked yet

    def single(self) -> tuple[Combination, Combination] | None:
        """One fraction equal to the sum, or None when multiplying out would be too long."""
        if len(self.quotients) == 1:
            return self.quotients[0]
        if not self.quotients:
            return ZERO_TERMS, ONE_TERMS
        size = reduce(mul, (len(d.terms) for _, d in self.quotients), 1)
        if size > MULTIPLIED_OUT:
            return None
        numerator, denominator = self.quotients[0]
        for n, d in self.quotients[1:]:
            numerator, denominator = numerator * d + n * denominator, denominator * d
        return numerator, denominator

    def plain(self) -> Combination | None:
        """The combination itself when there is no denominator: rationals and surds."""
        if not self.quotients:
            return ZERO_TERMS
        if len(self.quotients) == 1 and self.quotients[0][1] is ONE_TERMS:
            return self.quotients[0][0]
        return None

    def enclosure(self) -> arb:
        total = arb(0)
        for numerator, denominator in self.quotients:
            ball = numerator.ball()
            total += ball if denominator is ONE_TERMS else ball / denominator.ball()
        return total

    def is_zero(self) -> bool | None:
        if not self.quotients:
            return True
        one = self.single()
        if one is not None:
            if not one[0].terms:
                return True
            if one[0].proven_independent():
                return False
        nonzero = self.climb(lambda ball: True if ball > 0 or ball < 0 else None)
        return False if nonzero else None

    def rational(self) -> Fraction | None:
        if self._rational is False:
            self._rational = self._find_rational()
        return self._rational  # type: ignore[return-value]

    def _find_rational(self) -> Fraction | None:
        one = self.single()
        if one is None:
            return None
        numerator, denominator = one
        if not numerator.terms:
            return Fraction(0)
        generator = next(iter(denominator.terms))
        candidate = numerator.terms.get(generator, Fraction(0)) / denominator.terms[generator]
        return candidate if numerator == denominator.scaled(candidate) else None

    def sympy(self) -> Any:
        from attnsolve.exact.symbolic import closed_to_sympy

        return closed_to_sympy(self)

    def text(self) -> str:
        from attnsolve.exact.texts import closed_text

        return closed_text(self)


class Rational(Closed):
    """A rational number: the commonest cell, kept as a bare fraction."""

    __slots__ = ("value",)

    def __init__(self, value: Fraction | int) -> None:
        self.value = value if isinstance(value, Fraction) else Fraction(value)

    @property
    def quotients(self) -> tuple[tuple[Combination, Combination], ...]:  # type: ignore[override]
        """The same number as a sum of quotients, for arithmetic with the others."""
        return ((Combination.rational(self.value), ONE_TERMS),) if self.value else ()

    def enclosure(self) -> arb:
        return arb(fmpq(self.value.numerator, self.value.denominator))

    def is_zero(self) -> bool:
        return not self.value

    def sign(self) -> int:
        return (self.value > 0) - (self.value < 0)

    def rational(self) -> Fraction:
        return self.value

    def same(self, other: Cell) -> bool | None:
        return self.value == other.value if isinstance(other, Rational) else super().same(other)

    def rounded(self, places: int, *, mode: str = "half_up") -> Rounded:
        return round_rational(self.value, places, mode=mode)


ZERO_TERMS = Combination({})
ONE_TERMS = Combination.rational(Fraction(1))
ZERO = Rational(0)
UNITY = Rational(1)


def closed(numerator: Combination, denominator: Combination = ONE_TERMS) -> Closed:
    """N/D in canonical form: the denominator's largest exponent is 0 and its leading coefficient 1."""
    return total([(numerator, denominator)])


def total(quotients: Iterable[tuple[Combination, Combination]]) -> Closed:
    """The sum of quotients, those over the same canonical denominator added up."""
    merged: dict[Combination, Combination] = {}
    for numerator, denominator in quotients:
        n, d = canonical(numerator, denominator)
        merged[d] = merged[d] + n if d in merged else n
    kept = tuple((n, d) for d, n in merged.items() if n.terms)
    if not kept:
        return ZERO
    if len(kept) == 1 and kept[0][1] is ONE_TERMS:
        plain = kept[0][0].plain()
        if plain is not None:
            return Rational(plain)
    return Closed(kept)


def canonical(numerator: Combination, denominator: Combination) -> tuple[Combination, Combination]:
    """The same quotient with a denominator that equal denominators share."""
    if denominator is ONE_TERMS or denominator == ONE_TERMS:
        return numerator, ONE_TERMS
    if not denominator.terms:
        raise UndefinedStep("division by zero")
    inverse = denominator.inverse()
    if inverse is not None:
        return numerator * inverse, ONE_TERMS
    top = largest_exponent(denominator)
    if top:
        back = tuple((root, -c) for root, c in top)
        numerator, denominator = numerator.shifted(back), denominator.shifted(back)
    leading = denominator.terms[min(g for g in denominator.terms if not g[0])]
    if leading != 1:
        numerator, denominator = numerator.scaled(1 / leading), denominator.scaled(1 / leading)
    return numerator, denominator


def largest_exponent(combination: Combination) -> Exponent:
    """The exponent of the largest exponential, so that the others shrink once it is divided out."""
    exponents = {x for x, _ in combination.terms}
    if len(exponents) == 1:
        return next(iter(exponents))
    with precision(LADDER[1]):
        # Only the form depends on this choice, never the value, so midpoints may decide.
        return max(exponents, key=lambda x: (exponent_ball(x).mid(), x))


def add(a: Cell, b: Cell) -> Cell:
    """a + b."""
    if isinstance(a, Rational) and isinstance(b, Rational):
        return Rational(a.value + b.value)
    if isinstance(a, Closed) and isinstance(b, Closed):
        return total((*a.quotients, *b.quotients))
    return _elsewhere(a, b, lambda x, y: x + y)


def subtract(a: Cell, b: Cell) -> Cell:
    """a - b."""
    return add(a, multiply(Rational(-1), b))


def multiply(a: Cell, b: Cell) -> Cell:
    """a · b."""
    if isinstance(a, Rational) and isinstance(b, Rational):
        return Rational(a.value * b.value)
    if isinstance(a, Closed) and isinstance(b, Closed):
        return total((n * m, d * e) for n, d in a.quotients for m, e in b.quotients)
    return _elsewhere(a, b, lambda x, y: x * y)


def divide(a: Cell, b: Cell) -> Cell:
    """a / b; division by a proven zero is an UndefinedStep."""
    if isinstance(b, Rational):
        if not b.value:
            raise UndefinedStep("division by zero")
        return multiply(a, Rational(1 / b.value))
    if isinstance(a, Closed) and isinstance(b, Closed):
        one = b.single()
        if one is not None:
            return total((n * one[1], d * one[0]) for n, d in a.quotients)
    return _elsewhere(a, b, lambda x, y: x / y)


def _elsewhere(a: Cell, b: Cell, operation: Callable[[Any, Any], Any]) -> Cell:
    """The operation outside the closed forms: SymPy if both sides have a form, balls otherwise."""
    from attnsolve.exact.balls import Enclosed, enclose
    from attnsolve.exact.symbolic import Symbolic

    if isinstance(a, Enclosed) or isinstance(b, Enclosed):
        return enclose(lambda: operation(a.enclosure(), b.enclosure()))
    return Symbolic(operation(a.sympy(), b.sympy()))


def square_root(number: Fraction) -> Closed:
    """√(a/b) with a squarefree radicand: √(1/2) = √2/2."""
    outside, inside = square_part(number.numerator * number.denominator)
    return surd({(inside, ()): Fraction(outside, number.denominator)})


def logarithm(number: Fraction) -> Closed:
    """ln(a/b) as Σ m·ln p."""
    powers = [(p, m) for p, m in prime_powers(number.numerator)]
    powers += [(p, -m) for p, m in prime_powers(number.denominator)]
    return surd({(1, (prime,)): Fraction(power) for prime, power in powers})


def surd(terms: dict[Root, Fraction]) -> Closed:
    """Σ q·root as a cell."""
    return closed(Combination.of(((), root, c) for root, c in terms.items()))


def exponential(cell: Closed) -> Closed | None:
    """e^cell when the cell is a rational or a surd, else None."""
    plain = cell.plain()
    if plain is None or any(x for x, _ in plain.terms):
        return None
    exponent: Exponent = tuple(sorted((root, c) for (_, root), c in plain.terms.items()))
    return closed(Combination.of([(exponent, ONE, Fraction(1))]))
