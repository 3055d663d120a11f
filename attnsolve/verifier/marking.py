"""Marks: method, accuracy and follow-through, step by step; a person's own mark stands above all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from attnsolve.errors import AttnsolveError
from attnsolve.report import StepReport
from attnsolve.scheme import Scheme, Worth, worth
from attnsolve.trace import Step, Trace
from attnsolve.verifier.calculation import Calculation
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

    def marked(
        self, steps: Sequence[StepReport], calculation: Calculation, kept: Mapping[str, Override]
    ) -> tuple[StepReport, ...]:
        """The same reports with their marks."""
        shares = {report.name: self.share_written(report, calculation) for report in steps}
        done, roughly = self.implied(steps, shares, calculation)
        made = []
        for report in steps:
            if report.name not in self.worths:  # exponentials and sums are looked at, but have no marks
                made.append(report)
                continue
            value, total = self.worths[report.name], self.totals[report.name]
            if report.verdict == "not written":
                sure, rough = (shown.get(report.name, NOTHING) for shown in (done, roughly))
                earned = max(sure * total, rough * value.method) if sure or rough else NOTHING
                if earned > sure * total:
                    report = replace(report, notes=(*report.notes, ROUGHLY))
            else:
                share = shares[report.name]
                earned = (
                    earned_by(report, value.method, total, self.scheme, calculation) if share else NOTHING
                )
                earned = earned if share is ALL else share * earned
            made.append(overridden(with_marks(report, earned, total), kept))
        return tuple(made)

    def share_written(self, report: StepReport, calculation: Calculation) -> Fraction:
        """How much of what is asked for in a step was written down."""
        grid, room = calculation.grids.get(report.name), self.room[report.name]
        if grid is None or grid.right or len(grid.numbers()) >= room:
            return ALL
        return Fraction(len(grid.numbers()), room)

    def implied(
        self, steps: Sequence[StepReport], shares: Mapping[str, Fraction], calculation: Calculation
    ) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
        """How much of a step that nobody wrote must have been done, because something that needs it is there.

        What is right shows all that leads to it, as far as it is written; a mistake, what it leaves right.
        Too few digits show the method only, and nothing where they would hide a mistake: the second map.
        """
        done: dict[str, Fraction] = {}
        roughly: dict[str, Fraction] = {}
        for report in steps:
            if report.verdict in ("right", "follows"):
                if not is_coarse(report):
                    raise_to(done, report.name, shares[report.name])
                elif calculation.outcomes[report.name].tells:
                    raise_to(roughly, report.name, shares[report.name])
            if report.verdict == "mistake":
                for name in calculation.outcomes[report.name].shown:
                    raise_to(roughly if is_coarse(report) else done, name, shares[report.name])
        for shown in (done, roughly):
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
    report: StepReport, method: Fraction, total: Fraction, scheme: Scheme, calculation: Calculation
) -> Fraction:
    """What a verdict is worth when all of a step is written."""
    coarse = is_coarse(report)
    match report.verdict:
        case "right":
            return method if coarse else total
        case "follows":
            if calculation.outcomes[report.name].degenerate:
                return Fraction(0)  # nothing had to be done with zeros or an identity
            return total if scheme.follow_through and not coarse else method
        case "wrong":
            return method if shows_method(report, calculation) else Fraction(0)
        case "mistake":  # made in an earlier step that was not written: this one only follows
            return method if is_elsewhere(report) else Fraction(0)
        case _:
            return Fraction(0)


def shows_method(report: StepReport, calculation: Calculation) -> bool:
    """Whether most numbers of a wrong step are right, so that only a slip is in it."""
    grid = calculation.grids[report.name]
    written = grid.shape[0] * grid.shape[1] if grid.right else len(grid.numbers())
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
