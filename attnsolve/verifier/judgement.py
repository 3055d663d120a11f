"""The verdict on a calculation, step by step: right, right for one's own numbers, a known mistake, wrong."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from attnsolve.errors import AttnsolveError
from attnsolve.exact import Matrix
from attnsolve.exact.masked import Masked
from attnsolve.problem import Part
from attnsolve.report import Report, StepReport
from attnsolve.scheme import Scheme
from attnsolve.trace import Step, Trace
from attnsolve.verifier.calculation import Calculation
from attnsolve.verifier.carrying import Own, kept_right, reached, written_down
from attnsolve.verifier.comparing import Comparison, is_degenerate
from attnsolve.verifier.extras import is_extra, with_extras
from attnsolve.verifier.intervals import Key
from attnsolve.verifier.marking import Marking, placed
from attnsolve.verifier.memory import Memory, Outcome
from attnsolve.verifier.mistakes import Catalogue
from attnsolve.verifier.placing import Grid, Placing
from attnsolve.verifier.reading.commas import PLACES, has_unclear, settled
from attnsolve.verifier.records import Submission

STRAYED = ("follows", "mistake", "wrong")
# So many decimals at least are kept in a step that is not written down.
FEWEST = 2
THOUSAND = 1000


class Verifier:
    """Judges any number of calculations of one problem."""

    def __init__(self, trace: Trace, scheme: Scheme | None = None) -> None:
        self.trace = with_extras(trace)
        self.scheme = scheme or trace.problem.scheme
        self.placing = Placing(self.trace)
        self.catalogue = Catalogue(trace, Key())
        rounding = trace.problem.rounding
        self.asked = trace.problem.places if rounding is None else rounding.carry
        self.comparison = Comparison(self.trace, self.scheme, self.catalogue, self.asked)
        self.marking = Marking(self.trace, trace, self.scheme)
        self.memory = Memory()
        self.order = [(part, step) for part in trace.problem.parts for step in self.trace.of_part(part.id)]
        self.givens = {name: given.value for name, given in trace.problem.givens.items()}
        self.unwritten = {
            step.call.out: StepReport(step.call.out, step.call.title or step.call.op.title, "not written")
            for _, step in self.order
        }

    def verify(self, submission: Submission) -> Report:
        """The report on one calculation."""
        submission = self.as_understood(submission)
        grids, lost = self.placing.grids(submission)
        kept, unplaced = placed(self.placing, submission.overrides)
        calculation = Calculation(Own(self.givens), grids, working_places(grids, self.asked))
        steps = [self.judge(part, step, calculation) for part, step in self.order]
        return Report(
            problem=self.trace.problem.name,
            student=submission.student,
            variant=submission.variant,
            steps=self.marking.marked(steps, calculation, kept),
            unread=(*submission.unread, *lost, *unplaced),
            remarks=submission.remarks,
        )

    def as_understood(self, submission: Submission) -> Submission:
        """The answers with the commas that this problem makes clear: what is judged, and to be shown."""
        return settled(submission) if has_unclear(submission) and self.has_no_thousands() else submission

    def has_no_thousands(self) -> bool:
        """Whether a comma before three digits must be a decimal comma: so many are asked for, of less."""
        try:
            largest = map(self.catalogue.key.largest, self.trace.steps)
            return self.asked == PLACES and all(size < THOUSAND for size in largest)
        except AttnsolveError:
            return False  # a number too long to be looked at

    def judge(self, part: Part, step: Step, calculation: Calculation) -> StepReport:
        """One step: compared with the right value, then with what follows from earlier numbers.

        Whoever wrote the same and came to it in the same way has the same verdict, found out once.
        """
        name, grid = step.call.out, calculation.grids.get(step.call.out)
        if grid is None and is_extra(step.call):
            return self.unwritten[name]
        before, content = calculation.before(step), None if grid is None else grid.content
        reach = Reach(self, step, before, calculation)
        outcome = self.memory.get((before, content))
        if outcome is None:
            outcome = self.outcome(part, step, grid, reach, calculation)
            if grid is None or not grid.hangs_on_later:
                self.memory.keep((before, content), outcome, 1 if grid is None else len(grid.cells))
        elif grid is not None:
            grid.fits = outcome.fits
        calculation.outcomes[name] = outcome
        calculation.values.later(name, lambda: self.own(step, grid, reach, calculation), *step.call.args)
        return outcome.report

    def outcome(
        self, part: Part, step: Step, grid: Grid | None, reach: Reach, calculation: Calculation
    ) -> Outcome:
        """What becomes of a step that nobody has written like this before."""
        name, astray = step.call.out, calculation.is_astray(step)
        if grid is None or not (grid.cells or grid.right):
            return Outcome(self.unwritten[name], strayed=astray)
        title = self.unwritten[name].title
        report = self.comparison.compared(part, step, grid, reach, calculation, title)
        if grid.notes:
            report = replace(report, notes=(*report.notes, *grid.notes))
        trivial = report.verdict in ("mistake", "wrong") and is_degenerate(grid, step)
        return Outcome(
            report,
            strayed=report.verdict in STRAYED,
            degenerate=trivial or calculation.is_degenerate(step),
            fits=grid.fits,
            tells=grid.tells,
            shown=self.catalogue.shown_by(part, step, report.mistakes),
        )

    def own(self, step: Step, grid: Grid | None, reach: Reach, calculation: Calculation) -> Matrix:
        """What somebody goes on with after a step, found once for all who came to the same."""
        outcome = calculation.outcomes[step.call.out]
        if outcome.value is None:
            if grid is not None and outcome.report.verdict == "right" and not grid.cells:
                outcome.value = step.value
            else:
                outcome.value = self.goes_on(step, grid or Grid(step.value.shape), reach, calculation)
        return outcome.value

    def starts_right(self, step: Step, calculation: Calculation) -> bool:
        """Whether somebody's inputs are the right ones themselves."""
        own, inputs = calculation.values, zip(step.call.args, step.inputs, strict=True)
        return all(own[name] is value for name, value in inputs)

    def goes_on(self, step: Step, grid: Grid, reach: Reach, calculation: Calculation) -> Matrix:
        """What somebody goes on with after a step; the right value where nothing can be told."""
        truncation = self.scheme.truncation
        if grid.fits and grid.whole and not isinstance(step.value, Masked):
            same = self.starts_right(step, calculation)
            return kept_right(grid, step, calculation.places, same=same, truncation=truncation)
        reached_value = reach()
        if not grid.whole and calculation.is_unsure(step, reached_value):
            calculation.outcomes[step.call.out].unsure = True
        return written_down(grid, step, reached_value, calculation.places, truncation=truncation)


