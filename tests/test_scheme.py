"""What a step is worth: the marks of a part are shared by its cases, and none is lost."""

from fractions import Fraction

import pytest

from attnsolve import batch
from attnsolve.loader import loads
from attnsolve.problem import Part, Problem
from attnsolve.scheme import worth
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.verification import Verifier

FILE = """\
format: 1
title: Two cases
given: {{q: 1 2, K: 1 0; 0 1, V: 2 0; 0 4}}
parts:
  - id: a
    ask: Find the output, first without a divisor.
    attend: {{queries: q, keys: K, values: V}}
    cases: [{{divide_by: none}}, {{divide_by: 2}}]
    marks: {marks}
"""
# Case 1 has the steps S, A and Z; case 2 has T too.
SHARED = [
    ("{weights: 3}", {"case1.A": "1/2 1", "case2.A": "1/2 1"}),
    ("{output: {method: 0, accuracy: 1}}", {"case1.Z": "0 1/2", "case2.Z": "0 1/2"}),
    ("{T: 2, output: 2}", {"case2.T": "1 1", "case1.Z": "1/2 1/2", "case2.Z": "1/2 1/2"}),
    ("{case2.Z: 3, case1.Z: 1}", {"case1.Z": "0 1", "case2.Z": "1 2"}),
    ("{case2.Z: 3, output: 1}", {"case1.Z": "0 1", "case2.Z": "1 2"}),
    ("12", {f"case1.{x}": "1 1" for x in "SAZ"} | {f"case2.{x}": "3/4 3/4" for x in "STAZ"}),
]


def worths(problem: Problem, part: Part) -> dict[str, tuple[Fraction, Fraction]]:
    """Method and accuracy of every step that is worth something, by its name in the part."""
    found = {call.out.partition(".")[2]: worth(problem, part, call) for call in part.calls}
    return {name: (value.method, value.accuracy) for name, value in found.items() if value.total}


@pytest.mark.parametrize(("marks", "expected"), SHARED)
def test_marks_are_shared_by_the_cases(marks: str, expected: dict[str, str]) -> None:
    problem = loads(FILE.format(marks=marks))
    wanted = {name: tuple(map(Fraction, text.split())) for name, text in expected.items()}
    found = worths(problem, problem.parts[0])
    assert wanted == found
    assert problem.parts[0].total == sum(map(sum, found.values()))


HEADS = """\
format: 1
title: Two heads
given: {{X: 1 0; 0 1, W: 1 1; 0 2}}
parts:
  - id: a
    ask: Find the output.
    multi_head: {{input: X, heads: [{{W_Q: W}}, {{W_K: W}}]{output}}}
    marks: {marks}
"""
W_O = ", W_O: 1 0; 0 1; 1 1; 0 1"
# Both heads have the steps S, T, A and Z; C puts them side by side, and W_O makes another Z of that.
OF_HEADS = [
    ("", "{output: 5}", {"C": "2 3"}),
    ("", "{weights: 3}", {"head1.A": "1/2 1", "head2.A": "1/2 1"}),
    ("", "{Z: 2, output: 1}", {"head1.Z": "1/2 1/2", "head2.Z": "1/2 1/2", "C": "0 1"}),
    ("", "{head2.A: 3, weights: 1}", {"head1.A": "0 1", "head2.A": "1 2"}),
    (W_O, "{output: 5}", {"Z": "2 3"}),
    (W_O, "{concatenation: 1, head1.Z: 2}", {"C": "0 1", "head1.Z": "1 1"}),
]


@pytest.mark.parametrize(("output", "marks", "expected"), OF_HEADS)
def test_marks_are_shared_by_the_heads(output: str, marks: str, expected: dict[str, str]) -> None:
    """What only heads have is shared by all of them; the output is what comes after them."""
    problem = loads(HEADS.format(output=output, marks=marks))
    wanted = {name: tuple(map(Fraction, text.split())) for name, text in expected.items()}
    found = worths(problem, problem.parts[0])
    assert wanted == found
    assert problem.parts[0].total == sum(map(sum, found.values()))


def test_right_cases_have_their_marks_though_the_first_is_not_written() -> None:
    trace = batch.solved(batch.find("causal-self-attention"))
    typed = []
    for case in ("case2", "case3"):
        rows = trace.value(f"d.{case}.A").decimals(4)
        typed.append(f"d.{case}.A " + "; ".join(" ".join(cell.text for cell in row) for row in rows))
    report = Verifier(trace).verify(read_submission("\n".join(typed)))
    assert 2 == sum(step.earned for step in report.steps if step.name.startswith("d."))  # of 3
