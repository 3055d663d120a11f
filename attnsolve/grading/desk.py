"""A pile as it is typed: each line is judged at once, so that one can stop when the verdict is clear."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from types import TracebackType

from attnsolve.grading.assignment import Assignment
from attnsolve.grading.gradebook import told
from attnsolve.grading.graded import Graded
from attnsolve.grading.pieces import Piece
from attnsolve.grading.workers import MARKER, Worker
from attnsolve.marks import in_figures, out_of
from attnsolve.rendering.notes import as_sentence, by_hand, fragment, sentences
from attnsolve.report import PartMark, Report, StepReport, Verdict

# What changes nothing for a step that nobody has written.
SILENT = (Verdict.NOT_WRITTEN, Verdict.NOT_JUDGED)


class Desk:
    """One student's lines at a time, judged together after each."""

    def __init__(self, assignment: Assignment, *, command: Sequence[str] = MARKER) -> None:
        self.problem = assignment.trace().problem
        self.worker = Worker(assignment, command=command)
        self.lines: list[str] = []
        self.start = 1
        self.last: Report | None = None

    def __enter__(self) -> Desk:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.worker.close()

    def judge(self, typed: Iterable[str]) -> Iterator[str]:
        """What is said to each line."""
        for number, line in enumerate(typed, start=1):
            line = line.rstrip("\r\n")
            if line.lstrip().startswith("@"):
                self.lines, self.start, self.last = [], number, None
            self.lines.append(line)
            if line.strip():
                yield from self.said()

    def said(self) -> Iterator[str]:
        """What the last line has changed, and the marks so far."""
        piece = Piece("typed", "\n".join(self.lines), "compact", self.start)
        for graded in self.worker.grade(piece)[:1]:
            if graded.report is None:
                yield f"  {graded.trouble}"
                self.lines.pop()  # what cannot be judged must not spoil the lines after it
                continue
            yield from self.changes(graded.report)
            yield self.total(graded)
            self.last = graded.report

    def changes(self, report: Report) -> Iterator[str]:
        """Every step whose verdict is another one than before this line, and what was not read in it."""
        before = {} if self.last is None else {step.name: step for step in self.last.steps}
        for step in report.steps:
            was = before.get(step.name)
            is_told = step.verdict not in SILENT or step.typed or step.overridden
            if is_told and (was is None or unlike(step, was)):
                said = answered(step) if step.is_question else told(self.problem, step, lineup=report.lineup)
                yield f"  {said}{expected(step)}{noted(step)}"
        given = () if self.last is None else self.last.parts
        yield from (f"  {part_told(part)}" for part in report.parts if part not in given)
        known = () if self.last is None else self.last.unread
        yield from (f"  not read: {words}" for words in report.unread if words not in known)

    def total(self, graded: Graded) -> str:
        """`1234567: 5 of 40`."""
        assert graded.report is not None
        who = f"{graded.student}: " if graded.student else ""
        return f"  {who}{out_of(graded.report.earned, graded.report.possible)}"


def unlike(step: StepReport, was: StepReport) -> bool:
    """Whether there is something new to say about a step."""
    return (step.verdict, step.cell, step.typed, step.earned, step.notes, step.overridden, step.reason) != (
        was.verdict,
        was.cell,
        was.typed,
        was.earned,
        was.notes,
        was.overridden,
        was.reason,
    )


def answered(step: StepReport) -> str:
    """A question that only a person can mark: its marks, or how it gets some."""
    if step.waits:
        return f'{step.name} {step.verdict}: write mark {step.name} {in_figures(step.possible)} "why"'
    return f"{step.name} {out_of(step.earned, step.possible)}"


def part_told(part: PartMark) -> str:
    """A part whose total was given by hand."""
    said = (by_hand(part), *map(fragment, part.notes))
    return f"{part.name} {out_of(part.earned, part.possible)}. {' '.join(map(as_sentence, said))}"


def expected(step: StepReport) -> str:
    """What a wrong number should be."""
    return f" ({step.typed}; {step.expected} is right)" if step.expected and step.typed else ""


def noted(step: StepReport) -> str:
    """What is worth a word, in sentences behind the verdict."""
    marked = [as_sentence(by_hand(step))] if step.overridden else []
    said = [*marked, *sentences(step.notes, counts=True)]
    return f". {' '.join(said)}" if said else ""
