"""Judging a whole problem set: each exercise by its own verifier, and one report of all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from attnsolve.errors import UsageError
from attnsolve.problem_set import Exercise, Solved, SolvedSet
from attnsolve.reasons import Reason, in_exercise
from attnsolve.report import PartMark, Report, StepReport
from attnsolve.scheme import Scheme
from attnsolve.submission import Answer, Override, Submission
from attnsolve.trace import Trace
from attnsolve.verifier.reading.addresses import place_of, split
from attnsolve.verifier.verification import Verifier

if TYPE_CHECKING:
    from attnsolve.verifier.claim_verification import ClaimVerifier
    from attnsolve.verifier.formula_verification import FormulaVerifier


class SetVerifier:
    """Judges any number of calculations of one problem set."""

    def __init__(self, solved: SolvedSet, *, truncation: bool = True) -> None:
        self.problem = solved.problem
        self.verifiers = {
            one.number: verifier_of_one(trace, truncation=truncation) for one, trace in solved
        }

    @property
    def placing(self) -> SetVerifier:
        """What tells which step or part a mark by hand is for: this one itself."""
        return self

    def prepare(self) -> None:
        """Find out beforehand what takes longest."""
        for verifier in self.verifiers.values():
            verifier.prepare()

    def verify(self, submission: Submission) -> Report:
        """The report on the answers to all exercises, with steps called as in the set: `2b.A`."""
        own, lost = split(self.problem, submission, self.knows)
        exercises, judges = self.problem.exercises, self.verifiers
        reports = [(one, judges[one.number].verify(own[one.number])) for one in exercises]
        unread = [in_exercise(one.number, why) for one, report in reports for why in report.unread]
        remarks = [
            in_exercise(one.number, why)
            for one, report in reports
            for why in report.remarks
            if isinstance(why, Reason)
        ]
        return Report(
            problem=self.problem.name,
            student=submission.student,
            variant=submission.variant,
            steps=tuple(step_of(one, step) for one, report in reports for step in report.steps),
            unread=(*submission.unread, *lost, *unread),
            remarks=(*submission.remarks, *remarks),
            parts=tuple(part_of(one, part) for one, report in reports for part in report.parts),
            lineup=self.problem.lineup,
        )

    def as_understood(self, submission: Submission) -> Submission:
        """The answers in the order of the exercises, as they are judged and shown."""
        own, _ = split(self.problem, submission, self.knows)
        understood = {number: self.verifiers[number].as_understood(one) for number, one in own.items()}
        marks = [
            mark._replace(name=called(one, f"{mark.part}.{mark.name}" if mark.part else mark.name), part="")
            for one in self.problem.exercises
            for mark in understood[one.number].overrides
        ]
        answers = tuple(shown(self.problem.exercises, understood))
        return replace(submission, answers=answers, overrides=tuple(marks))

    def marked(self, typed: str, part: str = "") -> str:
        """The step or part that a mark by hand is for, as the set calls it."""
        place = place_of(self.problem, Override(typed, "", "", part=part), self.knows)
        placing = self.verifiers[place.exercise.number].placing
        return place.exercise.outer(placing.marked(place.name, place.part))

    def knows(self, exercise: Exercise, name: str, part: str) -> bool:
        """Whether an exercise has a value that is called so."""
        return self.verifiers[exercise.number].knows(name, part)


if TYPE_CHECKING:
    OneVerifier = Verifier | ClaimVerifier | FormulaVerifier
    AnyVerifier = OneVerifier | SetVerifier


def verifier_of(solved: Solved, *, truncation: bool = True) -> AnyVerifier:
    """The verifier of a problem or of a problem set; without truncation, cut-off decimals are wrong."""
    if isinstance(solved, SolvedSet):
        if solved.problem.pools:
            said = "has a pool, and who has which of its exercises is decided when papers are drawn"
            raise UsageError(f"'{solved.problem.name}' {said}; name the exam, or the file of one paper")
        return SetVerifier(solved, truncation=truncation)
    return verifier_of_one(solved, truncation=truncation)


def verifier_of_one(solved: Trace, *, truncation: bool) -> OneVerifier:
    """The verifier of one problem: of numbers, of claims, or of formulas."""
    if solved.problem.assumptions is not None:  # the rooms that work with symbols are entered only for that
        if any(part.calls for part in solved.problem.parts):
            from attnsolve.verifier.formula_verification import FormulaVerifier

            return FormulaVerifier(solved)
        from attnsolve.verifier.claim_verification import ClaimVerifier

        return ClaimVerifier(solved)
    return Verifier(solved, allowing(solved, truncation))


def allowing(trace: Trace, truncation: bool) -> Scheme:
    """The mark scheme of a problem, without truncation if that is not allowed."""
    scheme = trace.problem.scheme
    return scheme if truncation else scheme._replace(truncation=False)


def shown(exercises: tuple[Exercise, ...], understood: dict[int, Submission]) -> Iterator[Answer]:
    """The answers to all exercises, with the exercise before the name."""
    for exercise in exercises:
        for answer in understood[exercise.number].answers:
            if answer.part:
                yield answer._replace(part=exercise.label(answer.part))
            else:
                yield answer._replace(name=called(exercise, answer.name))


def called(exercise: Exercise, typed: str) -> str:
    """A name as it was typed for an exercise, with the exercise before it: `2b.A`, `2.weights`."""
    is_whole = any(part.id == typed.partition(".")[0] for part in exercise.problem.parts)
    return exercise.outer(typed) if is_whole else f"{exercise.number}.{typed}"


def step_of(exercise: Exercise, step: StepReport) -> StepReport:
    """The verdict on a step as the set calls it."""
    mistakes = tuple(replace(one, at=exercise.outer(one.at)) if one.at else one for one in step.mistakes)
    return replace(step, name=exercise.outer(step.name), mistakes=mistakes)


def part_of(exercise: Exercise, part: PartMark) -> PartMark:
    """The total of a part as the set calls it."""
    return replace(part, name=exercise.outer(part.name))
