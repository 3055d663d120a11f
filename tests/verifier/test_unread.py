"""Places that could not be read: they are never right, whatever stands beside them."""

from fractions import Fraction
from functools import cache

import pytest

import attnsolve
from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.report import Report, StepReport, Verdict
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.verification import Verifier

# T = 1 2 3, U = 100 200 300.
THIRDS = """
format: 1
title: a third, a hundred times
given: {S: 3 6 9}
parts:
  - ask: a hundred times a third
    plan: [{T: 'divide(S, 3)'}, {U: 'multiply(T, 100)'}]
    marks: {T: 3, U: 3}
"""
UNREADABLE = ("?", "foo", "2x3x(", "~~2~~ foo")


@cache
def verifier() -> Verifier:
    return Verifier(solve(loads(THIRDS)))


def judged(typed: str) -> Report:
    return verifier().verify(read_submission(typed))


def step(report: Report, name: str) -> StepReport:
    return next(step for step in report.steps if step.name == name)


@pytest.mark.parametrize(
    ("typed", "name", "verdict", "earned", "code"),
    [
        ("a.T 1 2 3", "a.T", "right", 3, 0),
        ("a.T 1 - 3", "a.T", "right", 2, 0),  # a blank is not there; what is there is right
        ("a.T 1 ? 3", "a.T", "right as far as read", 2, 4),
        ("a.T 1 foo 3", "a.T", "right as far as read", 2, 4),
        ("a.T ? ? ?", "a.T", "not read", 0, 4),
        ("a.T 2 2 3 ; a.U 200 foo 300", "a.U", "follows as far as read", 2, 1),
        ("a.T 4 5 foo", "a.T", "wrong", 0, 1),
        ("a.T ok ; a.T[2] ?", "a.T", "right as far as read", 2, 4),  # also in what a person has seen
        ("a.T ok ; a.T[2] 2", "a.T", "right", 3, 0),
        # What comes after it shows that all of it was done; a person has to look at it all the same.
        ("a.T 1 foo 3 ; a.U 100 200 300", "a.T", "right as far as read", 3, 4),
        ("a.U 100 foo 300", "a.T", "not written", 2, 4),
    ],
)
def test_a_step_with_an_unread_place_is_right_as_far_as_it_was_read(
    typed: str, name: str, verdict: str, earned: int, code: int
) -> None:
    report = judged(typed)
    found = step(report, name)
    assert (verdict, earned, code) == (found.verdict, found.earned, report.exit_code)


@pytest.mark.parametrize("unreadable", UNREADABLE)
@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize("before", ["", "a.T 1 2 3 ; ", "a.T 1 2 4 ; ", "a.T ok ; "])
def test_no_unread_place_is_counted_as_right(before: str, place: int, unreadable: str) -> None:
    numbers = ["100", "200", "400" if "4" in before else "300"]
    numbers[place] = unreadable
    report = judged(f"{before}a.U {' '.join(numbers)}")
    found = step(report, "a.U")
    assert found.verdict not in (Verdict.RIGHT, Verdict.FOLLOWS)
    assert found.earned == Fraction(2)  # two of three places
    assert report.exit_code != 0
    kept = report.record()["steps"][1]
    assert (str(found.verdict), True) == (kept["verdict"], kept["partly_unread"])


def test_a_row_without_a_number_is_no_answer() -> None:
    """`S |` is an empty row of a table: nothing is written there, and nothing falls over it."""
    report = attnsolve.verify("ist-practical-10", "a.S |")
    scores = next(step for step in report.steps if step.name == "a.S")
    assert ("not written", 0) == (scores.verdict.value, scores.earned)
