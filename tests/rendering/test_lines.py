"""Lines of working: numbers for every symbol, and nothing that a person would not write."""

import re
from itertools import product

import pytest
from rendering.samples import problem

from attnsolve.batch import find
from attnsolve.engine import solve
from attnsolve.loader import load, loads
from attnsolve.ops import Family
from attnsolve.rendering import Settings
from attnsolve.rendering.approximation import opposite
from attnsolve.rendering.lines import Stage, laid
from attnsolve.rendering.pages import notation_for
from attnsolve.rendering.printing import FORMLESS, Writer, in_digits
from attnsolve.rendering.sentences import hundredths
from attnsolve.rendering.views import document
from attnsolve.rendering.widths import laid_out, width


def lines(body: str, *, name: str, settings: Settings | None = None) -> list[str]:
    """The working of a step, each line in one piece, however large its brackets and fractions are."""
    view = document(solve(loads(problem(body))), settings or Settings())
    (step,) = [s for part in view.parts for group in part.groups for s in group.steps if s.name == name]
    made: list[str] = []
    for left, right in (row for block in step.working for row in block):
        made[len(made) :] = [left + right] if left else []
        if not left:
            made[-1] += right
    return [re.sub(r"\\(left|right)", "", line).replace(r"\tfrac", r"\frac") for line in made]


MIXED = """
given: {S: 1 0, V: 2 0; 0 4}
parts: [{ask: x, attend: {scores: S, values: V, divide_by: none}}]
"""


def test_weights_are_put_in_as_decimals() -> None:
    """1/(1 + 1/e) = 0.73105… and its rest 0.26894…"""
    assert [
        r"z_{1}= \alpha_{1} (2) + \alpha_{2} (0) = 2\,\alpha_{1} \approx (2)(0.7311) \approx 1.4621",
        r"z_{2}= \alpha_{1} (0) + \alpha_{2} (4) = 4\,\alpha_{2} \approx (4)(0.2689) \approx 1.0758",
    ] == lines(MIXED, name="a.Z")


FUNCTIONS = """
given: {Q: tanh(1) 1, K: 1 2; 0 1/2}
parts: [{ask: x, attend: {queries: Q, keys: K, divide_by: none}, find: S}]
"""


def test_symbols_for_what_is_no_fraction_are_followed_by_numbers() -> None:
    """tanh 1 = 0.76159…"""
    first, second = lines(FUNCTIONS, name="a.S")
    assert first.endswith(r"\approx (0.7616)(1) + (1)(2) \approx 2.7616")
    assert second.endswith(r"= (\frac{1}{2})(1) = \frac{1}{2}")


LONG = """
numbers: NUMBERS
given: {X: 0.79445237 1.5; 1 2, W: 0.31415926 1; 2 0}
parts: [{ask: x, plan: [{Y: 'project(X, W)'}]}]
"""


def test_long_decimals_are_not_multiplied_out() -> None:
    """0.79445237 · 0.31415926 = 0.24958…, sixteen places in full."""
    first, second = lines(LONG.replace("NUMBERS", "decimals"), name="a.Y")
    assert r"Y_{1,1}= (0.79445237)(0.31415926) + (1.5)(2) \approx 0.2496 + 3 \approx 3.2496" == first
    assert r"Y_{1,2}= (0.79445237)(1) + (1.5)(0) = 0.79445237 + 0 = 0.79445237" == second


def test_long_fractions_are_shown_by_their_decimals() -> None:
    first, _ = lines(LONG.replace("NUMBERS", "fractions"), name="a.Y")
    assert r"Y_{1,1}\approx (0.7945)(0.3142) + (1.5)(2) \approx 3.2496" == first


ROOTS = """
given: {X: 0 1; 1 3}
parts: [{ask: x, plan: [{N: 'layer_norm(X)'}, {Y: 'dot(N, N)'}]}]
"""


def test_a_long_root_is_shown_exactly_in_one_place() -> None:
    """√(1/4 + 10⁻⁵) has the form √250010/1000: the norm gives it, what follows goes on with decimals."""
    view = document(solve(loads(problem(ROOTS))), Settings())
    norm, dot = [step for group in view.parts[0].groups for step in group.steps]
    assert r"\sqrt{250010}" in str(norm.working) and r"\approx" in str(norm.result)
    assert r"\sqrt" not in str(norm.result) + str(dot.result) + str(dot.working)


