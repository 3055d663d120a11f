"""The verdict on a calculation, step by step: right, right for one's own numbers, a known mistake, wrong."""

from __future__ import annotations

import math
from collections.abc import Container, Hashable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from attnsolve.errors import AttnsolveError
from attnsolve.exact import Matrix, Rationals
from attnsolve.notes import Note, NoteKind
from attnsolve.report import Report, StepReport, Verdict
from attnsolve.scheme import Scheme
from attnsolve.submission import Submission
from attnsolve.trace import Step, Trace
from attnsolve.verifier.blaming.blamer import Blamer
from attnsolve.verifier.case import Case
from attnsolve.verifier.comparison import Comparison
from attnsolve.verifier.exercise import Exercise
from attnsolve.verifier.following.calculation import Calculation
from attnsolve.verifier.following.follower import Follower
from attnsolve.verifier.following.own_values import is_decimal
from attnsolve.verifier.grids import Grid
from attnsolve.verifier.marking.overrides import part_marks, placed
from attnsolve.verifier.marking.questions import Questions
from attnsolve.verifier.marking.step_marks import Marking, is_made_trivial
from attnsolve.verifier.memory import Memory
from attnsolve.verifier.outcomes import Compared, Outcome
from attnsolve.verifier.reading.commas import PLACES, has_unclear, settled
from attnsolve.verifier.reading.placing import Placing

if TYPE_CHECKING:
    from attnsolve.verifier.marking.choices import Choices

STRAYED = (Verdict.FOLLOWS, Verdict.MISTAKE, Verdict.WRONG)
# So many decimals at least are kept in a step that is not written down.
FEWEST = 2
THOUSAND = 1000


