"""Accounts settled over all steps of one person: whatever went wrong is paid for, and once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from attnsolve.report import StepReport, Verdict
from attnsolve.scheme import Scheme
from attnsolve.verifier.outcomes import Outcome

NOTHING = Fraction(0)

Inputs = Mapping[str, tuple[str, ...]]  # the arguments of each step, the last step first


def settled(
    steps: Sequence[StepReport], outcomes: Mapping[str, Outcome], inputs: Inputs, scheme: Scheme
) -> Sequence[StepReport]:
    """The reports with what was charged twice given back, and what was charged nowhere taken off."""
    if not scheme.follow_through:
        return steps  # each step stands for itself there, and nothing is given back
    if any(is_early(report) for report in steps) and not scheme.all_digits:
        steps = digits_paid_last(steps, outcomes, inputs)
    if sum(report.verdict is Verdict.MISTAKE for report in steps) > 1:
        steps = mistakes_paid_once(steps, outcomes)
    if any(report.verdict is Verdict.MISTAKE and not report.possible for report in steps):
        steps = mistakes_paid_later(steps, outcomes, inputs)
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
            names = {(part_of(report), named.name) for named in report.mistakes}
            if names & charged:
                report = in_full(report, outcomes)
            elif report.earned < report.possible:
                charged |= names
        made.append(report)
    return made


def mistakes_paid_later(
    steps: Sequence[StepReport], outcomes: Mapping[str, Outcome], inputs: Inputs
) -> Sequence[StepReport]:
    """A mistake in a step without marks is charged to the first step with marks that follows from it."""
    owing: set[str] = set()
    made = []
    for report in steps:
        owes = any(name in owing for name in inputs.get(report.name, ()))
        unmarked = report.verdict is Verdict.NOT_WRITTEN or not report.possible
        if unmarked and (owes or report.verdict is Verdict.MISTAKE):
            owing.add(report.name)
        elif owes and report.verdict is Verdict.FOLLOWS:
            report = with_marks(report, min(report.earned, outcomes[report.name].method), report.possible)
        made.append(report)
    return made


def in_full(report: StepReport, outcomes: Mapping[str, Outcome]) -> StepReport:
    """A report with all its marks, unless some of the step was not written."""
    return report if outcomes[report.name].partly else with_marks(report, report.possible, report.possible)


def part_of(report: StepReport) -> str:
    """The part that a step belongs to."""
    return report.name.partition(".")[0]


def is_early(report: StepReport) -> bool:
    """Whether a step is right but for digits that were thrown away too early."""
    return report.verdict in (Verdict.RIGHT, Verdict.FOLLOWS) and any(note.is_early for note in report.notes)


def with_marks(report: StepReport, earned: Fraction, possible: Fraction) -> StepReport:
    """A report with its marks; `replace` would take four times as long, for each step of each person."""
    return StepReport(
        report.name,
        report.title,
        report.verdict,
        earned,
        possible,
        report.cell,
        report.typed,
        report.expected,
        report.mistakes,
        report.slips,
        report.notes,
    )
