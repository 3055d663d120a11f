"""Questions without steps: not judged, marked by a person, and in every sum of marks."""

import json
from fractions import Fraction
from functools import cache

import pytest
from noted import words
from verifier.students import calculate

from attnsolve import batch
from attnsolve.bundled import problems_with_numbers
from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.rendering.feedback import feedback
from attnsolve.rendering.feedback_records import hints_record
from attnsolve.rendering.markscheme import scheme_view
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.submissions import understood
from attnsolve.report import Report, StepReport, Verdict
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.verification import Verifier

MASKS = "causal-self-attention"  # (f), worth 2, is answered in words
# (a) is called like the weights, and has no steps; (c) has no marks.
MIXED = """\
format: 1
title: Words and numbers
places: 2
given: {q: 1 2, K: 1 0; 0 1, V: 2 0; 0 4}
parts:
  - {id: a, ask: Why scale?, discuss: So that softmax is not hard., marks: 3}
  - id: b
    ask: Find the output.
    attend: {queries: q, keys: K, values: V, divide_by: none}
    marks: {scores: 2, weights: 2, output: 1}
  - {id: c, ask: Why not?, discuss: Because.}
"""
WITHOUT_MARKS = MIXED.replace(", marks: 3", "").replace("    marks: {scores: 2, weights: 2, output: 1}\n", "")


@cache
def verifier(name: str) -> Verifier:
    """A solved problem and its judge."""
    return Verifier(batch.solved(batch.find(name)))


@cache
def verifier_of(text: str) -> Verifier:
    """The judge of a problem in a text."""
    return Verifier(solve(loads(text)))


def entry(report: Report, name: str = "f") -> StepReport:
    """What is said of one question or step."""
    return next(step for step in report.steps if step.name == name)


def judged(typed: str) -> Report:
    """The report on answers about masks."""
    return verifier(MASKS).verify(read_submission(typed))


def test_a_question_waits_and_is_never_wrong() -> None:
    report = judged("")
    waiting = entry(report)
    assert ("not judged", 0, 2, True) == (
        waiting.verdict,
        waiting.earned,
        waiting.possible,
        waiting.waits,
    )
    assert waiting.verdict in Verdict
    assert (None, 0, ()) == (report.first_wrong, report.exit_code, report.unread)
    assert report.steps[-1] is waiting


def test_a_right_calculation_without_words_exits_with_0_and_a_wrong_one_still_with_1() -> None:
    judge = verifier(MASKS)
    report = judge.verify(calculate(judge.trace, 4))
    assert (19, 21, 0) == (report.earned, report.possible, report.exit_code)
    assert 1 == judged("a.S 9 9 9 ; 9 9 9 ; 9 9 9").exit_code


# What is typed, the marks of (f), and the reason.
MARKS = [
    ('mark f 2 "good"', "2", "good"),
    ('mark f 1/2 "half of it"', "1", "half of it"),
    ("mark f 0.5", "1/2", ""),
    ('mark f 0 "beside the point"', "0", "beside the point"),
    ("mark f 7", "2", ""),
    ("f ok", "2", ""),
    ('f ok ; mark f 1 "but"', "1", "but"),
    ('mark f 1 "but" ; f ok', "1", "but"),
]


@pytest.mark.parametrize(("typed", "earned", "reason"), MARKS)
def test_a_person_marks_it(typed: str, earned: str, reason: str) -> None:
    report = judged(typed)
    found = entry(report)
    assert (Fraction(earned), reason, False) == (found.earned, found.reason, found.waits)
    assert () == report.unread
    assert Fraction(earned) == report.earned


def test_more_than_there_is_is_cut_and_told() -> None:
    assert ("7 was given by hand, but 2 is the most there is",) == words(entry(judged("mark f 7")).notes)


def test_a_mark_for_nothing_that_there_is_hears_of_the_question() -> None:
    assert str(judged("mark g 2").unread[0]).endswith("e.Z, and for marks by hand a, b, c, d, e, f")


# Each with what is kept of it.
TYPED = [
    (
        "f Because a hidden score has e^0 = 1 of the sum",
        "Because a hidden score has e^0 = 1 of the sum",
    ),
    ("f: 2", "2"),
    # Below a heading there is no name before the words.
    ("(f) Because a hidden score counts", "Because a hidden score counts"),
    ("f) Because of e[1, 2]", "Because of e[1 2]"),
    ("(f)\nBecause a hidden score\ncounts one", "Because a hidden score counts one"),
    ("(F)\nIt is ok", "It is ok"),
    ("(a)\nA ok\n(f)\nBecause of it", "Because of it"),
    ("f -", ""),
    ('{"f": "It keeps 0.5, which is wrong"}', "It keeps 0.5, which is wrong"),
]


@pytest.mark.parametrize(("typed", "kept"), TYPED)
def test_what_is_typed_for_it_is_kept_and_not_judged(typed: str, kept: str) -> None:
    report = judged(typed)
    found = entry(report)
    assert (kept.replace(",", ""), "not judged") == (found.typed.replace(",", ""), found.verdict)
    assert ((), 0) == (report.unread, report.exit_code)