class Verifier:
    """Judges any number of calculations of one problem."""

    def __init__(self, trace: Trace, scheme: Scheme | None = None) -> None:
        self.exercise = Exercise.of(trace, scheme)
        self.trace = trace
        worked = self.exercise.trace  # with the exponentials and sums that people write
        self.asked = self.exercise.asked
        self.planned = dict.fromkeys(step.call.out for step in trace.steps)  # without values inside them
        self.placing = Placing(worked, listed=tuple(self.planned))
        self.questions = Questions(worked, self.placing)
        self.choices = choices_of(trace, self.placing)
        self.follower = Follower(self.exercise)
        self.blamer = Blamer(self.exercise)
        self.comparison = Comparison(self.exercise, self.blamer)
        self.marking = Marking(self.exercise, trace)
        self.outcomes: Memory[Outcome] = Memory()
        self.alike: Memory[Outcome] = Memory()
        self.plain_order = tuple(step for _, step in self.exercise.order if step.call.out in self.planned)
        self.part_of = {step.call.out: part for part, step in self.exercise.order}
        self.blank = {step.call.out: Grid(step.value.shape) for step in worked.steps}
        # With so many decimals nothing is rounded in a step, so that they tell nothing of those worked with.
        self.in_full = {step.call.out: decimals_of(step.value, self.asked) for step in worked.steps}
        self.unwritten = {
            step.call.out: StepReport(
                step.call.out, step.call.title or step.call.op.title, Verdict.NOT_WRITTEN
            )
            for step in worked.steps
        }

    def knows(self, name: str, part: str) -> bool:
        """Whether there is a value that is called so."""
        try:
            return bool(self.placing.lookup.named(name, part))
        except AttnsolveError:  # it has no such part
            return False

    def prepare(self) -> None:
        """Find out beforehand what takes longest: where two mistakes together lead."""
        calculation = Calculation(self.exercise, {}, self.asked, self.follower.own)
        for step in {part.id: step for part, step in self.exercise.order}.values():
            self.blamer.prepare(self.case(step, calculation))

    def case(self, step: Step, calculation: Calculation, *, before: Hashable | None = None) -> Case:
        """What somebody wrote for a step, as a case."""
        name, before = step.call.out, before or calculation.before(step)
        part, title, grid = self.part_of[name], self.unwritten[name].title, calculation.grids.get(name)
        return Case(part, step, title, grid or self.blank[name], before, calculation, self.follower)

    def verify(self, submission: Submission) -> Report:
        """The report on one calculation."""
        submission = self.as_understood(submission)
        grids, lost = self.placing.grids(submission)
        kept, unplaced = placed(self.placing, submission.overrides)
        rounded = [grid for name, grid in grids.items() if grid.places < self.in_full[name]]
        places = working_places(rounded or grids.values(), self.asked)
        calculation = Calculation(self.exercise, grids, places, self.follower.own)
        is_plain = not kept and grids.keys() <= self.planned.keys()  # as of nearly all
        for step in self.plain_order if is_plain else self.order_of(grids, kept):
            self.judge(step, calculation)
        steps = [outcome.report for outcome in calculation.outcomes.values()]
        marked = self.marking.together(self.questions.among(steps, submission), calculation.outcomes, kept)
        if not is_plain:
            marked = tuple([one for one in marked if one.name in self.planned or is_listed(one)])
        if self.choices is not None:
            marked = self.choices.among(marked, submission, kept)
        return Report(
            problem=self.trace.problem.name,
            student=submission.student,
            variant=submission.variant,
            steps=marked,
            unread=(*submission.unread, *lost, *unplaced),
            remarks=submission.remarks,
            parts=part_marks(marked, kept) if kept else (),
        )

    def order_of(self, *named: Container[str]) -> list[Step]:
        """The steps of the plan and those values inside them that somebody names, in reading order."""
        given = (self.planned, *named)
        return [step for _, step in self.exercise.order if any(step.call.out in names for names in given)]

    def as_understood(self, submission: Submission) -> Submission:
        """The answers with what this problem makes clear, commas and words: as they are judged and shown."""
        if self.choices is not None:
            submission = self.choices.set_apart(submission)
        submission = self.questions.set_apart(submission)
        unclear = has_unclear(submission.answers)
        return settled(submission) if unclear and self.has_no_thousands() else submission

    def has_no_thousands(self) -> bool:
        """Whether a comma before three digits must be a decimal comma: so many are asked for, of less."""
        try:
            largest = map(self.exercise.key.largest, self.exercise.steps.values())
            return self.asked == PLACES and all(size < THOUSAND for size in largest)
        except AttnsolveError:
            return False  # a number too long to be looked at

    def judge(self, step: Step, calculation: Calculation) -> None:
        """Compare a step with the right value, then with what follows from earlier numbers.

        Whoever wrote the same and came to it in the same way has the same outcome, found out once.
        """
        name = step.call.out
        grid = calculation.grids.get(name)
        if grid is not None and grid.is_empty:
            grid = None
        before = calculation.before(step)
        cause = before, grid
        outcome = self.outcomes.get(cause)
        if outcome is None:
            case = self.case(step, calculation, before=before)
            outcome = self.left_out(case, cause) if grid is None else self.compare(case, cause)
        calculation.outcomes[name] = outcome
        if outcome.taken_as is not None:
            calculation.grids[name] = outcome.taken_as

    def left_out(self, case: Case, cause: Hashable) -> Outcome:
        """What becomes of a step that nobody wrote: it hands on what was wrong before it."""
        outcome = Outcome(
            self.unwritten[case.name],
            strayed=case.is_astray,
            degenerate=case.is_degenerate,
            coarse=case.is_coarse,
            made_from=case.call.args,
            from_wrong=case.uses_wrong,
            is_open=True,
        )
        return self.outcomes.keep(cause, outcome)

    def compare(self, case: Case, cause: Hashable) -> Outcome:
        """What becomes of a step that nobody has written like this, having come to it on the same way."""
        alike = self.comparison.cause(case)
        known = None if alike is None else self.alike.get(alike)
        if known is not None:
            return self.outcomes.keep(cause, known.of_another(), len(case.grid.cells))
        found = self.comparison.compare(case)
        turned = self.turned(case, found)
        if turned is not None:
            case, found = turned
        if case.grid.notes:
            notes = (*found.report.notes, *case.grid.notes)
            found = found._replace(report=replace(found.report, notes=notes))
        outcome = self.outcome(case, found)
        if alike is not None and found.by_itself:
            self.alike.keep(alike, outcome, len(case.grid.cells))
        if turned is not None:
            outcome.taken_as = case.grid
        if found.rerouted:
            case.calculation.grids[case.name] = case.grid.seen_right()  # from here on it is the same
        return outcome if found.hangs_on_later else self.outcomes.keep(cause, outcome, len(case.grid.cells))

    def turned(self, case: Case, found: Compared) -> tuple[Case, Compared] | None:
        """A square that is wrong as typed, but not with a token in each row where the course has columns."""
        if case.grid.other is None or not found.report.verdict.is_off:
            return None
        other = replace(case, grid=case.grid.other)
        again = self.comparison.compare(other)
        if again.report.verdict is Verdict.WRONG or (found.report.mistakes and again.report.mistakes):
            return None
        report, notes = again.report, (*again.report.notes, Note(NoteKind.TOKENS_AS_ROWS))
        cell = None if report.cell is None else (report.cell[1], report.cell[0])  # where it was typed
        return other, again._replace(report=replace(report, notes=notes, cell=cell))

    def outcome(self, case: Case, found: Compared) -> Outcome:
        """A verdict with its marks, and with all that later steps have to know of it."""
        report, shown = found.report, self.blamer.shown_by(case, found.blamed)
        # Zeros that follow from zeros make the next step as trivial; other numbers that follow do not.
        trivial = report.verdict.is_off or (report.verdict is Verdict.FOLLOWS and case.is_degenerate)
        marked = self.marking.of_step(case, found, shown)
        read = as_far_as_read(marked.report)
        return Outcome(
            read,
            strayed=report.verdict in STRAYED and not any(note.is_early for note in report.notes),
            degenerate=trivial and is_made_trivial(case, found),
            coarse=any(note.is_coarse for note in report.notes),
            fits=found.fits,
            shows=marked.shows,
            partly=marked.is_partial,
            is_open=self.marking.is_open(read, is_partial=marked.is_partial),
            made_from=case.call.args
            if found.from_wrong or not found.fits
            else (*case.step.call.args, *self.exercise.inner.asked_beside(case.step)),
            from_wrong=found.from_wrong,
        )


