"""What is easy to get wrong in a part, with the numbers that the mistake gives."""

from __future__ import annotations

from attnsolve.records import NamedTuple
from attnsolve.rendering.text import Segments


class Pitfall(NamedTuple):
    """A mistake, what to tell who made it, and the wrong result (decimals in print)."""

    name: str
    advice: Segments
    result: str
