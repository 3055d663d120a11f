"""What a named mistake shows of the steps before it: those that it needs and leaves right, and no others."""

from functools import cache

import pytest
from noted import words

from attnsolve import batch
from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.report import Report
from attnsolve.scheme import Scheme
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.verification import Verifier

# Scores 1 and 0, scaled 0.7071 and 0, weights 0.6698 and 0.3302, output 3 · 0.6698 + 0.3302 = 2.3396.
TWO_KEYS = """
format: 1
title: two keys
given: {q: 1, K: 1; 0, V: 3; 1}
parts:
  - ask: Find the output.
    attend: {queries: q, keys: K, values: V, score: dot, divide_by: sqrt(2)}
"""


@cache
def two_keys() -> Verifier:
    return Verifier(solve(loads(TWO_KEYS)))


@cache
def homework(scheme: Scheme | None = None) -> Verifier:
    return Verifier(batch.solved(batch.find("ai539-homework-4")), scheme)


def marks(report: Report) -> dict[str, int]:
    """What each step of part a earns."""
    return {step.name[2:]: int(step.earned) for step in report.steps if step.possible}


def names(report: Report) -> set[str]:
    return {named.name for step in report.steps for named in step.mistakes}


def test_plain_average_of_the_values_shows_no_weights() -> None:
    report = two_keys().verify(read_submission("a.Z 2.0000"))  # (3 + 1) / 2
    assert {"unweighted"} == names(report)
    assert {"S": 0, "T": 0, "A": 0, "Z": 0} == marks(report)


def test_unscaled_output_shows_the_scores_before_the_scaling() -> None:
    report = two_keys().verify(read_submission("a.Z 2.4621"))  # 1 + 2 e / (1 + e)
    assert {"unscaled", "scaled-by-d-model"} == names(report)  # keys of width 1, whose root is 1
    # Nothing was scaled; weights and output are right for what there was.
    assert {"S": 2, "T": 0, "A": 2, "Z": 2} == marks(report)


def test_mistake_shows_also_what_only_comes_in_after_it() -> None:
    # Exponentials 1.6487 0.0821 33.1155 of the scores themselves, weights 0.0473 0.0024 0.9503.
    report = homework().verify(read_submission("a.Z 3.8960 1.0520"))
    assert {"unscaled"} == names(report)
    # The scaling has no marks of its own, so that the weights pay for it, with one of their two.
    assert {"Q": 1, "K": 2, "V": 1, "S": 2, "A": 1, "Z": 2} == marks(report)


def test_mistake_with_too_few_digits_shows_the_method_only_where_the_scheme_says_so() -> None:
    lenient, strict = homework(), homework(Scheme(all_digits=True))
    assert {"Q": 1, "K": 2, "V": 1, "S": 2, "A": 1, "Z": 2} == marks(
        lenient.verify(read_submission("a.Z 3.90 1.05"))
    )
    report = strict.verify(read_submission("a.Z 3.90 1.05"))
    assert {"unscaled"} == names(report)
    assert {"Q": 0, "K": 1, "V": 0, "S": 1, "A": 1, "Z": 1} == marks(report)  # Q and V have no method marks
    assert "too few digits: 3.90; 4 places were asked for" in words(report.steps[-1].notes)


@pytest.mark.parametrize("typed", ["a.Z 2", "a.Z 2.0"])
def test_few_digits_show_no_step(typed: str) -> None:
    report = two_keys().verify(read_submission(typed))
    assert 0 == sum(earned for name, earned in marks(report).items() if name != "Z")


# Six queries alike: of ten whole numbers one is the plain average 2, however often it is written.
@pytest.mark.parametrize(("typed", "named"), [("2", set()), ("2.0000", {"unweighted"})])
def test_same_number_all_over_is_one_guess(typed: str, named: set[str]) -> None:
    six = solve(loads(TWO_KEYS.replace("q: 1,", "q: 1; 1; 1; 1; 1; 1,")))
    report = Verifier(six).verify(read_submission(f"a.Z {'; '.join([typed] * 6)}"))
    assert named == names(report)
