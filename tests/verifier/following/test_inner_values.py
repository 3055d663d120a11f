"""Values inside a step, as people write them: right, wrong, a known mistake, and what follows from them."""

from functools import cache

import pytest

from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.verification import Verifier

GIVEN = """
format: 1
title: Inside
given:
  {X: 1 2 3; 0 0 6, S: 1 0.5 -2; 0 0 1, R: 1 0.5 -2; 0.4 0 -1.3, q: 1 0, Q: 1 2; 0 1, K: 1 1; 0 2,
   W: 1 0; 0 1, U: 0 1; 1 0, v: 1 -1}
parts:
  - ask: Find it.
"""
NORM = "plan: [{N: 'layer_norm(X, epsilon=0)'}]"
SPARSE = "attend: {scores: S, weights: sparsemax}"
ENTMAX15 = "attend: {scores: S, weights: entmax15}"
ENTMAX = "attend: {scores: S, weights: {entmax: {alpha: 3}}}"
ADDITIVE = "attend: {queries: q, keys: K, score: {additive: {W: W, U: U, v: v}}}"
DOT = "attend: {queries: Q, keys: K}"
COSINE = "attend: {queries: Q, keys: K, score: cosine}"
BASE_2 = "attend: {scores: S, weights: softmax2}"
WORDS = "plan: [{P: 'probabilities(K)'}]"


@cache
def verifier(part: str) -> Verifier:
    return Verifier(solve(loads(GIVEN + f"    {part}\n")))


def verdicts(part: str, typed: str) -> dict[str, str]:
    """The verdicts on the steps that were written."""
    report = verifier(part).verify(read_submission(typed))
    assert not report.unread
    return {step.name: str(step.verdict) for step in report.steps if step.verdict != "not written"}


CASES = [
    # Means 2 and 2; squares 1 0 1 and 4 4 16: variances 2/3 and 8; roots .8165 and 2.8284.
    (NORM, "mean 2; 2\nvariance .6667; 8\nsigma .8165; 2.8284", ["right", "right", "right"]),
    (NORM, "mu = 2; 2\nsigma^2 = 2/3; 8", ["right", "right"]),
    # Over d - 1: 1 and 12; (1 - 2)/1 = -1, -2/3.4641 = -.5774, 4/3.4641 = 1.1547.
    (NORM, "variance 1.0; 12.0\nN -1 0 1; -.5774 -.5774 1.1547", ["mistake", "follows"]),
    # A wrong mean 3 of the second token: (9 + 9 + 9)/3 = 9, root 3: -3/3, -3/3, 3/3.
    (NORM, "mean 2; 3\nvariance .6667; 9\nN -1.2247 0 1.2247; -1 -1 1", ["wrong", "follows", "follows"]),
    # τ = (1.5 - 1)/2 = .25 and (1 - 1)/1 = 0.
    (SPARSE, "tau .25; 0\nA .75 .25 0; 0 0 1", ["right", "right"]),
    (SPARSE, "threshold .25; 0", ["right"]),
    (SPARSE, "support 1 1 0; 0 0 1\nA .75 .25 0; 0 0 1", ["right", "right"]),
    # τ = .4 gives .6 .1 0, which no longer sum to 1 but follow.
    (SPARSE, "tau .4; 0\nA .6 .1 0; 0 0 1", ["wrong", "follows"]),
    # With one key only: τ = (1 - 1)/1 = 0 and all of the weight on it.
    (SPARSE, "support 1 0 0; 0 0 1\ntau 0; 0\nA 1 0 0; 0 0 1", ["wrong", "follows", "follows"]),
    # Of all scores: (-.5 - 1)/3 = -.5 and (-.9 - 1)/3 = -.6333.
    (SPARSE.replace("S,", "R,"), "tau -.5; -.6333", ["mistake"]),
    # Halves .5 .25: mean .375, squares .03125, τ = .375 - √(.96875/2) = -.3210; .821² = .6740, .571² = .326.
    # Halves 0 0 .5: mean 1/6, squares 1/6, τ = 1/6 - √(5/18) = -.3604; .3604² = .1299, .8604² = .7403.
    (ENTMAX15, "tau -.3210; -.3604\nA .6740 .3260 0; .1299 .1299 .7403", ["right", "right"]),
    # With τ = -.5 in row 1: 1 and .5625.
    (ENTMAX15, "tau -.5; -.3604\nA 1 .5625 .0000; .1299 .1299 .7403", ["wrong", "follows"]),
    # α = 3: √(2 - τ) + √(1 - τ) is 1 only where τ = 1, so key 1 has it all: 2·1 - 1 = 1.
    (ENTMAX, "tau 1; 1\nA 1 0 0; 0 0 1", ["right", "right"]),
    # q W = 1 0; k U = 1 1 and 2 0: 2 1 and 3 0; tanh .9640 .7616, .9951 0; less: .2024, .9951.
    (ADDITIVE, "inside 2 1; 3 0\ntanh .9640 .7616; .9951 0\nS .2024 .9951", ["right", "right", "right"]),
    # tanh 2 taken as .9046: .9046 - .7616 = .1430.
    (ADDITIVE, "tanh .9046 .7616; .9951 0\nS .1430 .9951", ["wrong", "follows"]),
    (ADDITIVE, "inside 2 2; 3 0\ntanh .9640 .9640; .9951 0\nS 0 .9951", ["wrong", "follows", "follows"]),
    # (1, 2) with (1, 1) and (0, 2), then (0, 1) with both.
    (DOT, "products 1 2; 0 4; 0 1; 0 2\nS 3 4; 1 2", ["right", "right"]),
    # q·k = 3 4; 1 2, |q| = √5 and 1, |k| = √2 and 2: 3/√10, 2/√5; 1/√2, 1.
    (COSINE, "dot 3 4; 1 2\nquery_length 2.2361; 1\nkey_length 1.4142; 2", ["right"] * 3),
    (COSINE, "key_length 1.4142 2\nS .9487 .8944; .7071 1", ["right", "right"]),
    # A length of 1.5 in place of √2: 3/(1.5·√5) = .8944 and 1/1.5 = .6667.
    (COSINE, "key_length 1.5 2\nS .8944 .8944; .6667 1", ["wrong", "follows"]),
    (COSINE, "dot 3 4; 1 3\nS .9487 .8944; .7071 1.5", ["wrong", "follows"]),
    # 2, √2, 1/4 and 1, 1, 2: 3.6642 and 4.
    (BASE_2, "powers 2 1.4142 .25; 1 1 2\nsum 3.6642; 4\nA .5458 .3860 .0682; .25 .25 .5", ["right"] * 3),
    # A sum of 5 in the second row: 1/5 1/5 2/5.
    (BASE_2, "sum 3.6642; 5\nA .5458 .3860 .0682; .2 .2 .4", ["wrong", "follows"]),
    # e, e and 1, e²: 5.4366 and 8.3891; 1/8.3891 = .1192.
    (WORDS, "exp 2.7183 2.7183; 1 7.3891\nsum 5.4366; 8.3891\nP .5 .5; .1192 .8808", ["right"] * 3),
    # e² taken as 7: 1/8 and 7/8.
    (WORDS, "exp 2.7183 2.7183; 1 7\nP .5 .5; .125 .875", ["wrong", "follows"]),
    (DOT, "products 1 2; 0 3; 0 1; 0 2\nS 3 3; 1 2", ["wrong", "follows"]),
]


