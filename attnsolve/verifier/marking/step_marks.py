"""Marks: method, accuracy and follow-through, step by step; a person's own mark stands above all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from attnsolve.notes import Note, NoteKind
from attnsolve.report import StepReport, Verdict
from attnsolve.scheme import Worth, worth
from attnsolve.submission import Override
from attnsolve.trace import Step, Trace
from attnsolve.verifier.blaming.shown_steps import ShownSteps
from attnsolve.verifier.case import Case
from attnsolve.verifier.exercise import Exercise
from attnsolve.verifier.following.hidden_scores import needed
from attnsolve.verifier.grids import Grid
from attnsolve.verifier.marking.charges import NOTHING, Charges, with_marks
from attnsolve.verifier.marking.overrides import overridden
from attnsolve.verifier.outcomes import ALL, Compared, Outcome, Shown

NO_MARKS = Worth()


def all_worths(trace: Trace) -> dict[str, Worth]:
    """What each step of a problem is worth."""
    return {call.out: worth(trace.problem, part, call) for part in trace.problem.parts for call in part.calls}


class Marked(NamedTuple):
    """A written step with the marks that it earns whatever else was written, and what it shows."""

    report: StepReport
    shows: tuple[Shown, ...]
    is_partial: bool  # whether some of it was not written, or could not be read


class Marking:
    """Gives marks to any number of calculations of one problem."""

    def __init__(self, exercise: Exercise, plan: Trace) -> None:
        self.scheme = exercise.scheme
        self.worths = all_worths(plan)
        self.totals = {name: value.total for name, value in self.worths.items()}
        self.paid = {name for name, total in self.totals.items() if total}
        self.room = {step.call.out: asked_numbers(plan, step) for step in exercise.trace.steps}
        self.keeps = needed(exercise.trace)
        self.charges = Charges(exercise, self.worths)
        self.users = exercise.graph.users
        self._done_unwritten: dict[str, tuple[StepReport, StepReport]] = {}
        # The same whatever the losses are, so it does not show that anybody found them.
        self.showing_nothing = {
            step.call.out for step in exercise.trace.steps if step.call.op.name == "unit_gradient"
        }

    def of_step(self, case: Case, found: Compared, shown: ShownSteps) -> Marked:
        """A written step with the marks that it earns whatever else was written, and what it shows."""
        share = self.share_written(case.name, case.grid)
        worth = self.worths.get(case.name, NO_MARKS)
        report = found.report
        if case.name in self.worths and report.verdict is not Verdict.NOT_WRITTEN:
            earned = self.earned(case, found, shown, worth)
            report = with_marks(report, earned if share is ALL else share * earned, self.totals[case.name])
        shows = () if case.is_degenerate else self.shows(case, found, shown, share)
        return Marked(report, shows, share is not ALL)

    def earned(self, case: Case, found: Compared, shown: ShownSteps, worth: Worth) -> Fraction:
        """What a step earns where all of it was written."""
        is_exact = not self.pays(case, found, shown)
        right = self.totals[case.name] if is_exact else worth.method
        following = right if self.scheme.follow_through else worth.method
        match found.report.verdict:
            case Verdict.RIGHT:
                return right
            case Verdict.FOLLOWS if not case.is_degenerate:  # else nothing had to be done with zeros
                return following
            case Verdict.WRONG if shows_method(case, found):
                return worth.method
            case Verdict.MISTAKE if is_elsewhere(found):  # this step only follows
                return following
        return NOTHING

    def pays(self, case: Case, found: Compared, shown: ShownSteps) -> bool:
        """Whether a step loses its accuracy: for digits that matter, or for a mistake made before it."""
        notes = found.report.notes
        few = any(note.is_short for note in notes) and (self.scheme.all_digits or not found.tells)
        if few or any(note.is_early for note in notes):
            return True
        spoilt = not is_elsewhere(found) or case.name not in shown.followed
        return bool(found.blamed) and (spoilt or self.charged(case, found, shown) == case.name)

    def charged(self, case: Case, found: Compared, shown: ShownSteps) -> str:
        """The step that loses its accuracy for a mistake that was made before this one.

        That is where it was made if that has marks, and else the first step with marks that it spoils.
        """
        grids = case.calculation.grids
        at = (*(named.at for named in found.blamed if named.at), *shown.made)
        made_in = [name for name in at if name not in grids]
        spoilt = (name for name in shown.followed if name == case.name or name not in grids)
        return next((name for name in (*made_in, *spoilt) if self.totals.get(name)), case.name)

    def shows(self, case: Case, found: Compared, shown: ShownSteps, share: Fraction) -> tuple[Shown, ...]:
        """The steps that a written one shows to have been done: itself, or what a mistake goes through.

        Where few digits would hide a mistake, no more is shown than if it was made; a guess shows nothing.
        """
        report = found.report
        roughly = self.scheme.all_digits and any(note.is_coarse for note in report.notes)
        if not found.tells:
            return ()
        if found.blamed:
            charged = self.charged(case, found, shown)
            # A mistake that was made in several steps is paid for in one of them.
            spoilt = (*(name for name in shown.made if name != charged), *shown.followed)
            followed = spoilt if self.scheme.follow_through else ()
            return (
                *(Shown(name, share, roughly) for name in shown.right),
                *(Shown(name, share, roughly or name == charged, leads_back=False) for name in followed),
            )
        match report.verdict:
            case Verdict.RIGHT:
                return (Shown(case.name, share, roughly),)
            case Verdict.FOLLOWS:
                return (Shown(case.name, share, roughly or not self.scheme.follow_through),)
            case Verdict.WRONG if shows_method(case, found):  # its inputs, as far as its numbers are right
                right = Fraction(len(case.numbers) - found.off, len(case.numbers))
                shown_share = right if share is ALL else share * right
                return tuple([Shown(name, shown_share, roughly) for name in case.call.args])
        return ()

    def share_written(self, name: str, grid: Grid) -> Fraction:
        """How much of what is asked for in a step was written down."""
        room, keep, written = self.room[name], self.keeps.get(name), len(grid.numbers)
        if grid.right and grid.unread:  # all but what cannot be read
            return max(NOTHING, ALL - Fraction(len(grid.unread), room))
        if grid.right or written >= room:
            return ALL
        if keep is not None:  # what a mask hides need not be there
            room = sum(map(sum, keep.rows))
            written = sum(keep.rows[i][j] for i, j, _ in grid.numbers)
        return ALL if written >= room else Fraction(written, room)

    def together(
        self, steps: Sequence[StepReport], outcomes: Mapping[str, Outcome], kept: Mapping[str, Override]
    ) -> tuple[StepReport, ...]:
        """The same reports with the marks of what nobody wrote, and with those that a person gave."""
        still_open = [name for name, outcome in outcomes.items() if outcome.is_open and name in self.paid]
        if still_open:
            done, roughly = dict.fromkeys(still_open, ALL), dict[str, Fraction]()
            if not self.are_shown(still_open, outcomes):
                done, roughly = self.implied(outcomes)
            steps = [
                self.left_out(report, done.get(report.name, NOTHING), roughly.get(report.name, NOTHING))
                if report.name in still_open
                else report
                for report in steps
            ]
        steps = self.charges.settled(steps, outcomes)
        return tuple(overridden(report, kept) for report in steps) if kept else tuple(steps)

    def are_shown(self, names: Iterable[str], outcomes: Mapping[str, Outcome]) -> bool:
        """Whether each step has led to something right and whole: seen at a glance, and nearly always so."""
        if any([outcome.charges_another for outcome in outcomes.values()]):
            return False
        return all([self.is_shown(name, outcomes) for name in names])

    def is_shown(self, name: str, outcomes: Mapping[str, Outcome]) -> bool:
        """Whether something right and whole was made from a step, or from unwritten ones in between."""
        for user in self.users(name):
            later = outcomes.get(user.out)
            if later is None or name not in later.made_from or user.out in self.showing_nothing:
                continue
            is_between = later.report.verdict is Verdict.NOT_WRITTEN
            if later.shows_itself or (is_between and self.is_shown(user.out, outcomes)):
                return True
        return False

    def is_open(self, report: StepReport, *, is_partial: bool) -> bool:
        """Whether a step, or some of it, may still be shown by what comes after it."""
        if report.verdict in (Verdict.NOT_WRITTEN, Verdict.NOT_READ):
            return True
        if is_partial and not (report.verdict.is_off or report.verdict is Verdict.UNDECIDED):
            return True
        return self.lacks_digits(report)

    def lacks_digits(self, report: StepReport) -> bool:
        """Whether right numbers lost marks for too few digits alone: left out they might have earned more."""
        if not report.notes or report.verdict is not Verdict.RIGHT or self.scheme.all_digits:
            return False  # as nearly always
        few = any(note.is_short for note in report.notes)
        early = any(note.is_early for note in report.notes)
        return few and not early and report.earned < self.totals.get(report.name, NOTHING)

    def left_out(self, report: StepReport, sure: Fraction, rough: Fraction) -> StepReport:
        """A step with the marks for as much of it as must have been done, written or not."""
        if report.verdict is Verdict.NOT_WRITTEN and sure is ALL:
            return self.done_unwritten(report)
        total = self.totals[report.name]
        earned = total if sure is ALL else max(sure * total, rough * self.worths[report.name].method)
        if report.verdict is Verdict.NOT_WRITTEN and earned > sure * total:
            report = replace(report, notes=(*report.notes, Note(NoteKind.METHOD_SHOWN)))
        return with_marks(report, max(earned, report.earned), total)

    def done_unwritten(self, report: StepReport) -> StepReport:
        """A step that must have been done though it is not there, with all its marks, made once."""
        known = self._done_unwritten.get(report.name)
        if known is None or known[0] is not report:
            total = self.totals[report.name]
            known = self._done_unwritten[report.name] = report, with_marks(report, total, total)
        return known[1]

    def implied(self, outcomes: Mapping[str, Outcome]) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
        """How much of each step must have been done, because something that needs it is there.

        What is right shows all that leads to it, as far as it is written; the second map, only roughly.
        What is wrong has shown all that it can.
        """
        done: dict[str, Fraction] = {}
        roughly: dict[str, Fraction] = {}
        shown = [one for outcome in outcomes.values() for one in outcome.shows]
        for name, share, rough, leads_back in shown:
            if leads_back:
                raise_to(roughly if rough else done, name, share)
        for found in filter(None, (done, roughly)):
            for name, inputs in self.charges.inputs.items():
                outcome = outcomes.get(name)
                if name not in found or name in self.showing_nothing:
                    continue
                if not (outcome and outcome.report.verdict.is_off):
                    share = found[name]
                    for argument in outcome.made_from if outcome else inputs:
                        if found.get(argument) is not share:  # most are there already
                            raise_to(found, argument, share)
        for name, share, rough, leads_back in shown:
            if not leads_back:
                raise_to(roughly if rough else done, name, share)
        for name in self.unpaid(outcomes, done):
            del done[name]
        return done, roughly

    def unpaid(self, outcomes: Mapping[str, Outcome], done: Mapping[str, Fraction]) -> list[str]:
        """A step for each part whose mistakes nobody pays for, as another shows each step that should.

        Where two mistakes explain a step, it may be charged elsewhere than by the next one.
        """
        charged: dict[str, list[str]] = {}
        for outcome in outcomes.values():
            for one in outcome.shows:
                if one.roughly and not one.leads_back:
                    charged.setdefault(one.name.partition(".")[0], []).append(one.name)
        free = (names for names in charged.values() if all(self.is_free(n, outcomes, done) for n in names))
        return [names[0] for names in free]

    def is_free(self, name: str, outcomes: Mapping[str, Outcome], done: Mapping[str, Fraction]) -> bool:
        """Whether a step that is charged for a mistake loses nothing: it is not there, and counts as done."""
        return name in done and (
            name not in outcomes or outcomes[name].report.verdict in (Verdict.NOT_WRITTEN, Verdict.NOT_READ)
        )


def asked_numbers(trace: Trace, step: Step) -> int:
    """How many numbers of a step are asked for."""
    rows, columns = step.value.shape
    part = next(part for part in trace.problem.parts if part.id == step.call.out.partition(".")[0])
    asked = [target for target in part.find if trace.problem.resolve(target.name) == step.call.out]
    if asked and all(target.row is not None for target in asked):  # only some rows or cells are asked for
        return sum(columns if target.column is None else 1 for target in asked)
    return rows * columns


def raise_to(done: dict[str, Fraction], name: str, share: Fraction) -> None:
    """Count a step as done at least so far."""
    known = done.get(name)
    if known is not share and known is not ALL and (known is None or known < share):
        done[name] = share


def shows_method(case: Case, found: Compared) -> bool:
    """Whether most numbers of a wrong step are right, so that only a slip is in it."""
    grid = case.grid
    written = grid.shape[0] * grid.shape[1] if grid.right else len(grid.numbers)
    return 2 * found.off <= written and written > 1 and not is_made_trivial(case, found)


def is_made_trivial(case: Case, found: Compared) -> bool:
    """Whether somebody wrote zeros, all the same or an identity, and not by one slip among right numbers.

    Of two numbers the right one must not be 0: zeros are what one writes who does not know.
    """
    if not case.grid.is_degenerate or found.off != 1:
        return case.grid.is_degenerate
    right = [written for i, j, written in case.numbers if (i, j) != found.report.cell]
    return len(right) < 2 and not any(written.fraction for written in right)


def is_elsewhere(found: Compared) -> bool:
    """Whether every mistake that fits was made before this step."""
    return all(named.at != found.report.name for named in found.blamed)
