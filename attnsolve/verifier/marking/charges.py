"""Accounts settled over all steps of one person: whatever went wrong is paid for, and once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from operator import attrgetter

from attnsolve.report import OFF, StepReport, Verdict
from attnsolve.scheme import Worth
from attnsolve.verifier.exercise import Exercise
from attnsolve.verifier.outcomes import Outcome

NOTHING = Fraction(0)
# The fields of a report around its marks.
BEFORE_MARKS = attrgetter("name", "title", "verdict")
BEHIND_MARKS = attrgetter("cell", "typed", "expected", "mistakes", "slips", "notes")

Fault = tuple[str, str]  # a part, and the mistake made or the step that a slip is in


class Charges:
    """Settles the accounts of any number of calculations of one problem."""

    def __init__(self, exercise: Exercise, worths: Mapping[str, Worth]) -> None:
        self.scheme = exercise.scheme
        self.worths = worths
        last_first = tuple(reversed(exercise.trace.steps))
        self.inputs = {step.call.out: step.call.args for step in last_first}
        # With the values inside a step, from which it may be made.
        self.uses = {
            step.call.out: (*step.call.args, *exercise.inner.names_beside(step)) for step in last_first
        }

    def settled(self, steps: Sequence[StepReport], outcomes: Mapping[str, Outcome]) -> Sequence[StepReport]:
        """The reports with what was charged twice given back, and what was charged nowhere taken off."""
        if not self.scheme.follow_through:
            return steps  # each step stands for itself there, and nothing is given back
        if not self.scheme.all_digits and any([report.notes and is_early(report) for report in steps]):
            steps = self.digits_paid_last(steps, outcomes)
        off = [report for report in steps if report.verdict in OFF]
        if sum(report.verdict is Verdict.MISTAKE for report in off) > 1:
            steps = mistakes_paid_once(steps, outcomes)
        if any(not report.possible for report in off):
            steps = self.faults_paid_later(steps)
        return steps

    def digits_paid_last(
        self, steps: Sequence[StepReport], outcomes: Mapping[str, Outcome]
    ) -> Sequence[StepReport]:
        """Only the last of the numbers that were rounded too early is charged: others led to something."""
        off = {name for name, outcome in outcomes.items() if outcome.report.verdict.is_off}
        right = {name for name, outcome in outcomes.items() if outcome.shows} - off
        sound: set[str] = set()
        for name, arguments in self.inputs.items():
            if name in right or (name in sound and name not in off):
                sound.update(arguments)
        return [
            in_full(report, outcomes) if is_early(report) and report.name in sound else report
            for report in steps
        ]

    def faults_paid_later(self, steps: Sequence[StepReport]) -> Sequence[StepReport]:
        """What went wrong in steps without marks costs the accuracy of the next step with marks that uses it.

        That it came out right all the same makes no difference: what was written before it is still wrong.
        """
        by_name = {report.name: report for report in steps}
        owed: dict[str, set[Fault]] = {}  # by step, the faults behind it that nobody has paid for
        paid: set[Fault] = set()
        made = []
        for report in steps:
            uses = self.uses.get(report.name, ())
            debts = {fault for name in uses for fault in owed.get(name, ())} - paid if owed else set()
            if report.verdict.is_off and not report.possible:
                debts |= unpaid_faults(report, by_name)
            if debts and self.can_pay(report):
                report = with_marks(report, self.worths[report.name].method, report.possible)
                paid |= debts
            if debts:
                owed[report.name] = debts
            made.append(report)
        return made

    def can_pay(self, report: StepReport) -> bool:
        """Whether a step has an accuracy mark to lose, and lost none for a fault of its own."""
        worth = self.worths.get(report.name)
        return worth is not None and worth.method < report.earned and not report.verdict.is_off


def mistakes_paid_once(steps: Sequence[StepReport], outcomes: Mapping[str, Outcome]) -> Sequence[StepReport]:
    """The same mistake in a later step of a part is one misconception, which was charged already."""
    charged: set[tuple[str, str]] = set()
    made = []
    for report in steps:
        if report.verdict is Verdict.MISTAKE:
            names = {(report.part, named.name) for named in report.mistakes}
            if names & charged:
                report = in_full(report, outcomes)
            elif report.earned < report.possible:
                charged |= names
        made.append(report)
    return made


def unpaid_faults(report: StepReport, by_name: Mapping[str, StepReport]) -> set[Fault]:
    """What went wrong in a step; a known mistake that another step lost marks for is paid."""
    if not report.mistakes:
        return {(report.part, report.name)}
    places = (by_name.get(named.at) for named in report.mistakes)
    if any(place is not None and place.earned < place.possible for place in places):
        return set()
    return {(report.part, named.name) for named in report.mistakes[:1]}


def in_full(report: StepReport, outcomes: Mapping[str, Outcome]) -> StepReport:
    """A report with all its marks, unless some of the step was not written."""
    return report if outcomes[report.name].partly else with_marks(report, report.possible, report.possible)


def is_early(report: StepReport) -> bool:
    """Whether a step is right but for digits that were thrown away too early."""
    if not any(note.is_early for note in report.notes):
        return False
    return report.verdict.of_what_was_read in (Verdict.RIGHT, Verdict.FOLLOWS)


def with_marks(report: StepReport, earned: Fraction, possible: Fraction) -> StepReport:
    """A report with its marks; `replace` would take four times as long, for each step of each person."""
    before, behind = BEFORE_MARKS(report), BEHIND_MARKS(report)
    return StepReport(*before, earned, possible, *behind)
