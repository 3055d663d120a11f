"""Both generations side by side: how many sets of numbers are accepted, and how far apart the work is.

`python -m benchmarks.generations ist-practical-10 masks -n 200` prints the table. A search that is quicker
must not be one that draws easier variants, or more unequal ones.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import NamedTuple

from attnsolve.batch import find
from attnsolve.exams.stress import percent
from attnsolve.variants import Blueprint, Drawer, Variant, key_of_seed
from attnsolve.variation import GENERATION

SEED = 2026
NUMBER = 100
HEAD = """\
| problem | generation | accepted of those judged | work, least – median – most | usual | spread |
|---|---|---|---|---|---|
"""


class Drawing(NamedTuple):
    """What came of drawing with one generation."""

    judged: int
    efforts: tuple[int, ...]  # of all variants, the least first
    usual: int

    @classmethod
    def of(cls, variants: Sequence[Variant], usual: int) -> Drawing:
        """Some variants, and the work that is usual."""
        return cls(sum(one.candidates for one in variants), tuple(sorted(v.effort for v in variants)), usual)

    @property
    def spread(self) -> int:
        """By how much the work of the middle half differs: the distance of its quartiles."""
        quarter = len(self.efforts) // 4
        return self.efforts[-1 - quarter] - self.efforts[quarter]


def drawn(name: str, generation: int, number: int) -> Drawing:
    """So many variants of a problem, drawn by one generation."""
    drawer = Drawer(Blueprint.read(find(name), generation=generation), key_of_seed(SEED))
    return Drawing.of([drawer.draw(str(one)) for one in range(number)], drawer.usual_effort)


def row(name: str, generation: int, drawing: Drawing) -> str:
    """A line of the table."""
    efforts, number = drawing.efforts, len(drawing.efforts)
    accepted = f"{percent(number, drawing.judged)} % of {drawing.judged}"
    work = f"{efforts[0]} – {efforts[number // 2]} – {efforts[-1]}"
    return f"| {name} | {generation} | {accepted} | {work} | {drawing.usual} | {drawing.spread} |"


def main() -> None:
    """Print the table."""
    parser = ArgumentParser("python -m benchmarks.generations", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("problems", nargs="*", default=["ist-practical-10"])
    parser.add_argument("-n", "--number", type=int, default=NUMBER, help="how many variants of each")
    given = parser.parse_args()
    print(HEAD, end="")
    for name in given.problems:
        for generation in range(1, GENERATION + 1):
            print(row(name, generation, drawn(name, generation, given.number)), flush=True)


if __name__ == "__main__":
    main()
