"""The companion: every bundled problem agrees with torch, and every mistake put into a result is caught."""

import json
import math
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from ops.examples import EXAMPLES
from ops.matrices import our_options, ours

torch = pytest.importorskip("torch")

from attnsolve.bundled import data  # noqa: E402
from attnsolve.cli import cli  # noqa: E402
from attnsolve.companion.checking import Check, check, check_step  # noqa: E402
from attnsolve.companion.diagnosis import likely_cause  # noqa: E402
from attnsolve.companion.tensors import precision  # noqa: E402
from attnsolve.companion.text import lines, record  # noqa: E402
from attnsolve.engine import solve  # noqa: E402
from attnsolve.errors import AttnsolveError  # noqa: E402
from attnsolve.exact import Matrix, matrix_of_cells  # noqa: E402
from attnsolve.expressions import number  # noqa: E402
from attnsolve.loader import load, loads  # noqa: E402
from attnsolve.ops import OPS, Mistake, Op  # noqa: E402
from attnsolve.problem import Call  # noqa: E402
from attnsolve.trace import Step, Trace  # noqa: E402

PROBLEMS = sorted(path.stem for path in data("problems").glob("*.yaml"))
GOLDEN: dict[str, Any] = json.loads((Path(__file__).parents[1] / "golden.json").read_text("utf-8"))


@cache
def solved(name: str) -> Trace:
    return solve(load(data("problems") / f"{name}.yaml"))


@cache
def checked(name: str, dtype: str = "float64") -> Check:
    return check(solved(name), dtype=dtype)


@pytest.mark.parametrize("name", PROBLEMS)
def test_bundled_problem_agrees_with_torch(name: str) -> None:
    found = checked(name)
    assert found.fine, [one for one in (*found.steps, *found.layers) if not one.fine]
    assert len(found.steps) == len(solved(name).steps)
    # Tolerances that allow anything would prove nothing.
    for one in (*found.steps, *found.layers):
        assert one.allowed < 1e-8
        assert one.difference <= one.allowed or one.underflows


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("name", PROBLEMS)
def test_coarser_precisions_are_no_failure(name: str, dtype: str) -> None:
    found = checked(name, dtype)
    assert found.fine
    assert {one.precision for one in (*found.steps, *found.layers)} == {dtype}


def test_coarser_precisions_are_coarser() -> None:
    differences = [
        max(one.difference for one in checked("ist-practical-10", dtype).layers)
        for dtype in ("float64", "float32", "bfloat16")
    ]
    assert differences == sorted(differences)
    assert differences[0] < 1e-13 < 1e-8 < differences[1] < 1e-5 < 1e-3 < differences[2]


def test_layers_are_torchs_own() -> None:
    against = {name: {one.against.partition("(")[0] for one in checked(name).layers} for name in PROBLEMS}
    assert "nn.MultiheadAttention" in against["ist-practical-10"]
    assert "F.scaled_dot_product_attention" in against["ist-practical-10"]
    assert "nn.TransformerEncoderLayer" in against["encoder-block"]
    assert "nn.TransformerDecoderLayer" in against["decoder-block"]
    assert "nn.Bilinear" in against["lab-5-scores"]


def test_what_was_done_is_explained() -> None:
    whole = next(one for one in checked("ist-practical-10").layers if one.name == "c.Z")
    told = " ".join(whole.explained)
    assert "nn.MultiheadAttention(embed_dim=4, num_heads=2)" == whole.against
    assert "zero columns are appended" in told and "out × in" in told
    masked = [one for one in checked("causal-self-attention").layers if one.name == "a.Z"]
    assert ["attn_mask: True hides a key", "attn_mask: True keeps a key"] == [
        one.explained[-1] for one in masked
    ]
    unscaled = next(one for one in checked("lab-5-self-attention").layers if one.name == "a.Z")
    assert "W_Q is multiplied by 1.73205" in " ".join(unscaled.explained)


LARGE = """
format: 1
title: Large
given: {S: 1000 1; 2 -1000}
parts: [{ask: x, attend: {scores: S}, find: [exp, A]}]
"""


def test_overflow_is_expected_and_no_difference() -> None:
    """e^1000 is above 1.8e308, the largest float64; torch's inf says so."""
    found = check(solve(loads(LARGE)))
    raised = next(one for one in found.steps if one.name == "a.exp")
    assert ("agrees", 1, 1) == (raised.verdict, raised.overflows, raised.underflows)
    assert raised.difference < 1e-15 and math.isfinite(raised.allowed)
    text = "\n".join(lines(found))
    assert "1 number is too large for float64: torch has inf there, as expected" in text
    assert "largest difference 1" in text


