"""What a slip says of a question that only a person can mark, because it has no steps."""

from __future__ import annotations

from attnsolve.marks import in_figures, out_of
from attnsolve.problem import Part
from attnsolve.rendering.notes import as_sentence, by_hand, sentences
from attnsolve.rendering.text import Segments, prose, sentence
from attnsolve.report import Report, StepReport


def heading(step: StepReport, *, plain: bool) -> Segments:
    """`f (Why not 0)` on a screen, like a step; `Part (f), Why not 0` on paper."""
    title = prose(step.title)
    if plain:
        return sentence(step.name, *((" (", title, ")") if title else ()))
    return sentence(f"Part ({step.name})", *((", ", title) if title else ()))


def how_answered(part: Part, step: StepReport) -> str:
    """How a question is answered, and that a person marks it where nobody has."""
    answered = "answered in formulas" if part.costs else "answered in words"
    return f"{answered}; marked by a person" if step.waits else answered


def given(step: StepReport) -> Segments:
    """Its marks; a dash where there are none yet, which is no 0."""
    return sentence(f"– of {in_figures(step.possible)}" if step.waits else out_of(step.earned, step.possible))


def remarked(step: StepReport) -> list[str]:
    """What was typed for it, and what the person says who has marked it."""
    read = [f"Read as: “{step.typed}”"] if step.typed else []
    marked = [as_sentence(by_hand(step))] if step.overridden else []
    return [*read, *marked, *sentences(step.notes, counts=True)]


def not_marked(report: Report) -> list[str]:
    """What to say behind the sum of all marks: which are not there yet."""
    waiting = [step.name for step in report.steps if step.waits]
    if not waiting:
        return []
    return [f"; {', '.join(waiting)} {'is' if len(waiting) == 1 else 'are'} not marked yet"]
