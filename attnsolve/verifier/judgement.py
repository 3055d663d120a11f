"""The verdict on a calculation, step by step: right, right for one's own numbers, a known mistake, wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

from attnsolve.errors import Undecided
from attnsolve.exact import Cell, Matrix
from attnsolve.exact.masked import Masked
from attnsolve.problem import Part
from attnsolve.report import Named, Report, StepReport
from attnsolve.scheme import Scheme
from attnsolve.trace import Step, Trace
from attnsolve.verifier.calculation import Calculation
from attnsolve.verifier.carrying import BITS, Own, kept_right, reached, written_down
from attnsolve.verifier.extras import is_extra, with_extras
from attnsolve.verifier.intervals import Key, goes_with
from attnsolve.verifier.marking import COARSE, all_worths, marked, placed
from attnsolve.verifier.mistakes import Catalogue
from attnsolve.verifier.placing import Grid, Placing
from attnsolve.verifier.records import Submission, Written
from attnsolve.verifier.rounding import other_ways
from attnsolve.verifier.routes import other_route
from attnsolve.verifier.slips import likely_slip

STRAYED = ("follows", "mistake", "wrong")


class Verifier:
    """Judges any number of calculations of one problem."""

    def __init__(self, trace: Trace, scheme: Scheme | None = None) -> None:
        self.trace = with_extras(trace)
        self.scheme = scheme or trace.problem.scheme
        self.placing = Placing(self.trace)
        self.key = Key()
        self.catalogue = Catalogue(trace, self.key)
        self.worths = all_worths(trace)
        rounding = trace.problem.rounding
        self.asked = trace.problem.places if rounding is None else rounding.carry

    def verify(self, submission: Submission) -> Report:
        """The report on one calculation."""
        grids, lost = self.placing.grids(submission)
        kept, unplaced = placed(self.placing, submission.overrides)
        givens = {name: given.value for name, given in self.trace.problem.givens.items()}
        calculation = Calculation(Own(givens), grids, set(), set(), working_places(grids, self.asked))
        steps = []
        for part in self.trace.problem.parts:
            for step in self.trace.of_part(part.id):
                steps.append(self.judge(part, step, calculation))
        return Report(
            problem=self.trace.problem.name,
            student=submission.student,
            variant=submission.variant,
            steps=marked(self.trace, self.scheme, self.worths, steps, calculation, kept),
            unread=(*submission.unread, *lost, *unplaced),
            remarks=submission.remarks,
        )

    def judge(self, part: Part, step: Step, calculation: Calculation) -> StepReport:
        """One step: compared with the right value, then with what follows from earlier numbers."""
        call, grid = step.call, calculation.grids.get(step.call.out)
        astray = any(name in calculation.strayed for name in call.args)
        values = calculation.values
        reach = cache(lambda: self.reached(step, calculation))
        title = call.title or call.op.title
        if grid is None and is_extra(call):
            return StepReport(call.out, title, "not written")
        if grid is None or not (grid.cells or grid.right):
            values.later(call.out, lambda: self.goes_on(step, Grid(step.value.shape), reach, calculation))
            if astray:
                calculation.strayed.add(call.out)
            return StepReport(call.out, title, "not written")
        report = self.compared(part, step, grid, reach, calculation, astray=astray)
        report = replace(report, title=title, notes=(*report.notes, *grid.notes))
        if report.verdict == "right" and not grid.cells:
            values[call.out] = step.value
        else:
            values.later(call.out, lambda: self.goes_on(step, grid, reach, calculation))
        if report.verdict in STRAYED:
            calculation.strayed.add(call.out)
        trivial = report.verdict in ("mistake", "wrong") and is_degenerate(grid, step)
        if trivial or any(name in calculation.degenerate for name in call.args):
            calculation.degenerate.add(call.out)
        return report

    def reached(self, step: Step, calculation: Calculation) -> Matrix | None:
        """What a step gives from somebody's own numbers; None where that cannot be told."""
        return step.value if self.starts_right(step, calculation) else reached(step.call, calculation.values)

    def starts_right(self, step: Step, calculation: Calculation) -> bool:
        """Whether somebody's inputs are the right ones themselves."""
        own, inputs = calculation.values, zip(step.call.args, step.inputs, strict=True)
        return all(own[name] is value for name, value in inputs)

    def goes_on(
        self, step: Step, grid: Grid, reached_by: Callable[[], Matrix | None], calculation: Calculation
    ) -> Matrix:
        """What somebody goes on with after a step; the right value where nothing can be told."""
        if grid.fits and grid.whole and not isinstance(step.value, Masked):
            same = self.starts_right(step, calculation)
            return kept_right(grid, step, calculation.places, same=same)
        reach = reached_by()
        if not grid.whole and calculation.is_unsure(step, reach):
            calculation.unsure.add(step.call.out)
        return written_down(grid, step, reach, calculation.places)

    def compared(
        self,
        part: Part,
        step: Step,
        grid: Grid,
        reached_by: Callable[[], Matrix | None],
        calculation: Calculation,
        *,
        astray: bool,
    ) -> StepReport:
        """The verdict on what was written for a step."""
        name = step.call.out
        numbers = list(grid.numbers())
        unread = tuple(
            f"'{written.text}' was not read: {written.note}".rstrip(": ") for written in grid.unread
        )
        if not numbers:
            verdict = "right" if grid.right else "not read" if unread else "not written"
            return StepReport(name, "", verdict, notes=unread)
        try:
            hows = {(i, j): self.how(written, step, i, j) for i, j, written in numbers}
            notes = (*unread, *self.remarks(step, numbers, hows))
            flat = self.flat(step, grid, numbers)
            if flat and all(hows.values()):
                return self.explained(part, step, grid, reached_by(), calculation, flat, notes)
            if all(hows.values()):
                grid.fits = True
                bare = any(w.places == 0 and self.key.is_coarse(w, step, i, j, 1) for i, j, w in numbers)
                named = self.named(part, step, grid, calculation, pairs=False) if bare else ()
                if named:  # whole numbers that fit a mistake exactly, and the right answer only roughly
                    return self.explained(part, step, grid, reached_by(), calculation, numbers, notes)
                return StepReport(name, "", "right", notes=notes)
            reach = reached_by()
            near = reach.balls(BITS) if reach is not None else None
            off = [
                (i, j, written)
                for i, j, written in numbers
                if not hows[i, j] and not self.follows(written, reach, near, i, j)
            ]
            for way in other_ways(step, calculation.values, self.scheme.inner_places) if off else ():
                balls = way.balls(BITS)
                off = [one for one in off if not self.follows(one[2], way, balls, one[0], one[1])]
            route = other_route(self.trace, step, calculation.grids, self.scheme) if off else ""
        except Undecided as error:
            return StepReport(name, "", "undecided", notes=(*unread, str(error)))
        if route:
            grid.cells, grid.right = {}, True  # from here on it is the same calculation
            return StepReport(name, "", "right", notes=(*notes, route))
        if not off:
            word = "follows" if astray else "right"
            return StepReport(name, "", word, notes=(*notes, *self.vague(step, near)))
        return self.explained(part, step, grid, reach, calculation, off, notes)

    def flat(
        self, step: Step, grid: Grid, numbers: list[tuple[int, int, Written]]
    ) -> list[tuple[int, int, Written]]:
        """What is right only because it was written without digits, where all zeros or an identity stand."""
        if any(written.places != 0 for _, _, written in numbers) or not is_degenerate(grid, step):
            return []
        return [
            (i, j, written)
            for i, j, written in numbers
            if written.cell is not None
            and self.key.is_coarse(written, step, i, j, self.asked)
            and self.key.cell(step, i, j).rounded(self.asked).fraction != written.cell.rational()
        ]

    def vague(self, step: Step, near: Any) -> tuple[str, ...]:
        """A word where somebody's earlier numbers are so coarse that almost anything would follow."""
        widest = max((ball.rad() for row in near or () for ball in row), default=0)
        if widest * 10**self.asked <= 1:
            return ()
        right = step.value.base if isinstance(step.value, Masked) else step.value
        largest = max(abs(ball).upper() for row in right.balls(BITS) for ball in row)
        return (f"{COARSE}: from these numbers almost anything would follow",) if widest > largest else ()

    def how(self, written: Written, step: Step, i: int, j: int) -> str | None:
        """How a number goes with the right one."""
        return self.key.fits(written, step, i, j, truncation=self.scheme.truncation)

    def follows(self, written: Written, reach: Matrix | None, near: Any, i: int, j: int) -> bool:
        """Whether a number can be had from somebody's own earlier ones."""
        if reach is None or near is None:
            return False
        return goes_with(written, reach, near[i][j], i, j, truncation=self.scheme.truncation)

    def remarks(
        self, step: Step, numbers: list[tuple[int, int, Written]], hows: dict[tuple[int, int], str | None]
    ) -> tuple[str, ...]:
        """What is not wrong but worth a word: cut off, or too few digits."""
        said = []
        if "truncated" in hows.values():
            said.append("cut off instead of rounded")
        coarse = [w for i, j, w in numbers if hows[i, j] and self.key.is_coarse(w, step, i, j, self.asked)]
        if coarse:
            said.append(f"too few digits: {coarse[0].text}; {self.asked} places were asked for")
        return (*said, *(written.note for _, _, written in numbers if written.note))

    def named(
        self, part: Part, step: Step, grid: Grid, calculation: Calculation, *, pairs: bool = True
    ) -> tuple[Named, ...]:
        """The known mistakes that a step's numbers look like."""
        values, grids = calculation.values, calculation.grids
        return self.catalogue.explain(part, step, grid, values, self.scheme, grids, self.asked, pairs=pairs)

    def explained(
        self,
        part: Part,
        step: Step,
        grid: Grid,
        reach: Matrix | None,
        calculation: Calculation,
        off: list[tuple[int, int, Written]],
        notes: tuple[str, ...],
    ) -> StepReport:
        """A wrong step: a known mistake, or the first wrong number and what probably happened there."""
        if calculation.is_unsure(step, reach):
            said = "it cannot be told what follows from the numbers before it"
            return StepReport(step.call.out, "", "undecided", notes=(*notes, said))
        named = self.named(part, step, grid, calculation)
        astray = any(name in calculation.strayed for name in step.call.args)
        i, j, written = off[0]
        expected = (reach if reach is not None else step.value).cell(i, j)
        slip = "" if named else likely_slip(step, calculation.values, i, j, written, expected, self.scheme)
        return StepReport(
            step.call.out,
            "",
            "mistake" if named else "wrong",
            cell=(i, j),
            typed=written.text,
            expected=told(expected if astray else self.key.cell(step, i, j), self.asked),
            mistakes=named,
            slip=slip,
            notes=(*notes, f"{len(off)} of {len(list(grid.numbers()))} numbers are off"),
        )


def working_places(grids: dict[str, Grid], asked: int) -> int:
    """The decimals somebody works with: those of the longest number, but no more than were asked for."""
    written = [w.places for grid in grids.values() for _, _, w in grid.numbers() if w.places]
    return min(asked, max(written)) if written else asked


def told(cell: Cell, places: int) -> str:
    """The expected number; about where it lies when it follows from rounded numbers."""
    try:
        return cell.decimals(places).text
    except Undecided:
        return f"about {cell.ball(BITS).str(places, radius=False)}"


def is_degenerate(grid: Grid, step: Step) -> bool:
    """Whether somebody wrote all zeros, all the same, or an identity, where the right value is not so."""
    found = {(i, j): written.cell.rational() for i, j, written in grid.numbers() if written.cell is not None}
    if len(found) < 2:
        return False
    same = len(set(found.values())) == 1
    identity = all(value == Fraction(int(i == j)) for (i, j), value in found.items())
    return same or identity


def verify(trace: Trace, submission: Submission, *, scheme: Scheme | None = None) -> Report:
    """The report on one calculation of a solved problem."""
    return Verifier(trace, scheme).verify(submission)
