"""The golden file's other kinds of attention: scores, positions, a decoder step, a module with biases."""

import json
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from test_golden import assert_agree, cells_of, tabled

from attnsolve.bundled import data
from attnsolve.engine import run, solve
from attnsolve.errors import UndefinedStep
from attnsolve.exact import Rational
from attnsolve.exact.cells import divide
from attnsolve.loader import load, loads
from attnsolve.ops.additive import inner
from attnsolve.ops.concat import parted
from attnsolve.ops.sinusoid import TEN_THOUSAND, exponents, frequencies
from attnsolve.problem import Problem
from attnsolve.trace import Trace

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parent / "golden.json").read_text("utf-8"))


@cache
def bundled(name: str) -> Problem:
    return load(data("problems") / f"{name}.yaml")


@cache
def solved(name: str) -> Trace:
    return solve(bundled(name))


def agree(trace: Trace, name: str, golden: Any) -> None:
    assert_agree(tabled(golden), cells_of(trace.value(name)))


# -- which cases are tested where -------------------------------------------------------------------


def test_no_case_is_left_out() -> None:
    here = {
        "s000_q2_2_example",
        "s001_1e_onehot_T3",
        "s001_1e_onehot_T4",
        *(f"s001_1e_sine_d{width}" for width in (2, 4, 6, 8)),
        "s002_scores",
        "s002_relu_undefined",
        "s003_variants",
        "s003_scaled_norm_misreading",
        "s004_2_1_example",
    }
    in_test_golden = {name for name in GOLDEN if name.startswith(("s000_q1_", "s001_q2", "s002_q1"))}
    in_test_costs = {"s002_q2_complexity"}
    # Orthonormal keys with letters for numbers: a later issue.
    symbols = {name for name in GOLDEN if name.startswith("s004_1_")} | {"s004_line_check"}
    assert set(GOLDEN) == here | in_test_golden | in_test_costs | symbols


# -- seed 000, question 2.2 -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "letter"),
    [("scores", "S"), ("weights", "A"), ("context", "C"), ("pre_activation", "U"), ("output", "H")],
)
def test_decoder_step(word: str, letter: str) -> None:
    agree(solved("ist-practical-10-decoder"), f"a.{letter}", GOLDEN["s000_q2_2_example"]["steps"][word])


def test_decoder_step_has_the_golden_inputs() -> None:
    inputs, givens = GOLDEN["s000_q2_2_example"]["inputs"], bundled("ist-practical-10-decoder").givens
    assert_agree(inputs["F"], cells_of(givens["F"].value.T))  # states as columns there
    assert_agree([inputs["s_t"]], cells_of(givens["s"].value))
    assert_agree(inputs["W_c"], cells_of(givens["W_c"].value.T))


# -- seed 001, question 1(e) ------------------------------------------------------------------------


def tokens(count: int) -> str:
    return "; ".join(["1 0"] * count)


@pytest.mark.parametrize("count", [3, 4])
def test_one_hot(count: int) -> None:
    problem = loads(f"""
format: 1
title: places
given: {{X: {tokens(count)}}}
parts: [{{id: a, ask: which, positions: {{input: X, encoding: one_hot}}}}]
""")
    agree(solve(problem), "a.P", GOLDEN[f"s001_1e_onehot_T{count}"]["steps"]["PE"])


@pytest.mark.parametrize(("reading", "first"), [("document", 1), ("vaswani", 0)])
@pytest.mark.parametrize("width", [2, 4, 6, 8])
def test_sine(width: int, reading: str, first: int) -> None:
    golden = GOLDEN[f"s001_1e_sine_d{width}"]["steps"][reading]
    problem = loads(f"""
format: 1
title: places
given: {{X: {tokens(6)}}}
parts:
  - {{id: a, ask: which, positions: {{input: X, width: {width}, frequencies_from: {first}, combine: none}}}}
""")
    agree(solve(problem), "a.P", [golden["PE"][f"t={t}"] for t in range(6)])
    assert golden["exponents_2k_over_d"] == [str(exponent) for exponent in exponents(width, str(first))]
    speeds = frequencies(width, TEN_THOUSAND, str(first))
    assert_agree([golden["frequencies"]], [speeds])
    assert_agree([golden["wavelengths_over_2pi"]], [[divide(Rational(1), speed) for speed in speeds]])