def choices_of(trace: Trace, placing: Placing) -> Choices | None:
    """What judges ticks; nothing is loaded for it where there is nothing to tick."""
    if all(part.choice is None for part in trace.problem.parts):
        return None
    from attnsolve.verifier.marking.choices import Choices

    return Choices(trace, placing.lookup)


def is_listed(unasked: StepReport) -> bool:
    """Whether a step that nobody asked for is spoken of: it has to be there, or to have a mark by hand."""
    return unasked.verdict is not Verdict.NOT_WRITTEN or unasked.overridden


def as_far_as_read(report: StepReport) -> StepReport:
    """A report that calls no step right of which something could not be read."""
    if not report.is_partly_unread:
        return report
    return replace(report, verdict=report.verdict.with_unread_places)


def decimals_of(value: Matrix, asked: int) -> float:
    """How many decimals all numbers can be written with in full; ∞ where that takes more than asked for."""
    if not isinstance(value, Rationals):
        return math.inf
    return next((places for places in range(asked + 1) if is_decimal(value, places)), math.inf)


def working_places(grids: Iterable[Grid], asked: int) -> int:
    """The decimals somebody works with: as most numbers have them, but no more than were asked for.

    Nobody is taken to have thrown away more than two leave: else an answer of one digit would always fit.
    """
    counts: dict[int, int] = {}
    for grid in grids:
        for places, count in grid.decimals.items():
            counts[places] = counts.get(places, 0) + count
    usual = min(counts, key=lambda places: (-counts[places], places)) if counts else asked
    return min(asked, max(FEWEST, usual))


def verify(trace: Trace, submission: Submission, *, scheme: Scheme | None = None) -> Report:
    """The report on one calculation of a solved problem."""
    return Verifier(trace, scheme).verify(submission)