@pytest.mark.parametrize(("part", "typed", "expected"), CASES)
def test_values_inside_a_step_are_judged_as_steps(part: str, typed: str, expected: list[str]) -> None:
    assert expected == list(verdicts(part, typed).values())


def test_the_mistake_inside_is_named() -> None:
    report = verifier(NORM).verify(read_submission("variance 1.0; 12.0"))
    assert ["sample-variance"] == [named.name for step in report.steps for named in step.mistakes]


MARKED = "{}\n    find: [tau, A]\n    marks: {{tau: 2, weights: 2}}"


@pytest.mark.parametrize(
    ("typed", "earned"),
    [
        ("tau .25; 0\nA .75 .25 0; 0 0 1", {"a.tau": 2, "a.A": 2}),
        ("A .75 .25 0; 0 0 1", {"a.tau": 2, "a.A": 2}),  # nobody has these weights without the threshold
        ("tau .4; .1\nA .6 .1 0; 0 0 .9", {"a.tau": 0, "a.A": 2}),
        ("tau .25; 0", {"a.tau": 2, "a.A": 0}),
    ],
)
def test_asked_for_it_earns_marks(typed: str, earned: dict[str, int]) -> None:
    report = verifier(MARKED.format(SPARSE)).verify(read_submission(typed))
    assert earned == {step.name: step.earned for step in report.steps if step.possible}


def test_more_than_can_be_handed_in_is_no_step() -> None:
    given = "; ".join(["1 0 1 0"] * 40)  # 1600 pairs of 4 products each
    part = "[{ask: Find it., attend: {queries: X, keys: X}}]"
    trace = solve(loads(f"format: 1\ntitle: Long\ngiven: {{X: {given}}}\nparts: {part}"))
    assert "a.products" not in Verifier(trace).exercise.steps


# What was typed, and the steps that the report speaks of: those of the plan, and what was written inside.
LISTED = [
    ("a.S 3 4; 1 2", ["a.S", "a.T", "a.A", "a.Z"]),
    ("a.products 1 2; 0 4; 0 1; 0 2", ["a.products", "a.S", "a.T", "a.A", "a.Z"]),
    ("a.sum 7; 9", ["a.S", "a.T", "a.sum", "a.A", "a.Z"]),
    ("mark a.exp 0", ["a.S", "a.T", "a.exp", "a.A", "a.Z"]),
]


@pytest.mark.parametrize("typed, steps", LISTED)
def test_values_inside_a_step_are_listed_where_they_were_written(typed: str, steps: list[str]) -> None:
    report = verifier(DOT).verify(read_submission(typed))
    assert steps == [step.name for step in report.steps]


def test_an_unknown_name_is_answered_with_the_steps_that_are_asked_for() -> None:
    (said,) = verifier(DOT).verify(read_submission("a.B 1 2; 3 4")).unread
    assert "the steps are a.S, a.T, a.A, a.Z, and for marks by hand a" in str(said)
