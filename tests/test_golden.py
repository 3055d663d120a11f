"""Every number of the golden file: rationals equal, decimals right to the last digit, mistakes recognised."""

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sympy

from attnsolve.bundled import data
from attnsolve.engine import run, solve
from attnsolve.exact import Cell, Matrix, Rational
from attnsolve.exact.cells import subtract
from attnsolve.exact.precision import precision
from attnsolve.loader import load, loads
from attnsolve.problem import Call, Problem
from attnsolve.trace import Trace

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parent / "golden.json").read_text("utf-8"))
STARTS = ("s000_q1_", "s001_q2", "s002_q1")
OURS = [name for name in GOLDEN if name.startswith(STARTS)]
ANSWERS = [name for name in OURS if not ("wrong" in name or "misreading" in name)]

DISCUSSION = """
format: 1
title: All three timesteps of Discussion 8, Question 2
convention: {tokens: columns, project: W X, scores: Q K'}
given:
  H: 5 1; 4 3; -2 6
  W_q: 1 0; 2 9
  W_k: 0 1; 6 0
  W_v: 4 3; 9 1
parts:
  - id: b
    ask: without scaling
    self_attention: {input: H, W_Q: W_q, W_K: W_k, W_V: W_v, divide_by: none}
  - {id: c, ask: argmax, like: b, self_attention: {weights: argmax}}
  - {id: scaled, ask: as a Transformer has it, like: b, self_attention: {divide_by: sqrt(d_k)}}
"""
LAB = """
format: 1
title: Lab 5, Q1
given: {X: 2 -1 3; 1 2 4; -2 -3 0}
parts:
  - {id: plain, ask: without scaling, self_attention: {input: X, divide_by: none}}
  - {id: scaled, ask: with scaling, self_attention: {input: X, divide_by: sqrt(d)}}
  - {id: relu, ask: without exponentials, like: plain, self_attention: {weights: relu}}
"""
# In which problem, and under which part or head, the values of each case are found.
PLACES: dict[str, tuple[str, str]] = {
    "s000_q1_1": ("practical", "a"),
    "s000_q1_2": ("practical", "b"),
    "s000_q1_3": ("practical", "c"),
    "s001_q2a": ("discussion", "b"),
    "s001_q2b": ("discussion", "b"),
    "s001_q2c": ("discussion", "c"),
    "s001_q2b_scaled_variant": ("discussion", "scaled"),
    "s002_q1": ("lab", "plain"),
    "s002_q1_scaled_variant": ("lab", "scaled"),
    "s002_q1_relu": ("lab", "relu"),
}


@cache
def problem(name: str) -> Problem:
    if name == "practical":
        return load(data("problems") / "ist-practical-10.yaml")
    return loads({"discussion": DISCUSSION, "lab": LAB}[name])


@cache
def trace(name: str) -> Trace:
    return solve(problem(name))


# The golden file's words for the values of a head. Without projections Q, K and V are what the scores and
# the output are made from; the last three are differences too small for any number of decimals.
VALUES: dict[str, Callable[[Trace, str], Matrix]] = {
    "Q": lambda t, at: t.step(f"{at}.S").inputs[0],
    "K": lambda t, at: t.step(f"{at}.S").inputs[1],
    "V": lambda t, at: t.step(f"{at}.Z").inputs[1],
    "scores": lambda t, at: t.value(f"{at}.S"),
    "scaled": lambda t, at: t.value(f"{at}.T"),
    "weights": lambda t, at: t.value(f"{at}.A"),
    "output": lambda t, at: t.value(f"{at}.Z"),
    "concat": lambda t, at: t.value(f"{at}.C"),
    "scores_timestep_2": lambda t, at: t.value(f"{at}.S").take([1]),
}
DIFFERENCES: dict[str, Callable[[Trace, str], list[list[Cell]]]] = {
    "one_minus_alpha_i1": lambda t, at: [
        [subtract(Rational(1), t.value(f"{at}.A").cell(i, 0)) for i in range(3)]
    ],
    "output_minus_v1": lambda t, at: [
        [subtract(t.value(f"{at}.Z").cell(i, j), VALUES["V"](t, at).cell(0, j)) for j in range(2)]
        for i in range(3)
    ],
}


def cells_of(matrix: Matrix) -> list[list[Cell]]:
    return [[matrix.cell(i, j) for j in range(matrix.shape[1])] for i in range(matrix.shape[0])]


def found(name: str, at: str, word: str) -> list[list[Cell]]:
    """Our cells for one value of the golden file."""
    if word in DIFFERENCES:
        return DIFFERENCES[word](trace(name), at)
    return cells_of(VALUES[word](trace(name), at))


def tabled(values: Any) -> list[list[str]]:
    """A vector of the golden file as a matrix of one row."""
    return values if isinstance(values[0], list) else [values]


def assert_agree(table: list[list[str]], cells: list[list[Cell]]) -> None:
    """Each number equals its golden text: exactly, or within half a unit of the last digit printed."""
    assert [len(row) for row in table] == [len(row) for row in cells]
    for texts, row in zip(table, cells, strict=True):
        for text, cell in zip(texts, row, strict=True):
            if "." not in text:
                assert Fraction(text) == cell.rational()
                continue
            mantissa, _, power = text.partition("e")
            last_digit = Fraction(10) ** (int(power or 0) - len(mantissa.partition(".")[2]))
            with precision(4096):
                distance = abs(cell.enclosure() - Rational(Fraction(text)).enclosure())
                assert distance <= Rational(last_digit / 2).enclosure(), f"{text} is not {cell}"


