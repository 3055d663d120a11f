"""Minus infinity: the score of a key that a mask hides; its exponential is 0."""

from __future__ import annotations

import re
from typing import Any

from attnsolve.exact.base import Cell
from attnsolve.exact.decimals import Rounded
from attnsolve.exact.flint_parts import arb

# How people type it.
MINUS_INFINITY = re.compile(r"[-−](\.?inf|infinity|∞|oo)", re.IGNORECASE)


class MinusInfinity(Cell):
    """-∞ as a cell, so that a masked score can be shown, scaled and exponentiated like any other."""

    __slots__ = ()

    def enclosure(self) -> arb:
        return arb("-inf")

    def is_zero(self) -> bool:
        return False

    def rational(self) -> None:
        return None

    def same(self, other: Cell) -> bool:
        return isinstance(other, MinusInfinity)

    def rounded(self, places: int, *, mode: str = "half_up") -> Rounded:
        return Rounded(0, places, True, infinite=True)

    def sympy(self) -> Any:
        from sympy import oo

        return -oo

    def text(self) -> str:
        return "-oo"


HIDDEN = MinusInfinity()
