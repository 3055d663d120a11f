"""Marks: method, accuracy and follow-through, step by step; a person's own mark stands above all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from attnsolve.errors import AttnsolveError
from attnsolve.report import StepReport
from attnsolve.scheme import Scheme, Worth, worth
from attnsolve.trace import Step, Trace
from attnsolve.verifier.grids import Grid
from attnsolve.verifier.memory import Outcome, Shown
from attnsolve.verifier.placing import Placing
from attnsolve.verifier.records import Override

COARSE = "too few digits"
ROUGHLY = f"{COARSE} after it: they show the method, not the numbers"
NOTHING, ALL = Fraction(0), Fraction(1)


def all_worths(trace: Trace) -> dict[str, Worth]:
    """What each step of a problem is worth."""
    return {call.out: worth(trace.problem, part, call) for part in trace.problem.parts for call in part.calls}


class Marking:
    """Gives marks to any number of calculations of one problem."""

    def __init__(self, trace: Trace, plan: Trace, scheme: Scheme) -> None:
        self.scheme = scheme
        self.worths = all_worths(plan)
        self.totals = {name: value.total for name, value in self.worths.items()}
        self.room = {step.call.out: asked_numbers(trace, step) for step in trace.steps}
        self.backwards = [(step.call.out, step.call.args) for step in reversed(trace.steps)]

    def alone(self, report: StepReport, grid: Grid, *, degenerate: bool) -> StepReport:
        """A report on a written step with the marks that it earns whatever else was written."""
        value = self.worths.get(report.name)
        if value is None or report.verdict == "not written":
            return report  # exponentials and sums are looked at, but have no marks
        share, total = self.share_written(report.name, grid), self.totals[report.name]
        earned = earned_by(report, value.method, total, self.scheme, grid, degenerate) if share else NOTHING
        return with_marks(report, earned if share is ALL else share * earned, total)

    def shows(
        self, report: StepReport, grid: Grid, *, tells: bool, left_right: Iterable[str]
    ) -> tuple[Shown, ...]:
        """The steps that a written one shows to have been done: itself, or what a mistake leaves right.

        Too few digits show the method only, and nothing where they would hide a mistake.
        """
        share, roughly = self.share_written(report.name, grid), is_coarse(report)
        if report.verdict == "mistake":
            return tuple(Shown(name, share, roughly) for name in left_right)
        if report.verdict in ("right", "follows") and (tells or not roughly):
            return (Shown(report.name, share, roughly),)
        return ()

    def share_written(self, name: str, grid: Grid) -> Fraction:
        """How much of what is asked for in a step was written down."""
        room = self.room[name]
        return ALL if grid.right or len(grid.numbers) >= room else Fraction(len(grid.numbers), room)

    def together(
        self, steps: Sequence[StepReport], outcomes: Mapping[str, Outcome], kept: Mapping[str, Override]
    ) -> tuple[StepReport, ...]:
        """The same reports with the marks of steps that nobody wrote, and with those that a person gave."""
        if any(report.verdict == "not written" and report.name in self.worths for report in steps):
            done, roughly = self.implied(outcomes)
            steps = [
                self.left_out(report, done.get(report.name, NOTHING), roughly.get(report.name, NOTHING))
                if report.verdict == "not written" and report.name in self.worths
                else report
                for report in steps
            ]
        return tuple(overridden(report, kept) for report in steps) if kept else tuple(steps)

    def left_out(self, report: StepReport, sure: Fraction, rough: Fraction) -> StepReport:
        """A step that nobody wrote, with the marks for as much of it as must have been done."""
        total = self.totals[report.name]
        if sure is ALL or not (sure or rough):
            return with_marks(report, total if sure else NOTHING, total)
        earned = max(sure * total, rough * self.worths[report.name].method)
        if earned > sure * total:
            report = replace(report, notes=(*report.notes, ROUGHLY))
        return with_marks(report, earned, total)

    def implied(self, outcomes: Mapping[str, Outcome]) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
        """How much of each step must have been done, because something that needs it is there.

        What is right shows all that leads to it, as far as it is written; the second map, only roughly.
        """
        done: dict[str, Fraction] = {}
        roughly: dict[str, Fraction] = {}
        for outcome in outcomes.values():
            for name, share, rough in outcome.shows:
                raise_to(roughly if rough else done, name, share)
        for shown in (done, roughly):
            if shown:
                for name, arguments in self.backwards:
                    if name in shown:
                        for argument in arguments:
                            raise_to(shown, argument, shown[name])
        return done, roughly


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


def earned_by(
    report: StepReport, method: Fraction, total: Fraction, scheme: Scheme, grid: Grid, degenerate: bool
) -> Fraction:
    """What a verdict is worth when all of a step is written."""
    coarse = is_coarse(report)
    match report.verdict:
        case "right":
            return method if coarse else total
        case "follows":
            if degenerate:
                return NOTHING  # nothing had to be done with zeros or an identity
            return total if scheme.follow_through and not coarse else method
        case "wrong":
            return method if shows_method(report, grid) else NOTHING
        case "mistake":  # made in an earlier step that was not written: this one only follows
            return method if is_elsewhere(report) else NOTHING
        case _:
            return NOTHING


def shows_method(report: StepReport, grid: Grid) -> bool:
    """Whether most numbers of a wrong step are right, so that only a slip is in it."""
    written = grid.shape[0] * grid.shape[1] if grid.right else len(grid.numbers)
    off = next((int(note.split()[0]) for note in report.notes if note.endswith("numbers are off")), written)
    return 2 * off <= written and written > 1


def is_elsewhere(report: StepReport) -> bool:
    """Whether every mistake that fits was made before this step."""
    return all(named.at != report.name for named in report.mistakes)


def is_coarse(report: StepReport) -> bool:
    """Whether a step was written with too few digits to show what was done."""
    return is_said_coarse(report.notes)


def is_said_coarse(notes: Sequence[str]) -> bool:
    """Whether one of the notes is that there are too few digits."""
    return any(note.startswith(COARSE) for note in notes)


def placed(placing: Placing, overrides: Sequence[Override]) -> tuple[dict[str, Override], list[str]]:
    """A person's marks by step, and a sentence for each that has no place or is no mark."""
    kept: dict[str, Override] = {}
    lost = []
    for override in overrides:
        try:
            share_of(override)
            kept[placing.name(override.name)] = override
        except (AttnsolveError, ArithmeticError, ValueError) as error:
            why = error if isinstance(error, AttnsolveError) else f"'{override.marks}' is no mark"
            lost.append(f"line {override.line}: mark {override.name}: {why}")
    return kept, lost


def share_of(override: Override) -> tuple[Fraction, bool]:
    """A mark, and whether it is a share of what can be had."""
    above, _, below = override.marks.partition("/")
    return (Fraction(above) / Fraction(below), True) if below else (Fraction(above), False)


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
        report.slip,
        report.notes,
    )


def overridden(report: StepReport, kept: Mapping[str, Override]) -> StepReport:
    """A person's mark in place of ours, with the reason."""
    override = kept.get(report.name)
    if override is None:
        return report
    marks, is_share = share_of(override)
    earned = report.possible * marks if is_share else marks
    return replace(report, earned=min(earned, report.possible), overridden=override.reason or "by hand")
