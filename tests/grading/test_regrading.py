"""What is told of somebody who was graded again."""

from fractions import Fraction

import pytest

from attnsolve.grading.graded import Graded
from attnsolve.grading.regrading import differences
from attnsolve.report import Report, StepReport, Verdict


def graded(*steps: StepReport) -> Graded:
    return Graded("7", "pile.txt", report=Report("p", steps=steps))


SCORES = StepReport("a.S", "", Verdict.RIGHT, Fraction(2), Fraction(2))
SUMS = StepReport("a.sum", "", Verdict.WRONG)  # inside a step: listed where it is written, and worth nothing
BLANK = StepReport("a.sum", "", Verdict.NOT_WRITTEN)

CASES = [
    ((SCORES,), (SUMS, SCORES), ["a.sum not written 0 of 0 -> wrong 0 of 0"]),
    ((SUMS, SCORES), (SCORES,), ["a.sum wrong 0 of 0 -> not written 0 of 0"]),
    ((BLANK, SCORES), (SCORES,), []),
    ((), (SCORES,), ["a.S is new: right 2 of 2"]),
    ((SCORES,), (), ["a.S is no step any more: was right 2 of 2"]),
]


@pytest.mark.parametrize("before, after, told", CASES)
def test_what_is_not_listed_was_not_written(
    before: tuple[StepReport, ...], after: tuple[StepReport, ...], told: list[str]
) -> None:
    assert told == list(differences(graded(*before), graded(*after)))
