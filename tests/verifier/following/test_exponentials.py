"""Exponentials and sums are steps of the softmax: judged against the scores, and paid for when wrong."""

from functools import cache

import pytest
from verifier.test_fairness import IST, judged

from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.report import StepReport
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.verification import Verifier

# Scores 4.5 0 4.5 0 over sqrt(3) are 2.5981 0 2.5981 0; e^2.5981 = 13.4379, the sum 28.8757. Unscaled:
# e^4.5 = 90.0171, the sum 182.0343, weights .4945 .0055, output -1.7363 .9835 .0055. Marks: S 2, A 2, Z 1.
CASES = [
    (
        "a.S 4.5 0 4.5 0\na.exp 90.0171 1 90.0171 1\na.A .4945 .0055 .4945 .0055\na.Z -1.7363 .9835 .0055",
        {"a.exp": ("mistake", "0"), "a.S": ("right", "2"), "a.A": ("follows", "1"), "a.Z": ("follows", "1")},
    ),
    # Invented: 2 + 3 + 5 + 9 = 19, and the output is -26.5, -11, 10.5 over 19. Nothing shows any scores.
    (
        "a.exp 2.0 3.0 5.0 9.0\na.sum 19\na.A .1053 .1579 .2632 .4737\na.Z -1.3947 -.5789 .5526",
        {
            "a.S": ("not written", "0"),
            "a.exp": ("wrong", "0"),
            "a.sum": ("follows", "0"),
            "a.A": ("follows", "1"),
            "a.Z": ("follows", "1"),
        },
    ),
    # A slip in the sum is one slip: 13.4379 / 27.88 = .4820.
    (
        "a.exp 13.4379 1 13.4379 1\na.sum 27.88\na.A .4820 .0359 .4820 .0359",
        {
            "a.exp": ("right", "0"),
            "a.sum": ("wrong", "0"),
            "a.A": ("follows", "1"),
            "a.S": ("not written", "2"),
        },
    ),
    # Exponentials less the largest score: e^-2.5981 = .0744, and the same weights.
    (
        "a.exp 1 .0744 1 .0744\na.sum 2.1488\na.A .4654 .0346 .4654 .0346",
        {"a.exp": ("right", "0"), "a.sum": ("right", "0"), "a.A": ("right", "2")},
    ),
]


@pytest.mark.parametrize(("typed", "expected"), CASES)
def test_exponentials_are_judged_against_the_scores(typed: str, expected: dict[str, tuple[str, str]]) -> None:
    found = judged(IST, typed)
    assert expected == {step: (found[step].verdict, str(found[step].earned)) for step in expected}


def test_a_mistake_is_named_through_the_exponentials() -> None:
    assert ["unscaled"] == [named.name for named in judged(IST, CASES[0][0])["a.exp"].mistakes]


PROBLEM = """
format: 1
title: {title}
places: {places}
given: {{{given}}}
parts:
  - ask: Find the output.
    attend: {{{attend}}}
"""


@cache
def verifier(given: str, attend: str, places: int) -> Verifier:
    """A problem of one part."""
    return Verifier(solve(loads(PROBLEM.format(title="One part", given=given, attend=attend, places=places))))


def steps(typed: str, *, given: str, attend: str, places: int = 4) -> dict[str, StepReport]:
    """The reports on a typed answer, by step."""
    report = verifier(given, attend, places).verify(read_submission(typed))
    return {step.name: step for step in report.steps}


@pytest.mark.parametrize(
    ("total", "verdict"), [("30", "right"), ("29", "wrong"), ("30.0", "right"), ("31", "wrong")]
)
def test_a_wrong_sum_is_never_right(total: str, verdict: str) -> None:
    found = steps(f"a.exp 20 9 1\na.sum {total}", given="S: ln(20) ln(9) 0", attend="scores: S")
    assert verdict == found["a.sum"].verdict


# e^.1 = 1.10517, e^.2 = 1.22140 and e^.25 = 1.28403, written as 2.284 by a slip: 4.610 as typed, 4.6101 to
# 4.6116 before they were rounded or cut off.
@pytest.mark.parametrize(
    ("total", "verdict"), [("4.610", "follows"), ("4.611", "follows"), ("4.609", "wrong"), ("4.613", "wrong")]
)
def test_a_sum_after_a_slip_may_be_that_of_unrounded_exponentials(total: str, verdict: str) -> None:
    typed = f"a.exp 1.105 1.221 2.284\na.sum {total}"
    found = steps(typed, given="S: 0.1 0.2 0.25", attend="scores: S", places=3)
    assert verdict == found["a.sum"].verdict


def test_a_mistake_that_changes_nothing_is_never_named() -> None:
    # There is no temperature to multiply by. 1/(1 + e^4.1) is 0.0163024994, which is 7e-8 away.
    found = steps(
        "a.A 0.0163025694 0.9836974306",
        given="q: 4 5 6, H: 0.4 0.5 0.6; 0.9 0.8 0.7",
        attend="queries: q, keys: H, divide_by: none",
        places=10,
    )
    assert ("wrong", ()) == (found["a.A"].verdict, found["a.A"].mistakes)


