"""Accounts settled over all steps of one person: whatever went wrong is paid for, and once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from operator import attrgetter

from attnsolve.report import StepReport, Verdict
from attnsolve.scheme import Scheme
from attnsolve.verifier.outcomes import Outcome

NOTHING = Fraction(0)
# The fields of a report around its marks.
BEFORE_MARKS = attrgetter("name", "title", "verdict")
BEHIND_MARKS = attrgetter("cell", "typed", "expected", "mistakes", "slips", "notes")

Inputs = Mapping[str, tuple[str, ...]]  # the arguments of each step, the last step first
Fault = tuple[str, str]  # a part, and the mistake made or the step that a slip is in


def settled(
    steps: Sequence[StepReport], outcomes: Mapping[str, Outcome], inputs: Inputs, scheme: Scheme
) -> Sequence[StepReport]:
    """The reports with what was charged twice given back, and what was charged nowhere taken off."""
    if not scheme.follow_through:
        return steps  # each step stands for itself there, and nothing is given back
    if not scheme.all_digits and any([report.notes and is_early(report) for report in steps]):
        steps = digits_paid_last(steps, outcomes, inputs)
    off = [report for report in steps if report.verdict.is_off]
    if sum(report.verdict is Verdict.MISTAKE for report in off) > 1:
        steps = mistakes_paid_once(steps, outcomes)
    if any(not report.possible for report in off):
        steps = faults_paid_later(steps, outcomes)
    return steps


def digits_paid_last(
    steps: Sequence[StepReport], outcomes: Mapping[str, Outcome], inputs: Inputs
) -> Sequence[StepReport]:
    """Only the last of the numbers that were rounded too early is charged: the others led to something."""
    right = {
        name for name, outcome in outcomes.items() if outcome.shows and not outcome.report.verdict.is_off
    }
    sound: set[str] = set()
    for name, arguments in inputs.items():
        if name in right or (
            name in sound and not (name in outcomes and outcomes[name].report.verdict.is_off)
        ):
            sound.update(arguments)
    return [
        in_full(report, outcomes) if is_early(report) and report.name in sound else report for report in steps
    ]


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


def faults_paid_later(steps: Sequence[StepReport], outcomes: Mapping[str, Outcome]) -> Sequence[StepReport]:
    """What went wrong in steps without marks costs the accuracy of the first step with marks that uses it."""
    by_name = {report.name: report for report in steps}
    owed: dict[str, set[Fault]] = {}  # by step, the faults behind its numbers that nobody has paid for
    paid: set[Fault] = set()
    made = []
    for report in steps:
        outcome = outcomes.get(report.name)
        debts = {fault for name in outcome.made_from for fault in owed.get(name, ())} if outcome else set()
        debts -= paid
        if report.verdict.is_off and not report.possible:
            debts |= unpaid_faults(report, by_name)
        if outcome and debts and can_pay(report, outcome):
            report = with_marks(report, min(report.earned, outcome.method), report.possible)
            paid |= debts
        elif report.verdict.of_what_was_read is not Verdict.RIGHT or (outcome and outcome.from_wrong):
            owed[report.name] = debts
        made.append(report)
    return made


def can_pay(report: StepReport, outcome: Outcome) -> bool:
    """Whether a step has an accuracy mark to lose, and lost none for a fault of its own."""
    return outcome.from_wrong and not report.verdict.is_off and outcome.method < report.possible


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
