"""Costs in print: the formulas and numbers of the golden file, in each format and at each detail."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sympy

from attnsolve.bundled import data
from attnsolve.engine import solve
from attnsolve.loader import load, loads
from attnsolve.rendering import render
from attnsolve.trace import Trace

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parents[1] / "golden.json").read_text("utf-8"))[
    "s002_q2_complexity"
]["steps"]
PLANS = {
    "self_attention_unprojected": "part (a)",
    "self_attention_scaled_with_QKV": "part (b)",
    "self_attention_scaled_with_QKV_and_O": "part (c)",
    "gru_no_bias": "GRU",
}


@cache
def lab() -> Trace:
    return solve(load(data("problems") / "lab-5-costs.yaml"))


@cache
def shown(**choices: Any) -> str:
    """The part that counts, in a document."""
    text = render(lab(), **choices).text
    return text[text.index("Part (d)") : text.index("Part (e)")]


def cells(line: str) -> list[str]:
    """The cells of a row of a Markdown table, without maths markup."""
    return [cell.strip().strip("$").replace(r"\,", "") for cell in line.strip().strip("|").split("|")]


@pytest.mark.parametrize("detail", ["result", "products"])
@pytest.mark.parametrize("sizes", ["l=3,d=3", "l=10,d=512", "l=512,d=512", "l=4096,d=512"])
def test_numbers_are_the_golden_ones(sizes: str, detail: str) -> None:
    l, d = re.findall(r"\d+", sizes)
    lines = shown(detail=detail).splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith(rf"| $l = {l},\ d = {d}$ |"))
    for line, (name, title) in zip(lines[first : first + 4], PLANS.items(), strict=True):
        expected = GOLDEN["examples"][sizes][name]
        keys = ("multiplications", "additions", "exponentials", "divisions", "sigmoid_tanh")
        assert [title, *(expected.get(key, "0") for key in keys)] == cells(line)[1:]


@pytest.mark.parametrize("detail", ["result", "matrices", "products"])
def test_totals_and_crossovers_are_always_told(detail: str) -> None:
    text = shown(detail=detail)
    assert r"| part (c): With an output matrix | $2\,l^{2} d + 4\,l d^{2}$ |" in text
    assert r"$l < 3\,d + \tfrac{3}{2}$. For $d = 3$ up to $l = 10$; for $d = 512$ up to $l = 1537$." in text
    assert r"$l < \tfrac{3}{2}\,d + \tfrac{3}{2}$" in text
    assert r"$l < d + \tfrac{3}{2}$" in text
    assert "$O(l)$ steps one after another" in text


def test_steps_are_told_unless_only_results_are_wanted() -> None:
    row = r"| $S = X X^{\top}$ | $l^{2} d$ | $l^{2} d - l^{2}$ | $0$ | $0$ |"
    assert row in shown(detail="matrices")
    assert row not in shown(detail="result")
    assert r"z_t = \sigma" in shown(detail="cells")
    assert r"z_t = \sigma" not in shown(detail="result")


def test_a_head_that_has_its_own_table_is_one_line() -> None:
    assert r"| the steps of part (b) | $2\,l^{2} d + 3\,l d^{2}$ |" in shown()


def test_the_exercise_has_the_question_only() -> None:
    for to in ("markdown", "latex"):
        text = shown(to=to, sheet="exercise")
        assert "GRU" in text
        assert "tabular" not in text
        assert "|---" not in text
    record = json.loads(render(lab(), to="json", sheet="exercise").text)
    assert not any("costs" in part for part in record["parts"])


def test_latex_sets_groups_and_sums_apart() -> None:
    text = shown(to="latex")
    assert 4 == text.count(r"\addlinespace")
    # Three plans, the GRU and the totals end with a line of their own; each table has one below its head.
    assert 5 + 6 == text.count(r"\midrule")


@cache
def record(detail: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(render(lab(), to="json", detail=detail).text)["parts"][3]["costs"]
    return found


@pytest.mark.parametrize("detail", ["result", "products"])
def test_programs_get_formulas_that_sympy_reads(detail: str) -> None:
    costs = record(detail)
    assert {"l": 3, "d": 3} == costs["sizes"]
    assert {"a": "l < 3*d + 3/2", "b": "l < 3/2*d + 3/2", "c": "l < d + 3/2"} == costs[
        "fewer_multiplications"
    ]
    for cost, name in zip([*costs["plans"], costs["beside"]], PLANS, strict=True):
        assert ("steps" in cost) == (detail != "result")
        for numbers in cost["numbers"]:
            at = numbers["sizes"]
            golden = GOLDEN["examples"].get(f"l={at['l']},d={at['d']}", {}).get(name, {})
            for operation, formula in cost["total"].items():
                value = sympy.sympify(formula).subs(at)  # noqa: TID251 - our own text, SymPy is the oracle
                assert value == numbers[operation]
                assert golden.get(operation, str(value)) == str(value)


def test_steps_add_up_for_programs() -> None:
    costs = record("products")
    for cost in [*costs["plans"], costs["beside"]]:
        for operation, total in cost["total"].items():
            steps = sum(sympy.sympify(step[operation]) for step in cost["steps"])  # noqa: TID251
            assert 0 == sympy.expand(steps * sympy.sympify(cost["times"]) - sympy.sympify(total))  # noqa: TID251


def sentence(body: str, given: str, beside: str = ", beside: gru") -> str:
    """What is said about a plan and the GRU."""
    text = f"format: 1\ntitle: T\ngiven: {{{given}}}\nparts:\n  - {{id: a, ask: w, {body}}}\n"
    trace = solve(loads(f"{text}  - {{ask: w, costs: {{of: a{beside}}}}}\n"))
    return render(trace, detail="result").text


@pytest.mark.parametrize(
    ("body", "given", "said"),
    [
        (
            "attend: {queries: 1 2, keys: X}",
            "X: ones(3x2)",
            r"fewer than the GRU, whatever the sizes: $2\,l d < 6\,l d^{2} + 3\,l d$.",
        ),
        (
            "cross_attention: {input: X, context: Y}",
            "X: ones(3x2), Y: ones(4x2)",
            r"that is, when $2\,m d < 6\,d^{2} + 3\,d$. This holds whatever $l$ is.",
        ),
        (
            "cross_attention: {input: X, context: Y, W_Q: W, W_K: W}",
            "X: ones(3x2), Y: ones(4x2), W: ones(2x2)",
            r"that is, when $2\,l m d + m d^{2} < 5\,l d^{2} + 3\,l d$. This gives no single bound for $l$.",
        ),
        (
            "self_attention: {input: X, W_Q: W, W_K: W, W_V: ones(2x5)}",
            "X: ones(3x2), W: ones(2x2)",
            r"$l < \frac{4\,d^{2} - d d_{v} + 3\,d}{d + d_{v}}$. For $d = 2,\ d_{v} = 5$ up to $l = 1$.",
        ),
        (
            "self_attention: {input: X, W_Q: W, W_K: W, W_V: ones(2x50)}",
            "X: ones(3x2), W: ones(2x2)",
            r". For $d = 2,\ d_{v} = 50$ never.",
        ),
    ],
    ids=["always", "independent", "unsolved", "quotient", "never-here"],
)
def test_comparison_says_what_holds(body: str, given: str, said: str) -> None:
    assert said in sentence(body, given)


def test_without_a_gru_there_is_nothing_to_compare() -> None:
    text = sentence("self_attention: {input: X}", "X: ones(3x2)", beside="")
    assert "GRU" not in text
    assert "**Together.**" in text


UNCOUNTED = """\
format: 1
title: Sparse
given: {X: 1 0 2; 0 1 1; 2 1 0; 1 1 1}
parts:
  - {ask: w, self_attention: {input: X, weights: sparsemax}}
  - {ask: w, self_attention: {input: X, score: cosine, weights: {argmax: {ties: first}}}}
  - {ask: w, costs: {of: [a, b], beside: gru}}
