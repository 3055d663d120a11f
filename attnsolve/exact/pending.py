"""Numbers of attention matrices whose closed form is written out only when somebody asks for it."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

from attnsolve.exact.closed import Closed, Quotient
from attnsolve.exact.combinations import Combination
from attnsolve.exact.flint_parts import arb
from attnsolve.exact.totals import Total


class Written(Protocol):
    """A matrix that can write out its numbers one by one."""

    def form(self, i: int, j: int) -> Closed:
        """The number in row i, column j, written out."""

    def enclosed_at(self, i: int, j: int) -> arb:
        """A ball around it, at the working precision."""


class Pending(Closed):
    """A number with exponentials below the line, by its place in a matrix: most are wanted as decimals only.

    Whoever makes one knows that it has such a form, so that it is no plain combination and no `Rational`.
    """

    __slots__ = ("_form", "_matrix", "_place", "_single")

    def __init__(self, matrix: Written, i: int, j: int, *, single: bool) -> None:
        self._matrix = matrix
        self._place = i, j
        self._single = single  # whether there is one such quotient only, beside a rational
        self._form: Closed | None = None

    @property
    def quotients(self) -> tuple[Quotient, ...]:  # type: ignore[override]
        """Its closed form, found once."""
        return self.written_out().quotients

    def written_out(self) -> Closed:
        """The same number with its form."""
        if self._form is None:
            self._form = self._matrix.form(*self._place)
        return self._form

    def plain(self) -> Combination | None:
        return None

    def rational(self) -> Fraction | None:
        # Different exponentials are independent: N/D is rational only where N is a multiple of D.
        return None if self._single else self.written_out().rational()

    def enclosure(self) -> arb:
        return self._matrix.enclosed_at(*self._place)


def is_simple(total: Total) -> bool:
    """Whether a denominator is a sum of several powers of e to multiples of one root, the largest of them 1.

    Their exponents are different algebraic numbers, so that none of them folds into another.
    """
    return (
        len(total.counts) > 1
        and len(total.scale.units) == 1
        and not total.scale.units[0][1]
        and max(total.counts) == 0
    )


def may_merge(one: Total, other: Total) -> bool:
    """Whether two simple denominators may be multiples of each other: they have the same exponents."""
    if one is other or one.scale.units != other.scale.units:
        return one is other
    a, b = one.scale.denominator, other.scale.denominator
    return {key * b for key in one.counts} == {key * a for key in other.counts}
