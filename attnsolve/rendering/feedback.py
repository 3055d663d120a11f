"""A feedback slip: what is right, where it went wrong and why, and as much of the answer as a hint gives."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from attnsolve.languages import speaking
from attnsolve.marks import out_of
from attnsolve.pdf_engines import Engine
from attnsolve.problem_set import Asked, ProblemSet, Solved
from attnsolve.rendering import Document, printed
from attnsolve.rendering.dialects import PDF
from attnsolve.rendering.feedback_lines import LineView, line, part_line
from attnsolve.rendering.hints import hinted
from attnsolve.rendering.questions import total
from attnsolve.rendering.reasons import reason_words
from attnsolve.rendering.text import Segments, prose, say, sentence
from attnsolve.report import Report, StepReport, Verdict


class FeedbackView(NamedTuple):
    """A whole slip."""

    name: str
    title: Segments
    student: Segments
    variant: Segments
    lines: tuple[LineView, ...]
    exercises: tuple[Segments, ...]  # of a problem set: the marks of each
    total: Segments
    unread: tuple[Segments, ...]
    remarks: tuple[Segments, ...]


def feedback(
    solved: Solved,
    report: Report,
    *,
    to: str = "text",
    hints: int | None = None,
    flavour: str = "pandoc",
    lang: str | None = None,
    engine: Engine = Engine.TYPST,
) -> Document:
    """The slip in a format: text, a dialect or PDF; `hints` 1 to 4 for students, everything for a TA."""
    if to == PDF:
        made = feedback(solved, report, to=engine.source, hints=hints, lang=lang)
        return printed(made, engine)
    with speaking(lang or solved.problem.lang):
        view = feedback_view(solved, report, plain=to == "text", hints=hints)
        if to == "text":
            return Document(as_text(view))
        from attnsolve.rendering.filling import fill

        return Document(fill("feedback", to, doc=view, flavour=flavour, maps_beside=False))


def exercise_marks(asked: ProblemSet, report: Report) -> Iterator[tuple[int, Fraction, Fraction]]:
    """What each exercise of a problem set has earned, and what it could."""
    for exercise in asked.exercises:
        labels = [part.id for part in exercise.parts]
        possible = sum((step.possible for step in report.steps if step.part in labels), Fraction(0))
        yield exercise.number, sum(map(report.earned_in, labels), Fraction(0)), possible


def feedback_view(solved: Solved, report: Report, *, plain: bool, hints: int | None) -> FeedbackView:
    """The slip as plain records; with hints only the first wrong step is spoken of, and what was not read."""
    problem = solved.problem
    shown = all_steps(problem, report) if hints is None else hinted(report)
    return FeedbackView(
        name=report.problem,
        title=prose(problem.title),
        student=sentence(report.student) if report.student else (),
        variant=sentence(report.variant) if report.variant else (),
        lines=(
            *(line(problem, report, step, plain=plain, hints=hints) for step in shown),
            *(part_line(part, plain=plain) for part in (report.parts if hints is None else ())),
        ),
        exercises=tuple(
            say("Exercise {number}: {marks}", number=number, marks=out_of(earned, possible))
            for number, earned, possible in exercise_marks(problem, report)
        )
        if isinstance(problem, ProblemSet) and hints is None
        else (),
        total=total(report) if hints is None else (),
        unread=tuple(sentence(reason_words(why)) for why in report.unread),
        remarks=tuple(sentence(reason_words(said)) for said in report.remarks),
    )


def all_steps(asked: Asked, report: Report) -> list[StepReport]:
    """What was written, and what is not there of that which has marks."""
    known = steps_of(asked)
    return [
        step
        for step in report.steps
        if step.verdict is not Verdict.NOT_WRITTEN or (step.possible and step.name in known)
    ]


def steps_of(asked: Asked) -> set[str]:
    """The names of all steps, and of what is ticked."""
    if isinstance(asked, ProblemSet):
        return {one.outer(name) for one in asked.exercises for name in steps_of(one.problem)}
    stated = {name for part in asked.parts for name in part.stated}
    ticked = {part.ticked for part in asked.parts if part.choice}
    return {call.out for call in asked.calls()} | ticked | stated


def as_text(view: FeedbackView) -> str:
    """The slip for a screen."""
    who = words(view.student) + (f" ({words(view.variant)})" if view.variant else "")
    made = [": ".join(filter(None, (words(view.title), who.strip())))]
    for one in view.lines:
        verdict = f": {one.verdict}" if one.verdict else ":"
        made.append(f"  {words(one.heading)}{verdict}{f'  [{words(one.marks)}]' if one.marks else ''}")
        made += [f"      {words(said)}" for said in one.said]
    unread = [say("not read: {text}", text=said) for said in view.unread]
    made += [f"  {words(said)}" for said in unread]
    made += [f"  // {words(said)}" for said in view.remarks]
    made += [f"  {words(said)}" for said in view.exercises]
    if view.total:
        made.append("  " + words(say("marks: {marks}", marks=view.total)))
    return "\n".join(made) + "\n"


def words(segments: Segments) -> str:
    """A sentence without markup."""
    return "".join(piece for _, piece in segments)
