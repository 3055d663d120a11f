"""Which step each written number belongs to: names looked up, matrices laid as the engine keeps them."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from attnsolve.errors import AttnsolveError
from attnsolve.loader.targets import found_in, position
from attnsolve.recipes.shapes import Layout
from attnsolve.trace import Step, Trace
from attnsolve.verifier.records import Answer, Submission, Written

MOST_NAMES = 1_000
TWICE = "written twice; the last one counts"
Table = tuple[tuple[Written, ...], ...]


@dataclass
class Grid:
    """What was written for one step, number by number; `right` is what a person has seen to be right."""

    shape: tuple[int, int]
    cells: dict[tuple[int, int], Written] = field(default_factory=dict)
    right: bool = False
    notes: list[str] = field(default_factory=list)
    fits: bool = False  # whether every number goes with the right value
    tells: bool = True  # whether what is right here shows what was done before it
    turned: bool = False  # whether every number is that of the transpose
    replaced: bool = False  # whether something else is gone on with
    _numbers: tuple[tuple[int, int, Written], ...] | None = None  # once they are all laid

    def numbers(self) -> tuple[tuple[int, int, Written], ...]:
        """Every number that can be judged, in reading order."""
        if self._numbers is None:
            self._numbers = tuple(
                (i, j, written) for (i, j), written in sorted(self.cells.items()) if written.state == "number"
            )
        return self._numbers

    def seen_right(self) -> None:
        """Go on as if a person had seen that all of it is right."""
        self.cells, self.right, self.replaced, self._numbers = {}, True, True, None

    @property
    def hangs_on_later(self) -> bool:
        """Whether what was written after it has a say in its verdict, or has been put aside for it."""
        return self.turned or self.replaced

    @property
    def content(self) -> Hashable:
        """All that was written, so that it can be known again."""
        return tuple(self.cells.items()), self.right, tuple(self.notes)

    @property
    def whole(self) -> bool:
        """Whether there is a number in every place."""
        return len(self.numbers()) == self.shape[0] * self.shape[1]

    @property
    def unread(self) -> list[Written]:
        """What somebody wrote and nobody could read."""
        return [written for written in self.cells.values() if written.state in ("unread", "illegible")]


class Placing:
    """Lays the answers of submissions to one problem."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.problem = trace.problem
        self.layout = Layout(self.problem.convention, {}, self.problem.index_from)
        self.steps = {step.call.out: step for step in trace.steps}
        self._names: dict[str, str] = {}  # what was typed before, and by others

    def grids(self, submission: Submission) -> tuple[dict[str, Grid], list[str]]:
        """The grids by step, and a sentence for every answer that has no place."""
        grids: dict[str, Grid] = {}
        lost: list[str] = []
        for answer in submission.answers:
            try:
                step = self.steps[self.name(answer.name)]
                self.lay(answer, step, grids.setdefault(step.call.out, Grid(step.value.shape)))
            except AttnsolveError as error:
                lost.append(f"line {answer.line}: {answer.name}: {error}")
        return grids, lost

    def name(self, typed: str) -> str:
        """The step that a name means: `b.A`, `weights`, or the small letter of a vector."""
        if typed in self._names:
            return self._names[typed]
        part_id, dot, last = typed.rpartition(".")
        others = (last, last.upper() if len(last) == 1 else last, SPOKEN.get(last.lower(), last))
        spellings = [f"{part_id}{dot}{other}" for other in others]
        found = [
            name
            for spelling in dict.fromkeys(spellings)
            for part in self.problem.parts
            if (name := found_in(self.steps, part.aliases, spelling, part.id)) is not None
        ]
        known = list(dict.fromkeys(found))
        if not known:
            raise AttnsolveError(f"there is no step of this name; the steps are {', '.join(self.steps)}")
        if len(known) > 1:
            raise AttnsolveError(f"this may be {' or '.join(known)}; write the part too, such as {known[0]}")
        if len(self._names) < MOST_NAMES:
            self._names[typed] = known[0]
        return known[0]

    def lay(self, answer: Answer, step: Step, grid: Grid) -> None:
        """Put the numbers of one answer where they belong, above what was written there before."""
        grid.right |= answer.right
        new = self.cells(answer, step, grid)
        if any(is_written(grid.cells.get(place)) for place in new) and TWICE not in grid.notes:
            grid.notes.append(TWICE)
        grid.cells |= new

    def cells(self, answer: Answer, step: Step, grid: Grid) -> dict[tuple[int, int], Written]:
        """The numbers of one answer by their places."""
        if answer.right and not answer.rows:
            return {}
        frame = self.problem.frames[step.call.out]
        across = self.layout.printed_across(step.call.out, frame)
        flat = [written for row in answer.rows for written in row]
        if len(flat) == 1 and flat[0].state in ("unread", "illegible"):
            return {} if (0, 0) in grid.cells else {(0, 0): flat[0]}
        if answer.row is None:
            rows = oriented(answer.rows, grid, across=across)
            return {(i, j): x for i, row in enumerate(rows) for j, x in enumerate(row)}
        numbers = [number for number in (answer.row, answer.column) if number is not None]
        single = frame.rows.size == 1 and len(numbers) == 1
        axes = [frame.columns] if single else [frame.rows, frame.columns]
        if across and len(numbers) == 2:
            numbers.reverse()
        places = [
            position(axis, number - self.problem.index_from)
            for axis, number in zip(axes, numbers, strict=False)
        ]
        if None in places:
            raise AttnsolveError(f"there is no place [{', '.join(map(str, numbers))}]")
        start = (0, places[0] or 0) if single else (places[0] or 0, places[1] if len(places) > 1 else 0)
        along = 1 if single or len(places) > 1 else grid.shape[1]
        if len(flat) != along:
            raise AttnsolveError(f"{len(flat)} numbers; {along} belong there")
        return {(start[0], (start[1] or 0) + k): written for k, written in enumerate(flat)}


def is_written(written: Written | None) -> bool:
    """Whether something stands in a place that somebody means."""
    return written is not None and written.state in ("number", "unread", "illegible")


# What people call the values of a head when they speak of them.
SPOKEN = {
    "e": "exp",
    "exponentials": "exp",
    "d": "sum",
    "sums": "sum",
    "denominator": "sum",
    "alpha": "A",
    "attention": "A",
    "probabilities": "A",
    "score": "S",
    "weight": "A",
    "head": "Z",
}


def oriented(rows: Table, grid: Grid, *, across: bool) -> Table:
    """The rows as the engine keeps them, turned where the course prints them the other way round."""
    height, width = len(rows), max(map(len, rows))
    if (height, width) == grid.shape and not (across and height == width):
        return rows
    turned = tuple(zip(*rows, strict=True)) if len({len(row) for row in rows}) == 1 else rows
    if (width, height) == grid.shape:
        if not across and 1 not in grid.shape:
            grid.notes.append("rows and columns are exchanged; it was read the other way round")
        return turned
    flat = [written for row in rows for written in row]
    if 1 in grid.shape and len(flat) == max(grid.shape):
        return (tuple(flat),) if grid.shape[0] == 1 else tuple((written,) for written in flat)
    raise AttnsolveError(f"this is {height}×{width}; {grid.shape[0]}×{grid.shape[1]} numbers belong there")
