"""Proofs that a number without a readable closed form is a fraction all the same: weights that sum to 1,
equal numbers that cancel."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

from attnsolve.errors import UndefinedStep
from attnsolve.exact.base import Cell
from attnsolve.exact.flint_parts import arb
from attnsolve.exact.forms import Forms
from attnsolve.exact.precision import LADDER

# Only a number this close to a fraction with a smaller denominator than this is worth a proof.
PLAUSIBLE = 10**12
CLOSE = Fraction(1, 2**160)
NARROW = arb(2) ** -170
# A number that cancels a lot needs more bits for that; what somebody wrote down never has so many.
TRIED = LADDER[1:3]


def proven_fraction(cell: Cell) -> Fraction | None:
    """The fraction that a number is proven to be, or None."""
    balls = (cell.ball(bits) for bits in TRIED)
    narrow = next((ball for ball in balls if ball.is_finite() and ball.rad() < NARROW), None)
    if narrow is None or not is_plausible(narrow):
        return None
    owner = owner_of(cell)
    forms = forms_about(owner).proof()
    try:
        found = forms.number(cell).rational()
    except UndefinedStep:
        return None
    if found is None and forms.is_exhausted:
        forms.label(owner)
    return found


def owner_of(cell: Cell) -> Any:
    """The matrix that a number belongs to, or the number itself where it belongs to none."""
    matrix = getattr(cell, "matrix", None)
    return cell if matrix is None else matrix


@lru_cache(maxsize=8)
def forms_about(thing: Any) -> Forms:
    """Where the forms of a matrix are kept while its numbers are asked for one after the other."""
    return Forms()


def is_plausible(ball: arb) -> bool:
    """Whether a narrow ball holds a fraction of ordinary size, as few of those balls do that hold none."""
    if abs(ball) < NARROW:  # the only such fraction is 0; the bits of e^-1000000 would fill a book
        return bool(ball.contains(0))
    middle = ball.mid().fmpq()
    point = Fraction(int(middle.p), int(middle.q))
    near = point.limit_denominator(PLAUSIBLE)
    return abs(point - near) < CLOSE
