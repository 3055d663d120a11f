"""Marks: method, accuracy, follow-through, implied steps and marks by hand; hints that give nothing away."""

import json
import re
from fractions import Fraction
from functools import cache
from random import Random

import pytest
from verifier.students import calculate, off_by

from attnsolve import batch
from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.rendering.dialects import PRINTED
from attnsolve.rendering.feedback import feedback
from attnsolve.rendering.notes import slip_words
from attnsolve.report import Report, StepReport
from attnsolve.scheme import Scheme
from attnsolve.verifier.marking.step_marks import Marking
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.verification import Verifier

IST, EECS, HOMEWORK = "ist-practical-10", "eecs182-discussion-8", "ai539-homework-4"
NUMBER = re.compile(r"\d+(?:\.\d+)?")


@cache
def verifier(name: str, scheme: Scheme | None = None) -> Verifier:
    """A solved problem and its judge."""
    return Verifier(batch.solved(batch.find(name)), scheme)


def judged(name: str, typed: str, scheme: Scheme | None = None) -> Report:
    """The report on a typed answer."""
    return verifier(name, scheme).verify(read_submission(typed))


def step(report: Report, name: str) -> StepReport:
    """The report on one step."""
    return next(one for one in report.steps if one.name == name)


# The homework gives queries 1, keys 2, values 1, scores 2, weights 2, output 2; half of it is for the method.
MARKS = [
    ("a.S .5 -2.5 3.5", "a.S", "2"),
    ("a.S .5 2.5 3.5", "a.S", "1"),  # one slip of three numbers: the method is there
    ("a.S 7 8 9", "a.S", "0"),
    ("a.S .5 2.5 3.5 ; a.T .25 1.25 1.75 ; a.A .1206 .3278 .5405", "a.S", "1"),
    ("a.A .18 .04 .79", "a.A", "2"),  # too few digits are told, but these show what was done
    ("a.A .18 0 .79", "a.A", "1"),  # 0 beside .18 is 0.00, and 0.0391 is not; one slip of three
    ("a.A .1753 .0391 .7856", "a.A", "2"),
    ("a.A .2 .1 .7 ; a.Z 3.2 1.4", "a.Z", "2"),  # follows: 4·0.7 + 2·0.2 = 3.2 and 2·0.2 + 3·0.1 + 0.7 = 1.4
    ("a.Z 3.4930 1.2535", "a.A", "2"),  # who has the output must have had the weights
    ("a.Z 3.4930 1.2535", "a.K", "2"),
    ("a.K ok", "a.Q", "0"),  # the keys need no query
    ('a.A 9 9 9 ; mark a.A 1/2 "method clear"', "a.A", "1"),
    ('mark a.S 2 "on paper"', "a.S", "2"),
    ("a.A .1753 .0391 .7856 ; mark a.A 0", "a.A", "0"),
    ("mark a.A 7", "a.A", "2"),  # no more than there is
]


@pytest.mark.parametrize(("typed", "name", "earned"), MARKS)
def test_step_earns(typed: str, name: str, earned: str) -> None:
    assert Fraction(earned) == step(judged(HOMEWORK, typed), name).earned


def test_whole_right_calculation_earns_everything() -> None:
    judge = verifier(HOMEWORK)
    report = judge.verify(calculate(judge.trace, 4))
    assert report.possible == report.earned == 10


def test_nothing_written_earns_nothing() -> None:
    assert 0 == judged(HOMEWORK, "").earned


def test_follow_through_is_worth_the_method_where_the_scheme_says_so() -> None:
    typed = "a.A .2 .1 .7 ; a.Z 3.2 1.4"
    assert 1 == step(judged(HOMEWORK, typed, Scheme(follow_through=False)), "a.Z").earned


def test_cut_off_numbers_are_wrong_where_the_scheme_says_so() -> None:
    typed = "a.S ok ; a.T ok ; a.A .1752 .0391 .7855"  # 0.17529…, 0.03911…, 0.78559…
    assert "right" == step(judged(HOMEWORK, typed), "a.A").verdict
    assert "wrong" == step(judged(HOMEWORK, typed, Scheme(truncation=False)), "a.A").verdict


def test_override_is_told_with_its_reason() -> None:
    report = judged(HOMEWORK, 'a.A 9 9 9 ; mark a.A 1/2 "method clear"')
    assert "Marked by hand: method clear." in feedback(verifier(HOMEWORK).trace, report).text


TYPED = [
    (HOMEWORK, "a.S .5 2.5 3.5 ; a.T .25 1.25 1.75"),
    (HOMEWORK, "a.A .18 .04 .79"),
    (IST, "a.S -4.5 0 4.5 0"),
    (EECS, "a.S 1054 825 -396 ; c.A 1 0 0 ; c.Z 23 46"),
    (IST, 'a.A 9 9 9 9 ; mark a.A 1/2 "method clear"'),
]


