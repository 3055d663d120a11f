"""Marks that a person has given: they stand above all, with the reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from attnsolve.errors import AttnsolveError
from attnsolve.marks import in_figures
from attnsolve.report import Note, NoteKind, StepReport
from attnsolve.submission import Override
from attnsolve.verifier.reading.placing import Placing

ALL = Fraction(1)


def placed(placing: Placing, overrides: Sequence[Override]) -> tuple[dict[str, Override], list[str]]:
    """A person's marks by step or question, and a sentence for each that has no place or is no mark."""
    kept: dict[str, Override] = {}
    lost = []
    for override in overrides:
        try:
            share_of(override)
            kept[placing.marked(override.name)] = override
        except (AttnsolveError, ArithmeticError, ValueError) as error:
            why = error if isinstance(error, AttnsolveError) else f"'{override.marks}' is no mark"
            lost.append(f"line {override.line}: mark {override.name}: {why}")
    return kept, lost


def share_of(override: Override) -> tuple[Fraction, bool]:
    """A mark, and whether it is a share of what can be had."""
    above, _, below = override.marks.partition("/")
    return (Fraction(above) / Fraction(below), True) if below else (Fraction(above), False)


def overridden(report: StepReport, kept: Mapping[str, Override]) -> StepReport:
    """A person's mark in place of ours, with the reason; no more than can be had, and that is told."""
    override = kept.get(report.name)
    if override is None:
        return report
    marks, is_share = share_of(override)
    earned, notes = report.possible * marks if is_share else marks, report.notes
    if marks > (ALL if is_share else report.possible):
        given = override.marks + (" of the marks" if is_share else "")
        notes = (*notes, Note(NoteKind.MARK_CUT, given, in_figures(report.possible)))
    return replace(
        report,
        earned=min(earned, report.possible),
        notes=notes,
        overridden=True,
        reason=override.reason,
    )
