"""How somebody works: what is rounded, what is carried on, what is written down, and where it goes wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal

from verifier.simulated.arithmetic import HIDDEN, Array, each, matrix, root, rounded, significant, text
from verifier.simulated.exercises import Exercise

# A change of one step: from what would be written, its exact value and its two factors to what is written.
Change = Callable[[Array, Array, Array | None, Array | None], Array]
# So many digits, at least, has what somebody keeps in mind, the largest exponential of a row, and a sum.
IN_MIND, OF_LARGEST, OF_SUMS = 3, 1, 3


@dataclass
class Hand:
    """One person at work on one exercise; `values` and `texts` fill up step by step."""

    exercise: Exercise
    places: int = 4
    mode: str = "half_up"
    carries: bool = False  # goes on with rounded numbers
    remembers: bool = True  # what is not written stays in the calculator, with all digits
    root_places: int | None = None  # √3 as 1.73
    trims: bool = True  # 0.5 for 0.5000 where that is the number
    quotients: bool = False  # weights as 0.01/0.09
    shifts: bool = False  # takes the largest score of a row off before the exponentials
    hidden: str = "-inf"  # what stands for −∞
    skipped: frozenset[str] = frozenset()  # full names of steps that are not written
    changes: dict[str, Change] = field(default_factory=dict)
    values: dict[str, Array] = field(default_factory=dict)
    texts: dict[str, list[list[str]]] = field(default_factory=dict)

    def keep(self, name: str, value: Array, left: Array | None = None, right: Array | None = None) -> Array:
        """Write a step down, unless it is skipped, and say with which numbers this person goes on."""
        shown = self._shown(name, value)
        if name in self.changes:
            changed = self.changes[name](shown, value, left, right)
            value, shown = value + _difference(changed, shown), changed
        self.values[name] = value
        if name not in self.skipped:
            self.texts[name] = self._written(name, value, shown)
        goes_on_rounded = self.carries and not (self.remembers and name in self.skipped)
        return shown if goes_on_rounded else value

    def root(self, number: int) -> Decimal:
        """√number, with as many places as this person takes it."""
        exact = root(number)
        return exact if self.root_places is None else rounded(exact, self.root_places, self.mode)

    def inside(self, value: Array) -> Array:
        """What is worked out on the way to a step."""
        return self._in_mind(value) if self.carries and not self.remembers else value

    def _shown(self, name: str, value: Array) -> Array:
        if name in self.skipped:
            return self._in_mind(value)
        if name.endswith("exp"):
            most = [max(abs(number) for number in row) for row in value]
            needed = [max(self.places, significant(number, OF_LARGEST)) for number in most]
            return matrix(
                [[rounded(x, p, self.mode) for x in row] for row, p in zip(value, needed, strict=True)]
            )
        if name.endswith("sum"):
            return each(lambda x: rounded(x, max(self.places, significant(x, OF_SUMS)), self.mode), value)
        return each(lambda number: rounded(number, self.places, self.mode), value)

    def _in_mind(self, value: Array) -> Array:
        return each(lambda x: rounded(x, max(self.places, significant(x, IN_MIND)), self.mode), value)

    def _written(self, name: str, value: Array, shown: Array) -> list[list[str]]:
        head, letter = name.rpartition(".")[::2]
        if letter == "A" and self.quotients and f"{head}.exp" in self.texts and f"{head}.sum" in self.texts:
            return self._as_quotients(f"{head}.exp", f"{head}.sum")
        return [
            [
                self.hidden
                if number == HIDDEN
                else text(number, trim=number == exact and (self.trims or letter in ("Q", "K", "V", "S")))
                for number, exact in zip(row, exacts, strict=True)
            ]
            for row, exacts in zip(shown, value, strict=True)
        ]

    def _as_quotients(self, exponentials: str, sums: str) -> list[list[str]]:
        return [
            [f"{exponential}/{total}" if Decimal(exponential) else "0" for exponential in row]
            for row, (total,) in zip(self.texts[exponentials], self.texts[sums], strict=True)
        ]


def _difference(changed: Array, shown: Array) -> Array:
    """By how much numbers were changed; what is hidden cannot be."""
    return matrix(
        [
            [Decimal(0) if HIDDEN in (a, b) else a - b for a, b in zip(one, two, strict=True)]
            for one, two in zip(changed, shown, strict=True)
        ]
    )