class Reach:
    """What a step gives from somebody's own numbers, worked out when it is wanted, and once."""

    __slots__ = ("before", "calculation", "step", "verifier")

    def __init__(self, verifier: Verifier, step: Step, before: Hashable, calculation: Calculation) -> None:
        self.verifier = verifier
        self.step = step
        self.before = before
        self.calculation = calculation

    def __call__(self) -> Matrix | None:
        """The value; None where that cannot be told."""
        memory, step = self.verifier.memory, self.step
        known = memory.reach(self.before)
        if known is None:
            right = self.verifier.starts_right(step, self.calculation)
            known = (step.value if right else reached(step.call, self.calculation.values),)
            memory.keep_reach(self.before, known[0], step.value.shape[0] * step.value.shape[1])
        return known[0]


def working_places(grids: dict[str, Grid], asked: int) -> int:
    """The decimals somebody works with: those of the longest number, but no more than were asked for.

    Nobody is taken to have thrown away more than two leave: else an answer of one digit would always fit.
    """
    written = [w.places for grid in grids.values() for _, _, w in grid.numbers() if w.places]
    return min(asked, max(FEWEST, *written)) if written else asked


def verify(trace: Trace, submission: Submission, *, scheme: Scheme | None = None) -> Report:
    """The report on one calculation of a solved problem."""
    return Verifier(trace, scheme).verify(submission)
