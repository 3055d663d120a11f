"""The verdict on a calculation, step by step: right, right for one's own numbers, a known mistake, wrong."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import replace
from functools import partial

from attnsolve.errors import AttnsolveError
from attnsolve.exact import Matrix
from attnsolve.exact.masked import Masked
from attnsolve.problem import Part
from attnsolve.report import Report, StepReport, Verdict
from attnsolve.scheme import Scheme
from attnsolve.submission import Submission
from attnsolve.trace import Step, Trace
from attnsolve.verifier.answer_key import Key
from attnsolve.verifier.blaming.catalogue import Catalogue
from attnsolve.verifier.comparison import Comparison
from attnsolve.verifier.following.calculation import Calculation
from attnsolve.verifier.following.own_values import kept_right, reached, written_down
from attnsolve.verifier.following.softmax_parts import is_extra, with_extras
from attnsolve.verifier.grids import Grid
from attnsolve.verifier.marking.overrides import part_marks, placed
from attnsolve.verifier.marking.questions import Questions
from attnsolve.verifier.marking.step_marks import Marking
from attnsolve.verifier.memory import Memory
from attnsolve.verifier.outcomes import Outcome
from attnsolve.verifier.reading.commas import PLACES, has_unclear, settled
from attnsolve.verifier.reading.placing import Placing

STRAYED = (Verdict.FOLLOWS, Verdict.MISTAKE, Verdict.WRONG)
# So many decimals at least are kept in a step that is not written down.
FEWEST = 2
THOUSAND = 1000


class Verifier:
    """Judges any number of calculations of one problem."""

    def __init__(self, trace: Trace, scheme: Scheme | None = None) -> None:
        self.trace = with_extras(trace)
        self.scheme = scheme or trace.problem.scheme
        self.placing = Placing(self.trace)
        self.questions = Questions(self.trace, self.placing)
        self.catalogue = Catalogue(trace, Key())
        rounding = trace.problem.rounding
        self.asked = trace.problem.places if rounding is None else rounding.carry
        self.comparison = Comparison(self.trace, self.scheme, self.catalogue, self.asked)
        self.marking = Marking(self.trace, trace, self.scheme)
        self.outcomes: Memory[Outcome] = Memory()
        self.reaches: Memory[tuple[Matrix | None]] = Memory()
        self.order = [(part, step) for part in trace.problem.parts for step in self.trace.of_part(part.id)]
        self.givens = {name: given.value for name, given in trace.problem.givens.items()}
        self.unwritten = {
            step.call.out: StepReport(
                step.call.out, step.call.title or step.call.op.title, Verdict.NOT_WRITTEN
            )
            for _, step in self.order
        }

    def verify(self, submission: Submission) -> Report:
        """The report on one calculation."""
        submission = self.as_understood(submission)
        grids, lost = self.placing.grids(submission)
        kept, unplaced = placed(self.placing, submission.overrides)
        places = working_places(grids.values(), self.asked)
        calculation = Calculation(self.givens, self.placing.steps, grids, places, self.own)
        steps = [self.judge(part, step, calculation) for part, step in self.order]
        marked = self.marking.together(self.questions.among(steps, submission), calculation.outcomes, kept)
        return Report(
            problem=self.trace.problem.name,
            student=submission.student,
            variant=submission.variant,
            steps=marked,
            unread=(*submission.unread, *lost, *unplaced),
            remarks=submission.remarks,
            parts=part_marks(marked, kept) if kept else (),
        )

    def as_understood(self, submission: Submission) -> Submission:
        """The answers with what this problem makes clear, commas and words: as they are judged and shown."""
        submission = self.questions.set_apart(submission)
        unclear = has_unclear(submission.answers)
        return settled(submission) if unclear and self.has_no_thousands() else submission

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
        cause = calculation.before(step), grid
        outcome = self.outcomes.get(cause)
        if outcome is None:
            outcome = self.outcome(part, step, cause, calculation)
        calculation.outcomes[name] = outcome
        return outcome.report

    def outcome(
        self, part: Part, step: Step, cause: tuple[Hashable, Grid | None], calculation: Calculation
    ) -> Outcome:
        """What becomes of a step that nobody has written like this before."""
        name, grid = step.call.out, cause[1]
        degenerate = calculation.is_degenerate(step)
        if grid is None or grid.empty:
            left_out = Outcome(
                self.unwritten[name],
                strayed=calculation.is_astray(step),
                degenerate=degenerate,
                coarse=calculation.is_coarse(step),
            )
            return self.outcomes.keep(cause, left_out)
        title, reach = self.unwritten[name].title, partial(self.reach, step, cause[0], calculation)
        found = self.comparison.compared(part, step, grid, reach, calculation, title)
        if grid.notes:
            found = found._replace(report=replace(found.report, notes=(*found.report.notes, *grid.notes)))
        report, through = found.report, self.catalogue.shown_by(part, step, found.blamed)
        # Zeros that follow from zeros make the next step as trivial; other numbers that follow do not.
        trivial = report.verdict.is_off or (report.verdict is Verdict.FOLLOWS and degenerate)
        outcome = Outcome(
            self.marking.alone(found, grid, through, calculation.grids, degenerate=degenerate),
            strayed=report.verdict in STRAYED and not any(note.is_early for note in report.notes),
            degenerate=trivial and grid.degenerate,
            coarse=any(note.is_coarse for note in report.notes),
            fits=found.fits,
            shows=() if degenerate else self.marking.shows(found, grid, through, calculation.grids),
            method=self.marking.method(name),
            partly=self.marking.share_written(name, grid) < 1,
        )
        if found.rerouted:
            calculation.grids[name] = grid.seen_right()  # from here on it is the same calculation
        return outcome if found.hangs_on_later else self.outcomes.keep(cause, outcome, len(grid.cells))

    def own(self, calculation: Calculation, step: Step) -> Matrix:
        """What somebody goes on with after a step, found once for all who came to the same."""
        outcome, grid = calculation.outcomes[step.call.out], calculation.grids.get(step.call.out)
        if outcome.value is None:
            if grid is not None and outcome.report.verdict is Verdict.RIGHT and not grid.cells:
                outcome.value = step.value
            else:
                outcome.value = self.goes_on(step, grid or Grid(step.value.shape), outcome, calculation)
        return outcome.value

    def starts_right(self, step: Step, calculation: Calculation) -> bool:
        """Whether somebody's inputs are the right ones themselves."""
        own, inputs = calculation.values, zip(step.call.args, step.inputs, strict=True)
        return all(own[name] is value for name, value in inputs)

    def goes_on(self, step: Step, grid: Grid, outcome: Outcome, calculation: Calculation) -> Matrix:
        """What somebody goes on with after a step; the right value where nothing can be told."""
        truncation = self.scheme.truncation
        if outcome.fits and grid.whole and not isinstance(step.value, Masked):
            same = self.starts_right(step, calculation)
            return kept_right(grid, step, calculation.places, same=same, truncation=truncation)
        reach = self.reach(step, calculation.before(step), calculation)
        if not grid.whole and calculation.is_unsure(step, reach):
            outcome.unsure = True
        return written_down(grid, step, reach, calculation.places, truncation=truncation)

    def reach(self, step: Step, before: Hashable, calculation: Calculation) -> Matrix | None:
        """What a step gives from somebody's own numbers, found once; None where that cannot be told."""
        known = self.reaches.get(before)
        if known is None:
            right = self.starts_right(step, calculation)
            value = step.value if right else reached(step.call, calculation.values)
            known = self.reaches.keep(before, (value,), step.value.shape[0] * step.value.shape[1])
        return known[0]


def working_places(grids: Iterable[Grid], asked: int) -> int:
    """The decimals somebody works with: those of the longest number, but no more than were asked for.

    Nobody is taken to have thrown away more than two leave: else an answer of one digit would always fit.
    """
    longest = max((grid.places for grid in grids), default=0)
    return min(asked, max(FEWEST, longest)) if longest else asked


def verify(trace: Trace, submission: Submission, *, scheme: Scheme | None = None) -> Report:
    """The report on one calculation of a solved problem."""
    return Verifier(trace, scheme).verify(submission)
