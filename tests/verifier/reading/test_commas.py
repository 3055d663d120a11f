"""`1,500`: a decimal where it can be nothing else, and not read where it may be a thousand and a half."""

from fractions import Fraction

import pytest
from noted import words

from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.report import StepReport
from attnsolve.submission import State, Written
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.reading.budget import Budget
from attnsolve.verifier.reading.numbers import read_number
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
        (4, "3; 5", "a.T 1,500; 2.5", "right as far as read"),  # the 2.5; the other is left open
        (3, "3000", "a.T 1,500", "not read"),  # here it may be 1500, which is right
        (3, "3; 3000", "a.T 1,500; 1500", "right as far as read"),
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
    assert 3 == second.rows[0][0].places


def test_hint_is_given_once_to_a_person() -> None:
    answers = read_submission("A 0,284 0,716 ; Z 1,500 1,436 ; S ~~2~~ 0,5 1,5").answers
    told = [words(written.notes) for answer in answers for row in answer.rows for written in row]
    hint = "'0,284' was read as 0.284; decimals use a point"
    assert [(hint,), (), (), (), ("2 was struck out",), ()] == told


FORMS = [
    ("2,72/18,5 1/2", ["136/925", "1/2"]),  # blanks separate the numbers
    ("2,72/18,5 ; Z 0,5", ["136/925"]),  # its writer has decimal commas
    ("1/18,5 ; Z 0,5", ["2/37"]),
    ("3*(0,5+1)", ["9/2"]),
    ("1/2,1/3", ["1/2", "1/3"]),  # nobody divides twice in a row
    ("[1/2,5]", ["1/2", "5"]),  # a list
    ("1/2,0,1/2", ["1/2", "0", "1/2"]),
    ("1/18,5", ["?"]),  # 1/18.5, or 1/18 and 5
    ("2,72/18,5", ["?"]),
    ("log(2,8)", ["?"]),  # 2 may be the base
    ("1/(1,500+1)", ["?"]),
    ("1/(1,500+1) ; Z 0,5", ["2/5"]),
]


@pytest.mark.parametrize(("typed", "expected"), FORMS)
def test_comma_in_a_form(typed: str, expected: list[str]) -> None:
    row = read_submission(f"A {typed}").answers[0].rows[0]
    assert expected == ["?" if written.state is State.UNREAD else str(value(written)) for written in row]


def test_form_with_commas_stands_for_the_same_as_with_points() -> None:
    comma, point = (read_number(typed, Budget()) for typed in ("e^2,59", "e^2.59"))
    assert comma.ball.overlaps(point.ball)
    assert comma.ball.rad() == point.ball.rad()


@pytest.mark.parametrize("typed", ["A 1 2 ; Z 1,500 1,436", "A 0.5 ; Z 1,500", "A 0,5 ; Z 1,000.5"])
def test_without_one_it_is_not_read(typed: str) -> None:
    assert "unread" == read_submission(typed).answers[1].rows[0][0].state


def value(written: Written) -> Fraction | None:
    return None if written.cell is None else written.cell.rational()