@pytest.mark.parametrize(("name", "typed"), TYPED)
def test_mark_is_the_same_in_every_output(name: str, typed: str) -> None:
    trace, report = verifier(name).trace, judged(name, typed)
    record = json.loads(json.dumps(report.record()))
    assert Fraction(record["earned"]) == sum(Fraction(one["earned"]) for one in record["steps"])
    assert Fraction(record["earned"]) == report.earned
    total = f"{report.earned} of {report.possible}"
    assert report.earned.denominator == 1
    for to in ("text", *PRINTED):
        assert total in feedback(trace, report, to=to).text


# A wrong calculation of each kind; its own numbers may be shown again, those of the solution not.
HINTED = [
    (IST, "a.S -4.5 0 4.5 0"),
    (IST, "a.T 1.5 0 1.5 0"),
    (IST, "b.Q -9/4 9/2; 5/4 7; -5/4 19/4; -11/4 -7/2"),
    (IST, "b.Z -0.7502 -1.5005; -2.3182 -6.6826; -0.9606 -2.1341; -0.7499 -1.4998"),
    (HOMEWORK, "a.A .1573 .0391 .7856"),
    (EECS, "a.S 1054 825 -396"),
]


def hint(name: str, typed: str, level: int, to: str = "text") -> str:
    """What a student is told at a level, without the title."""
    told = feedback(verifier(name).trace, judged(name, typed), to=to, hints=level).text
    return told.split("\n", 1)[1]


@pytest.mark.parametrize(("name", "typed"), HINTED)
def test_hints_tell_no_more_than_they_may(name: str, typed: str) -> None:
    found = judged(name, typed).first_wrong
    assert found is not None and found.cell is not None
    place = f"{found.name}["
    assert [] == NUMBER.findall(hint(name, typed, 1))
    assert place in hint(name, typed, 2)
    for level in (1, 2, 3):
        said = hint(name, typed, level)
        assert found.expected not in re.sub(r"\[[0-9, ]+\]", "", said).replace(found.typed, "")
        assert "should be" not in said
    slip = slip_words(found.slips) or (found.mistakes[0].advice if found.mistakes else "")
    for level in (1, 2):
        assert not slip or slip not in hint(name, typed, level)
    assert slip in hint(name, typed, 3)
    assert f"should be {found.expected}" in hint(name, typed, 4)


@pytest.mark.parametrize("name", [IST, HOMEWORK, EECS, "lab-5-self-attention", "tokens-as-columns"])
def test_first_hint_has_no_number_of_the_solution(name: str) -> None:
    judge = verifier(name)
    plan = {call.out for call in judge.trace.problem.calls()}
    rights = {
        cell.rounded(4).fraction
        for one in judge.trace.steps
        for _, _, cell in one.value.cells()
        if one.call.out in plan
    }
    for one in judge.trace.steps:
        if one.call.out not in plan or one.call.op.name in ("argmax", "select"):
            continue
        slipped = calculate(judge.trace, 4, slip=(one.call.out, off_by(0, 0, Fraction(3))))
        said = feedback(judge.trace, judge.verify(slipped), hints=1).text.split("\n", 1)[1]
        assert one.call.out in said
        told = {Fraction(number) for number in NUMBER.findall(said.replace(one.call.out, ""))}
        assert set() == told & rights


SLIPS = """
format: 1
title: Three keys
places: 2
given: {q: 1 2, K: 3 0; 1 1; -1 1, V: 3 0; 0 3; 3 6}
parts:
  - ask: Find the output.
    attend: {queries: q, keys: K, values: V, divide_by: none}
    marks: {scores: 2, weights: 2, output: 2}
"""


# Scores 3 3 1; with 3 for the 1 all are the same: weights of a third, output 2 3.
@pytest.mark.parametrize(
    ("typed", "marks"),
    [
        ("a.S 3 3 3 ; a.A .33 .33 .33 ; a.Z 2 3", "1 2 2"),  # one slip, which costs once
        ("a.S 1 1 1 ; a.A .33 .33 .33 ; a.Z 2 3", "0 0 0"),  # nobody has worked this out
        ("a.S 0 0 0 ; a.A .33 .33 .33 ; a.Z 2 3", "0 0 0"),
    ],
)
def test_a_slip_that_makes_all_numbers_the_same_costs_once(typed: str, marks: str) -> None:
    report = Verifier(solve(loads(SLIPS))).verify(read_submission(typed))
    assert marks == " ".join(str(step(report, name).earned) for name in ("a.S", "a.A", "a.Z"))


@pytest.mark.parametrize("name", [IST, EECS, "encoder-block"])
def test_what_is_seen_at_a_glance_to_be_done_has_the_marks_that_all_of_the_way_back_gives(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace, random = verifier(name).trace, Random(name)
    names = [call.out for call in trace.problem.calls()]
    wrong = (random.choice(names[: len(names) // 2]), off_by(0, 0, Fraction(3)))
    for slip in (None, None, None, wrong, wrong):
        write = [out for out in names if random.randrange(3)]
        somebody = calculate(trace, 4, write=write, slip=slip)
        at_a_glance = Verifier(trace).verify(somebody)
        with monkeypatch.context() as slowly:
            slowly.setattr(Marking, "are_shown", lambda *_: False)
            assert Verifier(trace).verify(somebody) == at_a_glance
