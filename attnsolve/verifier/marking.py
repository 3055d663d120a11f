"""Marks: method, accuracy and follow-through, step by step; a person's own mark stands above all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from attnsolve.errors import AttnsolveError
from attnsolve.report import StepReport
from attnsolve.trace import Trace
from attnsolve.verifier.records import Override
from attnsolve.verifier.scheme import Scheme, Worth, worth

if TYPE_CHECKING:
    from attnsolve.verifier.judgement import Calculation
    from attnsolve.verifier.placing import Placing

COARSE = "too few digits"


def all_worths(trace: Trace) -> dict[str, Worth]:
    """What each step of a problem is worth."""
    return {call.out: worth(trace.problem, part, call) for part in trace.problem.parts for call in part.calls}


def marked(
    trace: Trace,
    scheme: Scheme,
    worths: Mapping[str, Worth],
    steps: Sequence[StepReport],
    calculation: Calculation,
    kept: Mapping[str, Override],
) -> tuple[StepReport, ...]:
    """The same reports with their marks."""
    done = implied(trace, steps)
    made = []
    for report in steps:
        if report.name not in worths:  # exponentials and sums are looked at, but have no marks of their own
            made.append(report)
            continue
        value = worths[report.name]
        earned = earned_by(report, value, scheme, calculation, implied=report.name in done)
        made.append(overridden(replace(report, earned=earned, possible=value.total), kept))
    return tuple(made)


def earned_by(
    report: StepReport, value: Worth, scheme: Scheme, calculation: Calculation, *, implied: bool
) -> Fraction:
    """What a verdict is worth."""
    coarse = any(note.startswith(COARSE) for note in report.notes)
    match report.verdict:
        case "right":
            return value.method if coarse else value.total
        case "follows":
            if report.name in calculation.degenerate:
                return Fraction(0)  # nothing had to be done with zeros or an identity
            return value.total if scheme.follow_through and not coarse else value.method
        case "wrong":
            return value.method if shows_method(report, calculation) else Fraction(0)
        case "mistake":  # made in an earlier step that was not written: this one only follows
            return value.method if is_elsewhere(report) else Fraction(0)
        case "not written":
            return value.total if implied else Fraction(0)
        case _:
            return Fraction(0)


def shows_method(report: StepReport, calculation: Calculation) -> bool:
    """Whether most numbers of a wrong step are right, so that only a slip is in it."""
    grid = calculation.grids[report.name]
    written = grid.shape[0] * grid.shape[1] if grid.right else sum(1 for _ in grid.numbers())
    off = next((int(note.split()[0]) for note in report.notes if note.endswith("numbers are off")), written)
    return 2 * off <= written and written > 1


def is_elsewhere(report: StepReport) -> bool:
    """Whether every mistake that fits was made before this step."""
    return all(named.at != report.name for named in report.mistakes)


def implied(trace: Trace, steps: Sequence[StepReport]) -> set[str]:
    """Steps that nobody wrote down but must have done, because something that needs them is right."""
    good = {report.name for report in steps if report.verdict in ("right", "follows")}
    done = set(good)
    for step in reversed(trace.steps):
        if step.call.out in done:
            done.update(step.call.args)
    return done - good


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


def overridden(report: StepReport, kept: Mapping[str, Override]) -> StepReport:
    """A person's mark in place of ours, with the reason."""
    override = kept.get(report.name)
    if override is None:
        return report
    marks, is_share = share_of(override)
    earned = report.possible * marks if is_share else marks
    return replace(report, earned=min(earned, report.possible), overridden=override.reason or "by hand")
