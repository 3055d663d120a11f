"""The search for numbers that the judges may accept: a climb, one number changed at a time.

Plain drawing almost never keeps every weight of every query in the window. So numbers are drawn once, and
then one after the other is drawn anew; a change that makes matters worse is taken back. What is looked at on
the way only says where to go on: whatever is found is judged exactly by others.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from math import inf
from typing import NamedTuple

from attnsolve.exact import Matrix
from attnsolve.variants.forms import Form, Numbers, Place
from attnsolve.variants.generator import Stream
from attnsolve.variants.rough import added, logarithm
from attnsolve.variation import Entry, JudgeSettings

STEPS = 300  # changes before a fresh start
SIDESTEPS = 12  # changes tried that would cost nothing
ROUNDING = 1e-9  # costs added up in another order may differ by less
MARGIN = 1.02  # weights on the very edge of the window would only be refused by the exact judge


class Window(NamedTuple):
    """Where weights should lie, a little narrower than the judges have it."""

    least: float
    most: float
    widest: float  # two weights whose scores are further apart cannot both be in the window


def window_of(settings: JudgeSettings) -> Window:
    """The window of the judges of weights."""
    least = float(settings.smallest_weight) * MARGIN
    most = 1.0 - (1.0 - float(settings.largest_weight)) * MARGIN
    return Window(least, most, logarithm(most / least) if 0 < least and 0 < most else inf)


class Climb(ABC):
    """Numbers under way to ones that the judges may accept."""

    def __init__(self, form: Form, stream: Stream) -> None:
        self.form = form
        self.stream = stream
        self.numbers: dict[str, list[list[Entry]]] = {}
        # Of weights, by call, and of givens, by name; a change puts another dictionary in its place.
        self.costs: dict[str, float] = {}

    @abstractmethod
    def start(self) -> None:
        """Draw every number; of two draws the smaller is taken, which keeps scores near each other."""

    def settle(self) -> None:  # noqa: B027 (most exercises have no designs)
        """Build anew what is designed, where numbers are not drawn one by one."""

    @abstractmethod
    def change(self, place: Place, *, keep_worse: bool, lighter: bool | None = None) -> bool:
        """Draw one number anew, on request of two draws the smaller or the larger; whether it was kept."""

    @abstractmethod
    def rough_values(self) -> Mapping[str, Matrix]:
        """The numbers of all givens as floats, perhaps with what follows from them."""

    def climb(self) -> bool:
        """Change numbers until nothing costs anything; False when that takes too long."""
        choose, change, costs, behind = self.stream.choose, self.change, None, list[tuple[Place, ...]]()
        for _ in range(STEPS):
            if costs is not self.costs:
                costs = self.costs
                behind = [self.form.places_behind(name) for name, cost in costs.items() if cost]
            if not behind:
                return True
            places = choose(behind)
            if places:
                change(choose(places), keep_worse=False)
            elif self.form.drawings:
                self.settle()
        return False

    def shake(self, *, lighter: bool | None = None) -> None:
        """Leave numbers that an exact judge refused: sideways if that costs nothing, else come what may."""
        moves = 1 + self.stream.below(3)
        for _ in range(SIDESTEPS):
            if not self.form.places or not moves:
                break
            moves -= self.change(self.stream.choose(self.form.places), keep_worse=False, lighter=lighter)
        for _ in range(moves if self.form.places else 0):
            self.change(self.stream.choose(self.form.places), keep_worse=True, lighter=lighter)
        if self.form.drawings:
            self.settle()

    def drawn(self) -> Numbers:
        """The numbers as they are now."""
        return {name: tuple(map(tuple, rows)) for name, rows in self.numbers.items()}


def total(costs: Mapping[str, float]) -> float:
    """All costs together, added up from the left."""
    return added(list(costs.values()))