def steps(case: str) -> Iterator[tuple[str, str, Any]]:
    """(where, word, numbers) for every value of a case, heads one by one."""
    _, at = PLACES[case]
    for word, values in GOLDEN[case]["steps"].items():
        if isinstance(values, dict):
            for inner, numbers in values.items():
                yield f"{at}.{word}", inner, numbers
        else:
            yield at, word, values


STEPS = [(case, *step) for case in ANSWERS for step in steps(case)]


def test_every_answer_of_the_golden_file_has_its_place() -> None:
    assert list(PLACES) == ANSWERS
    assert 12 == len(OURS)


@pytest.mark.parametrize("case", ANSWERS)
def test_problem_has_the_golden_inputs(case: str) -> None:
    name, _ = PLACES[case]
    for letter, values in GOLDEN[case]["inputs"].items():
        if case == "s000_q1_3" and letter in ("W_Q", "W_K", "W_V"):
            expected, given = values, [letter, f"c.head2.{letter}"]
        else:
            expected, given = [tabled(values)], ["H" if letter == "h" else letter]
        for table, key in zip(expected, given, strict=True):
            matrix = problem(name).givens[key].value
            # The engine keeps weights in × out; the discussion writes them out × in.
            assert_agree(table, cells_of(matrix.T if name == "discussion" and key != "H" else matrix))


@pytest.mark.parametrize(
    ("case", "at", "word", "values"), STEPS, ids=[f"{c}-{at}-{w}" for c, at, w, _ in STEPS]
)
def test_value_is_the_golden_one(case: str, at: str, word: str, values: Any) -> None:
    assert_agree(tabled(values), found(PLACES[case][0], at, word))


CLOSED = [
    (case, word, table)
    for case in ANSWERS
    for word, table in GOLDEN[case].get("closed_form", {}).items()
    if isinstance(table, list)
]


@pytest.mark.parametrize(("case", "word", "table"), CLOSED, ids=[f"{c}-{w}" for c, w, _ in CLOSED])
def test_closed_form_is_the_golden_one(case: str, word: str, table: list[list[str]]) -> None:
    name, at = PLACES[case]
    head, _, last = word.rpartition("_")  # head2_weights
    for texts, row in zip(table, found(name, f"{at}.{head}" if head else at, last), strict=True):
        for text, cell in zip(texts, row, strict=True):
            assert_identical(sympy.sympify(text), cell)  # noqa: TID251 - our own file, and SymPy is the oracle


def assert_identical(expected: Any, cell: Cell) -> None:
    """Equal as expressions, by multiplying out: no numerics involved."""
    numerator, _ = sympy.fraction(sympy.together(expected - cell.sympy()))
    assert 0 == sympy.expand(numerator)


def test_output_of_timestep_2_has_its_closed_form() -> None:
    # "h'_2 = (23 + 25 e^-202 + 10 e^-1450, 46 + 39 e^-202 - 12 e^-1450)/(1+e^-202+e^-1450)"
    assert "h'_2 = (23 + 25 e^-202 + 10 e^-1450," in GOLDEN["s001_q2b"]["closed_form"]["timestep_2"]
    small, tiny = sympy.exp(-202), sympy.exp(-1450)
    total = 1 + small + tiny
    output = trace("discussion").value("b.Z")
    assert_identical((23 + 25 * small + 10 * tiny) / total, output.cell(1, 0))
    assert_identical((46 + 39 * small - 12 * tiny) / total, output.cell(1, 1))


def test_output_of_one_query_has_its_closed_form() -> None:
    # "p = e^s/(1+e^s); output = p*(-7/4, 1, 0) + (1-p)*(-1/2, -1/2, 1/2)"
    s = 3 * sympy.sqrt(3) / 2
    p = sympy.exp(s) / (1 + sympy.exp(s))
    half = sympy.Rational(1, 2)
    ends = [(sympy.Rational(-7, 4), -half), (sympy.Integer(1), -half), (sympy.Integer(0), half)]
    for j, (a, b) in enumerate(ends):
        assert_identical(p * a + (1 - p) * b, trace("practical").value("a.Z").cell(0, j))


@pytest.mark.parametrize(
    ("wrong", "mistake"),
    [
        ("unscaled", "unscaled"),
        ("scaled_by_sqrt_3", "scaled-by-d-model"),
        ("scaled_by_sqrt_4", "scaled-by-n"),
    ],
)
def test_wrong_scale_is_recognised(wrong: str, mistake: str) -> None:
    practical = problem("practical")
    edit = next(m.edit for m in practical.parts[2].mistakes if m.name == mistake)
    changed = edit(tuple(practical.calls()), practical.frames)
    values = {step.call.out: step.value for step in run(practical, changed)}
    expected = GOLDEN["s000_q1_wrong_scales"]["steps"][wrong]
    assert_agree(expected["q1_2_Z"], cells_of(values["b.Z"]))
    assert_agree(expected["q1_3_output"], cells_of(values["c.Z"]))


def test_weights_used_the_wrong_way_round_are_recognised() -> None:
    discussion = problem("discussion")

    def mistaken(call: Call) -> Call:
        if call.op.name != "project":
            return call
        mistake = next(m for m in call.op.mistakes if m.name == "weights-transposed")
        return call._replace(op=call.op._replace(rule=mistake.rule))

    calls = [mistaken(call) for call in discussion.calls() if call.part == "b"]
    values = {step.call.letter: step.value for step in run(discussion, calls)}
    expected = GOLDEN["s001_q2_wrong_row_convention"]["steps"]
    for word, letter in (("Q", "Q"), ("K", "K"), ("V", "V"), ("scores", "S")):
        assert_agree(expected[word], cells_of(values[letter]))