def test_the_two_readings_of_the_sine_are_one_index_apart() -> None:
    for width in (4, 6, 8):
        document, vaswani = (
            GOLDEN[f"s001_1e_sine_d{width}"]["steps"][reading]["exponents_2k_over_d"]
            for reading in ("document", "vaswani")
        )
        assert document[:-1] == vaswani[1:]
        assert {Fraction(2, width)} == {Fraction(b) - Fraction(a) for a, b in pairwise(document)}


def test_bundled_positions_are_the_golden_ones() -> None:
    trace = solved("eecs182-discussion-8-sequences")
    golden = GOLDEN["s001_1e_sine_d4"]["steps"]
    agree(trace, "e.P", GOLDEN["s001_1e_onehot_T4"]["steps"]["PE"])
    agree(trace, "f.P", [golden["document"]["PE"][f"t={t}"] for t in (1, 2, 3, 4)])
    agree(trace, "g.P", [golden["vaswani"]["PE"][f"t={t}"] for t in (0, 1, 2, 3)])


# -- seed 002, practical exercise -------------------------------------------------------------------

LAB_PARTS = {"dot": "a", "scaled_dot": "b", "bilinear": "c", "additive": "d"}


@pytest.mark.parametrize(("score", "part"), LAB_PARTS.items())
def test_lab_scores(score: str, part: str) -> None:
    golden, trace = GOLDEN["s002_scores"]["steps"][score], solved("lab-5-scores")
    agree(trace, f"{part}.T" if score == "scaled_dot" else f"{part}.S", golden["scores"])
    agree(trace, f"{part}.A", golden["weights"])
    agree(trace, f"{part}.Z", golden["output"])
    case = f"e.case{list(LAB_PARTS).index(score) + 1}"
    agree(trace, f"{case}.A", golden["relu_weights"])
    agree(trace, f"{case}.Z", golden["relu_output"])


def test_lab_scores_have_the_golden_inputs() -> None:
    inputs, givens = GOLDEN["s002_scores"]["inputs"], bundled("lab-5-scores").givens
    pairs = [("x", "x"), ("y", "Y"), ("W_bilinear", "W_b"), ("v_additive", "v")]
    for word, name in pairs:
        assert_agree(tabled(inputs[word]), cells_of(givens[name].value))
    for word, name in (("W_additive", "W"), ("U_additive", "U")):
        assert_agree(inputs[word], cells_of(givens[name].value.T))


def test_what_goes_into_and_comes_out_of_the_tanh() -> None:
    golden = GOLDEN["s002_scores"]["steps"]["additive"]
    hidden = inner(*solved("lab-5-scores").step("d.S").inputs[:4])[0]
    assert_agree(golden["pre_activation"], cells_of(hidden))
    assert_agree(golden["tanh"], cells_of(hidden.each("tanh")))


@pytest.mark.parametrize(("score", "part"), LAB_PARTS.items())
def test_argmax_of_the_lab_scores(score: str, part: str) -> None:
    from attnsolve.ops import OPS_BY_NAME

    step = solved("lab-5-scores").step(f"{part}.A")
    chosen = OPS_BY_NAME["argmax"].rule(*step.inputs)
    assert_agree([GOLDEN["s002_scores"]["steps"][score]["argmax_weights"]], cells_of(chosen))


def with_scores(weights: str) -> Problem:
    scores = " ".join(GOLDEN["s002_relu_undefined"]["inputs"]["scores"])
    return loads(f"""
format: 1
title: nothing above 0
given: {{S: {scores}}}
parts: [{{id: a, ask: which, attend: {{scores: S, weights: {weights}}}}}]
""")


