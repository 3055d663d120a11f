"""The process that reads and judges answers: JSON lines in, JSON lines out; it may be killed at any time."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import PurePath
from typing import Any

from attnsolve.errors import AttnsolveError
from attnsolve.grading.assignment import Assignment
from attnsolve.grading.graded import Graded, record
from attnsolve.grading.hand_marks import HandMarks
from attnsolve.grading.online_text import plain_text
from attnsolve.grading.pieces import Piece
from attnsolve.lifeline import orders
from attnsolve.limits import Limits
from attnsolve.paper_remarks import names_another
from attnsolve.reasons import Reason, on_line, reason
from attnsolve.report import Report, Verdict
from attnsolve.submission import Submission
from attnsolve.verifier.reading import read_submissions

NOTHING_BY_HAND = HandMarks()


def main() -> None:
    """Take the assignment, then one piece of work after the other, until nobody sends more."""
    lines, answer = orders(), sys.stdout
    sys.stdout = sys.stderr  # what a library prints must not get between the answers
    told = json.loads(next(lines))
    assignment, by_hand = Assignment.restored(told), HandMarks.restored(told.get("by_hand", ()))
    limit_memory(assignment.limits)
    for line in lines:
        order = json.loads(line)
        for made in obeyed(assignment, order, by_hand):
            answer.write(json.dumps(made) + "\n")
            answer.flush()


def obeyed(
    assignment: Assignment, order: dict[str, Any], by_hand: HandMarks = NOTHING_BY_HAND
) -> Iterator[dict[str, Any]]:
    """What is answered: a mark for each person in a piece, then that it is done."""
    if "prepare" in order:
        if order["prepare"] or not assignment.is_personal:  # else nobody knows whose mistakes are meant
            prepare(assignment, order["prepare"])
    else:
        try:
            piece = Piece(**order["piece"])
            for graded in graded_piece(assignment, piece, skip=order["skip"], by_hand=by_hand):
                yield record(graded)
        except MemoryError:
            yield {"memory": True}  # what was said before stands; this process is not to be trusted any more
    yield {"done": True}


def prepare(assignment: Assignment, code: str = "") -> None:
    """Find out beforehand what takes longest in a variant: where two mistakes together lead."""
    assignment.verifier(code).prepare()


def graded_piece(
    assignment: Assignment, piece: Piece, *, skip: int = 0, by_hand: HandMarks = NOTHING_BY_HAND
) -> Iterator[Graded]:
    """The marks of everybody in a piece, each within the time limit."""
    unnamed = Graded(piece.source, piece.student)
    seconds = assignment.limits.answer_seconds
    number = 0
    with Stopwatch(seconds) as begin:
        try:
            is_page = piece.form == "html"
            found = read_submissions(
                plain_text(piece.text) if is_page else piece.text,
                piece.source,
                form=form_of(assignment, piece),
                limits=assignment.limits,
                first_line=piece.line,
                claimed=partial(claimed_by, assignment, piece),
            )
            for number, submission in enumerate(found):
                if number >= skip:
                    yield judged(assignment, submission, piece, by_hand)
                begin()
        except AttnsolveError as error:
            if number >= skip or not number:
                yield replace(unnamed, trouble=f"not read: {error}")


def claimed_by(assignment: Assignment, piece: Piece, student: str, variant: str) -> frozenset[str]:
    """The exercises that somebody answers with claims, whether the text says who it is or the file does."""
    file = PurePath(piece.source).stem
    return assignment.claimed(student or piece.student, variant or piece.variant, file=file)


def form_of(assignment: Assignment, piece: Piece) -> str:
    """How a piece is written; whatever is text is claims where these were asked for."""
    form = "" if piece.form == "html" else piece.form
    return "claims" if form in ("", "compact") and assignment.is_about_symbols else form


def judged(assignment: Assignment, submission: Submission, piece: Piece, by_hand: HandMarks) -> Graded:
    """One person's marks; our own mistake is told and stops nobody else's."""
    student, said = whose(submission, piece)
    variant = submission.variant or piece.variant
    graded = Graded(piece.source, student, variant)
    try:
        match = assignment.match(variant, student, PurePath(piece.source).stem)
        graded = replace(graded, student=match.student, variant=match.code)
        beside = [one for one in (said, piece.remark) if one]
        remarks = (*submission.remarks, *match.remarks, *beside)
        own = replace(submission, student=match.student, variant=match.code, remarks=remarks)
        if piece.is_identified or piece.is_own:
            own = without_own_marks(own)
        work = by_hand.of(match.student)
        if work is not None:
            graded, own = replace(graded, by_hand=work.key, is_seen=work.is_seen), work.added_to(own)
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


def without_own_marks(submission: Submission) -> Submission:
    """Answers that somebody handed in himself: nobody marks his own, nor says that he is right."""
    answers = tuple(answer for answer in submission.answers if not answer.right)
    lost = [(mark.line, f"mark {mark.name} {mark.marks}") for mark in submission.overrides]
    lost += [(answer.line, f"{answer.name} ok") for answer in submission.answers if answer.right]
    why = reason("this is for whoever marks; it was not counted")
    said = (on_line(line, typed, why) for line, typed in lost)
    return replace(submission, answers=answers, overrides=(), unread=(*submission.unread, *said))


def whose(submission: Submission, piece: Piece) -> tuple[str, Reason | None]:
    """Whose answers these are, and a remark where the text says otherwise than the platform."""
    if not piece.is_identified:
        return submission.student or piece.student, None
    typed = submission.student
    is_another = typed and typed.casefold() != piece.student.casefold()
    return piece.student, names_another(typed) if is_another else None


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
