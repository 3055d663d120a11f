"""Marks that a person has given: they stand above all, with the reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Protocol

from attnsolve.errors import AttnsolveError
from attnsolve.marks import in_figures
from attnsolve.notes import Note, NoteKind
from attnsolve.reasons import Reason, on_line, reason
from attnsolve.report import PartMark, StepReport
from attnsolve.submission import Override

ALL = Fraction(1)


class Markable(Protocol):
    """Tells which step or part a mark is for: the placing of a problem, or that of a problem set."""

    def marked(self, typed: str, part: str = "") -> str:
        """The name of it, below the heading of a part; an AttnsolveError where there is none."""


def is_marked(placing: Markable, typed: str, part: str) -> bool:
    """Whether there is something of this name that may have marks."""
    try:
        return bool(placing.marked(typed, part))
    except AttnsolveError:
        return False


def placed(placing: Markable, overrides: Sequence[Override]) -> tuple[dict[str, Override], list[Reason]]:
    """A person's marks by step or part, and a reason for each that has no place or is no mark."""
    kept: dict[str, Override] = {}
    lost = []
    for override in overrides:
        try:
            share_of(override)
            kept[placing.marked(override.name, override.part)] = override
        except (AttnsolveError, ArithmeticError, ValueError) as error:
            no_mark = reason("'{typed}' is no mark", typed=override.marks)
            why = error.reason if isinstance(error, AttnsolveError) else no_mark
            lost.append(on_line(override.line, f"mark {override.name}", why))
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
    earned, notes = given(override, report.possible)
    return replace(
        report, earned=earned, notes=(*report.notes, *notes), overridden=True, reason=override.reason
    )


def given(override: Override, possible: Fraction) -> tuple[Fraction, tuple[Note, ...]]:
    """What a person's mark comes to where so much can be had, and a note if it was cut to that."""
    marks, is_share = share_of(override)
    if marks <= (ALL if is_share else possible):
        return possible * marks if is_share else marks, ()
    typed = override.marks + (f" × {in_figures(possible)}" if is_share else "")
    return possible, (Note(NoteKind.MARK_CUT, typed, in_figures(possible)),)


def part_marks(steps: Sequence[StepReport], kept: Mapping[str, Override]) -> tuple[PartMark, ...]:
    """The totals of parts that a person has given; a question is a part and a step in one, and has none."""
    made = []
    for name in dict.fromkeys(step.part for step in steps):
        if name in kept and all(step.name != name for step in steps):
            possible = sum((step.possible for step in steps if step.part == name), Fraction(0))
            earned, notes = given(kept[name], possible)
            made.append(PartMark(name, earned, possible, notes, kept[name].reason))
    return tuple(made)
