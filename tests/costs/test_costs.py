"""Costs of plans: the golden formulas, crossovers and numbers; letters for sizes; what cannot be counted."""

import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sympy

from attnsolve.costs import Cost, Costs, count
from attnsolve.errors import ProblemError
from attnsolve.exact.polynomials import ZERO, Polynomial
from attnsolve.loader import loads

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parents[1] / "golden.json").read_text("utf-8"))[
    "s002_q2_complexity"
]["steps"]
LAB = """
format: 1
title: Lab 5, Q2
given:
  X: 2 -1 3; 1 2 4; -2 -3 0
  W_Q: identity(3)
  W_K: ones(3x3)
  W_V: identity(3)
  W_O: identity(3)
parts:
  - {id: core, ask: w, self_attention: {input: X, divide_by: none}}
  - {id: scaled, ask: w, self_attention: {input: X}}
  - {id: qkv, ask: w, self_attention: {input: X, W_Q: W_Q, W_K: W_K, W_V: W_V}}
  - {id: qkvo, ask: w, multi_head: {heads: [qkv], W_O: W_O}}
  - ask: w
    multi_head: {input: X, heads: [{W_Q: W_Q, W_K: W_K, W_V: W_V}], W_O: W_O}
    id: whole
  - {id: costs, ask: w, costs: {of: [core, scaled, qkv, qkvo, whole], beside: gru}}
"""
# The golden file's words for the plans above.
NAMES = {
    "self_attention_unprojected": "core",
    "self_attention_scaled_with_QKV": "qkv",
    "self_attention_scaled_with_QKV_and_O": "qkvo",
    "gru_no_bias": "gru",
}
FORMULAS = {
    "attn_core_multiplications": ("core", "multiplications"),
    "attn_core_additions": ("core", "additions"),
    "attn_with_QKV_multiplications": ("qkv", "multiplications"),
    "attn_with_QKVO_multiplications": ("qkvo", "multiplications"),
    "gru_multiplications": ("gru", "multiplications"),
    "gru_additions_no_bias": ("gru", "additions"),
}


def counted(text: str) -> Costs:
    """The costs that the last part of a problem asks for."""
    problem = loads(text)
    return count(problem, problem.parts[-1])


@cache
def lab() -> dict[str, Cost]:
    return {cost.name: cost for cost in counted(LAB).everything}


def same(expected: str, found: Polynomial) -> bool:
    """Equal as polynomials, by SymPy; both texts are our own files'."""
    x, y = (sympy.sympify(text, rational=True) for text in (expected, str(found)))  # noqa: TID251
    return bool(sympy.expand(x - y) == 0)


@pytest.mark.parametrize("name", FORMULAS)
def test_formula_is_the_golden_one(name: str) -> None:
    plan, operation = FORMULAS[name]
    formula = GOLDEN["formulas"][name].partition("  (")[0]
    assert same(formula, getattr(lab()[plan].total, operation))


def test_softmax_and_scaling_cost_what_the_golden_file_says() -> None:
    said = "l^2 exponentials, l(l-1) additions, l^2 divisions (+ l^2 divisions if scaled)"
    assert said == GOLDEN["formulas"]["attn_softmax"]
    steps = {step.name: step.counts for step in lab()["scaled"].steps}
    weights = steps["scaled.A"]
    assert same("l**2", weights.exponentials)
    assert same("l*(l - 1)", weights.additions)
    assert same("l**2", weights.divisions)
    assert same("l**2", steps["scaled.T"].divisions)
    assert same("2*l**2", lab()["scaled"].total.divisions)


EXAMPLES = [(sizes, name) for sizes in GOLDEN["examples"] for name in NAMES]


@pytest.mark.parametrize(("sizes", "name"), EXAMPLES, ids=lambda value: str(value))
def test_numbers_are_the_golden_ones(sizes: str, name: str) -> None:
    at = {letter: int(number) for letter, number in re.findall(r"(\w)=(\d+)", sizes)}
    found = lab()[NAMES[name]].total.values(at)
    expected = {
        key.replace("sigmoid_tanh", "functions"): n for key, n in GOLDEN["examples"][sizes][name].items()
    }
    assert {key: int(number) for key, number in expected.items()} == {key: found[key] for key in expected}


