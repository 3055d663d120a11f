"""Answers to a problem set: each finds its exercise, each exercise is judged by itself, marks add up."""

# ruff: noqa: E501 (messages are quoted whole)

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from attnsolve.engine import solve_asked
from attnsolve.errors import UsageError
from attnsolve.loader.asked import loads_asked
from attnsolve.problem_set import Pool
from attnsolve.rendering.dialects import PRINTED
from attnsolve.rendering.feedback import feedback
from attnsolve.rendering.feedback_records import report_record
from attnsolve.rendering.submissions import understood
from attnsolve.report import Report, Verdict
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.set_verification import SetVerifier, verifier_of

ROOT = Path(__file__).parents[2]
# Exercise 2 prints queries as columns, the others have tokens as rows; exercise 3 has one part.
SOLVED = solve_asked(
    loads_asked(
        """format: 1
title: Sheet
exercises:
  - ist-practical-10.yaml
  - {file: eecs182-discussion-8.yaml, points: 10}
  - {file: ist-practical-10.yaml, parts: [a]}
""",
        name="sheet",
        folder=ROOT / "problems",
    )
)
JUDGE = SetVerifier(SOLVED)
# Each with the step or the part it is for.
MARKS = [
    ("mark 1b.A 1", "1b.A"),
    ("Exercise 1\n(b)\nmark A 1", "1b.A"),
    ("1 (b)\nmark A 1", "1b.A"),
    ("Exercise 1\nmark b.A 1", "1b.A"),
    ("Exercise 1\n(b)\nmark 3.A 1", "3.A"),
]
WEIGHTS = ".4654 .0346 .4654 .0346"  # of Practical 10, as tests/golden.json has them


def judged(text: str, **choices: str) -> Report:
    return JUDGE.verify(read_submission(text, **choices))


def verdicts(report: Report) -> dict[str, Verdict]:
    """What was written, by its name in the set."""
    silent = (Verdict.NOT_WRITTEN, Verdict.NOT_JUDGED)
    return {step.name: step.verdict for step in report.steps if step.verdict not in silent}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (f"1a.A {WEIGHTS}", "1a.A"),
        (f"1A.A {WEIGHTS}", "1a.A"),
        (f"3.A {WEIGHTS}", "3.A"),
        (f"3a.A {WEIGHTS}", "3.A"),
        (f"3.weights {WEIGHTS}", "3.A"),
        (f"Exercise 3\nA {WEIGHTS}", "3.A"),
        (f"Exercise 3: One query, four tokens\nA = {WEIGHTS}", "3.A"),
        (f"Problem 1\n(a)\nA {WEIGHTS}", "1a.A"),
        (f"Exercise 1\na.A {WEIGHTS}", "1a.A"),
        (f"1 (a)\nA {WEIGHTS}", "1a.A"),
        (f"1(a) A = {WEIGHTS}", "1a.A"),
        (f"Exercise 1, part (a):\nA {WEIGHTS}", "1a.A"),
        (f"1a)\nA {WEIGHTS}", "1a.A"),
        (f"Question 1a\nA {WEIGHTS}", "1a.A"),
        (f"Exercise 1\n(b)\nExercise 3\nA {WEIGHTS}", "3.A"),
        (f"Exercise 3\n1a.A {WEIGHTS}", "1a.A"),
        ("(c)\nhead2.Q[1] -.5 -.5", "1c.head2.Q"),
        ("1b.Z[1] -0.7522 -1.5067", "1b.Z"),
        ("2a.S 1054 852 -396", "2a.S"),
        ("2 (a)\nS 1054 852 -396", "2a.S"),
        ('{"answers": {"2a.S": [1054, 852, -396]}}', "2a.S"),
        ("answers:\n  2a:\n    S: 1054 852 -396\n", "2a.S"),
        ("answers:\n  2: {a: {S: 1054 852 -396}}\n", "2a.S"),
        ("student;2a.S\n17;1054 852 -396\n", "2a.S"),
    ],
)
def test_an_answer_finds_its_exercise(text: str, name: str) -> None:
    report = judged(text)
    assert ({name: Verdict.RIGHT}, ()) == (verdicts(report), report.unread)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"A {WEIGHTS}", "line 1: A: more than one exercise has such a value; write the exercise before it, such as 1a.A"),
        (f"4.A {WEIGHTS}", "line 1: 4.A: there is no exercise 4; there are 3"),
        (f"Exercise 7\nA {WEIGHTS}", "line 2: A: there is no exercise 7; there are 3"),
        (f"1f.A {WEIGHTS}", "line 1: 1f.A: there is no part f in exercise 1; its parts are a, b, c"),
        ("mark 1 3", "line 1: mark 1: which part of exercise 1? write 1a"),
        ("nonsense 1 2", "line 1: nonsense: no exercise has a value of this name; write the exercise before it, such as 1a.A"),
        (f"1.A {WEIGHTS}", "exercise 1, line 1: A: this may be a.A or b.A"),
    ],
)  # fmt: skip
def test_what_belongs_to_no_exercise_is_told(text: str, said: str) -> None:
    report = judged(text)
    assert {} == verdicts(report)
    assert [said] == [str(why)[: len(said)] for why in report.unread]