def test_underflow_is_expected_and_explained() -> None:
    weights = next(one for one in checked("eecs182-discussion-8").steps if one.name == "b.A")
    assert ("agrees", 1) == (weights.verdict, weights.underflows)
    text = "\n".join(lines(checked("eecs182-discussion-8")))
    assert "1 number is too small for float64: torch has 0 there, as expected" in text


# -- mutations --------------------------------------------------------------------------------------


def bundled_steps(op: Op) -> Iterator[Step]:
    """Steps of bundled problems."""
    return (step for name in PROBLEMS for step in solved(name).steps if step.call.op is op)


def example_steps(op: Op) -> Iterator[Step]:
    """The examples of the op's contract as steps."""
    for case in EXAMPLES[op.name]:
        inputs, options = tuple(map(ours, case.inputs)), our_options(op, case)
        value = op.rule(*inputs, **options)
        yield Step(Call("a.O", op, tuple("ABCDE"[: len(inputs)]), options), inputs, value, value)


def mutations(steps: Iterator[Step], mistake: Mistake) -> Iterator[Step]:
    """Steps with the mistake put into their result."""
    for step in steps:
        try:
            wrong = mistake.rule(*step.inputs, **step.call.options)
            wrong.balls(64)
        except AttnsolveError:
            continue  # not defined on these numbers
        yield step._replace(value=wrong, carried=wrong)


MISTAKES = [(op, mistake) for op in OPS for mistake in op.mistakes]


@pytest.mark.parametrize(
    ("op", "mistake"), MISTAKES, ids=[f"{op.name}: {mistake.name}" for op, mistake in MISTAKES]
)
def test_mistake_in_a_result_is_caught(op: Op, mistake: Mistake) -> None:
    caught = named = 0
    # With a learning rate of 1, or without a bias, some make no difference in bundled problems.
    for steps in (bundled_steps(op), example_steps(op)):
        for step in mutations(steps, mistake):
            found = check_step(step, precision("float64"))
            caught += not found.fine
            named += f"'{mistake.name}'" in found.cause or "torch's result is" in found.cause
            if caught and named:
                return
    assert caught
    assert named  # by its own name, or because the shape is another


def broken(trace: Trace, name: str, value: Matrix) -> Trace:
    steps = tuple(
        step._replace(value=value, carried=value) if step.call.out == name else step for step in trace.steps
    )
    return Trace(trace.problem, steps)


def test_wrong_golden_value_is_caught() -> None:
    table = [list(row) for row in GOLDEN["s000_q1_3"]["steps"]["output"]]
    right = matrix_of_cells([[number(text) for text in row] for row in table])
    assert check(broken(solved("ist-practical-10"), "c.Z", right)).fine
    digits = table[2][1]
    table[2][1] = digits[:12] + str((int(digits[12]) + 1) % 10) + digits[13:]  # one digit, the eleventh
    wrong = matrix_of_cells([[number(text) for text in row] for row in table])
    found = check(broken(solved("ist-practical-10"), "c.Z", wrong))
    bad = [one for one in (*found.steps, *found.layers) if not one.fine]
    assert ["c.Z", "c.Z"] == [one.name for one in bad]
    assert {(2, 1)} == {one.cell for one in bad}


def test_transposed_answer_is_recognised() -> None:
    trace = solved("lab-5-self-attention")
    step = next(step for step in trace.steps if step.call.out == "a.A")
    found = check_step(step._replace(value=step.value.T), precision("float64"))
    assert not found.fine
    assert "torch agrees with our answer transposed" in found.cause


# -- what is said -----------------------------------------------------------------------------------


def test_report_says_where_and_why() -> None:
    trace = solved("ist-practical-10")
    step = next(step for step in trace.steps if step.call.out == "b.A")
    mistake = next(m for m in step.call.op.mistakes if m.name == "down-columns")
    text = "\n".join(lines(check(broken(trace, "b.A", mistake.rule(*step.inputs)))))
    assert "DISAGREES" in text
    assert "likely cause: our numbers are those of the mistake 'down-columns'" in text
    assert "torch DISAGREES at b.A" in text


