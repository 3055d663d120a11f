"""Marks by hand that are more than can be had: they are cut, and that is told."""

from __future__ import annotations

from dataclasses import replace

from attnsolve.rendering.marks import in_figures
from attnsolve.report import Report
from attnsolve.verifier.judgement import Verifier
from attnsolve.verifier.overrides import placed, share_of
from attnsolve.verifier.records import Submission

CUT = "is the most there is"


def with_cuts(report: Report, submission: Submission, verifier: Verifier) -> Report:
    """The report with a note on each step for which a person has given more than can be had."""
    if not submission.overrides:
        return report
    kept, _ = placed(verifier.placing, submission.overrides)
    steps = []
    for step in report.steps:
        if step.name in kept:
            marks, is_share = share_of(kept[step.name])
            if marks > (1 if is_share else step.possible):
                given = kept[step.name].marks + (" of the marks" if is_share else "")
                note = f"{given} was given by hand, but {in_figures(step.possible)} {CUT}"
                step = replace(step, notes=(*step.notes, note))
        steps.append(step)
    return replace(report, steps=tuple(steps))


def is_cut(note: str) -> bool:
    """Whether a note tells of marks that were cut."""
    return note.endswith(CUT)