def test_marks_add_up_by_exercise() -> None:
    """Part a of Practical 10 has 2 + 2 + 1 marks, in exercise 1 and in exercise 3; 10 points are 14 marks."""
    report = judged(
        f'1a.S 4.5 0 4.5 0\n1a.A {WEIGHTS}\n3.S 4.5 0 4.5 0\n2c.Z 23 46\nmark 2d 1/2 "half"\nmark 1b 3'
    )
    record = report_record(SOLVED, report)
    possible = {"1": "19", "2": "10", "3": "5"}
    assert possible == {str(one["number"]): one["possible"] for one in record["exercises"]}
    earned = [Fraction(one["earned"]) for one in record["exercises"]]
    assert (4 + 3, 2) == (earned[0], earned[2])
    assert report.earned == sum(earned)
    assert 34 == report.possible
    assert Fraction(1, 2) == report.earned_in("2d")  # of the one mark that 2 of 14 are of 10


def test_a_mistake_is_named_where_it_was_made() -> None:
    """All of the weight on the two largest scores, which is what argmax would do."""
    report = judged("3.S 4.5 0 4.5 0\n3.A .5 0 .5 0")
    named = next(step for step in report.steps if step.name == "3.A")
    assert all(one.at.startswith("3.") for one in named.mistakes if one.at)
    assert named.verdict.is_off


def test_the_place_is_counted_as_the_exercise_counts() -> None:
    """In exercise 2, columns ask: the key of the third state is the third column, its first number in row 1."""
    record = report_record(SOLVED, judged("2a.K 1 3 7; 30 24 -12"))
    step = next(step for step in record["steps"] if step["name"] == "2a.K")
    assert re.fullmatch(r"2a\.K\[\d, \d\]", step["place"])
    assert step["place"].startswith("2a.K[1, 3]")


@pytest.mark.parametrize("to", ["text", *PRINTED])
def test_a_slip_has_the_marks_of_each_exercise(to: str) -> None:
    text = feedback(SOLVED, judged(f"1a.A {WEIGHTS}\n3.S 1 2 3 4"), to=to).text.replace("\\", "")
    assert ["Exercise 1", "Exercise 2", "Exercise 3"] == re.findall(r"Exercise \d(?=: [^\n]* of )", text)


def test_a_hint_speaks_of_the_first_wrong_step_of_all() -> None:
    text = feedback(SOLVED, judged(f"1a.A {WEIGHTS}\n3.S 1 2 3 4\n3.A .1001 .2001 .3001 .3997"), hints=2).text
    assert "3.S" in text and "3.A" not in text and "look at this again" in text


def test_answers_are_shown_by_exercise() -> None:
    submission = read_submission(f"3.A {WEIGHTS}\n1 (a)\nZ 1 2 3\nmark 2d 1")
    shown = understood(JUDGE.as_understood(submission))
    assert [["(1a)", "Z"], ["3.A"], ["mark", "2d"]] == [
        re.findall(r"\(1a\)|\bZ\b|3\.A|mark|2d", line) for line in shown.splitlines()
    ]


def test_cut_off_decimals_may_be_wrong() -> None:
    cut = "1c.head2.T[1, 1] 0.3535"  # ½/√2 = 0.35355…
    assert {"1c.head2.T": Verdict.RIGHT} == verdicts(judged(cut))
    strict = SetVerifier(SOLVED, truncation=False).verify(read_submission(cut))
    assert {"1c.head2.T": Verdict.WRONG} == verdicts(strict)


def test_answers_to_a_pool_need_a_paper() -> None:
    asked = replace(SOLVED.problem, pools=(Pool(1, (1, 2)),))
    with pytest.raises(UsageError, match="'sheet' has a pool, and who has which of its exercises is decided"):
        verifier_of(replace(SOLVED, problem=asked))


@pytest.mark.parametrize(("text", "name"), MARKS)
def test_a_mark_belongs_where_the_headings_above_it_say(text: str, name: str) -> None:
    report = judged(text)
    assert ((), [name]) == (report.unread, [step.name for step in report.steps if step.overridden])