def test_record_is_plain() -> None:
    read = json.loads(json.dumps(record(checked("ist-practical-10"))))
    assert read["ok"] is True and 1 == read["schema"]
    assert {"name", "against", "difference", "ulps", "verdict", "precision"} <= read["steps"][0].keys()


def test_rounded_problems_are_compared_step_by_step_only() -> None:
    trace = solve(
        loads("""
format: 1
title: rounded
round: {carry: 2}
given: {X: 1 2; 3 -1}
parts: [{ask: all, self_attention: {input: X}}]
""")
    )
    found = check(trace)
    assert found.fine and found.steps and not found.layers


def test_words_alone_are_nothing_to_compare() -> None:
    trace = solve(
        loads("{format: 1, title: words, parts: [{ask: why, discuss: because}]}", name="words.yaml")
    )
    assert ["words: nothing to compare, this problem has no steps"] == list(lines(check(trace)))


def one_part(given: str, part: str, *, top: str = "") -> Trace:
    return solve(loads(f"format: 1\ntitle: T\n{top}\ngiven: {{{given}}}\nparts:\n  - ask: all\n    {part}\n"))


# The tail of a decoder layer: attention of X to Y, then residuals, norms and a feed-forward layer.
CROSSED = """
format: 1
title: Cross-attention with residual, norm and feed-forward
given: {X: 1 0 0 1; 0 1 1 0, T: 3 1 0 1; 1 1 1 2, Y: 1 1 0 2; 2 0 1 0; 0 1 1 1, I: identity(4)}
parts:
  - ask: The decoder looks at the encoder's states.
    multi_head: {input: X, context: CONTEXT, heads: 2, W_Q: I, W_K: I, W_V: I, W_O: I, MASK}
  - ask: The rest of the layer.
    plan: [{R: 'add(ADDED)'}, {N: 'layer_norm(R, EPSILON)'}, {F: 'project(N, I)'}, {G: 'rectify(F)'},
           {E: 'project(G, I)'}, {R2: 'add(AGAIN)'}, {N2: 'layer_norm(R2, EPSILON)'}]
"""


@pytest.mark.parametrize(
    ("changes", "encoder"),
    [
        ({}, False),
        ({"MASK": "mask: {drop_keys: [3]}"}, False),
        ({", EPSILON": ""}, False),
        ({"ADDED": "a.Z, X"}, False),
        # Self-attention is what torch's encoder layer has, whichever summand stands first.
        ({"CONTEXT": "X"}, True),
        ({"CONTEXT": "X", "ADDED": "a.Z, X", "AGAIN": "E, N"}, True),
        ({"CONTEXT": "X", ", EPSILON": ""}, True),
        ({"CONTEXT": "X", "MASK": "mask: {causal: true}"}, True),
        # It adds the tokens that attend, and then what the first norm has made of them.
        ({"CONTEXT": "X", "ADDED": "T, a.Z"}, False),
        ({"CONTEXT": "X", "AGAIN": "X, E"}, False),
        ({"CONTEXT": "X", "AGAIN": "R, E"}, False),
    ],
    ids=str,
)
def test_only_self_attention_is_compared_with_an_encoder_layer(
    changes: dict[str, str], encoder: bool
) -> None:
    text = CROSSED
    defaults = {"MASK": "divide_by: sqrt(d_k)", "CONTEXT": "Y", "ADDED": "X, a.Z", "AGAIN": "N, E"}
    for word, instead in {**defaults, **changes, "EPSILON": "epsilon=10^-5"}.items():
        text = text.replace(word, instead)
    found = check(solve(loads(text)))
    assert found.fine, [one for one in (*found.steps, *found.layers) if not one.fine]
    against = [one.against.partition("(")[0] for one in found.layers if one.name in ("a.Z", "b.N2")]
    assert ["nn.MultiheadAttention", *["nn.TransformerEncoderLayer"] * encoder] == against


@pytest.mark.parametrize("x", ["-3", "-8", "-10", "-20", "-40"])
def test_tail_of_gelu_agrees_although_torch_cancels_there(x: str) -> None:
    assert check(one_part(f"X: 1 {x}", "plan: {G: gelu(X)}")).fine


def test_what_gelu_loses_is_allowed_for_in_the_layers_after_it() -> None:
    part = """encoder_block: {input: X, W_1: W, W_2: U, activation: gelu}"""
    trace = one_part("X: 1 2; -3 1, W: -6 -7; -2 -3, U: 10^9 0; 0 10^9", part)
    found = check(trace)
    assert found.fine, [one for one in (*found.steps, *found.layers) if not one.fine]
    assert "nn.TransformerEncoderLayer" in found.layers[-1].against


