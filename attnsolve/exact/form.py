"""A number as a sum of fractions whose parts may be atoms, and its arithmetic while that is affordable."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from attnsolve.errors import UndefinedStep
from attnsolve.exact.cells import Closed, Rational, total
from attnsolve.exact.closed import Quotient
from attnsolve.reasons import reason

if TYPE_CHECKING:
    from attnsolve.exact.forms import Forms

# A fraction has a term above the line and one below.
A_FRACTION = 2


class Form:
    """A number as Σ N/D over roots, exponentials and atoms."""

    __slots__ = ("closed", "forms")

    def __init__(self, closed: Closed, forms: Forms) -> None:
        self.closed = closed
        self.forms = forms

    def rational(self) -> Fraction | None:
        """The fraction that it is, where that can be seen without too much work."""
        one = self.single()
        return None if one is None else one[0].multiple_of(one[1])

    def single(self) -> Quotient | None:
        """One fraction equal to the sum, where multiplying out is affordable."""
        return self.closed.single() if self.forms.is_affordable(multiplying_out(self.closed)) else None

    def __add__(self, other: Form | int) -> Form:
        if isinstance(other, int):
            return self if not other else self + self.forms.fraction(other)
        if not self.forms.can_add(size(self.closed) + size(other.closed)):
            return self.forms.atom("+", self.closed, other.closed)
        return self.forms.short(total((*self.closed.quotients, *other.closed.quotients)), ("+", self, other))

    __radd__ = __add__

    def __mul__(self, other: Form) -> Form:
        if self.forms.is_affordable(size(self.closed) * size(other.closed)):
            pairs = product(self.closed.quotients, other.closed.quotients)
            return self.forms.short(total((n * m, d * e) for (n, d), (m, e) in pairs), ("*", self, other))
        return self.forms.atom("*", self.closed, other.closed)

    def __neg__(self) -> Form:
        return Form(self.closed.times(Fraction(-1)), self.forms)

    def __sub__(self, other: Form) -> Form:
        return self + -other

    def __truediv__(self, other: Form) -> Form:
        one = other.single()
        length = 0 if one is None else sum(len(part.terms) for part in one)
        if one is None or not self.forms.is_affordable(size(self.closed) * length):
            return self.forms.atom("/", self.closed, other.closed)
        if not one[0].terms:
            raise UndefinedStep(reason("division by zero"))
        quotients = [(n * one[1], d * one[0]) for n, d in self.closed.quotients]
        return self.forms.short(total(quotients), ("/", self, other))

    def __pow__(self, power: int) -> Form:
        made = self.forms.fraction(1)
        for _ in range(abs(power)):
            made = made * self
        return made if power >= 0 else self.forms.fraction(1) / made


def told_by(closed: Closed) -> tuple[object, ...]:
    """What tells a number from others; nothing for 0."""
    if isinstance(closed, Rational):
        return closed.value.as_integer_ratio() if closed.value else ()
    return closed.quotients


def size(closed: Closed) -> int:
    """How many terms a form has."""
    if isinstance(closed, Rational):
        return A_FRACTION
    return sum(len(n.terms) + len(d.terms) for n, d in closed.quotients)


def multiplying_out(closed: Closed) -> int:
    """How many products of terms it takes to bring a form over one denominator."""
    work, above, below = 0, 0, 1
    for n, d in closed.quotients:
        work += above * len(d.terms) + (len(n.terms) + len(d.terms)) * below
        above, below = above * len(d.terms) + len(n.terms) * below, below * len(d.terms)
    return work if len(closed.quotients) > 1 else 0


def has_atoms(closed: Closed) -> bool:
    """Whether something in a form is only known by how it was made."""
    parts = [part for quotient in closed.quotients for part in quotient]
    return any(place < 0 for part in parts for _, (_, places) in part.terms for place in places)


def is_negative(closed: Closed) -> bool:
    """Whether a form is written with a minus, so that of x and -x one is."""
    return bool(closed.quotients) and min(closed.quotients[0][0].terms.items())[1] < 0