CROSSOVERS = {"core": "core", "with_QKV": "qkv", "with_QKVO": "qkvo"}


@pytest.mark.parametrize("name", CROSSOVERS)
def test_crossover_is_the_golden_one(name: str) -> None:
    """`2 l^2 d < 6 l d^2 + 3 l d  <=>  l < 3d + 3/2`."""
    bound = GOLDEN["crossover"][name].partition("<=>  l < ")[2].replace("3d", "3*d")
    found = counted(LAB).crossovers()[CROSSOVERS[name]]
    assert "below" == found.verdict
    assert 1 == found.bottom
    assert same(bound, found.top)


def test_a_head_of_another_part_is_counted_with_the_plan_that_takes_it() -> None:
    assert lab()["whole"].total == lab()["qkvo"].total
    assert ["qkv.Q", "qkvo.Z"] == [lab()["qkvo"].steps[0].name, lab()["qkvo"].steps[-1].name]


def plan(body: str, given: str = "X: ones(3x4)") -> Costs:
    """The costs of one part."""
    text = f"format: 1\ntitle: T\ngiven: {{{given}}}\nparts:\n  - {{id: a, ask: w, {body}}}\n"
    return counted(f"{text}  - {{id: b, ask: w, costs: {{of: a}}}}\n")


@pytest.mark.parametrize(
    ("body", "given", "sizes", "multiplications"),
    [
        # Every number of tokens and every width has its letter; l² d_k for the scores, l² d_v for the output.
        (
            "self_attention: {input: X, W_Q: ones(4x2), W_K: ones(4x2), W_V: ones(4x5)}",
            "X: ones(3x4)",
            {"l": 3, "d": 4, "d_k": 2, "d_v": 5},
            "2*l*d*d_k + l*d*d_v + l**2*d_k + l**2*d_v",
        ),
        # Equal widths share a letter.
        (
            "self_attention: {input: X, W_Q: ones(4x2), W_K: ones(4x2), W_V: ones(4x2)}",
            "X: ones(3x4)",
            {"l": 3, "d": 4, "d_k": 2},
            "3*l*d*d_k + 2*l**2*d_k",
        ),
        # The context is a second group of tokens.
        (
            "cross_attention: {input: X, context: Y, divide_by: none}",
            "X: ones(3x4), Y: ones(5x4)",
            {"l": 3, "m": 5, "d": 4},
            "2*l*m*d",
        ),
        # One query is one row.
        ("attend: {queries: 1 2 3 4, keys: X}", "X: ones(3x4)", {"l": 3, "d": 4}, "2*l*d"),
        # So is one that is chosen.
        ("self_attention: {input: X, queries: [2]}", "X: ones(3x4)", {"l": 3, "d": 4}, "2*l*d"),
        # Wide matrices are shared by the heads: as much work as with one head.
        (
            "multi_head: {input: X, heads: 2, W_Q: W, W_K: W, W_V: W, W_O: W}",
            "X: ones(3x4), W: ones(4x4)",
            {"l": 3, "d": 4},
            "4*l*d**2 + 2*l**2*d",
        ),
        # Heads side by side are 2 d_v wide, which need not be d.
        (
            "multi_head: {input: X, heads: [{W_Q: A, W_K: A, W_V: A}, {W_Q: A, W_K: A, W_V: A}], W_O: B}",
            "X: ones(3x4), A: ones(4x3), B: ones(6x4)",
            {"l": 3, "d": 4, "d_a": 3},
            "6*l*d*d_a + 4*l**2*d_a + 2*l*d_a*d",
        ),
        # A bias is added, not multiplied.
        (
            "plan: [{Q: 'project(X, W, b)'}]",
            "X: ones(3x4), W: ones(4x2), b: 1 2",
            {"l": 3, "d": 4, "d_w": 2},
            "l*d*d_w",
        ),
        # Scores alone have no width.
        ("attend: {scores: S}", "S: ones(3x3)", {"l": 3}, "0"),
    ],
    ids=["projected", "equal", "cross", "one-query", "chosen", "wide-heads", "heads", "bias", "scores"],
)
def test_letters_stand_for_the_sizes_of_the_exercise(
    body: str, given: str, sizes: dict[str, int], multiplications: str
) -> None:
    costs = plan(body, given)
    assert sizes == costs.sizes
    assert same(multiplications, costs.plans[0].total.multiplications)


