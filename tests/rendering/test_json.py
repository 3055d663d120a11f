"""The trace for programs: the same steps as on paper, with exact strings that SymPy reads."""

import json
import re
from functools import cache
from typing import Any

import mpmath
import pytest
import sympy
from rendering import recomputed
from rendering.calculator import CONTEXT
from rendering.samples import BUNDLED, NAMES, problem, trace_of

from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.rendering import render

CLOSE = CONTEXT.mpf(10) ** -50
# Reading a thousand strings with SymPy takes its time: of a large matrix the corners will do.
MOST = 6
# A softmax of weights, e to a power with a logarithm in it, most thresholds of entmax.
WITHOUT_FORM = {"two-layers", "functions", "sparse", "masked"} | {
    *("decoder-block", "encoder-block", "session-18-attention", "sparse-attention"),
    *("masked-layers", "zero-deviation", "long-fractions"),
    *("attention-inside-a-gru", "backward-through-time", "gradient-step", "seq2seq-attention", "tiny-gpt"),
    "tiny-translator",
}
# What our lines call a function that SymPy has under no name.
OWN_NAMES = {"sigmoid": lambda x: 1 / (1 + sympy.exp(-x))}


@cache
def record_of(name: str, detail: str = "products") -> dict[str, Any]:
    return json.loads(render(trace_of(name), to="json", detail=detail).text)


def number(text: str) -> Any:
    """What SymPy itself makes of a text, to 60 digits."""
    return recomputed.number(sympy.sympify(text, rational=True, locals=OWN_NAMES))  # noqa: TID251


def near(expected: Any, actual: Any) -> bool:
    return expected == actual or abs(expected - actual) <= CLOSE * max(1, abs(expected))


def some(grid: Any) -> list[tuple[int, int]]:
    """A few places of a matrix: all of a small one, the first and the last ones of a large one."""
    places = [(i, j) for i in range(len(grid)) for j in range(len(grid[0]))]
    return places if len(places) <= 2 * MOST else [*places[:MOST], *places[-MOST:]]


@pytest.mark.parametrize("name", NAMES)
def test_steps_are_those_of_the_trace(name: str) -> None:
    record, trace = record_of(name), trace_of(name)
    assert 2 == record["schema"]
    assert trace.problem.title == record["title"]
    assert [part.id for part in trace.problem.parts] == [part["id"] for part in record["parts"]]
    assert [part.ask for part in trace.problem.parts] == [part["ask"] for part in record["parts"]]
    assert len(trace.steps) == len(record["steps"])
    for step, told in zip(trace.steps, record["steps"], strict=True):
        assert step.call.out == told["name"]
        assert step.call.out.split(".")[0] == told["part"]
        assert step.call.op.name == told["op"]
        assert list(step.call.args) == told["inputs"]
        assert list(step.value.shape) == told["shape"]


@pytest.mark.parametrize("name", NAMES)
def test_inputs_are_givens_or_earlier_steps(name: str) -> None:
    known = set(record_of(name)["given"])
    for step in record_of(name)["steps"]:
        assert set(step["inputs"]) <= known
        known.add(step["name"])


@pytest.mark.parametrize("name", NAMES)
def test_exact_strings_are_the_numbers(name: str) -> None:
    """Read by SymPy, they agree with the textbook to 50 digits; without a closed form there is none."""
    for given, rows in record_of(name)["given"].items():
        grid = recomputed.values(name)[given]
        assert all(near(grid[i][j], number(rows[i][j])) for i, j in some(grid))
    for step in record_of(name)["steps"]:
        grid = recomputed.values(name)[step["name"]]
        if step["exact"] is None:
            assert name in WITHOUT_FORM
            continue
        assert (len(grid), len(grid[0])) == (len(step["exact"]), len(step["exact"][0]))
        assert all(near(grid[i][j], number(step["exact"][i][j])) for i, j in some(grid))