def test_relu_of_scores_that_are_not_positive_is_an_error() -> None:
    assert "undefined (0/0)" == GOLDEN["s002_relu_undefined"]["steps"]["weights"]
    with pytest.raises(UndefinedStep, match="no score is above 0"):
        solve(with_scores("relu"))
    golden = GOLDEN["s002_relu_undefined"]["steps"]["softmax_weights"]
    agree(solve(with_scores("softmax")), "a.A", golden)


# -- seed 003 ---------------------------------------------------------------------------------------

SLIDE_PARTS = {"concat_additive": "a", "bilinear": "b", "dot": "c", "scaled_dot": "d"}


@pytest.mark.parametrize(("score", "part"), SLIDE_PARTS.items())
def test_slide_scores(score: str, part: str) -> None:
    golden, trace = GOLDEN["s003_variants"]["steps"][score], solved("session-18-attention")
    agree(trace, f"{part}.T" if score == "scaled_dot" else f"{part}.S", golden["scores"])
    agree(trace, f"{part}.A", golden["weights"])
    agree(trace, f"{part}.Z", golden["output"])


def test_slide_scores_have_the_golden_inputs() -> None:
    inputs, givens = GOLDEN["s003_variants"]["inputs"], bundled("session-18-attention").givens
    for word, name in (("q", "q"), ("K", "K"), ("V", "V"), ("w2", "w_2"), ("W", "W")):
        assert_agree(tabled(inputs[word]), cells_of(givens[name].value))
    assert_agree(inputs["W1"], cells_of(givens["W_1"].value.T))


def test_what_goes_into_the_tanh_of_the_first_formulation() -> None:
    golden = GOLDEN["s003_variants"]["steps"]["concat_additive"]
    Q, K, W, _ = solved("session-18-attention").step("a.S").inputs
    hidden = inner(Q, K, *parted(Q, W))[0]
    assert_agree(golden["pre_activation"], cells_of(hidden))
    assert_agree(golden["tanh"], cells_of(hidden.each("tanh")))


def test_reading_the_size_of_a_key_as_its_length_is_recognised() -> None:
    problem = bundled("session-18-attention")
    part = next(part for part in problem.parts if part.id == "d")
    mistake = next(mistake for mistake in part.mistakes if mistake.name == "scaled-by-norm")
    values = {s.call.out: s.value for s in run(problem, mistake.edit(part.calls, problem.frames))}
    golden = GOLDEN["s003_scaled_norm_misreading"]["steps"]["scores"]
    assert_agree([[text if text != "0.0" else "0" for text in golden]], cells_of(values["d.T"]))


# -- seed 004, task 2.1 -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "letter"),
    [("Q", "Q"), ("K", "K"), ("V", "V"), ("scores", "S"), ("scaled", "T"), ("weights", "A"), ("output", "Z")],
)
def test_module_with_biases(word: str, letter: str) -> None:
    agree(solved("ai539-homework-4"), f"a.{letter}", GOLDEN["s004_2_1_example"]["steps"][word])


def test_module_has_the_golden_inputs() -> None:
    inputs, givens = GOLDEN["s004_2_1_example"]["inputs"], bundled("ai539-homework-4").givens
    for word, values in inputs.items():
        name = {"hidden": "h", "encoder_outputs": "E"}.get(word, word)
        matrix = givens[name].value
        assert_agree(tabled(values), cells_of(matrix.T if word.startswith("W_") else matrix))


def test_module_has_its_closed_form() -> None:
    import sympy
    from test_golden import assert_identical

    for texts in GOLDEN["s004_2_1_example"]["closed_form"]["weights"]:
        for j, text in enumerate(texts):
            cell = solved("ai539-homework-4").value("a.A").cell(0, j)
            assert_identical(sympy.sympify(text), cell)  # noqa: TID251 - our own file, and SymPy is the oracle
