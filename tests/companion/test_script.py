"""Scripts for students: they run without attnsolve, print certified decimals, and hold no foreign code."""

import ast
import builtins
import contextlib
import decimal
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from attnsolve import batch  # noqa: E402
from attnsolve.bundled import problems_with_numbers  # noqa: E402
from attnsolve.companion.literals import literal  # noqa: E402
from attnsolve.companion.preamble import plain  # noqa: E402
from attnsolve.companion.script import script  # noqa: E402
from attnsolve.companion.sources import Sources  # noqa: E402
from attnsolve.engine import solve  # noqa: E402
from attnsolve.exact.infinity import HIDDEN  # noqa: E402
from attnsolve.expressions import number  # noqa: E402
from attnsolve.loader import load, loads  # noqa: E402
from attnsolve.ops import OPS  # noqa: E402
from attnsolve.trace import Trace  # noqa: E402

PROBLEMS = problems_with_numbers()
INSIDE = [inner.op for op in OPS for inner in op.inner]
AGREES = "agrees with"
# float64 has no smaller numbers.
LEAST_POWER = -307


# Runs scripts one after the other, each as if it were alone; torch lies where an installed attnsolve lies, so
# a finder refuses that one name.
GUARD = """
import contextlib, io, json, runpy, sys
import torch

class Refuse:
    def find_spec(self, name, *rest):
        assert name.partition(".")[0] != "attnsolve", "attnsolve is imported"

sys.meta_path.insert(0, Refuse())
said = {}
for file in sys.argv[1:]:
    torch.set_default_dtype(torch.float32)
    with contextlib.redirect_stdout(io.StringIO()) as output:
        runpy.run_path(file, run_name="__main__")
    said[file] = output.getvalue()
print(json.dumps(said))
"""


