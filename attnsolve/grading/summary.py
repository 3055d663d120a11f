"""How a class did: which mistakes, how often, which numbers are wrong most, which steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import mean, median
from typing import Any

from attnsolve.class_statistics import MistakeCount, count_mistakes, step_names
from attnsolve.grading.gradebook import TO_BE_MARKED, decimal
from attnsolve.grading.graded import Graded
from attnsolve.marks import in_figures
from attnsolve.notes import Note, NoteKind
from attnsolve.problem_set import Asked
from attnsolve.rendering.notes import fragment, slip_words
from attnsolve.rendering.places import place
from attnsolve.report import Report, Verdict, exercise_number

SHOWN = 10


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts over a class; the most frequent first, and in the order of the problem where equal."""

    graded: int
    undecided: tuple[tuple[str, str], ...]  # who, and why
    marks: tuple[Fraction, ...]
    possible: Fraction
    steps: dict[str, dict[str, int]]  # how often each step got each verdict
    mistakes: tuple[MistakeCount, ...]  # by name, whether in one head or in all
    cells: tuple[tuple[str, int], ...]  # where a calculation first went wrong
    slips: tuple[tuple[str, int], ...]
    by_hand: int  # how many steps a person has marked
    parts_by_hand: int  # and how many parts as a whole
    waiting: tuple[tuple[str, int], ...]  # questions that only a person can mark, and for how many they wait
    cut: tuple[tuple[str, str, str], ...]  # who, step, and what was more than can be had


def summarise(problem: Asked, marks: Sequence[Graded]) -> Summary:
    """The counts of a class."""
    reports = [graded.report.by_sheet for graded in marks if graded.report is not None]
    steps: dict[str, Counter[Verdict]] = {name: Counter() for name in step_names(reports)}
    cells: Counter[str] = Counter()
    slips: Counter[str] = Counter()
    waiting: Counter[str] = Counter()
    for report in reports:
        for step in report.steps:
            steps[step.name][step.verdict] += 1
            if step.cell is not None:
                cells[f"{step.name}{place(problem, step.name, step.cell)}"] += 1
            if step.waits:
                waiting[step.name] += 1
            if step.slips:
                slips[slip_words(step.slips)] += 1
    if any(graded.report is not None and graded.report.lineup for graded in marks):
        steps = dict(sorted(steps.items(), key=lambda step: exercise_number(step[0])))
    return Summary(
        graded=len(reports),
        undecided=tuple((one.student or one.source, one.trouble) for one in marks if one.report is None),
        marks=tuple(sorted(report.earned for report in reports)),
        possible=max((report.possible for report in reports), default=Fraction(0)),
        steps={
            name: {word: counts[word] for word in Verdict if counts[word]} for name, counts in steps.items()
        },
        mistakes=count_mistakes(reports),
        cells=tuple(ordered(cells)),
        slips=tuple(ordered(slips)),
        by_hand=sum(bool(step.overridden) for report in reports for step in report.steps),
        parts_by_hand=sum(len(report.parts) for report in reports),
        waiting=tuple(waiting.items()),
        cut=tuple(
            (one.student or one.source, name, fragment(note))
            for one in marks
            for name, note in (() if one.report is None else notes_of(one.report))
            if note.kind is NoteKind.MARK_CUT
        ),
    )


def notes_of(report: Report) -> Iterator[tuple[str, Note]]:
    """Every note with the step or the part it is about."""
    yield from ((step.name, note) for step in report.steps for note in step.notes)
    yield from ((part.name, note) for part in report.parts for note in part.notes)


def ordered(counts: Counter[Any]) -> list[tuple[Any, int]]:
    """The most frequent first, then by name, so that the same class always reads the same."""
    return sorted(counts.items(), key=lambda item: (-item[1], str(item[0])))


def lines(summary: Summary) -> Iterator[str]:
    """The summary for a person."""
    left = len(summary.undecided)
    yield f"{summary.graded} graded" + (f", {left} not" if left else "")
    if summary.marks:
        middle, average = in_figures(median(summary.marks)), in_figures(Fraction(mean(summary.marks)))
        yield (
            f"marks of {in_figures(summary.possible)}: median {middle}, mean {average}, "
            f"from {in_figures(summary.marks[0])} to {in_figures(summary.marks[-1])}"
        )
    hands = ((summary.by_hand, "step"), (summary.parts_by_hand, "part"))
    marked = [f"{count} {what}{'s' * (count != 1)}" for count, what in hands if count]
    if marked:
        yield f"marked by hand: {', '.join(marked)}"
        yield from (f"  {who}, {step}: {note}" for who, step, note in summary.cut)
    if summary.waiting:
        some = (f"{name} ({count} of {summary.graded})" for name, count in summary.waiting)
        yield f"{TO_BE_MARKED}: {', '.join(some)}"
    if summary.mistakes:
        yield "known mistakes:"
        for mistake in summary.mistakes[:SHOWN]:
            steps = ", ".join(name for name, _ in mistake.steps)
            yield f"  {mistake.people:>5}  {mistake.name}  ({steps})"
    if summary.cells:
        yield "where it went wrong:"
        yield from (f"  {count:>5}  {name}" for name, count in summary.cells[:SHOWN])
    if summary.slips:
        yield "likely slips:"
        yield from (f"  {count:>5}  {slip}" for slip, count in summary.slips[:SHOWN])
    if summary.steps:
        yield "steps:"
        for name, counts in summary.steps.items():
            if set(counts) <= {Verdict.NOT_WRITTEN, Verdict.NOT_JUDGED}:
                continue  # nothing that anybody did, or that was judged
            yield f"  {name:<12} " + ", ".join(f"{count} {word}" for word, count in counts.items())


def record(summary: Summary) -> dict[str, Any]:
    """The summary for a program; marks are decimals as in the table."""
    return {
        "graded": summary.graded,
        "undecided": [{"student": student, "why": why} for student, why in summary.undecided],
        "possible": decimal(summary.possible),
        "median": decimal(median(summary.marks)) if summary.marks else None,
        "mean": decimal(Fraction(mean(summary.marks))) if summary.marks else None,
        "steps": summary.steps,
        "mistakes": [
            {"mistake": mistake.name, "people": mistake.people, "steps": dict(mistake.steps)}
            for mistake in summary.mistakes
        ],
        "cells": [{"cell": name, "count": count} for name, count in summary.cells],
        "by_hand": summary.by_hand,
        "parts_by_hand": summary.parts_by_hand,
        "waiting": [{"step": name, "count": count} for name, count in summary.waiting],
        "cut": [{"student": who, "step": step, "note": note} for who, step, note in summary.cut],
        "slips": [{"slip": slip, "count": count} for slip, count in summary.slips],
    }