@pytest.mark.parametrize("name", NAMES)
def test_decimals_are_rightly_rounded_text(name: str) -> None:
    places = record_of(name)["places"]
    for step in record_of(name)["steps"]:
        grid = recomputed.values(name)[step["name"]]
        for i, row in enumerate(step["decimals"]):
            for j, text in enumerate(row):
                if text == "-inf":
                    assert grid[i][j] == CONTEXT.ninf
                    continue
                match = re.fullmatch(r"-?\d+(?:\.(\d+))?(?:e(-?\d+))?", text)
                assert match
                unit = CONTEXT.mpf(10) ** (int(match[2] or 0) - len(match[1] or ""))
                assert match[2] or places == len(match[1] or "")
                assert abs(grid[i][j] - CONTEXT.mpf(text)) <= unit * (CONTEXT.mpf("0.5") + CLOSE)
                assert CONTEXT.mpf(text) != 0 or abs(grid[i][j]) < CLOSE


@pytest.mark.parametrize("name", [*BUNDLED, "columns", "fractions", "relu", "temperature", "torch"])
def test_lines_of_working_are_true(name: str) -> None:
    """Every stage without names in it, read by SymPy, is the cell it belongs to."""
    record, checked = record_of(name), 0
    for step in record["steps"]:
        grid = recomputed.values(name)[step["name"]]
        for line in step["lines"][:MOST]:
            i, j = (index - record["index_from"] for index in line["cell"])
            assert line["stages"]
            for stage in line["stages"]:
                assert stage["relation"] in ("=", "≈")
                if not re.search(r"\w\[|\bd_k\b|\bd\b|\bd_model\b|\bn\b", stage["text"]):
                    assert near(grid[i][j], number(stage["text"])), (
                        step["name"],
                        line["cell"],
                        stage["text"],
                    )
                    checked += 1
    assert checked


@pytest.mark.parametrize("name", ["ist-practical-10", "columns", "torch"])
def test_names_in_working_can_be_looked_up(name: str) -> None:
    """`b.A[1, 2]` is a cell of an earlier step or a given, counted as the sheet counts."""
    record, seen = record_of(name), 0
    shapes = {given: (len(rows), len(rows[0])) for given, rows in record["given"].items()}
    for step in record["steps"]:
        for line in step["lines"]:
            for stage in line["stages"]:
                for entry, i, j in re.findall(r"([\w.-]+)\[(\d+), (\d+)\]", stage["text"]):
                    rows, columns = shapes[entry]
                    assert 0 <= int(i) - record["index_from"] < rows
                    assert 0 <= int(j) - record["index_from"] < columns
                    seen += 1
        shapes[step["name"]] = tuple(step["shape"])
    assert seen


def test_detail_sets_how_much_working_there_is() -> None:
    name = "ist-practical-10"
    for detail in ("result", "matrices"):
        assert [] == [step for step in record_of(name, detail)["steps"] if "lines" in step]
    stages = {
        detail: sum(
            len(line["stages"]) for step in record_of(name, detail)["steps"] for line in step["lines"]
        )
        for detail in ("cells", "products")
    }
    assert 0 < stages["cells"] < stages["products"]


def test_the_numbers_of_the_sample_are_in_it() -> None:
    """Practical 10 as the hand-made sample has it."""
    steps = {step["name"]: step for step in record_of("ist-practical-10")["steps"]}
    assert [["9/2", "0", "9/2", "0"]] == steps["a.S"]["exact"]
    assert [["0.4654", "0.0346", "0.4654", "0.0346"]] == steps["a.A"]["decimals"]
    assert [["-1.6634", "0.8961", "0.0346"]] == steps["a.Z"]["decimals"]
    assert ["dot", "divide", "softmax", "mix"] == [steps[f"a.{letter}"]["op"] for letter in "STAZ"]
    assert {"by": "sqrt(d)"} == steps["a.T"]["options"]
    assert ["b.Z", "c.head2.Z"] == steps["c.C"]["inputs"]


