"""Answers about letters in matrices: limits, solutions and trends, with marks worked out by hand."""

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest

from attnsolve.engine import solve
from attnsolve.errors import ProblemError
from attnsolve.grading.slips import slip
from attnsolve.loader import load, loads
from attnsolve.rendering import render
from attnsolve.report import Report, Verdict
from attnsolve.statements.answers import Extent, entry_by_entry, extent, solutions
from attnsolve.trace import Trace
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.set_verification import verifier_of

BUNDLED = solve(load(Path(__file__).parents[2] / "problems/symbols/unknown-in-a-key.yaml"))
# The scores are t², t and 0, so that α_1 = α_2 at t = 0 and t = 1, and α_2 = α_3 at t = 0.
SEVERAL = solve(
    loads("""
format: 1
title: Several solutions
assume: {t: real, x: real, y: real, tau: positive, s: nonnegative}
given: {S: t^2 t 0, T: x y 0, U: s 0, W: t -t 0}
parts:
  - {id: a, ask: Weights., plan: [{A: softmax(S)}], marks: {weights: 1}}
  - {id: b, ask: Solve., solve: {for: t, so that: alpha_1 = alpha_2}, marks: {solution: 4}}
  - {id: c, ask: Solve., solve: {for: t, so that: alpha_1 = alpha_2 = alpha_3}, marks: {solution: 4}}
  - {id: d, ask: Solve., solve: {for: t, so that: alpha_1 < 0}, marks: {solution: 4}}
  - {id: e, ask: Solve., solve: {for: t, so that: alpha_1 + alpha_2 + alpha_3 = 1}, marks: {solution: 4}}
  - {id: f, ask: Cases., plan: [{B: 'divide(T, tau)'}, {A: softmax(B)}], limit: tau -> 0, marks: {limit: 4}}
  - {id: g, ask: Grow., plan: [{A: softmax(U)}], monotony: s, marks: {monotony: 4}}
  - {id: h, ask: Open., solve: {for: s, so that: alpha_1 = s}, marks: {solution: 4}}
  - {id: i, ask: Grow., plan: [{A: softmax(W)}], monotony: t, limit: t -> oo, marks: 4}
""")
)
BOUND = "ln(e(e+1)/3)"
ALL = f"no solution\nt = {BOUND}\nt > {BOUND}\n"
# What is written for a part of the bundled problem, and what it earns: worked out by hand.
EARNED = [
    (f"part b:\n{ALL}", {"b.solution": 3}),
    (f"part b:\nt = {BOUND} ≈ 1.2146\n", {"b.solution": 1}),
    ("part b:\nt = 1 + ln((e+1)/3)\n", {"b.solution": 1}),
    ("part b:\nt = 1 + ln(e+1) - ln 3\nt > 1 + ln(e+1) - ln 3\n", {"b.solution": 2}),
    ("part b:\nt = 1.2146\n", {"b.solution": 1}),
    ("part b:\nt ≈ 1.21\n", {"b.solution": 1}),
    ("part b:\nt = 1.2147\n", {}),  # neither rounded nor cut off
    (f"part b:\nt >= {BOUND}\n", {"b.solution": Fraction(1, 2)}),  # whether it is reached
    (f"part b:\nt < {BOUND}\n", {}),
    (f"part b:\nt ∈ ({BOUND}, ∞)\n", {"b.solution": 1}),
    (f"part b:\nalpha_2 = 1/4 for t = {BOUND}\nalpha_2 > 1/4 if t > {BOUND}\n", {"b.solution": 2}),
    ("part b:\nt = 1\n", {"b.solution": Fraction(1, 2)}),  # the first two, and nothing said of the third
    ("part b:\nalpha_1 = alpha_2 for t = 1\nno t\n", {"b.solution": 1}),
    ("part b:\nt = 7\n", {}),
    (f"part b:\nt = {BOUND}\nt = 7\n", {"b.solution": 1}),  # 7 solves nothing else either
    ("part c:\nalpha_2 increases with t\nalpha_1 and alpha_3 decrease with t\n", {"c.monotony": 2}),
    ("part c:\nα_1 fällt mit t\nα_2 wächst mit t\nα_3 diminue avec t\n", {"c.monotony": 2}),
    ("part c:\nd alpha_2/dt = alpha_2 (1 - alpha_2)\n", {"c.monotony": Fraction(2, 3)}),
    ("part c:\n\\frac{\\partial \\alpha_2}{\\partial t} = \\alpha_2 (1 - \\alpha_2) > 0\n",
     {"c.monotony": Fraction(2, 3)}),
    ("part c:\nd/dt alpha_1 = -alpha_1 alpha_2\n∂α_3/∂t < 0\n", {"c.monotony": Fraction(4, 3)}),
    ("part c:\nd alpha_2/dt = alpha_2\n", {}),
    ("part c:\nalpha_2 decreases as t grows\nalpha_1 decreases as t grows\n", {"c.monotony": Fraction(2, 3)}),
    ("part c:\nalpha -> (0, 1, 0) as t -> oo\n", {"c.limit": 2}),
    ("part c:\nlim t->oo Z = (0, 4)\n", {"c.limit": 2}),
    (r"part c:" "\n" r"\lim_{t\to\infty}\alpha_2 = 1", {"c.limit": Fraction(2, 3)}),
    ("part c:\nalpha_2 = e^t/(e + e^t + e^2) -> 1 as t -> oo\n",
     {"a.A": Fraction(2, 3), "c.limit": Fraction(2, 3)}),
    ("part c:\nalpha -> (0, 1, 0) as t -> oo\nz_2 -> 2 as t -> oo\n", {"c.limit": Fraction(3, 2)}),
    ("part c:\nalpha_1 -> 1/2 as t -> oo\n", {}),
    ("part d:\nlim tau->0 alpha = (1, 0, 0)\n", {"d.limit": 1}),
    ("part d:\nlim τ->0 α = (1, 0, 0)\nalpha_1 -> 1/3 as tau -> oo\n", {"d.limit": Fraction(4, 3)}),
    ("part e:\nt = 1 - √2 ln 2\n", {"e.solution": 1}),
    ("part e:\nA_{2,1} = 1/3 for t = 1 + sqrt(2) ln(1/2)\n", {"e.solution": 1}),
    ("part e:\nA = (1, 0; e^{t/√2}/(e^{t/√2} + e^{1/√2}), e^{1/√2}/(e^{t/√2} + e^{1/√2}))\n", {"e.A": 2}),
]  # fmt: skip
FURTHER = [
    ("part b:\nt = 0 or t = 1\n", {"b.solution": 4}),
    ("part b:\nt_1 = 0, t_2 = 1\n", {"b.solution": 4}),
    ("part b:\nt ∈ {0, 1}\n", {"b.solution": 4}),
    ("part b:\nt = 0\n", {"b.solution": 2}),  # one of two
    ("part b:\nt = 0, 1, 2\n", {"b.solution": 2}),  # a wrong one costs
    ("part b:\nt = 0 or t = 2\n", {}),
    ("part b:\nno solution\n", {}),
    ("part c:\nt = 0\n", {"c.solution": 4}),
    ("part c:\nt = 0 or t = 1\n", {}),  # 1 solves only the first of them
    ("part c:\nalpha_1 = alpha_2 for t = 1\nalpha_1 = alpha_2 = alpha_3 for t = 0\n", {"c.solution": 4}),
    ("part d:\nnever\n", {"d.solution": 4}),
    ("part d:\nt < 0\n", {}),
    ("part e:\nfor all t\n", {"e.solution": 4}),
    ("part e:\nt = 1\n", {}),
    ("part f:\nalpha_1 -> 1 as tau -> 0 if x > y and x > 0\n", {"f.limit": Fraction(4, 3)}),
    ("part f:\nalpha_1 -> 1 as tau -> 0\n", {"f.limit": Fraction(2, 3)}),  # in one case, which is not named
    ("part f:\nalpha_1 -> 1/2 as tau -> 0\n", {}),
    ("part g:\nalpha_1 grows with s, alpha_2 shrinks with s\n", {"g.monotony": 4}),
    ("part i:\nalpha_1 increases with t\nalpha_2 decreases with t\n", {"i.monotony": Fraction(8, 9)}),
]  # fmt: skip


