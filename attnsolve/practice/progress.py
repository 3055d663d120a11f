"""How far somebody has come, as records that never change: what was typed, and what it took."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import NamedTuple

Cells = tuple[tuple[str, ...], ...]
HIGHEST = 4  # the last hint, which tells a number


@dataclass(frozen=True, slots=True)
class Work:
    """What was done for one value."""

    cells: Cells = ()  # as typed last, laid as the sheet prints it; nothing in a place that is empty
    tries: int = 0
    hints: int = 0  # how far hints have risen since the last try
    helped: int = 0  # the highest hint of all
    shown: bool = False  # whether the worked step was looked at
    mistakes: tuple[str, ...] = ()  # that came up, by name, each once


class Round(NamedTuple):
    """An exercise that was left for another variant of it."""

    variant: int
    right: int
    total: int
    mistakes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Progress:
    """Everything that is kept of somebody's practice."""

    variant: int = 0  # 0 has the numbers of the file itself
    at: str = ""  # the value that is asked for now
    works: Mapping[str, Work] = field(default_factory=lambda: MappingProxyType({}))
    rows: Cells = ()  # of the value at hand, as long as some are still to come
    rounds: tuple[Round, ...] = ()

    def work(self, name: str) -> Work:
        """What was done for a value."""
        return self.works.get(name, Work())

    def with_work(self, name: str, work: Work) -> Progress:
        """The same with other work on a value."""
        return replace(self, works=MappingProxyType({**self.works, name: work}), rows=())

    def gone_to(self, name: str) -> Progress:
        """The same at another value."""
        return replace(self, at=name, rows=())