@pytest.mark.parametrize("settings", ["", ", epsilon=0", ", epsilon_at=deviation"])
def test_layer_norm_of_numbers_far_from_0_agrees(settings: str) -> None:
    found = check(one_part("X: 10^9 10^9+1; 3 10^9, g: 2 -50", f"plan: {{N: 'layer_norm(X, g{settings})'}}"))
    assert found.fine, found.steps


def test_no_mistake_is_blamed_for_what_torch_gets_wrong() -> None:
    """Without γ and β it makes no difference to leave them out."""
    trace = one_part("X: 1 2", "plan: {N: 'layer_norm(X)'}")
    assert "" == likely_cause(trace.steps[0], torch.zeros(1, 2, dtype=torch.float64))


def test_a_wrong_gelu_is_seen_in_its_tail_too() -> None:
    trace = one_part("X: 1 -3", "plan: {G: gelu(X)}")
    (step,) = trace.steps
    wrong = step.value + matrix_of_cells([[number("0"), number("10^-13")]])
    assert not check(broken(trace, "a.G", wrong)).fine


@pytest.mark.parametrize(
    ("top", "place"),
    [("", "[2, 1]"), ("index_from: 0", "[1, 0]"), ("convention: columns", "[1, 2]")],
)
def test_places_are_told_as_the_sheet_counts(top: str, place: str) -> None:
    trace = one_part("Q: 1 2; 3 4, K: 1 0; 0 1", "plan: {S: 'dot(Q, K)'}", top=top)
    wrong = matrix_of_cells([[number("1"), number("2")], [number("5"), number("4")]])
    found = check(broken(trace, "a.S", wrong))
    assert f"at {place} ours is 5" in "\n".join(lines(found))
    assert place == str(json.loads(json.dumps(record(found)))["steps"][0]["place"])


def test_one_comparison_is_said_to_be_one() -> None:
    assert list(lines(check(one_part("X: 1 2", "plan: {G: tanh(X)}"))))[-1].startswith(
        "torch agrees in 1 comparison ("
    )


def test_numbers_that_should_be_0_are_not_measured_in_steps_next_to_0() -> None:
    """0.1 + 0.2 - 0.3 is 0, and 5.6e-17 in floats: 10^307 of the smallest steps."""
    found = check(one_part("X: 1 1 1, W: 0.1; 0.2; -0.3", "plan: {Y: 'project(X, W)'}"))
    (step,) = found.steps
    assert found.fine and 0 < step.difference < 1e-16 and 0 == step.ulps
    assert "–  agrees" in "\n".join(lines(found))


def test_threads_are_put_back() -> None:
    before = torch.get_num_threads()
    check(solved("lab-5-self-attention"))
    assert before == torch.get_num_threads()


@pytest.mark.parametrize("as_json", [False, True])
def test_command_ends_with_1_when_torch_disagrees(as_json: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The step, the cell and the likely cause are told, and a problem that agrees does not hide it."""
    trace = solved("lab-5-self-attention")
    step = next(step for step in trace.steps if step.call.out == "b.A")
    mistake = next(mistake for mistake in step.call.op.mistakes if mistake.name == "with-exp")
    spoilt = broken(trace, "b.A", mistake.rule(*step.inputs))
    traces = {"lab-5-self-attention": spoilt, "ai539-homework-4": solved("ai539-homework-4")}
    monkeypatch.setattr("attnsolve.batch.solved", lambda path, *, limits: traces[path.stem])
    ended = CliRunner().invoke(cli, ["check", *traces, *(["--json"] if as_json else [])])
    assert 1 == ended.exit_code
    if as_json:
        assert '"verdict": "disagrees"' in ended.output and '"verdict": "agrees"' in ended.output
        return
    assert re.search(r"^  b\.A .*DISAGREES$", ended.output, re.MULTILINE)
    assert re.search(r"at \[[1-3], [1-3]\] ours is \S+, torch has \S+;", ended.output)
    assert "likely cause: our numbers are those of the mistake 'with-exp'" in ended.output
    assert "torch agrees in all" in ended.output


def test_command_ends_with_0_when_torch_agrees() -> None:
    assert 0 == CliRunner().invoke(cli, ["check", "ai539-homework-4"]).exit_code
