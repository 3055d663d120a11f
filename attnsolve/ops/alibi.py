"""ALiBi: every score less a slope times the distance of query and key."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from attnsolve.exact import Rational
from attnsolve.ops.base import Formula, Frame, Option
from attnsolve.ops.biasing import biasing, has_places
from attnsolve.working import Expression, Num, Product

# The slope of a single head in the paper: 2^(-8).
SLOPE: Expression = Num(Rational(Fraction(1, 256)))
MINUS = Num(Rational(-1))


def distances(place: int, keys: int) -> list[Expression]:
    """How far each key is from the query."""
    return [Num(Rational(abs(place - j))) for j in range(keys)]


def terms(place: int, keys: int, *, slope: Expression = SLOPE) -> list[Expression]:
    """-m·|i - j|."""
    return [Product((MINUS, slope, distance)) for distance in distances(place, keys)]


def rewarded(place: int, keys: int, *, slope: Expression = SLOPE) -> list[Expression]:
    """+m·|i - j|."""
    return [Product((slope, distance)) for distance in distances(place, keys)]


def without_slope(place: int, keys: int, *, slope: Expression = SLOPE) -> list[Expression]:
    """-|i - j|."""
    return [Product((MINUS, distance)) for distance in distances(place, keys)]


def one_off(place: int, keys: int, *, slope: Expression = SLOPE) -> list[Expression]:
    """-m·(|i - j| + 1), of which nothing is left after a softmax; the scores are others."""
    return [Product((MINUS, slope, Num(Rational(abs(place - j) + 1)))) for j in range(keys)]


def frame(S: Frame, *, slope: Expression = SLOPE, rows: tuple[int, ...] | None = None) -> Frame:
    """As the scores."""
    return has_places(S, rows)


def twin(S: Any, *, slope: float = 1 / 256, rows: tuple[int, ...] | None = None) -> Any:
    """torch's own distance between all places."""
    import torch

    places = torch.arange(len(S)) if rows is None else torch.tensor(rows)
    keys = torch.arange(S.shape[1])
    far = torch.cdist(places.to(S.dtype)[:, None], keys.to(S.dtype)[:, None], p=1)
    return torch.add(S, far, alpha=-slope)


ALIBI = biasing(
    "alibi",
    "ALiBi: less a slope times the distance",
    terms,
    formula=Formula(
        matrix=r"${S} - ${slope} \cdot \operatorname{distance}",
        each=r"${out:ij} = ${S:ij} - ${slope} \, |i - j|",
    ),
    frame=frame,
    twin=twin,
    options=(
        Option(
            "slope",
            "number",
            "what each step of distance costs (default 2^(-8h/H) in head h of H)",
            symbol="m",
            positive=True,
            default=SLOPE,
        ),
    ),
    mistakes=(
        ("distance-rewarded", "Far keys lose: the slope times the distance is subtracted.", rewarded),
        ("slope-forgotten", "Multiply the distance by the slope of the head.", without_slope),
        ("distance-one-off", "A token is at distance 0 from itself.", one_off),
    ),
)
