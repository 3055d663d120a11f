"""A feedback slip: what is right, where it went wrong and why, and as much of the answer as a hint gives."""

from __future__ import annotations

from typing import NamedTuple

from attnsolve.problem import Problem
from attnsolve.rendering import Document
from attnsolve.rendering.marks import in_figures
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.text import Segments, formula, prose, sentence
from attnsolve.report import Named, Report, StepReport
from attnsolve.trace import Trace

VERDICTS = {
    "right": "right",
    "follows": "right for your numbers",
    "mistake": "a known mistake",
    "wrong": "wrong",
    "undecided": "undecided: a person has to look at this",
    "not read": "not read",
    "not written": "not written",
}
SILENT = ("not written",)


class LineView(NamedTuple):
    """What is said about one step."""

    heading: Segments
    verdict: str
    marks: str
    said: tuple[Segments, ...]


class FeedbackView(NamedTuple):
    """A whole slip."""

    name: str
    title: Segments
    student: Segments
    variant: Segments
    lines: tuple[LineView, ...]
    total: str
    unread: tuple[Segments, ...]
    remarks: tuple[Segments, ...]


def feedback(
    trace: Trace, report: Report, *, to: str = "text", hints: int | None = None, flavour: str = "pandoc"
) -> Document:
    """The slip in a format: text, markdown or latex; `hints` 1 to 4 for students, everything for a TA."""
    view = feedback_view(trace, report, plain=to == "text", hints=hints)
    if to == "text":
        return Document(as_text(view))
    from attnsolve.rendering.environment import fill

    return Document(fill("feedback", to, doc=view, flavour=flavour, maps_beside=False))


def feedback_view(trace: Trace, report: Report, *, plain: bool, hints: int | None) -> FeedbackView:
    """The slip as plain records; with hints only the first wrong step is spoken of."""
    known = {call.out for call in trace.problem.calls()}
    shown = [
        step
        for step in report.steps
        if step.verdict not in SILENT or (hints is None and step.possible and step.name in known)
    ]
    if hints is not None and report.first_wrong is not None:
        shown = [step for step in shown if step.verdict not in ("right", "follows")][:1]
    return FeedbackView(
        name=report.problem,
        title=prose(trace.problem.title),
        student=sentence(report.student) if report.student else (),
        variant=sentence(report.variant) if report.variant else (),
        lines=tuple(line(trace.problem, step, plain=plain, hints=hints) for step in shown),
        total="" if hints is not None else f"{in_figures(report.earned)} of {in_figures(report.possible)}",
        unread=tuple(sentence(words) for words in report.unread),
        remarks=tuple(sentence(words) for words in report.remarks),
    )


def line(problem: Problem, step: StepReport, *, plain: bool, hints: int | None) -> LineView:
    """One step: its verdict, its marks, and what to say about it at this level."""
    part = next(part for part in problem.parts if part.id == step.name.partition(".")[0])
    notation = Notation(problem, part, style=problem.numbers, places=problem.places)
    level = 4 if hints is None else hints
    known = step.name in problem.frames  # the exponentials of a softmax have no symbol of their own
    symbol = formula(notation.symbol(step.name)) if known and not plain else (False, step.name)
    said = []
    if step.verdict in ("mistake", "wrong"):
        said += faults(problem, step, notation, plain=plain, level=level, whole=hints is None)
    if hints is None:
        said += [sentence(note, "" if note.endswith("?") else ".") for note in dict.fromkeys(step.notes)]
    if step.overridden:
        said.append(sentence(f"Marked by hand: {step.overridden}."))
    verdict = VERDICTS[step.verdict]
    if step.verdict == "not written" and step.earned:
        verdict = "not written, but what comes after it shows that it was done"
    if hints is not None and step.verdict in ("mistake", "wrong"):
        verdict = "look at this again"
    marks = "" if hints is not None else f"{in_figures(step.earned)}/{in_figures(step.possible)}"
    several = len(problem.parts) > 1 and not plain  # a plain name has its part in it
    before = f"Part ({part.id}), " if several else ""
    heading = sentence(before, symbol, f" ({step.title})" if step.title else "")
    return LineView(heading, verdict, marks, tuple(said))


def faults(
    problem: Problem, step: StepReport, notation: Notation, *, plain: bool, level: int, whole: bool
) -> list[Segments]:
    """Where and why a step is wrong: the number from level 2, the kind of slip from 3, the value at 4."""
    if step.cell is None or level < 2:
        return []
    said = []
    i, j = step.cell
    first, second = (j, i) if notation.transposed(step.name) else (i, j)
    printed = f"{step.name}[{first + problem.index_from}, {second + problem.index_from}]"
    has_symbol = step.name in problem.frames and not plain
    place = formula(notation.entry(step.name, i, j)) if has_symbol else (False, printed)
    tail = f" it should be {step.expected}." if level > 3 else " that is not right."
    if not (whole and step.mistakes):
        said.append(sentence("The first number that is off: ", place, f" was read as {step.typed};", tail))
    if level > 2 and step.slip:
        said.append(sentence(f"Probably {step.slip}."))
    if level > 2:
        said += [sentence(explained(named, numbers=whole)) for named in step.mistakes]
    return said


def explained(named: Named, *, numbers: bool) -> str:
    """A mistake by its name and advice, and for a TA how much speaks for it."""
    if not numbers:
        return named.advice
    only = "no other known mistake fits" if named.alone else "another known mistake fits too"
    places = f"{named.places} place{'s' * (named.places != 1)}"
    count = f"{named.numbers} number{'s' * (named.numbers != 1)} to {places}"
    return f"This is the mistake “{named.name}”: {named.advice} ({count}; {only}.)"


def as_text(view: FeedbackView) -> str:
    """The slip for a screen."""
    made = [" ".join(filter(None, (words(view.title), words(view.student), words(view.variant))))]
    for one in view.lines:
        made.append(f"  {words(one.heading)}: {one.verdict}{f'  [{one.marks}]' if one.marks else ''}")
        made += [f"      {words(said)}" for said in one.said]
    made += [f"  not read: {words(said)}" for said in view.unread]
    made += [f"  // {words(said)}" for said in view.remarks]
    if view.total:
        made.append(f"  marks: {view.total}")
    return "\n".join(made) + "\n"


def words(segments: Segments) -> str:
    """A sentence without markup."""
    return "".join(piece for _, piece in segments)
