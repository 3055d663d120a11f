"""What a form with decimals in it may be worth: e^2.598 stands for all that comes from such an exponent."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any, NamedTuple

from attnsolve.exact import Cell, Rational
from attnsolve.exact.cells import UNITY
from attnsolve.exact.functions import BALLS
from attnsolve.exact.precision import precision
from attnsolve.expressions import expression, number
from attnsolve.limits import LIMITS, Limits
from attnsolve.published import printed_places
from attnsolve.submission import State, Written
from attnsolve.verifier.digits import BITS, is_narrow, numbers_meant
from attnsolve.working import (
    Apply,
    Decimal,
    Entry,
    Expression,
    Num,
    Power,
    Product,
    Quotient,
    Sum,
    Symbol,
    evaluate,
)

# Digits behind a point, or a power of ten that puts them there.
HAS_DECIMAL = re.compile(r"\.[0-9]|[0-9.][eE]-[0-9]")
DECIMAL = re.compile(r"[0-9]*\.[0-9]+")
# With more decimals than these in one form, nobody asks how they go together.
MOST_DECIMALS = 16


class Moving(NamedTuple):
    """What a piece of a form may be worth, and how fast that moves with each decimal in the form."""

    ball: Any
    slopes: Mapping[str, Any]  # by the decimal as typed


# How fast a function moves with its argument.
SLOPES: dict[str, Callable[[Any], Any]] = {
    "sqrt": lambda x: 1 / (2 * x.sqrt()),
    "exp": lambda x: x.exp(),
    "ln": lambda x: 1 / x,
    "sin": lambda x: x.cos(),
    "cos": lambda x: -x.sin(),
    "tanh": lambda x: 1 - x.tanh() * x.tanh(),
    "erf": lambda x: 2 * (-x * x).exp() / x.pi().sqrt(),
    "relu": lambda x: x * 0 + 1 if x > 0 else x * 0 if x < 0 else (x * 0 + 1).union(x * 0),
}


def valued(text: str, *, limits: Limits = LIMITS) -> tuple[Cell, Any]:
    """The exact value of a form as typed, and the ball of all that it may be worth; None where there is none.

    Decimals that are typed alike are one number: in e^2.6/(e^2.6 + 1) both exponents move together.
    """
    if HAS_DECIMAL.search(text) is None or printed_places(text) is not None:
        return number(text, limits=limits), None
    tree = expression(text, limits=limits)
    cell = evaluate(tree)  # which is cheaper than to read the text twice
    with precision(BITS):
        ball = _reach(tree, cell.enclosure(), Deviations())
        if ball is None or is_narrow(ball):
            return cell, ball
        # In 4.5/1.732 only the divisor was rounded, or the form would say next to nothing.
        longest = max((len(found.partition(".")[2]) for found in DECIMAL.findall(text)), default=0)
        return cell, _reach(tree, cell.enclosure(), Deviations(longest))


class Deviations(dict[str, Any]):
    """How far each decimal may be from what was typed; those with fewer places than `least` are exact."""

    def __init__(self, least: int = 0) -> None:
        super().__init__()
        self.least = least


def _reach(tree: Expression, typed: Any, deviations: Deviations) -> Any:
    """Each decimal's own way, at most as far as all pieces of the form may go by themselves."""
    whole = _moving(tree, deviations)
    if not deviations or not whole.ball.is_finite():  # a divisor that may be 0, a root of what may be below 0
        return None
    together = sum((slope * deviations[decimal] for decimal, slope in whole.slopes.items()), typed)
    if len(deviations) > MOST_DECIMALS or not together.is_finite():
        return whole.ball
    return together.intersection(whole.ball)


def _moving(tree: Expression, deviations: Deviations) -> Moving:
    """A piece of a form with its slopes; `deviations` gathers how far each decimal may be off."""
    match tree:
        case Num():
            return _moving_number(tree, deviations)
        case Entry(cell=cell) | Symbol(cell=cell) | Decimal(cell=cell):
            return Moving(cell.enclosure(), {})
        case Sum(terms=terms):
            return reduce(_plus, (_moving(term, deviations) for term in terms))
        case Product(factors=factors):
            return reduce(_times, (_moving(factor, deviations) for factor in factors))
        case Quotient(top=top, bottom=bottom):
            return _over(_moving(top, deviations), _moving(bottom, deviations))
        case Power(base=base, exponent=exponent):  # what is typed has whole exponents only
            whole, times = Moving(UNITY.enclosure(), {}), _moving(base, deviations)
            power = reduce(_times, [times] * abs(int(exponent)), whole)
            return power if exponent >= 0 else _over(whole, power)
        case Apply(function=function, argument=argument):
            inside = _moving(argument, deviations)
            moved = BALLS[function](inside.ball)
            if not inside.slopes:
                return Moving(moved, {})
            slope = SLOPES[function](inside.ball)
            return Moving(moved, {decimal: slope * x for decimal, x in inside.slopes.items()})


def _moving_number(leaf: Num, deviations: Deviations) -> Moving:
    """All that a number of a form stands for: a whole number is itself, a decimal was rounded."""
    typed = leaf.typed or ""
    spelled = typed.lstrip("+-")
    top, _, below = spelled.partition("/")  # 2.5/3 is read as one number
    places, value = printed_places(top), leaf.cell.rational()
    if HAS_DECIMAL.search(top) is None or places is None or value is None or places < deviations.least:
        return Moving(leaf.cell.enclosure(), {})
    divisor = int(below or 1)
    sign = (-1) ** typed.removesuffix(spelled).count("-")  # which -0.0 has, too
    decimal = Rational(abs(value) * divisor)
    ball = numbers_meant(Written(top, State.NUMBER, decimal, max(0, places)))
    slope = UNITY.enclosure() * sign / divisor
    if len(deviations) > MOST_DECIMALS:
        return Moving(ball * slope, {})
    deviations[top] = ball - decimal.enclosure()
    return Moving(ball * slope, {top: slope})


def _plus(one: Moving, other: Moving) -> Moving:
    """one + other, whose slopes add up."""
    slopes = dict(one.slopes)
    for decimal, slope in other.slopes.items():
        slopes[decimal] = slopes[decimal] + slope if decimal in slopes else slope
    return Moving(one.ball + other.ball, slopes)


def _times(one: Moving, other: Moving) -> Moving:
    """one · other, which moves by one' · other + one · other'."""
    slopes = {decimal: slope * other.ball for decimal, slope in one.slopes.items()}
    for decimal, slope in other.slopes.items():
        way = slope * one.ball
        slopes[decimal] = slopes[decimal] + way if decimal in slopes else way
    return Moving(one.ball * other.ball, slopes)


def _over(top: Moving, bottom: Moving) -> Moving:
    """top/bottom, which moves by (top' - top/bottom · bottom')/bottom."""
    share = top.ball / bottom.ball
    against = Moving(share, {decimal: -share * slope for decimal, slope in bottom.slopes.items()})
    slopes = _plus(top, against).slopes
    return Moving(share, {decimal: slope / bottom.ball for decimal, slope in slopes.items()})