def test_numbers_of_a_step_below_the_heading_of_a_question_are_no_words() -> None:
    report = judged("(f)\na.S 4 0 0; 2 4 4; 1 2 2")
    scores = next(step for step in report.steps if step.name == "a.S")
    assert ("", "right") == (entry(report).typed, scores.verdict)


@pytest.mark.parametrize(
    ("typed", "name", "earned"),
    [
        ("(a)\nmark S 1", "a.S", 1),
        ("(a)\nS 4 0 0; 2 4 4; 1 2 2\nmark S 1", "a.S", 1),
        ("(a)\nmark f 1", "f", 1),  # a part is called by its own name anywhere
    ],
)
def test_a_mark_below_a_heading_is_for_that_part(typed: str, name: str, earned: int) -> None:
    report = judged(typed)
    assert () == report.unread
    assert [(name, earned)] == [(step.name, step.earned) for step in report.steps if step.overridden]


def test_words_are_shown_as_words() -> None:
    judge, submission = verifier(MASKS), read_submission("a.A ok ; f Because of it")
    assert "f    Because of it" == understood(judge.as_understood(submission)).splitlines()[-1]


def test_a_step_that_is_called_like_a_question() -> None:
    judge = verifier_of(MIXED)
    numbers = judge.verify(read_submission("a .27 .73"))
    assert ("right", "") == (entry(numbers, "b.A").verdict, entry(numbers, "a").typed)
    words = judge.verify(read_submission("a It gets too hard"))
    assert ("not written", "It gets too hard") == (entry(words, "b.A").verdict, entry(words, "a").typed)
    marked = judge.verify(read_submission("mark a 2 ; mark b.A 1"))
    assert (2, 1) == (entry(marked, "a").earned, entry(marked, "b.A").earned)


def test_questions_stand_where_the_sheet_has_them_and_only_with_marks() -> None:
    names = [step.name for step in verifier_of(MIXED).verify(read_submission("")).steps]
    assert "a" == names[0]
    assert "b.S" in names[1:]
    assert "c" not in names


def test_a_problem_without_marks_has_no_entry() -> None:
    report = verifier_of(WITHOUT_MARKS).verify(read_submission(""))
    assert all(step.name.startswith("b.") for step in report.steps)


@pytest.mark.parametrize("path", problems_with_numbers(), ids=lambda path: path.stem)
def test_paper_mark_scheme_and_report_have_the_same_sum(path) -> None:  # type: ignore[no-untyped-def]
    trace = batch.solved(path)
    printed = sum(part.total for part in trace.problem.parts)
    assert printed == Verifier(trace).verify(read_submission("")).possible
    parts = scheme_view(trace, Settings()).parts
    assert [str(part.total) for part in trace.problem.parts] == [part.marks for part in parts]


def slip(typed: str, **choices: object) -> str:
    """What somebody gets to read."""
    return feedback(verifier(MASKS).trace, judged(typed), **choices).text  # type: ignore[arg-type]


def test_a_slip_says_that_a_person_marks_it() -> None:
    text = slip("a.A ok")
    assert "  f (Why not 0): answered in words; marked by a person  [– of 2]\n" in text
    assert text.endswith("  marks: 5 of 21; f is not marked yet\n")


def test_a_slip_has_the_mark_and_the_reason() -> None:
    text = slip('f Because ; mark f 1 "half"')
    assert (
        "  f (Why not 0): answered in words  [1 of 2]\n"
        "      Read as: “Because”\n      Marked by hand: half.\n  marks: 1 of 21\n"
    ) in text
    assert "**Part (f), Why not 0:** answered in words [1 of 2]" in slip("mark f 1", to="markdown")


def test_a_question_of_costs_is_answered_in_formulas() -> None:
    judge = verifier("lab-5-costs")
    text = feedback(judge.trace, judge.verify(read_submission(""))).text
    assert "  d (Counting): answered in formulas; marked by a person  [– of 6]\n" in text
    assert "d, e, f, g, h are not marked yet" in text


@pytest.mark.parametrize("level", [1, 2, 3, 4])
@pytest.mark.parametrize("typed", ["a.A ok ; f Because", "a.S 9 9 9 ; 9 9 9 ; 9 9 9\nf ok", "mark f 1"])
def test_hints_do_not_speak_of_it(typed: str, level: int) -> None:
    assert "Why not 0" not in slip(typed, hints=level)
    made = hints_record(verifier(MASKS).trace, judged(typed), level)
    assert "f" not in {step["name"] for step in made["steps"]}


def test_json_has_it() -> None:
    made = json.loads(json.dumps(judged('mark f 1/2 "half"').record()))
    found = made["steps"][-1]
    assert ("f", "not judged", "1", "2", "half") == (
        *(found[key] for key in ("name", "verdict", "earned", "possible", "reason")),
    )
    assert ("1", "21") == (made["earned"], made["possible"])
