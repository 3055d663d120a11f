"""Marks for what people claim about symbols, worked out by hand: results, opinions on claims, a class."""

from fractions import Fraction
from pathlib import Path

import pytest

from attnsolve.engine import solve
from attnsolve.errors import ProblemError
from attnsolve.grading.assignment import Assignment
from attnsolve.grading.gradebook import gradebook
from attnsolve.grading.marker import graded_piece
from attnsolve.grading.pieces import Piece
from attnsolve.grading.slips import slip
from attnsolve.loader import loads
from attnsolve.rendering import render
from attnsolve.report import Report, Verdict
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.set_verification import verifier_of

PROBLEM = """
format: 1
title: Two keys
assume:
  m: integer >= 2
  d: integer >= m
  c: positive
  eps: between 0 and 1/2
  k: orthonormal, m vectors
  v: m vectors
given: {q: c*(k_a + k_b)}
parts:
  - id: a
    ask: Find scores, weights and output.
    attend: {queries: q, keys: k, values: v, divide_by: sqrt(d)}
    marks: {scores: 2, weights: 4, output: 2}
  - id: b
    ask: What happens for large $c$?
    limit: c -> oo
    solve: {for: c, so that: alpha_a >= 1/2 - eps}
    marks: {limit: 2, solution: 2}
  - id: c
    ask: Which of these hold?
    claims: [alpha_a = alpha_b, alpha_a = 1/2, alpha_a ≈ 1/2, alpha_a > 1/2]
    marks: 8
"""
SOLVED = solve(loads(PROBLEM))
E, D = "e^{c/sqrt(d)}", "(2e^{c/sqrt(d)} + m - 2)"
SCORES = "q*k_a = q*k_b = c\nq*k_i = 0 for i != a, b\n"
WEIGHTS = f"alpha_a = alpha_b = {E}/{D}\nalpha_i = 1/{D} for i != a, b\n"
OUTPUT = f"a = ({E}*(v_a + v_b) + sum_{{i != a, b}} v_i)/{D}\n"
BOUND = "sqrt(d) ln((m-2)(1-2eps)/(4eps))"
# What is written, and the marks that it earns; what is not named earns nothing.
EARNED = [
    (SCORES + WEIGHTS + OUTPUT, {"a.scores": 2, "a.weights": 4, "a.output": 2}),
    ("q*k_a = c\n", {"a.scores": 1}),  # half of what was asked for
    (OUTPUT, {"a.scores": 2, "a.weights": 4, "a.output": 2}),  # nobody has it without them
    (WEIGHTS, {"a.scores": 2, "a.weights": 4}),
    (f"alpha_b = 1/(2 + (m-2)*e^{{-c/sqrt(d)}})\nalpha_i = 1/{D}\n", {"a.scores": 2, "a.weights": 4}),
    ("alpha_a = 1/2\nalpha_i = 0\n", {}),  # only for m = 2, and never
    (f"alpha_a = {E}/{D}\nalpha_a = 1/2\n", {}),  # one of two is not right
    (f"alpha_a = {E}/{D}\n", {"a.weights": 2}),
    ("alpha_i = exp(q*k_i/sqrt(d))/sum_j exp(q*k_j/sqrt(d))\n", {}),  # the definition, no result
    ("alpha_a = alpha_a\na = a\n", {}),
    ("part b:\nlim c->oo a = 1/2 (v_a + v_b)\n", {"b.limit": 2}),
    ("part b:\nalpha_a -> 1/2 as c -> oo\n", {"b.limit": 1}),
    ("part b:\nlim c->oo alpha_a = 1\nalpha_i -> 0 as c -> oo\n", {"b.limit": 1}),
    (f"part b:\nc >= {BOUND}\n", {"b.solution": 2}),
    (f"part b:\nalpha_a >= 1/2 - eps if c >= {BOUND}\n", {"b.solution": 2}),
    (f"part b:\nc <= {BOUND}\n", {}),
    ("part b:\nc >= ln(m)\n", {}),
    ("part c:\n1: true\n2 only if m = 2\nclaim 3: approximately true\n4: false\n",
     {"c.claim1": 2, "c.claim2": 2, "c.claim3": 2, "c.claim4": 2}),
    ("c.claim1 wahr\nc.2: nur falls m = 2\nc.3 ≈\nc.4 falsch\n",
     {"c.claim1": 2, "c.claim2": 2, "c.claim3": 2, "c.claim4": 2}),
    ("part c:\n1 false\n2 false\n3 true\n4 true\n", {"c.claim2": 1, "c.claim3": 2}),
    ("part c:\n2 only if m = 3\n", {"c.claim2": 1}),
    ("part c:\n2 true\n3 false\n", {}),
    ('part a:\na = v_a\nmark a.output 1/2 "nearly"\n', {"a.output": 1}),
]  # fmt: skip


def verified(text: str) -> Report:
    return verifier_of(SOLVED).verify(read_submission(text, form="claims"))


@pytest.mark.parametrize(("text", "expected"), EARNED)
def test_claims_earn_what_they_are_worth(text: str, expected: dict[str, int]) -> None:
    report = verified(text)
    assert not report.unread
    assert expected == {step.name: step.earned for step in report.steps if step.earned}
    assert 20 == report.possible