def verified(trace: Trace, text: str) -> Report:
    return verifier_of(trace).verify(read_submission(text, form="claims"))


@pytest.mark.parametrize(("text", "expected"), EARNED)
def test_answers_earn_what_they_are_worth(text: str, expected: Mapping[str, Fraction]) -> None:
    report = verified(BUNDLED, text)
    assert not report.unread
    earned = {step.name: step.earned for step in report.steps if step.earned and step.name != "a.S"}
    assert expected == {name: marks for name, marks in earned.items() if name not in ("e.T", "e.M", "e.S")}


@pytest.mark.parametrize(("text", "expected"), FURTHER)
def test_answers_to_equations_with_several_solutions(text: str, expected: Mapping[str, Fraction]) -> None:
    report = verified(SEVERAL, text)
    assert not report.unread
    assert expected == {step.name: step.earned for step in report.steps if step.earned}


def test_equations_without_a_closed_form_are_for_a_person() -> None:
    """e^s/(e^s + 1) = s has a solution that no formula gives; what does not solve it is wrong."""
    open_one = verified(SEVERAL, "part h:\ns = 0.66\n")
    assert [Verdict.UNDECIDED] == [step.verdict for step in open_one.steps if step.name == "h.solution"]
    assert 4 == open_one.exit_code
    wrong = verified(SEVERAL, "part h:\ns = 1\n")
    assert [Verdict.WRONG] == [step.verdict for step in wrong.steps if step.name == "h.solution"]


def test_the_trend_of_the_third_weight_depends_on_t() -> None:
    """α_3 = 1/(e^t + e^-t + 1) grows up to t = 0 and shrinks from there: numbers prove it, either way."""
    for said in ("increases", "decreases"):
        report = verified(SEVERAL, f"part i:\nalpha_3 {said} with t\n")
        assert [Verdict.WRONG] == [step.verdict for step in report.steps if step.name == "i.monotony"]