def ran(scripts: Mapping[str, str], folder: Path) -> dict[str, str]:
    """What scripts print in a clean process: isolated, elsewhere, and with attnsolve out of reach."""
    for name, text in scripts.items():
        (folder / name).write_text(text, encoding="utf-8")
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    done = subprocess.run(
        [sys.executable, "-I", "-W", "error", "-c", GUARD, *scripts],
        cwd=folder,
        env={**environment, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
    )
    assert (0, "") == (done.returncode, done.stderr)
    said: dict[str, str] = json.loads(done.stdout)
    return said


def ran_here(text: str) -> str:
    """What a script prints; quicker, without another import of torch."""
    output = io.StringIO()
    with decimal.localcontext(), contextlib.redirect_stdout(output):
        exec(compile(text, "exercise", "exec"), {})  # noqa: S102 - that is what this test is about
    return output.getvalue()


def certified(trace: Trace) -> Iterator[list[str]]:
    """Name by name and row by row, what the certified decimals say."""
    problem = trace.problem
    for part in problem.parts:
        for step in trace.of_part(part.id):
            for target in part.find:
                if problem.resolve(target.name) == step.call.out:
                    yield from shown(trace, target)
        for target in part.find:
            if problem.resolve(target.name) not in {call.out for call in part.calls}:
                yield from shown(trace, target)


def shown(trace: Trace, target: Any) -> Iterator[list[str]]:
    step, rounding, first = trace.step(target.name), trace.problem.rounding, trace.problem.index_from
    value = step.value if rounding is None else step.carried
    places = trace.problem.places if rounding is None else rounding.carry
    index = ", ".join(str(i + first) for i in (target.row, target.column) if i is not None)
    yield [*(f"{target.name}[{index}]" if index else target.name).split()]
    for i, row in enumerate(value.decimals(places)):
        if target.row in (None, i):
            yield [in_floats(cell, places) for j, cell in enumerate(row) if target.column in (None, j)]


def in_floats(cell: Any, places: int) -> str:
    """A decimal as printed, but for what is too small for float64."""
    return f"{0:.{places}f}" if cell.power is not None and cell.power < LEAST_POWER else str(cell.text)


def printed(output: str) -> list[list[str]]:
    return [line.split() for line in output.splitlines() if AGREES not in line]


def told(output: str) -> list[str]:
    return [line for line in output.splitlines() if AGREES in line]


def test_script_of_every_bundled_problem_prints_the_certified_decimals(tmp_path: Path) -> None:
    traces = {f"{path.stem}.py": solve(load(path)) for path in PROBLEMS}
    output = ran({name: script(trace) for name, trace in traces.items()}, tmp_path)
    for name, trace in traces.items():
        assert list(certified(trace)) == printed(output[name]), name
        assert "-0.0000" not in output[name].split(), name


@pytest.mark.parametrize(
    ("name", "agreement"),
    [
        ("two-heads-as-torch-has-them", ["nn.MultiheadAttention agrees with a.Z"]),
        ("ist-practical-10-decoder", ["F.scaled_dot_product_attention agrees with a.C"]),
        ("lab-5-costs", ["nn.MultiheadAttention agrees with c.Z"]),
    ],
)
def test_script_ends_with_the_layer_that_torch_has(name: str, agreement: list[str]) -> None:
    output = ran_here(script(solve(load(batch.find(name)))))
    assert agreement == told(output)[: len(agreement)]


def problem(plan: str, *, given: str = "X: 1 0; 0 1; 1 1", head: str = "", title: str = "T") -> Trace:
    text = f"format: 1\ntitle: {title}\n{head}\ngiven: {{{given}}}\nparts:\n  - {{ask: Find it., {plan}}}\n"
    return solve(loads(text, name="typed"))


MASKED_HEADS = "heads: [{W_Q: W, W_K: W, W_V: W, mask: {causal: true}}, {W_Q: U, W_K: W, W_V: U}]"
TWO_HEADS = "X: 1 0; 0 1; 1 1, W: 1; 2, U: -1; 1/3"


@pytest.mark.parametrize(
    "trace",
    [
        problem("self_attention: {input: X}, find: ['A[2]', 'A[3, 1]', Z]"),
        problem("self_attention: {input: X}, find: ['A[0]', 'A[2, 1]']", head="index_from: 0"),
        problem("self_attention: {input: X}, find: Z", head="round: {carry: 3}"),
        problem("self_attention: {input: X}, find: [A, Z]", head="round: {carry: 2, mode: truncate}"),
        problem("self_attention: {input: X}, find: [A, Z]", head="round: {carry: 1, mode: half_even}"),
        problem("self_attention: {input: X, mask: {causal: true}}, find: [M, Z]", head="round: {carry: 12}"),
        problem(
            "self_attention: {input: PLACES}", given="PLACES: 1000.5 -2000.25; 1/3 1e-5", head="places: 5"
        ),
        problem("self_attention: {input: X, mask: {causal: true}, weights: {softmax: {temperature: 1/2}}}"),
        problem("self_attention: {input: X, mask: {add: 0 -1 -inf; 1/3 0 0; -inf 0 0}}, find: [M, A]"),
        problem(f"multi_head: {{input: X, {MASKED_HEADS}}}", given=TWO_HEADS),
        problem("attend: {queries: X, keys: X, weights: sum, divide_by: none}, find: [A, Z]"),
        problem("plan: [{P: 'multiply(X, 1/32)'}]", given="X: 1 3; 5 -1"),  # ties: 0.03125 is 0.0313
        problem("plan: [{P: 'multiply(X, 1/1000000)'}]", given="X: 1 -3; 1/8 0"),
        problem("plan: [{P: 'multiply(X, sqrt(2))'}]", given="X: 1 -3; 1/8 100000", head="places: 20"),
        problem("plan: [{P: 'dot(X, X)'}]", given="X: 0.1 0.2 -0.3 0; 0.1 -0.1 0.1 0; 1e-20 0 0 0"),
        problem("self_attention: {input: X}", given="X: 2^6 1e-3; pi/2^6 -√2; exp(1) ln(3)"),
        # Names that mean something in Python, in the script, or like a result of part a.
        problem(
            "attend: {queries: sum, keys: a_S, values: torch, score: dot}",
            given="sum: 1 2, a_S: 1 2, torch: 3 4",
        ),
        problem(
            "attend: {queries: lambda, keys: softmax, values: show}",
            given="lambda: 1 2, softmax: 1 2, show: 3 4",
        ),
        problem("id: 1-b, attend: {queries: X, keys: X, values: X}"),
    ],
)
def test_script_prints_the_certified_decimals(trace: Trace) -> None:
    text = script(trace)
    output = ran_here(text)
    if "float64 is sure of no more" not in text:
        assert list(certified(trace)) == printed(output)
    else:  # digit for digit, as far as it goes
        for wanted, found in zip(certified(trace), printed(output), strict=True):
            assert all(whole.startswith(piece[:-1]) for whole, piece in zip(wanted, found, strict=True))


def test_rounding_on_the_way_is_said_and_done() -> None:
    text = script(problem("self_attention: {input: X}", head="round: {carry: 3}"))
    assert "rounded to 3 places (half up)" in text
    assert "a_A = carried(softmax(a_T))" in text
    assert AGREES not in text  # no layer rounds on the way


def test_problem_without_steps_has_a_script_that_says_so() -> None:
    text = "format: 1\ntitle: T\nparts:\n  - {ask: Why?, discuss: Because.}\n"
    assert "no steps" in script(solve(loads(text)))
    assert "" == ran_here(script(solve(loads(text))))


def test_script_reads_like_the_exercise() -> None:
    text = script(solve(load(batch.find("ist-practical-10"))))
    assert "X = torch.tensor([[-2, 1, 0.5], [1, 1.5, -0.5], [-1.5, 1, -0.5], [-2, -2.5, 1.5]]" in text
    assert "a_T = divide(a_S, by=math.sqrt(3))  # Scale the scores" in text
    assert "c_head2_A = softmax(c_head2_T)" in text
    assert "attnsolve.ops" not in text and ": Any" not in text


# -- text that somebody else wrote ---------------------------------------------------------------------

HOSTILE = (
    "end\nraise SystemExit(7)",
    "end\r\nraise SystemExit(7)",
    "end\x0craise SystemExit(7)",
    "end\u2028raise SystemExit(7)\u2029\x85raise SystemExit(8)",
    '""" + str(1/0) + """',
    "-*- coding: utf-7 -*- +AAo-raise SystemExit(7)",
    "back \\",
    "bidi \u202e\u2066 text",
    "word " * 400,
)


@pytest.mark.parametrize("words", HOSTILE)
def test_foreign_text_stays_in_its_comment(words: str) -> None:
    good = solve(load(batch.find("lab-5-self-attention")))
    part = good.problem.parts[0]
    call = part.calls[0]._replace(title=words)
    parts = (part._replace(title=words, ask=words, calls=(call, *part.calls[1:])), *good.problem.parts[1:])
    steps = (good.steps[0]._replace(call=call), *good.steps[1:])
    bad = good._replace(problem=good.problem._replace(title=words, source=words, parts=parts), steps=steps)
    # As bytes, so that Python looks for an encoding in the first lines, as it does in a file.
    assert ast.dump(ast.parse(script(good).encode())) == ast.dump(ast.parse(script(bad).encode()))


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("a\nb", "a b"),
        ("a\x00\x1b[31mb", "a [31mb"),
        ("a\u202eb", "a b"),
        ("  Übung – 1 × 2  ", "Übung – 1 × 2"),
    ],
)
def test_comments_are_one_line_of_visible_text(typed: str, kept: str) -> None:
    assert kept == plain(typed)


