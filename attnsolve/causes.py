"""Why a step is wrong, as data: a mistake that is known by name, or a likely slip."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class SlipKind(StrEnum):
    """What may have happened at one wrong number."""

    SIGN = "sign"
    EXCHANGED = "row and column exchanged"
    POINT_RIGHT = "point right"
    POINT_LEFT = "point left"
    PRODUCT_SIGN = "product sign"
    PRODUCT_MISSING = "product missing"
    PRODUCT_TWICE = "product twice"
    NEIGHBOUR = "neighbour"
    DIGITS_SWAPPED = "digits swapped"


class Slip(NamedTuple):
    """A likely slip; of one product of a sum, which one, counted from 1."""

    kind: SlipKind
    product: int = 0


class Spread(StrEnum):
    """Whether a mistake was made in one step, or in all that do the same."""

    ONE_STEP = "one step"
    EVERY_HEAD = "every head"
    EVERY_STEP = "every step"


@dataclass(frozen=True, slots=True)
class NamedMistake:
    """A catalogued mistake that explains an answer, and how much speaks for it."""

    name: str
    advice: str
    numbers: int  # how many numbers tell it from the right answer
    places: int
    alone: bool = True  # whether no other known mistake fits
    at: str = ""  # the step it was made in, where it is one step's
    spread: Spread = Spread.ONE_STEP