def test_a_solution_in_decimals_is_that_of_a_bisection() -> None:
    root = mpmath.findroot(lambda t: mpmath.e**t / (mpmath.e + mpmath.e**t + mpmath.e**2) - 0.25, 1)
    for places in (2, 5, 9):
        report = verified(BUNDLED, f"part b:\nt = {mpmath.nstr(root, places + 1)}\n")
        assert 1 == next(step.earned for step in report.steps if step.name == "b.solution")


def test_a_slip_tells_what_would_be_right_and_hints_do_not() -> None:
    wrong = f"part b:\nt < {BOUND}\npart c:\nalpha_1 -> 1 as t -> oo\nalpha_2 decreases with t\n"
    report = verified(BUNDLED, wrong)
    shown = str(slip(BUNDLED, report, to="markdown"))
    for right in (r"t > \ln", r"\lim_{t \to \infty} \alpha_{1} = 0", r"$\alpha_{2}$ increases with $t$"):
        assert right in shown
    assert "Right would be" not in str(slip(BUNDLED, report, to="markdown", hints=3))
    assert 1 == report.exit_code
    assert "lim_{t -> oo} alpha_{1} = 0" == next(
        step["expected"] for step in report.record()["steps"] if step["name"] == "c.limit"
    )


def test_a_slip_says_that_nothing_solves_something() -> None:
    report = verified(BUNDLED, "part b:\nt = 5\n")
    assert "This holds for no $t$.\n" in str(slip(BUNDLED, report, to="markdown"))


def test_a_mark_scheme_has_no_columns_for_method_and_accuracy() -> None:
    page = render(BUNDLED, sheet="markscheme", to="markdown").text
    assert "method" not in page and "accuracy" not in page
    limit = r"\lim_{\tau \to 0} \alpha_{1} = 1"
    for said in ("(b.solution)", r"\approx 1.2146", "(c.monotony)", limit, "[4]"):
        assert said in page


def test_one_number_is_shared_by_steps_and_answers() -> None:
    report = verified(SEVERAL, "")
    shares = {step.name: step.possible for step in report.steps if step.name.startswith("i.")}
    assert {"i.A": Fraction(4, 3), "i.limit": Fraction(4, 3), "i.monotony": Fraction(4, 3)} == shares


def test_marks_for_what_is_not_asked_are_refused() -> None:
    text = "format: 1\ntitle: T\nassume: {t: real}\ngiven: {S: t 0}\nparts:\n"
    with pytest.raises(ProblemError, match="this part has no step 'limit'"):
        loads(f"{text}  - {{ask: A., plan: [{{A: softmax(S)}}], marks: {{limit: 1}}}}\n")


def test_a_chain_whose_first_equation_always_holds_is_solved_by_the_next() -> None:
    """α_1 = α_2 holds for every t there, but α_2 = α_3 only for t = 0."""
    text = "format: 1\ntitle: T\nassume: {t: real}\ngiven: {S: t t 0}\nparts:\n"
    part = "  - {ask: A., plan: [{A: softmax(S)}], solve: {for: t, so that: alpha_1 = alpha_2 = alpha_3}}\n"
    solved = solve(loads(text + part))
    assert "every" not in render(solved, to="markdown").text
    report = verified(solved, "t = 0\n")
    assert [2] == [step.earned for step in report.steps if step.name == "a.solution"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("no solution", Extent.NOTHING), ("No t.", Extent.NOTHING), ("keine Lösung", Extent.NOTHING),
        ("sem solução", Extent.NOTHING), ("aucune solution", Extent.NOTHING),
        (r"t \in \emptyset", Extent.NOTHING), ("for all t", Extent.EVERYTHING), ("immer", Extent.EVERYTHING),
        (r"t \in \mathbb{R}", Extent.EVERYTHING), ("t = 1", None), ("no idea", None),
    ],
)  # fmt: skip
def test_words_for_nothing_and_everything(text: str, found: Extent | None) -> None:
    assert found is extent(text, "t")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("t = 1 or " * 30 + "t = 2", "31 solutions in one line"),
        ("t in {" * 20_000, "characters long; the limit is"),
        ("alpha = (" + "(" * 900, "brackets inside one another"),
    ],
)
def test_bombs_are_refused(text: str, said: str) -> None:
    report = verified(BUNDLED, f"part b:\n{text}\n")
    assert said in str(report.unread[0])


def test_lists_of_solutions_are_taken_apart() -> None:
    assert ["t = +1", "t = -1"] == list(solutions("t = ±1", "t"))
    assert ["t > 1", "t <  2"] == list(solutions("t in (1, 2)", "t"))
    report = verified(BUNDLED, "part b:\nt = 1,2146\n")
    assert "may be one number or two" in str(report.unread[0])
    entries = [" ".join(one.split()) for one in entry_by_entry("A = [[1, 2], [3, 4]]", {"A"})]
    assert ["A_{1,1} = 1", "A_{1,2} = 2", "A_{2,1} = 3", "A_{2,2} = 4"] == entries