"""
WHY = "it looks for a threshold, and how many scores lie above that depends on them"


@pytest.mark.parametrize("detail", ["result", "matrices", "products"])
def test_what_is_not_counted_is_named_with_its_reason(detail: str) -> None:
    text = render(solve(loads(UNCOUNTED)), detail=detail).text
    text = text[text.index("Part (c)") :]
    said = rf"$A = \operatorname{{sparsemax}}(\tilde{{S}})$ is not counted, because {WHY}; the sums are"
    assert 1 == text.count(said)
    # By hand: l² d for the scores and l² d for the output.
    assert r"| part (a), as far as it is counted | $2\,l^{2} d$ |" in text
    assert "Part (a) is not counted to the end, so that it cannot be compared." in text
    assert "Part (b) needs fewer than the GRU when" in text


def test_what_a_formula_does_not_show_is_said_in_words() -> None:
    text = render(solve(loads(UNCOUNTED)), detail="cells").text
    # By hand: l² dot products of d numbers, l² products of lengths, and d squares for each of 2l vectors.
    assert r"| $S = \cos(X, X)$ | $l^{2} d + l^{2} + 2\,l d$ |" in text
    assert (
        r"$S = \cos(X, X)$ takes a dot product, a product of two lengths and a division for each pair" in text
    )
    assert r"$A = \operatorname{argmax}(S)$ only compares and chooses, which is free." in text
    assert r"| $A = \operatorname{sparsemax}(\tilde{S})$ | not counted |" in text


def test_programs_are_told_what_is_not_counted() -> None:
    record = json.loads(render(solve(loads(UNCOUNTED)), to="json").text)
    costs = next(part["costs"] for part in record["parts"] if part.get("costs"))
    assert {"a.A": WHY} == costs["plans"][0]["not_counted"]
    assert "not_counted" not in costs["plans"][1]
    assert ["b"] == list(costs["fewer_multiplications"])


def test_what_two_steps_take_is_said_once() -> None:
    given = "X: 1 0 2 1; 0 1 1 0; 2 1 0 1, W: identity(4)"
    body = "encoder_block: {input: X, W_Q: W, W_K: W, W_V: W, W_1: W, W_2: W}"
    text = f"format: 1\ntitle: T\ngiven: {{{given}}}\nparts:\n  - {{id: a, ask: w, {body}}}\n"
    shown = render(solve(loads(f"{text}  - {{ask: w, costs: {{of: a}}}}\n"))).text
    assert 1 == shown.count("takes a mean, a variance and a root for each token")
    # By hand, of l tokens of width d, twice: see `tests/costs/test_by_hand.py` for one of them.
    assert 2 == shown.count(r"| $l d$ | $3\,l d - l$ | $0$ | $l d + 2\,l$ | $l$ |")