def test_heads_of_different_width_get_numbers() -> None:
    heads = "[{W_Q: ones(4x2), W_K: ones(4x2)}, {W_Q: ones(4x3), W_K: ones(4x3)}]"
    assert {"l": 3, "d": 4, "d_k": 2, "d_k2": 3} == plan(f"multi_head: {{input: X, heads: {heads}}}").sizes


def test_widths_that_fit_only_together_are_multiples_of_d() -> None:
    """Two heads of width 2 put together are as wide as a token, 4, and are added to it."""
    body = "plan: [{C: 'concatenate(Y, Y)'}, {Z: 'add(X, C)'}]"
    costs = plan(body, "Y: ones(3x2), X: ones(3x4)")
    assert {"l": 3, "d": 2} == costs.sizes
    assert same("2*l*d", costs.plans[0].total.additions)


def test_relu_saves_the_exponentials() -> None:
    softmax, relu = (plan(f"self_attention: {{input: X, weights: {name}}}") for name in ("softmax", "relu"))
    first, second = softmax.plans[0].total, relu.plans[0].total
    assert same("l**2", first.exponentials)
    assert replace(first, exponentials=ZERO) == second


def test_a_mask_is_free() -> None:
    masked = plan("self_attention: {input: X, mask: {causal: true}}").plans[0].total
    assert masked == plan("self_attention: {input: X}").plans[0].total


def test_argmax_only_compares() -> None:
    """What is left is the dot products, 2 l² d, without exponentials; only the scaling divides."""
    total = plan("self_attention: {input: X, weights: {argmax: {ties: first}}}").plans[0].total
    assert same("2*l**2*d", total.multiplications)
    assert (ZERO, ZERO) == (total.exponentials, total.functions)
    assert same("l**2", total.divisions)


@pytest.mark.parametrize(
    ("weights", "why"),
    [
        ("{argmax: {ties: split}}", "how many ties there are depends on the scores"),
        ("sparsemax", "how many scores lie above that depends on them"),
        ("entmax15", "how many scores lie above that depends on them"),
        ("{entmax: {alpha: 1.25}}", "how many scores lie above that depends on them"),
    ],
)
def test_what_depends_on_the_numbers_is_left_out_by_name(weights: str, why: str) -> None:
    """The rest is counted as ever: as with argmax, which costs nothing itself."""
    found = plan(f"self_attention: {{input: X, queries: [1, 2], weights: {weights}}}").plans[0]
    (step,) = found.uncounted
    assert "a.A" == step.name
    assert why in step.why
    others = plan("self_attention: {input: X, queries: [1, 2], weights: {argmax: {ties: first}}}").plans[0]
    assert others.total == found.total


def test_a_plan_that_is_not_counted_to_the_end_is_not_compared() -> None:
    body = LAB.replace("{input: X}}", "{input: X, weights: sparsemax}}")
    assert ["core", "qkv", "qkvo", "whole"] == list(counted(body).crossovers())


def test_position_codes_are_made_beforehand() -> None:
    found = plan("plan: [{P: 'sinusoid(X)'}, {Y: 'add(X, P)'}]").plans[0]
    assert ["a.P"] == [step.name for step in found.uncounted]
    assert same("l*d", found.total.additions)


def test_without_tokens_there_is_no_gru() -> None:
    text = "format: 1\ntitle: T\ngiven: {q: 1 2, k: 3 4}\nparts:\n"
    text += "  - {id: a, ask: w, attend: {queries: q, keys: k}}\n"
    with pytest.raises(ProblemError, match="no sequence of tokens"):
        counted(text + "  - {ask: w, costs: {of: a, beside: gru}}\n")
