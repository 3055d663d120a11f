"""Hints for students: which steps are spoken of, and what is said of them at any level."""

from __future__ import annotations

from attnsolve.graph import graph_of
from attnsolve.languages import message
from attnsolve.notes import NoteKind
from attnsolve.problem_set import Asked, ProblemSet
from attnsolve.rendering import notes
from attnsolve.report import Report, StepReport, Verdict

# How something is written, whatever it is worth.
HARMLESS = (NoteKind.TOO_FEW_DIGITS, NoteKind.ANYTHING_FOLLOWS, NoteKind.TWICE, NoteKind.TURNED)
AGAIN = message("look at this again")
EARLIER = message("It went wrong here, or in a step before it that was not written down.")


def hinted(report: Report) -> list[StepReport]:
    """The first wrong step, and what a person has to read again; every written step where all is right.

    Of a question in words there is nothing to say.
    """
    written = [step for step in report.steps if step.verdict not in (Verdict.NOT_WRITTEN, Verdict.NOT_JUDGED)]
    wrong = report.first_wrong
    if wrong is None:
        return written
    return [step for step in written if step is wrong or step.verdict.is_open or findings(report, step)]


def findings(report: Report, step: StepReport) -> list[str]:
    """What is told of a step at every level: what was not read, and how it is written.

    Other notes are kept where they would tell that a step is right which is not spoken of yet, or why it is
    undecided, which may name the right numbers.
    """
    is_open = report.first_wrong in (None, step) and step.verdict is not Verdict.UNDECIDED
    told = [note for note in step.notes if is_open or note.is_unread or note.kind in HARMLESS]
    return notes.sentences(told, counts=False)


def may_be_earlier(asked: Asked, report: Report, step: StepReport) -> bool:
    """Whether a step may be done right, and what it was made from is wrong but not written down."""
    if step.verdict is Verdict.MISTAKE:
        here = any(named.at == step.name for named in step.mistakes)
    else:
        here = bool(step.slips)
    return not here and any(
        other.verdict is Verdict.NOT_WRITTEN
        for other in report.steps
        if other.name in before(asked, step.name)
    )


def before(asked: Asked, name: str) -> set[str]:
    """All steps that lead to one."""
    if isinstance(asked, ProblemSet):
        exercise = asked.exercise(name)
        return {exercise.outer(one) for one in before(exercise.problem, exercise.inner(name) or "")}
    return {call.out for call in graph_of(asked).behind([name])} - {name}
