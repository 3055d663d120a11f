"""Too few digits: what is lost for them, which steps before them they still show, and where none."""

from fractions import Fraction
from functools import cache

import pytest
from noted import words

from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.verification import Verifier

# 2/3 = 0.66666…, times a hundred; each step has a mark for its method and one for its numbers.
THIRDS = """
format: 1
title: two thirds of a hundred
given: {S: 2}
parts:
  - ask: a hundred times two thirds
    plan: [{T: 'divide(S, 3)'}, {U: 'multiply(T, 100)'}]
"""
# Scores 1 and 0, scaled .7071 and 0: weights e^.7071 / (1 + e^.7071) = 2.0281 / 3.0281 = 0.6698 and 0.3302.
# Unscaled they are e / (1 + e) = 0.7311 and 0.2689: to one place the same.
TWO_KEYS = """
format: 1
title: two keys
given: {q: 1, K: 1; 0, V: 1; 0}
parts:
  - ask: Find the weights.
    attend: {queries: q, keys: K, values: V, score: dot, divide_by: sqrt(2)}
"""


@cache
def verifier(text: str) -> Verifier:
    return Verifier(solve(loads(text)))


def marks(text: str, typed: str, *names: str) -> list[Fraction]:
    """What some steps earn."""
    earned = {step.name: step.earned for step in verifier(text).verify(read_submission(typed)).steps}
    return [earned[name] for name in names]


@pytest.mark.parametrize(
    ("typed", "before", "own"),
    [
        ("a.U 66.6667", 2, 2),
        ("a.U 66.6700", 2, 2),  # from 0.6667, to four places as they were asked for
        ("a.U 66.67", 2, 2),  # fewer digits, and no other way to them
        ("a.U 66.00", 2, 1),  # near it only from 0.66, which are too few digits: that costs once
        ("a.U 50", 0, 0),
    ],
)
def test_numbers_that_were_rounded_too_early_show_the_method(typed: str, before: int, own: int) -> None:
    assert [before, own] == marks(THIRDS, typed, "a.T", "a.U")


@pytest.mark.parametrize(
    ("typed", "before", "own"), [("a.U 66.6667", 2, 2), ("a.U 66.67", 1, 1), ("a.U 67", 1, 1)]
)
def test_too_few_digits_cost_the_accuracy_where_the_scheme_says_so(typed: str, before: int, own: int) -> None:
    assert [before, own] == marks(f"{THIRDS}scheme: {{all_digits: true}}\n", typed, "a.T", "a.U")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("a.U 66.67", ("what comes after it shows the method, not the numbers",)),
        ("a.U 66.6667", ()),
        ("a.U 50", ()),
    ],
)
def test_step_that_is_shown_by_few_digits_says_so(typed: str, said: tuple[str, ...]) -> None:
    report = verifier(f"{THIRDS}scheme: {{all_digits: true}}\n").verify(read_submission(typed))
    assert said == next(words(step.notes) for step in report.steps if step.name == "a.T")


def test_number_that_is_only_near_was_rounded_too_early() -> None:
    report = verifier(THIRDS).verify(read_submission("a.U 66.00"))
    said = next(words(step.notes) for step in report.steps if step.name == "a.U")
    assert ("rounded too early: 66.00; 4 places were asked for",) == said


@pytest.mark.parametrize(
    ("typed", "scaled", "weights"),
    [
        ("a.A .6698 .3302", 2, 2),
        ("a.A .67 .33", 2, 2),
        ("a.A .7 .3", 0, 1),  # unscaled scores give these too
        ("a.T .71 0 ; a.A .7 .3", 2, 1),  # but they do not give these
    ],
)
def test_digits_that_would_hide_a_mistake_show_no_step_before(typed: str, scaled: int, weights: int) -> None:
    assert [scaled, weights] == marks(TWO_KEYS, typed, "a.T", "a.A")


def test_step_that_is_written_in_full_keeps_its_marks_before_few_digits() -> None:
    assert [2, 2, 1] == marks(TWO_KEYS, "a.S 1 0 ; a.T .7071 0 ; a.A .7 .3", "a.S", "a.T", "a.A")


# From scores of 2 and 0 follow 2/√2 = 1.4142 and weights 4.1133 / 5.1133 = 0.8044 and 0.1956.
@pytest.mark.parametrize(
    ("typed", "earned"),
    [
        ("a.S 2 0 ; a.A .8044 .1956", 2),
        ("a.S 2 0 ; a.A .80 .20", 1),
        ("a.S 2 0 ; a.T 1.4 0 ; a.A .80 .20", 2),  # from 1.4, which may be 1.35 to 1.5, no more can be told
    ],
)
def test_too_few_digits_of_what_follows_cost_it_its_accuracy_where_the_scheme_says_so(
    typed: str, earned: int
) -> None:
    assert [2] == marks(TWO_KEYS, typed, "a.A")
    assert [earned] == marks(f"{TWO_KEYS}scheme: {{all_digits: true}}\n", typed, "a.A")


@pytest.mark.parametrize("huge", ["98E35", "-1.7e363", "2e3"])
def test_a_huge_number_is_wrong_and_nothing_worse(huge: str) -> None:
    report = Verifier(solve(loads(THIRDS))).verify(read_submission(f"a.T {huge}"))
    step = next(step for step in report.steps if step.name == "a.T")
    assert ("wrong", (0, 0)) == (step.verdict, step.cell)
