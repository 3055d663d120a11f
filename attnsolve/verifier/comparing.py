"""What was written for one step against the right value, and against what follows from earlier numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from attnsolve.errors import Undecided
from attnsolve.exact import Cell, Matrix
from attnsolve.exact.masked import Masked, shown
from attnsolve.problem import Part
from attnsolve.report import Named, StepReport
from attnsolve.scheme import Scheme
from attnsolve.trace import Step, Trace
from attnsolve.verifier.calculation import Calculation
from attnsolve.verifier.carrying import BITS, fractions_of, known
from attnsolve.verifier.grids import Grid
from attnsolve.verifier.intervals import goes_with
from attnsolve.verifier.marking import COARSE, is_said_coarse
from attnsolve.verifier.mistakes import Catalogue
from attnsolve.verifier.records import Written
from attnsolve.verifier.rounding import other_ways
from attnsolve.verifier.routes import other_route, written_across
from attnsolve.verifier.slips import likely_slip
from attnsolve.verifier.telling import rules_chance_out, shortest, would_pass

Numbers = Sequence[tuple[int, int, Written]]
Hows = dict[tuple[int, int], str | None]  # how each number goes with the right one

ANYTHING = "from these numbers almost anything would follow"


class Compared(NamedTuple):
    """The verdict on what was written for a step, and what more was seen on the way."""

    report: StepReport
    fits: bool = False  # whether every number goes with the right value
    tells: bool = True  # whether what is right here shows what was done before it
    turned: bool = False  # whether every number is that of the transpose
    rerouted: bool = False  # whether it is right by another route, and the right value is gone on with

    @property
    def hangs_on_later(self) -> bool:
        """Whether what was written after it has a say in the verdict."""
        return self.turned or self.rerouted


class Comparison:
    """Compares what people wrote for the steps of one problem."""

    def __init__(self, trace: Trace, scheme: Scheme, catalogue: Catalogue, asked: int) -> None:
        self.trace = trace
        self.scheme = scheme
        self.key = catalogue.key
        self.catalogue = catalogue
        self.asked = asked

    def compared(
        self,
        part: Part,
        step: Step,
        grid: Grid,
        reached_by: Callable[[], Matrix | None],
        calculation: Calculation,
        title: str,
    ) -> Compared:
        """The verdict on what was written for a step."""
        name, numbers = step.call.out, grid.numbers
        unread = tuple(
            f"'{written.text}' was not read: {written.note}".rstrip(": ") for written in grid.unread
        )
        if not numbers:
            verdict = "right" if grid.right else "not read" if unread else "not written"
            return Compared(StepReport(name, title, verdict, notes=unread))
        try:
            hows = {(i, j): self.how(written, step, i, j) for i, j, written in numbers}
            notes = (*unread, *self.remarks(step, numbers, hows))
            flat = self.flat(step, grid, numbers)
            if flat and all(hows.values()):
                found = self.explained(part, step, grid, reached_by(), calculation, flat, notes, title)
                return Compared(found)
            if all(hows.values()):
                bare = any(w.places == 0 and self.key.is_coarse(w, step, i, j, 1) for i, j, w in numbers)
                named = self.named(part, step, grid, calculation, pairs=False) if bare else ()
                if named:  # whole numbers that fit a mistake exactly, and the right answer only roughly
                    found = self.explained(part, step, grid, reached_by(), calculation, numbers, notes, title)
                    return Compared(found, fits=True)
                tells = self.tells(part, step, numbers, None, calculation, notes)
                return Compared(StepReport(name, title, "right", notes=notes), fits=True, tells=tells)
            reach = reached_by()
            near = reach.balls(BITS) if reach is not None else None
            off = [
                (i, j, written)
                for i, j, written in numbers
                if not hows[i, j] and not self.follows(written, reach, near, i, j)
            ]
            for way in other_ways(step, calculation.values, self.scheme) if off else ():
                balls = way.balls(BITS)
                off = [one for one in off if not self.follows(one[2], way, balls, one[0], one[1])]
            turned = bool(off) and written_across(grid, step, self.scheme, self.key)
            route = other_route(self.trace, step, calculation.grids, self.scheme, turned) if off else ""
        except Undecided as error:
            return Compared(StepReport(name, title, "undecided", notes=(*unread, str(error))))
        if route:
            return Compared(
                StepReport(name, title, "right", notes=(*notes, route)), turned=turned, rerouted=True
            )
        if not off:
            astray = calculation.is_astray(step)
            notes = (*notes, *self.short(numbers, hows, reach, near, notes, astray), *self.vague(step, near))
            tells = self.tells(part, step, numbers, near, calculation, notes)
            verdict = "follows" if astray else "right"
            return Compared(StepReport(name, title, verdict, notes=notes), tells=tells)
        found = self.explained(part, step, grid, reach, calculation, off, notes, title)
        return Compared(found, turned=turned)

    def flat(self, step: Step, grid: Grid, numbers: Numbers) -> Numbers:
        """What is right only because it was written without digits, where all zeros or an identity stand."""
        if any(written.places != 0 for _, _, written in numbers) or not is_degenerate(grid):
            return []
        return [
            (i, j, written)
            for i, j, written in numbers
            if self.key.is_coarse(written, step, i, j, self.asked)
        ]

    def vague(self, step: Step, near: Any) -> tuple[str, ...]:
        """A word where somebody's earlier numbers are so coarse that almost anything would follow."""
        widest = max((ball.rad() for row in near or () for ball in row), default=0)
        if widest * 10**self.asked <= 1:
            return ()
        right = step.value.base if isinstance(step.value, Masked) else step.value
        largest = max(abs(ball).upper() for row in right.balls(BITS) for ball in row)
        return (f"{COARSE}: {ANYTHING}",) if widest > largest else ()

    def short(
        self,
        numbers: Numbers,
        hows: Hows,
        reach: Matrix | None,
        near: Any,
        notes: tuple[str, ...],
        astray: bool,
    ) -> tuple[str, ...]:
        """A word where a number is only near the right one, because somebody works with too few digits.

        Whoever goes on from wrong numbers can give no more digits than these had.
        """
        few = [
            (i, j, written)
            for i, j, written in numbers
            if not hows[i, j] and written.places is not None and written.places < self.asked
        ]
        if not few or reach is None or is_said_coarse(notes):
            return ()
        exact = fractions_of(shown(reach))
        for i, j, written in few:
            in_full = known(exact[i][j], written.places or 0) is not None
            no_more = astray and near[i][j].rad() * 2 * 10 ** (written.places or 0) >= 1
            if not (in_full or no_more):
                return (too_few(written, self.asked),)
        return ()

    def tells(
        self,
        part: Part,
        step: Step,
        numbers: Numbers,
        near: Any,
        calculation: Calculation,
        notes: tuple[str, ...],
    ) -> bool:
        """Whether what was written shows how it was found: few digits may fit a mistake, or anything."""
        if not is_said_coarse(notes):
            return True
        if any(note.endswith(ANYTHING) for note in notes):
            return False
        if not rules_chance_out(numbers, near, step, self.key, self.scheme):
            return False
        before = calculation.before(step)
        suspects = self.catalogue.alone(part, step, calculation.values, calculation.grids, before)
        return not any(would_pass(one, step, numbers, self.asked, self.scheme) for one in suspects)

    def how(self, written: Written, step: Step, i: int, j: int) -> str | None:
        """How a number goes with the right one."""
        return self.key.fits(written, step, i, j, truncation=self.scheme.truncation)

    def follows(self, written: Written, reach: Matrix | None, near: Any, i: int, j: int) -> bool:
        """Whether a number can be had from somebody's own earlier ones."""
        if reach is None or near is None:
            return False
        return goes_with(written, reach, near[i][j], i, j, truncation=self.scheme.truncation)

    def remarks(self, step: Step, numbers: Numbers, hows: Hows) -> tuple[str, ...]:
        """What is not wrong but worth a word: cut off, or too few digits."""
        said = []
        if "truncated" in hows.values():
            said.append("cut off instead of rounded")
        coarse = [w for i, j, w in numbers if hows[i, j] and self.key.is_coarse(w, step, i, j, self.asked)]
        if coarse:
            said.append(too_few(coarse[0], self.asked))
        return (*said, *(written.note for _, _, written in numbers if written.note))

    def named(
        self, part: Part, step: Step, grid: Grid, calculation: Calculation, *, pairs: bool = True
    ) -> tuple[Named, ...]:
        """The known mistakes that a step's numbers look like."""
        values, grids, before = calculation.values, calculation.grids, calculation.before(step)
        return self.catalogue.explain(
            part, step, grid, values, self.scheme, grids, self.asked, before, pairs=pairs
        )

    def explained(
        self,
        part: Part,
        step: Step,
        grid: Grid,
        reach: Matrix | None,
        calculation: Calculation,
        off: Numbers,
        notes: tuple[str, ...],
        title: str,
    ) -> StepReport:
        """A wrong step: a known mistake, or the first wrong number and what probably happened there."""
        if calculation.is_unsure(step, reach):
            said = "it cannot be told what follows from the numbers before it"
            return StepReport(step.call.out, title, "undecided", notes=(*notes, said))
        named = self.named(part, step, grid, calculation)
        if named and not is_said_coarse(notes):
            before = calculation.before(step)
            suspects = self.catalogue.alone(part, step, calculation.values, calculation.grids, before)
            fitting = [one for one in suspects if one.name == named[0].name]
            few = shortest(fitting[0], grid.numbers, self.asked) if fitting else None
            notes = notes if few is None else (*notes, too_few(few, self.asked))
        astray = calculation.is_astray(step)
        i, j, written = off[0]
        expected = (reach if reach is not None else step.value).cell(i, j)
        slip = "" if named else likely_slip(step, calculation.values, i, j, written, expected, self.scheme)
        return StepReport(
            step.call.out,
            title,
            "mistake" if named else "wrong",
            cell=(i, j),
            typed=written.text,
            expected=told(expected if astray else self.key.cell(step, i, j), self.asked),
            mistakes=named,
            slip=slip,
            notes=(*notes, f"{len(off)} of {len(grid.numbers)} numbers are off"),
        )


def too_few(written: Written, asked: int) -> str:
    """What is said of a number with fewer digits than were asked for."""
    return f"{COARSE}: {written.text}; {asked} places were asked for"


def told(cell: Cell, places: int) -> str:
    """The expected number; about where it lies when it follows from rounded numbers."""
    try:
        return cell.decimals(places).text
    except Undecided:
        return f"about {cell.ball(BITS).str(places, radius=False)}"


def is_degenerate(grid: Grid) -> bool:
    """Whether somebody wrote all zeros, all the same, or an identity."""
    found = {(i, j): written.cell.rational() for i, j, written in grid.numbers if written.cell is not None}
    if len(found) < 2:
        return False
    same = len(set(found.values())) == 1
    identity = all(value == Fraction(int(i == j)) for (i, j), value in found.items())
    return same or identity
