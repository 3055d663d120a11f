"""Methods timed in turns on the same cases, so that a busy moment of the machine hits them all.

What counts is processor time: on a busy machine the wall clock flatters whoever ends uninterrupted.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import median
from time import process_time
from typing import Any, TypeVar

Case = TypeVar("Case")


@dataclass(frozen=True, slots=True)
class Times:
    """The seconds of each method, one for each case of each round."""

    seconds: Mapping[str, list[list[float]]]

    def median(self, name: str) -> float:
        """The median over all cases of all rounds."""
        return median(chain.from_iterable(self.seconds[name]))

    def least(self, name: str) -> float:
        """The quickest case."""
        return min(chain.from_iterable(self.seconds[name]))

    def ratios(self, above: str, below: str) -> list[float]:
        """How many times as long `above` takes, round by round."""
        pairs = zip(self.seconds[above], self.seconds[below], strict=True)
        return [median(a) / median(b) for a, b in pairs]


def race(
    methods: Mapping[str, Callable[[Case], Any]],
    warm_up: Case,
    rounds: Iterable[Sequence[Case]],
    *,
    clock: Callable[[], float] = process_time,
) -> Times:
    """Every method on every case of a round before the next round; who begins changes each round."""
    names = list(methods)
    for method in methods.values():
        method(warm_up)
    seconds: dict[str, list[list[float]]] = {name: [] for name in names}
    for number, cases in enumerate(rounds):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            gc.collect()  # nobody pays for what another left behind
            seconds[name].append([timed(methods[name], case, clock) for case in cases])
    return Times(seconds)


def timed(method: Callable[[Case], Any], case: Case, clock: Callable[[], float]) -> float:
    """The seconds of one call; its result is let go afterwards."""
    begin = clock()
    result = method(case)
    end = clock()
    del result
    return end - begin