def test_the_numbers_of_a_layer_norm_are_put_in() -> None:
    body = "given: {S: 1 0, V: 1 2; 4 8}\nparts: [{ask: x, plan: PLAN}]"
    plan = "[{A: softmax(S)}, {Z: 'mix(A, V)'}, {N: layer_norm(Z)}]"
    (line,) = lines(body.replace("PLAN", plan), name="a.N")
    # α₂ = 0.26894…, z = (1 + 3α₂, 2 + 6α₂) = (1.8068, 3.6137), so the mean is 2.7102 and the variance 0.8162.
    assert r"\approx \frac{1.8068 - 2.7102}{\sqrt{0.8162 + 10^{-5}}} \approx -1.0000" in line


@pytest.mark.parametrize("weights", ["argmax", "{entmax: {alpha: 1.75}}"])
def test_what_is_exact_is_not_called_approximate(weights: str) -> None:
    attend = f"attend: {{scores: S, values: V, weights: {weights}}}"
    (line,) = lines(f"given: {{S: 0 9, V: 2; 2}}\nparts: [{{ask: x, {attend}}}]", name="a.Z")
    assert r"\approx" not in line
    assert line.endswith("= 2")


WORKED = """
given: {S: 0 0; 1 0, V: 1 -2; 4 8}
parts:
  - ask: x
    plan: [{A: softmax(S)}, {Z: 'mix(A, V)'}, {G: gelu(Z)}, {P: probabilities(V)}, {T: tanh(V)}]
"""


@pytest.mark.parametrize(
    ("name", "line"),
    [
        # The first row of A is (1/2, 1/2), so that of Z is (5/2, 3); Φ(5/2) = 0.99379…
        ("a.G", r"= \frac{\frac{5}{2}}{2} (1 + \operatorname{erf}(\frac{\frac{5}{2}}{\sqrt{2}}))"),
        # e = 2.71828…, e⁻² = 0.13533…
        ("a.P", r"\approx \frac{2.7183}{2.7183 + 0.1353} \approx 0.9526"),
        ("a.T", r"= \tanh(1) \approx 0.7616"),
    ],
)
def test_functions_are_followed_by_their_values(name: str, line: str) -> None:
    assert line in lines(WORKED, name=name)[0]


def test_a_given_function_is_printed_as_it_is_typed() -> None:
    """tanh 1 is no decimal: nothing may be equal to its first digits."""
    body = "numbers: source\ngiven: {X: tanh(1) 0.25; 1/2 ln(3)}\nparts: [{ask: x, plan: [{Y: 'dot(X, X)'}]}]"
    (part,) = document(solve(loads(problem(body))), Settings()).parts
    assert r"\tanh(1)" in str(part.givens) and "0.76" not in str(part.givens)


@pytest.mark.parametrize("name", ["ist-practical-10", "llama-layer", "ways-to-compare", "other-normalisers"])
def test_widths_that_are_added_up_are_those_of_the_whole(name: str) -> None:
    trace, told = solve(load(find(name))), 0
    for part in trace.problem.parts:
        writer = Writer(notation_for(trace.problem, part, Settings()), in_full=False)
        steps = trace.of_part(part.id)
        for stage in (stage for step in steps for line in step.lines() for stage in line.stages):
            written = writer.written(stage.expression)
            if written.text and not written.traits & FORMLESS:
                assert written.width == pytest.approx(width(written.text), abs=1e-9), written.text
                told += 1
    assert told > 20


EDGES = (1, 31, 32, 34, 67, 68, 69, 80)


@pytest.mark.parametrize("first", EDGES)
def test_lines_are_broken_as_if_they_were_measured(first: int) -> None:
    """A page is 72 digits wide, `=` 2.4 and the left-hand side 1.6: 68 digits end on the edge."""
    left = r"x\,\,"
    for others in product(EDGES, repeat=2):
        texts = ["7" * digits for digits in (first, *others)]
        measured = laid_out(left, [("=", text) for text in texts])
        assert laid(in_digits(left), [Stage("=", text, width(text)) for text in texts]) == measured


@pytest.mark.parametrize(
    ("text", "expected"), [("0.2500", "-0.2500"), ("-3.5", "3.5"), ("0.0000", "0.0000"), ("0", "0")]
)
def test_the_opposite_of_a_decimal_has_the_other_sign_unless_it_is_zero(text: str, expected: str) -> None:
    assert expected == opposite(text)


@pytest.mark.parametrize("name", ["ist-practical-10", "other-normalisers", "sparse-attention"])
def test_shares_are_rounded_from_the_exact_weights(name: str) -> None:
    trace, told = solve(load(find(name))), 0
    for part in trace.problem.parts:
        notation = notation_for(trace.problem, part, Settings())
        for step in trace.of_part(part.id):
            if step.call.op.family is Family.NORMALISER:
                for i, j, cell in step.value.cells():
                    assert cell.rounded(2)[:3] == hundredths(step.value, i, j, notation)[:3]
                    told += 1
    assert told > 3