# -- the pieces ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("op", [*OPS, *INSIDE], ids=lambda op: op.name)
def test_twin_of_every_op_stands_alone(op: Any) -> None:
    sources = Sources(set(dir(builtins)))
    name = sources.add(op.twin, op.name)
    assert sources.modules <= {"torch", "math"}
    known: dict[str, Any] = {"torch": torch, "math": __import__("math")}
    for text in sources.texts:
        tree = ast.parse(text)
        assert not any(isinstance(node, (ast.Import, ast.ImportFrom)) for node in ast.walk(tree))
        assert not any(getattr(node, "annotation", None) for node in ast.walk(tree))
        exec(compile(tree, "twin", "exec"), known)  # noqa: S102 - our own functions
    made = known[name]
    loaded = {
        name for function in known.values() for name in getattr(function, "__code__", made.__code__).co_names
    }
    assert "attnsolve" not in loaded
    assert made.__doc__ == op.twin.__doc__


def test_helpers_of_a_twin_come_before_it() -> None:
    sources = Sources(set())
    entmax = next(op for op in OPS if op.name == "entmax")
    sources.add(entmax.twin, "entmax")
    names = [ast.parse(text).body[0].name for text in sources.texts]  # type: ignore[attr-defined]
    assert ["halved_threshold", "halved_interval", "entmax"] == names


def test_function_made_by_another_is_refused() -> None:
    def make(offset: int) -> Any:
        def twin(X: Any) -> Any:
            return X + offset

        return twin

    with pytest.raises(TypeError, match="must be a function of its module"):
        Sources(set()).add(make(1), "shift")


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("1/3", "1 / 3"),
        ("-1/3", "-(1 / 3)"),
        ("4.5", "4.5"),
        ("-2", "-2"),
        ("0.10", "0.1"),
        ("sqrt(2)", "math.sqrt(2)"),
        ("√2/2", "math.sqrt(2) / 2"),
        ("ln(3)", "math.log(3)"),
        ("2*pi", "2 * math.pi"),
        ("(1+sqrt(2))*3", "(1 + math.sqrt(2)) * 3"),
        ("2^-3", "2 ** (-3)"),
        ("relu(-1)", "max(0, -1)"),
        ("2^60", repr(2.0**60)),
        ("exp(1000)/exp(999)", repr(2.718281828459045)),
    ],
)
def test_numbers_are_written_as_the_file_means_them(typed: str, written: str) -> None:
    assert written == literal(number(typed), typed=typed)


@pytest.mark.parametrize(
    "text", ["1/3", "1/2", "sqrt(12)", "1+sqrt(2)", "-sqrt(3)/7", "ln(2)", "tanh(1)", "cos(4)"]
)
def test_numbers_that_nobody_typed_are_written_exactly(text: str) -> None:
    import math

    written = literal(number(text))
    names = {node.id for node in ast.walk(ast.parse(written)) if isinstance(node, ast.Name)}
    assert names <= {"math"}
    found = eval(written, {"math": math})  # noqa: S307 - our own text
    assert abs(float(number(text).ball(64).mid()) - found) < 1e-15


def test_minus_infinity_is_written_so() -> None:
    assert "-math.inf" == literal(HIDDEN)