def test_places_are_the_readers_choice() -> None:
    record = json.loads(render(trace_of("ist-practical-10"), to="json", places=12).text)
    weights = {step["name"]: step["decimals"] for step in record["steps"]}["a.A"]
    assert ["0.465368832609", "0.034631167391"] == weights[0][:2]


def test_what_is_carried_on_is_told() -> None:
    steps = {step["name"]: step for step in record_of("rounded")["steps"]}
    assert ["37/50", "6/25", "1/50"] == steps["a.A"]["carried"][0]
    assert all("carried" not in step for step in record_of("ist-practical-10")["steps"])


def test_an_exercise_has_no_steps_and_no_written_answers() -> None:
    record = json.loads(render(trace_of("cases"), to="json", sheet="exercise").text)
    assert [] == record["steps"]
    assert "more equal" not in json.dumps(record)
    assert "more equal" in json.dumps(record_of("cases"))


@pytest.mark.parametrize("name", NAMES)
def test_no_number_is_left_to_a_float(name: str) -> None:
    """JSON's own numbers are read as floats: matrices hold strings only, and the rest is whole numbers."""

    def refuse(text: str) -> None:
        raise AssertionError(f"{text} is a float")

    json.loads(
        render(trace_of(name), to="json", detail="matrices").text, parse_float=refuse, parse_constant=refuse
    )


@pytest.mark.parametrize(
    ("front", "find"),
    [
        ("convention: rows", "Z[3, 1]"),
        ("convention: columns", "Z[1, 3]"),
        ("convention: columns\nindex_from: 0", "Z[0, 2]"),
        ("convention: columns", "Z[3]"),
        ("convention: columns", "S[3, 1]"),
    ],
)
def test_what_is_asked_for_is_told_as_it_was_typed(front: str, find: str) -> None:
    text = f"""
{front}
given: {{X: 1 0; 0 2; 1 1}}
parts: [{{ask: x, self_attention: {{input: X, divide_by: none}}, find: '{find}'}}]
"""
    record = json.loads(render(solve(loads(problem(text))), to="json").text)
    assert [f"a.{find}"] == record["parts"][0]["find"]


def test_a_chosen_token_is_told_by_its_own_number() -> None:
    text = """
given: {X: 1 0; 0 2; 1 1}
parts: [{ask: x, self_attention: {input: X, queries: [3], divide_by: none}, find: 'Z[3]'}]
"""
    record = json.loads(render(solve(loads(problem(text))), to="json").text)
    assert ["a.Z[3]"] == record["parts"][0]["find"]


def test_every_digit_of_a_certified_number_is_proven() -> None:
    """GELU far below 0: x/2·(1 + erf(x/√2)) cancels sixty digits, of which sixty more are printed."""
    text = """
given:
  {X: 0 -1 1, W_V: 1 1 -2; -1 3 -2; 1 1 1, b_V: 0 1 1, g: -1 2 -1, b: -2 0 -1, W_1: 3; 3; 0, b_1: -3}
parts:
  - ask: x
    encoder_block:
      {input: X, W_V: W_V, b_V: b_V, gamma_1: g, beta_1: b, W_1: W_1, W_2: ones(1x3), b_1: b_1,
       activation: gelu}
"""
    record = json.loads(render(solve(loads(problem(text))), to="json").text)
    printed = next(step["lines"][0]["stages"][-1]["text"] for step in record["steps"] if step["op"] == "gelu")
    with mpmath.workdps(200):
        residual = mpmath.matrix([0 + (1 + 1), -1 + (-3 + 1 + 1), 1 + (2 + 1 + 1)])
        mean = mpmath.fsum(residual) / 3
        spread = mpmath.sqrt(mpmath.fsum((x - mean) ** 2 for x in residual) / 3 + mpmath.mpf(10) ** -5)
        normal = [(x - mean) / spread for x in residual]
        hidden = 3 * (-normal[0] - 2) + 3 * 2 * normal[1] - 3
        expected = hidden * mpmath.erfc(-hidden / mpmath.sqrt(2)) / 2
        assert mpmath.nstr(expected, 60) == printed
