"""Which step a typed name means: `b.A`, `weights`, `Attention scores`, `A^(1)`, `S_12`, `z_1`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from attnsolve.errors import AttnsolveError
from attnsolve.loader.targets import found_in
from attnsolve.ops import OPS
from attnsolve.problem import Part
from attnsolve.reasons import reason

MOST_NAMES = 1_000
# What people call the values of a head when they speak of them.
SPOKEN = {
    "alpha": "A",
    "attention": "A",
    "attention weights": "A",
    "attention weight": "A",
    "attention matrix": "A",
    "softmax": "A",
    "softmax weights": "A",
    "softmax output": "A",
    "probabilities": "A",
    "weight": "A",
    "score": "S",
    "attention scores": "S",
    "attention score": "S",
    "score matrix": "S",
    "scaled scores": "T",
    "scaled score": "T",
    "masked scores": "M",
    "masked score": "M",
    "head": "Z",
    "attention output": "Z",
    "output vector": "Z",
    "output vectors": "Z",
    "output matrix": "Z",
    **{word: inner.name for op in OPS for inner in op.inner for word in inner.spoken},
}
# A letter or word with what is printed around it: a head above it, an index below or behind it.
# What is read as a mark is not taken apart again (++): digits could be in 2^n ways.
DRESSED = re.compile(
    r"(?P<before>(?:[\w-]++\.)*)(?P<base>[^\W\d_]++)(?P<marks>(?:_[\w,]++|\^\(?\d++\)?|\([\w,:]++\)|\d++)++)"
)
MARKS = re.compile(r"_([\w,]+)|\^\(?(\d+)\)?|\(([\w,:]+)\)|(\d+)")


class Meaning(NamedTuple):
    """What a name may stand for: a value, or one row or cell of it."""

    name: str
    row: int | None = None
    column: int | None = None


def meanings(typed: str) -> Iterator[Meaning]:
    """All that a name with an index or a head may mean: A_1 is a row or a head, S12 a row or a cell."""
    match = DRESSED.fullmatch(typed)
    found = MARKS.findall(match["marks"]) if match else []
    heads = [above for _, above, _, _ in found if above]
    indices = [below or behind or digits for below, above, behind, digits in found if not above]
    if match is None or len(heads) > 1 or len(indices) > 1:
        return
    before, base = match["before"], match["base"]
    name = f"{before}head{heads[0]}.{base}" if heads else f"{before}{base}"
    index = indices[0] if indices else ""
    numbers = index.removesuffix(",:").split(",")
    if not index:
        yield Meaning(name)
    elif not all(number.isdecimal() and len(number) < 7 for number in numbers):
        if not before and index.isalnum():
            yield Meaning(f"{index}.{name}")  # S_a, the scores of part a
    elif len(numbers) < 3:
        yield Meaning(name, *map(int, numbers))
        if len(index) == 2 and index.isdecimal():
            yield Meaning(name, int(index[0]), int(index[1]))
        if index.isdecimal() and not heads:
            yield Meaning(f"{before}head{index}.{base}")


class Lookup:
    """Finds the steps of one problem by the names that people type."""

    def __init__(self, steps: Iterable[str], parts: tuple[Part, ...]) -> None:
        self.steps = dict.fromkeys(steps)
        self.parts = parts
        self._known: dict[tuple[str, str], tuple[str, ...]] = {}  # what was typed before, and by others

    def part(self, typed: str) -> Part:
        """The part that a heading names; A is part a where there is no other A."""
        exact = [part for part in self.parts if part.id == typed]
        found = exact or [part for part in self.parts if part.id.lower() == typed.lower()]
        if len(found) != 1:
            parts = ", ".join(part.id for part in self.parts)
            raise AttnsolveError(
                reason("there is no part {part}; the parts are {parts}", part=typed, parts=parts)
            )
        return found[0]

    def named(self, typed: str, part: str = "") -> tuple[str, ...]:
        """Every step that a name may mean, below a heading only those of its part."""
        known = self._known.get((typed, part))
        if known is None:
            known = tuple(dict.fromkeys(self._search(typed, part)))
            if len(self._known) < MOST_NAMES:
                self._known[typed, part] = known
        return known

    def _search(self, typed: str, part: str) -> Iterator[str]:
        """The steps that a name means as typed, by a capital letter, or by a word for it."""
        if typed in self.steps and (not part or typed.startswith(f"{part}.")):
            yield typed  # its whole name: D is no sum of a softmax where a step is called so
            return
        before, dot, last = typed.rpartition(".")
        lower = last.lower()
        others = (last, last.upper() if len(last) == 1 else last, SPOKEN.get(lower, last))
        spellings = [f"{before}{dot}{other}" for other in (*others, lower if len(last) > 1 else last)]
        for spelling in dict.fromkeys(spellings):
            for owner in (self.part(part),) if part else self.parts:
                name = found_in(self.steps, owner.aliases, spelling, owner.id)
                if name is not None:
                    yield name
