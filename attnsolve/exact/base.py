"""What can be asked of any exact number: its balls, its sign, its decimals, whether it equals another."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from attnsolve.errors import Undecided
from attnsolve.exact.abstract import Abstract
from attnsolve.exact.decimals import (
    HUGE,
    Rounded,
    first_decimals,
    round_ball,
    round_rational,
    scientific,
    scientific_rational,
)
from attnsolve.exact.flint_parts import arb, ctx
from attnsolve.exact.precision import LADDER, precision
from attnsolve.reasons import reason


def side_of(ball: arb) -> int | None:
    """On which side of 0 the whole ball lies, 1 or -1; None when 0 may be inside."""
    return 1 if ball > 0 else -1 if ball < 0 else None


class Cell(metaclass=Abstract):
    """One number of a matrix, whatever kind of matrix it came from."""

    __slots__ = ()
    has_letters = False  # whether it is a formula in letters, which has no decimals

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
        side = side_of(self.ball(LADDER[0]))
        if side is None:
            side = 0 if self.is_zero() else self.climb(side_of)
        if side is None:
            why = reason(
                "cannot decide the sign of {number}; checked to {bits} bits",
                number=self.text(),
                bits=LADDER[-1],
            )
            raise Undecided(why)
        return side

    def same(self, other: Cell) -> bool | None:
        """Whether two numbers are equal: True and False are proofs, None is undecided."""
        from attnsolve.exact.cells import subtract

        if not self.ball(LADDER[0]).overlaps(other.ball(LADDER[0])):
            return False
        return subtract(self, other).is_zero()

    def rounded(self, places: int, *, mode: str = "half_up") -> Rounded:
        """The value rounded to `places`, proven, also when it is too small to show."""

        def judge(ball: arb) -> Rounded | None:
            scaled = ball * 10**places
            digits = round_ball(scaled, mode=mode)
            if digits is not None and not scaled.contains(digits):
                return Rounded(digits, places, False)
            if ctx.prec == LADDER[0]:
                return None  # a finer ball is found sooner than an exact value is written out
            # The ball may hold a decimal exactly, or a tie between two: only the exact value can tell.
            value = self.rational()
            if value is not None:
                return round_rational(value, places, mode=mode)
            return None if digits is None else Rounded(digits, places, False)

        found: Rounded | None = self.climb(judge)
        if found is None:
            why = reason(
                "cannot decide how {number} rounds to {places} places; checked to {bits} bits",
                number=self.text(),
                places=places,
                bits=LADDER[-1],
            )
            raise Undecided(why)
        return found

    def decimals(self, places: int) -> Rounded:
        """As `rounded`; what would show as 0.0000 is 1.87·10^-88, what nobody writes out 7.65·10^1302."""
        with precision(LADDER[0]):
            ball = self.enclosure()
            found = first_decimals(ball, places)
        if found is not None:
            return found
        if abs(ball) > HUGE and self.rational() is None:
            huge: Rounded | None = self.climb(scientific)
            if huge is not None:
                return huge
        plain = self.rounded(places)
        if plain.exact or 0 < abs(plain.digits) < HUGE * 10**places:
            return plain
        value = self.rational()
        return self.climb(scientific) or plain if value is None else scientific_rational(value)

    def __repr__(self) -> str:
        return f"<{self.text()}>"
