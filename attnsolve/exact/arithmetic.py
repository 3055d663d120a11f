"""What a certified number is worked out with: balls for its digits, or forms that prove what it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any, Protocol

from attnsolve.exact.ball_products import ball_product
from attnsolve.exact.flint_parts import arb


class Numbered(Protocol):
    """A matrix that knows its balls."""

    def enclosures(self) -> list[list[arb]]:
        """A ball around every number, at the working precision."""


class Enclosable(Protocol):
    """A number that knows its ball."""

    def enclosure(self) -> arb:
        """A ball around the value, at the working precision."""


class Arithmetic(Protocol):
    """Numbers of one kind, with + - * / of their own, and where they come from."""

    def rows(self, matrix: Any) -> list[list[Any]]:
        """Every number of a matrix."""

    def number(self, cell: Any) -> Any:
        """A single number."""

    def apply(self, function: str, x: Any) -> Any:
        """A function of a number, by the name it has in `BALLS`."""

    def each(self, function: str, matrix: Any) -> list[list[Any]]:
        """A function of every number of a matrix."""

    def product(self, left: Sequence[Sequence[Any]], right: Sequence[Sequence[Any]]) -> list[list[Any]]:
        """The matrix product."""

    def shares(self, row: Sequence[Any]) -> list[Any]:
        """Each number of a row over their sum."""

    def measured(self, balls: list[list[arb]]) -> list[list[Any]]:
        """Numbers of which nothing is known but a ball."""

    def weights(self, balls: list[list[arb]], scores: Any) -> list[list[Any]]:
        """Numbers of which a ball is known, and that a row sums to 1 and equal scores have equal ones."""


def ball_root(x: arb) -> arb:
    """√x of a number that is known not to be below 0, though its ball may reach there."""
    return x.sqrt() if x < 0 else x.nonnegative_part().sqrt()


ZERO, ONE = arb(0), arb(1)
# Every function on balls; exp2 is 2^x, gelu x·Φ(x).
BALLS: dict[str, Callable[[arb], arb]] = {
    "sqrt": ball_root,
    "exp": arb.exp,
    "ln": arb.log,
    "sin": arb.sin,
    "cos": arb.cos,
    "tanh": arb.tanh,
    "erf": arb.erf,
    "relu": arb.nonnegative_part,
    "exp2": lambda x: (x * arb.const_log2()).exp(),
    "gelu": lambda x: x * (1 + (x / arb(2).sqrt()).erf()) / 2,
    "sigmoid": lambda x: 1 / (1 + (-x).exp()),
}


class OnBalls:
    """The arithmetic of balls, at the working precision."""

    __slots__ = ()

    def rows(self, matrix: Numbered) -> list[list[arb]]:
        """A ball around every number."""
        return matrix.enclosures()

    def number(self, cell: Enclosable) -> arb:
        """A ball around the value."""
        return cell.enclosure()

    def apply(self, function: str, x: arb) -> arb:
        """A ball around a function of the number."""
        return BALLS[function](x)

    def each(self, function: str, matrix: Numbered) -> list[list[arb]]:
        """A ball around a function of every number."""
        ball = BALLS[function]
        return [[ball(x) for x in row] for row in matrix.enclosures()]

    def product(self, left: Sequence[Sequence[arb]], right: Sequence[Sequence[arb]]) -> list[list[arb]]:
        """The matrix product."""
        return ball_product(left, right)

    def shares(self, row: Sequence[arb]) -> list[arb]:
        """Each over their sum, as 1/(1 + Σ a_k/a_i) over the others, half as wide as a_i/Σ a_k."""
        before = list(accumulate(row[:-1], initial=ZERO))
        after = list(accumulate(row[:0:-1], initial=ZERO))

        def share(own: arb, left: arb, right: arb) -> arb:
            if own == 0:
                return ZERO
            others = left + right
            return ONE / (ONE + others / own) if own > 0 else own / (others + own)

        return list(map(share, row, before, reversed(after)))

    def measured(self, balls: list[list[arb]]) -> list[list[arb]]:
        """The balls themselves."""
        return balls

    def weights(self, balls: list[list[arb]], scores: Any) -> list[list[arb]]:
        """The balls themselves."""
        return balls


ON_BALLS = OnBalls()
