"""The process that reads and judges answers: JSON lines in, JSON lines out; it may be killed at any time."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from attnsolve.errors import AttnsolveError
from attnsolve.grading.assignment import Assignment
from attnsolve.grading.records import Graded, Piece, record
from attnsolve.limits import Limits
from attnsolve.report import Report, Verdict
from attnsolve.submission import Submission
from attnsolve.verifier.reading import read_submissions


def main() -> None:
    """Take the assignment, then one piece of work after the other, until nobody sends more."""
    lines, answer = sys.stdin, sys.stdout
    sys.stdout = sys.stderr  # what a library prints must not get between the answers
    assignment = Assignment.restored(json.loads(lines.readline()))
    limit_memory(assignment.limits)
    for line in lines:
        order = json.loads(line)
        for made in obeyed(assignment, order):
            answer.write(json.dumps(made) + "\n")
            answer.flush()


def obeyed(assignment: Assignment, order: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What is answered: a mark for each person in a piece, then that it is done."""
    if "prepare" in order:
        if not assignment.is_personal:  # there each has mistakes of his own
            prepare(assignment)
    else:
        try:
            for graded in graded_piece(assignment, Piece(**order["piece"]), skip=order["skip"]):
                yield record(graded)
        except MemoryError:
            yield {"memory": True}  # what was said before stands; this process is not to be trusted any more
    yield {"done": True}


def prepare(assignment: Assignment) -> None:
    """Find out beforehand what takes longest: where two mistakes together lead."""
    verifier, trace = assignment.verifier(), assignment.trace()
    for part in trace.problem.parts:
        for step in trace.of_part(part.id)[-1:]:
            verifier.catalogue.both(part, step, {})


def graded_piece(assignment: Assignment, piece: Piece, *, skip: int = 0) -> Iterator[Graded]:
    """The marks of everybody in a piece, each within the time limit."""
    unnamed = Graded(piece.source, piece.student)
    seconds = assignment.limits.answer_seconds
    number = 0
    with Stopwatch(seconds) as begin:
        try:
            found = read_submissions(
                piece.text, piece.source, form=piece.form, limits=assignment.limits, first_line=piece.line
            )
            for number, submission in enumerate(found):
                if number >= skip:
                    yield judged(assignment, submission, piece)
                begin()
        except AttnsolveError as error:
            if number >= skip or not number:
                yield replace(unnamed, trouble=f"not read: {error}")


def judged(assignment: Assignment, submission: Submission, piece: Piece) -> Graded:
    """One person's marks; our own mistake is told and stops nobody else's."""
    student = submission.student or piece.student
    graded = Graded(piece.source, student, submission.variant)
    try:
        match = assignment.match(submission.variant, student, PurePath(piece.source).stem)
        graded = replace(graded, student=match.student, variant=match.code)
        remarks = (*submission.remarks, *filter(None, [match.remark]))
        own = replace(submission, student=match.student, variant=match.code, remarks=remarks)
        report = assignment.verifier(match.code).verify(own)
    except AttnsolveError as error:
        return replace(graded, trouble=f"undecided ({error})")
    except MemoryError:
        raise
    except Exception as error:
        import traceback

        words = f"undecided (attnsolve hit a bug: {type(error).__name__})"
        return replace(graded, trouble=words, details=traceback.format_exc())
    if is_unreadable(report):
        return replace(
            graded, trouble=f"not read: {report.unread[0]}; nothing else is there, so it was not graded"
        )
    return replace(graded, report=report)


def is_unreadable(report: Report) -> bool:
    """Whether somebody handed something in of which not one answer, nor a mark by hand, could be made out."""
    silent = (Verdict.NOT_WRITTEN, Verdict.NOT_JUDGED)
    something = (step.verdict not in silent or step.typed or step.overridden for step in report.steps)
    return bool(report.unread) and not (report.parts or any(something))


class Stopwatch:
    """A limit on processor time, kept by the system: it ends this process, whatever it is busy with."""

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds

    def __enter__(self) -> Any:
        self.begin()
        return self.begin

    def __exit__(self, *_: object) -> None:
        self._set(0)

    def begin(self) -> None:
        """Start to count anew."""
        self._set(self.seconds)

    def _set(self, seconds: int) -> None:
        with suppress(ImportError, AttributeError):  # elsewhere whoever sent the work looks at the clock
            import signal

            signal.setitimer(signal.ITIMER_PROF, seconds)


def limit_memory(limits: Limits) -> None:
    """No more memory than allowed, where the system can see to that."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        size = limits.megabytes * 1_000_000
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(
            resource.RLIMIT_AS, (size, size if hard == resource.RLIM_INFINITY else min(hard, size))
        )


if __name__ == "__main__":
    main()
