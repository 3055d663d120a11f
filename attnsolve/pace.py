"""What is worked on and how long it took, step by step, for somebody who waits and wants to know what for."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from time import monotonic
from typing import ClassVar

# What is worked on: a step by its name and its op, or "" for what is none.
Piece = tuple[str, str]
WHOLE: Piece = "", ""


class Work(Enum):
    """What is done with a step, or with a page."""

    SOLVING = "solving"
    WRITING = "writing"
    PRINTING = "printing"


class Pace:
    """While this is entered, whoever begins a piece of work says so."""

    _now: ClassVar[Pace | None] = None

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self.took: dict[tuple[Work, Piece], float] = {}
        self._clock = clock
        self._began = self._since = clock()
        self.doing: tuple[Work, Piece] | None = None

    def __enter__(self) -> Pace:
        Pace._now = self
        return self

    def __exit__(self, *_: object) -> None:
        Pace._now = None
        self._end()

    @classmethod
    def begin(cls, work: Work, piece: Piece = WHOLE) -> None:
        """Note that a piece of work begins, and the one before it is done; if anybody waits."""
        if cls._now is not None:
            cls._now._end()
            cls._now.doing = work, piece

    def _end(self) -> None:
        now = self._clock()
        if self.doing is not None:
            self.took[self.doing] = self.took.get(self.doing, 0.0) + now - self._since
        self._since, self.doing = now, None

    @property
    def seconds(self) -> float:
        """How long it has taken until now."""
        return self._clock() - self._began

    def longest(self, count: int) -> list[tuple[Work, Piece, float]]:
        """The pieces that took longest, of which each took a good part of the whole."""
        worth = self.seconds / 10
        found = sorted(((*done, taken) for done, taken in self.took.items()), key=lambda one: -one[2])
        return [one for one in found[:count] if one[2] >= worth]
