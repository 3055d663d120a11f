"""What may be read and worked out for one person, so that no answer can hang a whole class."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from attnsolve.errors import AttnsolveError
from attnsolve.found_once import found_once
from attnsolve.limits import LIMITS, Limits
from attnsolve.loader.numbers import spend
from attnsolve.loader.reader import Reader
from attnsolve.reasons import reason

# What is short to write but takes long to work out: powers of sums, and functions that only SymPy knows.
POWERS_OF_SUMS = re.compile(r"\)\s*(?:\^|\*\*)\s*[-(\s]*([0-9]{1,6})|\)\s*\**\s*\(")
SLOW_FUNCTION = re.compile(r"sin|cos|tanh|erf|pi|π")
SLOW_FUNCTION_WORK = 50
POWER_WORK = 6


@dataclass
class Budget:
    """What may still be read and worked out for one person."""

    limits: Limits = LIMITS
    numbers: int = 0

    @found_once
    def reader(self) -> Reader:
        """What expressions are charged to; most people write none."""
        return Reader("", Path(), self.limits)

    def count(self, numbers: int) -> None:
        """Charge an answer for its numbers before any of them is read."""
        if numbers > self.limits.numbers:
            said = reason(
                "an answer of {numbers} numbers; the limit is {limit}",
                numbers=numbers,
                limit=self.limits.numbers,
            )
            raise AttnsolveError(said)
        self.numbers += numbers
        if self.numbers > self.limits.nodes:
            said = reason("more than {limit} numbers from one person, the limit", limit=self.limits.nodes)
            raise AttnsolveError(said)

    def count_all(self, numbers: Collection[int]) -> bool:
        """Charge several answers at once, if all of them are within the limits; else nothing is charged."""
        total = self.numbers + sum(numbers)
        if total > self.limits.nodes or max(numbers, default=0) > self.limits.numbers:
            return False
        self.numbers = total
        return True

    def spend(self, text: str) -> None:
        """Charge for an expression before it is worked out."""
        operations = sum(map(text.count, "+-*/^√("))
        for power in POWERS_OF_SUMS.finditer(text):
            self.reader.work += operations * (POWER_WORK * int(power[1]) if power[1] else operations)
        self.reader.work += SLOW_FUNCTION_WORK * len(SLOW_FUNCTION.findall(text))
        spend(self.reader, text)