def test_a_mask_that_hides_nothing_cannot_be_forgotten() -> None:
    # e^1 / (1 + e) = .7311; .8 and .2 are nobody's.
    found = steps("a.A .8 .2", given="S: 1 0", attend="scores: S, mask: {lengths: 2}")
    assert () == found["a.A"].mistakes


def test_no_mistake_is_named_against_a_step_that_is_right() -> None:
    # The scaled scores are right, so nobody has left out the scaling: 4.5/(4.5 + 4.5) = .5.
    found = judged(IST, "a.S 4.5 0 4.5 0\na.T 2.5981 0 2.5981 0\na.A .5 0 .5 0")
    assert not [named for named in found["a.A"].mistakes if "unscaled" in named.name]


def test_a_constant_column_is_decided() -> None:
    # Weights add up to 1, so the output in that column is the constant, whatever they are.
    found = steps(
        "a.Z -1.000 1.996",
        given="X: -1.5 -0.5; 2 -1.5, Y: 1 -1.5, V: -1 1; -1 2, v: 1 3, W: -2 -2; 0 1.5, U: -0.5 2; 2 -1",
        attend="queries: Y, keys: X, values: V, score: {additive: {W: W, U: U, v: v}}",
        places=3,
    )
    assert "right" == found["a.Z"].verdict


@pytest.mark.parametrize("hidden", ["-inf", "-999", "-10000", "-1e9"])
def test_any_number_will_do_for_minus_infinity_that_vanishes(hidden: str) -> None:
    found = steps(f"a.M 1 {hidden}", given="S: 1 5", attend="scores: S, mask: {lengths: 1}")
    assert "right" == found["a.M"].verdict


def test_a_root_may_be_taken_to_two_places() -> None:
    # 4.5 / 1.73 = 2.6012; e^2.6012 = 13.4799, over 28.9598: .4655 .0345, and -1.6638 .8965 .0345.
    found = judged(IST, "a.T 2.6012 0 2.6012 0\na.A .4655 .0345 .4655 .0345\na.Z -1.6638 .8965 .0345")
    assert {"right"} == {found[step].verdict for step in ("a.T", "a.A", "a.Z")}


# 19.25 / √2 / 2 is 6.80590, and e to that 903.1627.
@pytest.mark.parametrize(
    ("power", "verdict"),
    [
        ("903.1627", "right"),
        ("903.1602", "right"),  # 13.6118, and e^6.8059
        ("903.2506", "right"),  # 19.25 / 1.4142 = 13.6119, half of that 6.8060, and e^6.8060
        ("921.7739", "right"),  # 19.25 / 1.41 = 13.6525, half of that 6.8263, and e^6.8263
        ("912.0000", "wrong"),  # e^6.8156: no root of two places or more leads there
        ("950.0000", "wrong"),
    ],
)
def test_whoever_rounds_the_root_may_round_what_comes_after_it_too(power: str, verdict: str) -> None:
    found = steps(
        f"a.exp {power} 1",
        given="q: 19.25 0, K: 1 0; 0 1",
        attend="queries: q, keys: K, divide_by: sqrt(d_k), weights: {softmax: {temperature: 2}}",
    )
    assert verdict == found["a.exp"].verdict


# tanh -3 = -.99505, tanh -4.25 = -.99959: -2 · .99505 + 3 · .99505 - .99959 = -.00454; of three digits
# each, .995 - 1.000 = -.005, which is -.01 to two places. The second score is -.00004.
@pytest.mark.parametrize(("score", "verdict"), [("0", "right"), ("-0.01", "right"), ("-0.20", "wrong")])
def test_large_numbers_that_cancel_leave_what_their_rounding_was(score: str, verdict: str) -> None:
    found = steps(
        f"a.S {score} 0",
        given="X: 2 -0.5; -0.5 -2, Y: -2 1.5, v: 2 -3 1, W: 1 1.5 1; -2 -1.5 -1.5, U: 1.5 1 0; 2 -0.5 0",
        attend="queries: Y, keys: X, score: {additive: {W: W, U: U, v: v}}",
        places=2,
    )
    assert verdict == found["a.S"].verdict


def test_all_digits_of_small_exponentials_count_whatever_places_are_asked_for() -> None:
    # Scores -8 -9; -13 -12 over sqrt(3): e^-4.6188 = .0099, e^-5.1962 = .0055, e^-7.5056 = .0006 and
    # e^-6.9282 = .0010. Unscaled: .0003 .0001; .000002 .000006, which two places do not tell apart.
    setting = {
        "given": "X: 3 3 2; 2 3 0, Y: -3 -1 2; -3 -2 1, V: 2 3; 1 -1",
        "attend": "queries: Y, keys: X, values: V, divide_by: sqrt(d_k)",
    }
    unscaled = steps("a.exp 0.0003 0.0001; 0.000002 0.000006", **setting, places=2)["a.exp"]
    assert ["unscaled"] == [named.name for named in unscaled.mistakes]
    assert "right" == steps("a.exp 0.0099 0.0055; 0.0006 0.0010", **setting, places=2)["a.exp"].verdict
