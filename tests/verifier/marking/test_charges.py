"""What goes wrong in steps without marks is paid for once, by the next step with marks that uses it."""

import pytest

from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.report import Report
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.verification import verify

# Scores 1 0; 0 1 by rows, so e = 2.7183 and 1, sums of 3.7183, weights .7311 and .2689, and an output of
# 1·.7311 + 3·.2689 = 1.5379, 2·.7311 + 5·.2689 = 2.8068; 2.4621 4.1932.
PROBLEM = """
format: 1
title: Two tokens
given: {Q: 1 0; 0 1, K: 1 0; 0 1, V: 1 2; 3 5}
parts:
  - ask: Find the output.
    attend: {queries: Q, keys: K, values: V, divide_by: none}
    marks: {%s}
"""
EXP, A, Z = "a.exp 2.7183 1; 1 2.7183", "a.A .7311 .2689; .2689 .7311", "a.Z 1.5379 2.8068; 2.4621 4.1932"
# Made from a sum of 4.7183 below: 1/4.7183 = .2119, 2.7183/4.7183 = .5761, .2119 + 3·.5761 = 1.9402,
# 2·.2119 + 5·.5761 = 3.3043.
SUM_OFF, A_OFF, Z_OFF = (
    "a.sum 3.7183; 4.7183",
    "a.A .7311 .2689; .2119 .5761",
    "a.Z 1.5379 2.8068; 1.9402 3.3043",
)
# And from an exponential of 3.7183: 1/4.7183 = .2119, 3.7183/4.7183 = .7881, .2119 + 3·.7881 = 2.5762,
# 2·.2119 + 5·.7881 = 4.3643.
EXP_OFF, FROM_EXP = "a.exp 2.7183 1; 1 3.7183", "a.Z 1.5379 2.8068; 2.5762 4.3643"

CHARGED = {
    "a sum that is wrong, and gone on with": ("A: 2, Z: 2", (EXP, SUM_OFF, A_OFF, Z_OFF), "A 1 Z 2"),
    "a sum that is wrong, though the weights are right": ("A: 2, Z: 2", (EXP, SUM_OFF, A, Z), "A 1 Z 2"),
    "the same without exponentials": ("A: 2, Z: 2", (SUM_OFF, A, Z), "A 1 Z 2"),
    "the weights have no marks": ("S: 2, Z: 2", (SUM_OFF, A, Z), "S 2 Z 1"),
    "the weights are not written": ("S: 2, Z: 2", (SUM_OFF, Z), "S 2 Z 1"),
    "a single mark is for the numbers": ("S: 2, Z: 1", (SUM_OFF, A, Z), "S 2 Z 0"),
    "nothing with marks comes after it": ("S: 2", (SUM_OFF, A, Z), "S 2"),
    "an exponential that is wrong, though the weights are right": ("A: 2, Z: 2", (EXP_OFF, A, Z), "A 1 Z 2"),
    "weights that nobody wrote pay too, but not their method": ("A: 2, Z: 2", (EXP_OFF, FROM_EXP), "A 1 Z 2"),
    "scores that are wrong, though all else is right": ("A: 2, Z: 2", ("a.S 1 0; 0 2", EXP, A, Z), "A 1 Z 2"),
    "an exponential and the sum made from it are one fault": (
        "A: 2, Z: 2",
        (EXP_OFF, SUM_OFF, A, Z),
        "A 1 Z 2",
    ),
    "the weights have a slip of their own": (
        "A: 2, Z: 2",
        (EXP, SUM_OFF, "a.A .7311 .2689; .2689 .7711", "a.Z 1.5379 2.8068; 2.5822 4.3933"),
        "A 1 Z 1",
    ),
    "nothing is wrong": ("A: 2, Z: 2", (EXP, "a.sum 3.7183; 3.7183", A, Z), "A 2 Z 2"),
}


def judged(marks: str, typed: tuple[str, ...]) -> Report:
    """The report on what was written."""
    return verify(solve(loads(PROBLEM % marks)), read_submission("\n".join(typed)))


@pytest.mark.parametrize(("marks", "typed", "earned"), CHARGED.values(), ids=CHARGED)
def test_a_fault_in_a_step_without_marks_costs_once(marks: str, typed: tuple[str, ...], earned: str) -> None:
    steps = [step for step in judged(marks, typed).steps if step.possible]
    assert earned == " ".join(f"{step.name.removeprefix('a.')} {step.earned}" for step in steps)


SWAPPED = """
format: 1
title: swapped
places: 4
given: {X: 2 -0.5; 0 0, W_Q: 0.5 2; -2 -2, W_K: -1.5 0.5; -0.5 0.5, W_V: 0 -1; 0 2}
parts:
  - ask: Find the output.
    self_attention: {input: X, W_Q: W_Q, W_K: W_K, W_V: W_V, divide_by: none}
"""


def test_a_mistake_costs_once_where_another_would_explain_a_step_too() -> None:
    """V for K: the weights could be those of a transposed matrix as well; neither excuses the other."""
    # V is 0 -3; 0 0, so the first query, 2 5, has the scores -15 and 0; K, -2.75 0.75; 0 0, is averaged.
    script = "a.A 0.0000 1.0000; 0.5000 0.5000\na.Z 0.0000 0.0000; -1.3750 0.3750"
    report = verify(solve(loads(SWAPPED)), read_submission(script))
    assert report.possible - 1 == report.earned
