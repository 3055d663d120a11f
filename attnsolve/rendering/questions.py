"""What a slip says of a question that only a person can mark, because it has no steps."""

from __future__ import annotations

from attnsolve.languages import quoted, translated
from attnsolve.marks import in_figures, out_of
from attnsolve.problem import Part
from attnsolve.rendering.notes import as_sentence, by_hand, sentences
from attnsolve.rendering.text import Segments, prose, say, say_count, sentence
from attnsolve.report import Report, StepReport


def heading(step: StepReport, *, plain: bool) -> Segments:
    """`f (Why not 0)` on a screen, like a step; `Part (f), Why not 0` on paper."""
    title = prose(step.title)
    if plain:
        return sentence(step.name, *((" (", title, ")") if title else ()))
    if not title:
        return say("Part ({part})", part=step.name)
    return say("Part ({part}), {title}", part=step.name, title=title)


def how_answered(part: Part, step: StepReport) -> str:
    """How a question is answered, and that a person marks it where nobody has."""
    if step.waits:
        return (
            translated("answered in formulas; marked by a person")
            if part.costs
            else translated("answered in words; marked by a person")
        )
    return translated("answered in formulas") if part.costs else translated("answered in words")


def given(step: StepReport) -> Segments:
    """Its marks; a dash where there are none yet, which is no 0."""
    if step.waits:
        return say("{earned} of {possible}", earned="–", possible=in_figures(step.possible))
    return sentence(out_of(step.earned, step.possible))


def remarked(step: StepReport) -> list[str]:
    """What was typed for it, and what the person says who has marked it."""
    read = [translated("Read as: {typed}", typed=quoted(step.typed))] if step.typed else []
    marked = [as_sentence(by_hand(step))] if step.overridden else []
    return [*read, *marked, *sentences(step.notes, counts=True)]


def total(report: Report) -> Segments:
    """The sum of all marks, and which are not there yet."""
    waiting, marks = (
        [step.name for step in report.steps if step.waits],
        out_of(report.earned, report.possible),
    )
    if not waiting:
        return sentence(marks)
    return say_count(
        "{marks}; {questions} is not marked yet",
        "{marks}; {questions} are not marked yet",
        len(waiting),
        marks=marks,
        questions=", ".join(waiting),
    )
