"""`1,500`: a decimal where it can be nothing else, and not read where it may be a thousand and a half."""

from fractions import Fraction

import pytest
from noted import words

from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.report import StepReport
from attnsolve.submission import Written
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.verification import Verifier

HALVES = """
format: 1
title: halves
places: %s
given: {S: %s}
parts:
  - ask: half of it
    plan: [{T: 'divide(S, 2)'}]
"""
HINT = "'1,500' was read as 1.500; decimals use a point"


def judged(places: int, given: str, typed: str) -> StepReport:
    report = Verifier(solve(loads(HALVES % (places, given)))).verify(read_submission(typed))
    return next(step for step in report.steps if step.name == "a.T")


@pytest.mark.parametrize(
    ("places", "given", "typed", "verdict"),
    [
        (3, "3", "a.T 1,500", "right"),
        (3, "-3", "a.T −1,500", "right"),
        (3, "5", "a.T 1,500", "wrong"),
        (3, "3; 1", "a.T 1,500; 0,500", "right"),
        (4, "3; 1", "a.T 1,500; 0,500", "right"),  # 0,500 is no thousand, so its writer has decimal commas
        (4, "3; 5", "a.T 1,500; 2,5", "right"),
        (4, "3", "a.T 1,500", "not read"),
        (2, "3", "a.T 1,500", "not read"),
        (4, "3; 5", "a.T 1,500; 2.5", "right"),  # the 2.5; the other is left open
        (3, "3000", "a.T 1,500", "not read"),  # here it may be 1500, which is right
        (3, "3; 3000", "a.T 1,500; 1500", "right"),
    ],
)
def test_comma_before_three_digits(places: int, given: str, typed: str, verdict: str) -> None:
    assert verdict == judged(places, given, typed).verdict


@pytest.mark.parametrize(
    ("places", "given", "typed", "is_read"),
    [
        (3, "3; 5", "a.T 1,500; 2.500", True),
        (4, "3; 5", "a.T 1,500; 2,5", True),
        (4, "3; 5", "a.T 1,500; 2.5", False),
        (3, "3; 3000", "a.T 1,500; 1500", False),
    ],
)
def test_number_is_read_with_the_usual_hint_or_left_open(
    places: int, given: str, typed: str, is_read: bool
) -> None:
    assert is_read == (HINT in words(judged(places, given, typed).notes))


def test_decimal_comma_in_another_answer_of_the_same_person_counts() -> None:
    first, second = read_submission("A 0,284 0,716 ; Z 1,500 1,436").answers
    assert [Fraction(71, 250), Fraction(3, 2)] == [value(first.rows[0][0]), value(second.rows[0][0])]
    assert (3, (HINT,)) == (second.rows[0][0].places, words(second.rows[0][0].notes))


@pytest.mark.parametrize("typed", ["A 1 2 ; Z 1,500 1,436", "A 0.5 ; Z 1,500", "A 0,5 ; Z 1,000.5"])
def test_without_one_it_is_not_read(typed: str) -> None:
    assert "unread" == read_submission(typed).answers[1].rows[0][0].state


def value(written: Written) -> Fraction | None:
    return None if written.cell is None else written.cell.rational()