def test_a_condition_that_is_enough_but_not_needed_is_for_a_person() -> None:
    (step,) = [
        step
        for step in verified("part c:\n4 only if m = 2\n2 only if m = 2 and c = 1").steps
        if step.name == "c.claim2"
    ]
    assert Verdict.UNDECIDED is step.verdict
    assert 4 == verified("part c:\n2 only if m = 2 and c = 1").exit_code


def test_what_is_not_read_or_not_asked_for_is_told() -> None:
    report = verified(
        "part a:\nalpha_a = alpha_b\nwhat is this\npart z:\nalpha_a = 1\npart c:\n9 true\n2 maybe\n"
    )
    said = " ".join(map(str, (*report.unread, *report.remarks)))
    for expected in (
        "nothing here is called 'what'",
        "there is no part z",
        "part c has no claim 9",
        "alpha_a = alpha_b states nothing",
    ):
        assert expected in said
    assert [Verdict.NOT_READ] == [step.verdict for step in report.steps if step.name == "c.claim2"]


def test_a_slip_tells_what_would_be_right_and_hints_do_not() -> None:
    report = verified("part a:\nalpha_a = 1/2\npart c:\n1 false\n")
    text = str(slip(SOLVED, report, to="text"))
    assert "It holds only if m = 2" in text and "0 of 4" in text and "\x1b" not in text
    hinted = str(slip(SOLVED, report, to="text", hints=1))
    assert "It holds only if" not in hinted and "look at this again" in hinted


def test_a_mark_scheme_has_every_result_and_every_claim() -> None:
    page = render(SOLVED, sheet="markscheme", to="markdown").text
    for said in (
        "(a.weights)",
        r"\frac{1}{2 e^{c/\sqrt{d}} + m - 2}",
        "(c.claim2)",
        "It holds only if $m = 2$",
        "[8]",
    ):
        assert said in page
    assert "8 marks" in render(SOLVED, sheet="exercise", to="markdown").text.replace("\u00a0", " ")


def test_a_class_has_a_column_for_every_part(tmp_path: Path) -> None:
    file = tmp_path / "keys.yaml"
    file.write_text(PROBLEM, encoding="utf-8")
    assignment = Assignment(file)
    pile = Piece(
        "pile.txt",
        f"@ ada\n{SCORES}{WEIGHTS}{OUTPUT}part c:\n1 true\n@ bob\npart b:\nalpha_a -> 1/2 as c -> oo\n",
    )
    made = list(graded_piece(assignment, pile))
    lines = gradebook(assignment.trace().problem, made).splitlines()
    assert "student,variant,a,b,c,total,possible,first wrong,look at,source" == lines[0]
    assert lines[1].startswith("ada,,8,0,2,10,20,") and lines[2].startswith("bob,,0,1,0,1,20,")


def test_marks_for_what_is_not_there_are_refused() -> None:
    with pytest.raises(ProblemError, match="this part has no step 'limit'"):
        loads(PROBLEM.replace("{scores: 2, weights: 4, output: 2}", "{limit: 2}"))


def test_without_marks_in_the_file_results_have_two_and_claims_one() -> None:
    plain = "\n".join(line for line in PROBLEM.splitlines() if "marks:" not in line)
    report = verifier_of(solve(loads(plain))).verify(read_submission(SCORES, form="claims"))
    assert Fraction(3 * 2 + 2 * 2 + 4) == report.possible


def test_what_is_asked_in_words_beside_symbols_waits_for_a_person() -> None:
    marked = PROBLEM.replace("{limit: 2, solution: 2}", "{limit: 2, solution: 2, words: 3}")
    words = marked.replace("    limit: c -> oo\n", "    limit: c -> oo\n    discuss: It looks at two keys.\n")
    report = verifier_of(solve(loads(words))).verify(read_submission("", form="claims"))
    assert [("b.words", 3)] == [(step.name, step.possible) for step in report.steps if step.waits]


def test_outputs_of_heads_that_are_not_combined_have_their_row_of_the_mark_scheme() -> None:
    """(e^(c/√d) v_a + v_b + the others) / (e^(c/√d) + m - 1), and the same with a and b exchanged."""
    solved = solve(
        loads("""
format: 1
title: Two heads
assume: {m: integer >= 2, d: integer >= m, c: positive, k: 'orthonormal, m vectors', v: m vectors}
given: {q_1: c*k_a, q_2: c*k_b}
parts:
  - ask: What do both get?
    attend: {queries: [q_1, q_2], keys: k, values: v, divide_by: sqrt(d)}
    marks: {output: 1}
""")
    )
    page = render(solved, sheet="markscheme", to="markdown").text
    below = r"{e^{c/\sqrt{d}} + m - 1}$"
    assert r"$a_1 = \frac{e^{c/\sqrt{d}} v_a + v_b + \sum_{i \ne a, b} v_i}" + below in page
    assert r"$a_2 = \frac{v_a + \sum_{i \ne a, b} v_i + e^{c/\sqrt{d}} v_b}" + below in page
