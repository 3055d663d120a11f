"""The table of an op: headers in the notation of the course, keys by name, before the working of its row."""

import re

import pytest
from rendering.samples import problem, trace_of

from attnsolve.engine import solve
from attnsolve.exact import Rational
from attnsolve.loader import loads
from attnsolve.rendering import Settings, render
from attnsolve.rendering.ledgers import ledger_cell
from attnsolve.rendering.pages import notation_for
from attnsolve.rendering.steps import StepView
from attnsolve.rendering.views import document
from attnsolve.trace import Trace
from attnsolve.working import Num, Product

COMPARED = """
labels: [sun, moon, star]
given:
  S: 1 1/2 3/4; 0 2 -1
parts:
  - ask: Find the weights.
    attend: {scores: S, weights: OP}
    find: A
"""


def steps(trace: Trace, settings: Settings | None = None) -> list[StepView]:
    view = document(trace, settings or Settings())
    return [step for part in view.parts for group in part.groups for step in group.steps]


def step_of(body: str, letter: str = "A") -> StepView:
    return next(step for step in steps(solve(loads(problem(body)))) if step.name.endswith(f".{letter}"))


def words(rows: tuple[tuple[tuple[tuple[bool, str], ...], ...], ...]) -> list[list[str]]:
    return [["".join(text for _, text in cell) for cell in row] for row in rows]


def test_sparsemax_shows_how_its_support_is_found() -> None:
    step = step_of(COMPARED.replace("OP", "sparsemax"))
    assert step.table is not None
    assert ((False, "The numbers of query 1:"),) == step.table.caption
    header = ["key", "S_{1,j}", "k", r"\text{sum so far}", r"1 + k\,S_{1,j}", r"\text{larger than the sum?}"]
    assert [header] == words((step.table.header,))
    # By hand: 1 > 0, then 1 + 2·3/4 = 5/2 > 7/4, then 1 + 3·1/2 = 5/2 > 9/4.
    assert [
        ["sun", "1", "1", "1", "2", "yes"],
        ["star", r"\tfrac{3}{4}", "2", r"\tfrac{7}{4}", r"\tfrac{5}{2}", "yes"],
        ["moon", r"\tfrac{1}{2}", "3", r"\tfrac{9}{4}", r"\tfrac{5}{2}", "yes"],
    ] == words(step.table.rows)
    # And then one of its cells, with τ = (9/4 - 1)/3 = 5/12.
    ((((left, right),),)) = step.working
    assert "A_{1,1}" == left.strip()
    assert re.search(r"= \\max\\left\(0, 1 - \\t?frac\{5\}\{12\}\\right\) = \\t?frac\{7\}\{12\}", right)


def test_entmax_has_no_root_where_none_is_needed() -> None:
    # Halves 1, 0, -1/2 of the second query: with k = 2, D = 1/2 and τ = 1/2 - 1/2 = 0, which is not below 0.
    step = step_of(COMPARED.replace("OP", "entmax15").replace("find: A", "find: 'A[2]'"))
    assert step.table is not None
    rows = words(step.table.rows)
    assert ["moon", "sun", "star"] == [row[0] for row in rows]
    assert ["0", "0", "none"] == [row[5] for row in rows]
    assert ["yes", "no", "no"] == [row[-1] for row in rows]


def test_thresholds_without_a_form_are_decimals() -> None:
    step = step_of(COMPARED.replace("OP", "{entmax: {alpha: 1.25}}"))
    assert step.table is not None
    header = [r"(\alpha - 1)\,S_{1,j}", r"(\alpha - 1)\,S_{1,j} - \tau", "A_{1,j}"]
    assert header == words((step.table.header,))[0][2:]
    # By mpmath: τ = -0.567193…, so 1/4 - τ = 0.817193…, and its fourth power 0.445972….
    assert [r"\tfrac{1}{4}", r"\approx 0.8172", r"\approx 0.4460"] == words(step.table.rows)[0][2:]
    assert () == step.working


def test_table_stands_before_the_working() -> None:
    text = render(solve(loads(problem(COMPARED.replace("OP", "sparsemax")))), to="markdown").text
    assert text.index("The numbers of query 1") < text.index(r"\max\left(0, 1 -") < text.index("The others")


def test_table_is_left_out_where_matrices_are_enough() -> None:
    trace = solve(loads(problem(COMPARED.replace("OP", "sparsemax"))))
    assert all(step.table is None for step in steps(trace, Settings(detail="matrices")))


def test_long_ledger_is_left_out() -> None:
    scores = " ".join(f"{n}/20" for n in range(17))
    body = f"given:\n  S: {scores}\nparts:\n  - ask: x\n    attend: {{scores: S, weights: sparsemax}}"
    step = step_of(body)
    assert step.table is None
    assert step.working


def test_columns_convention_turns_the_headers() -> None:
    step = step_of("convention: columns\n" + COMPARED.strip().replace("OP", "sparsemax").replace("; ", ";  "))
    assert step.table is not None
    assert "S_{j,1}" == words((step.table.header,))[0][1]


def test_layer_norm_works_out_its_mean_and_variance() -> None:
    """By hand: the mean of 1, 3 and 5 is 3; -2, 0 and 2 are left, and their squares have the mean 8/3."""
    body = "given:\n  X: 1 3 5; 0 1 2\nparts:\n  - ask: x\n    plan: [{Y: 'layer_norm(X)'}]"
    table = step_of(body, "Y").table
    assert table is not None and table.has_sums
    assert ["column", "X_{1,j}", r"X_{1,j} - \mu", r"(X_{1,j} - \mu)^2"] == words((table.header,))[0]
    *numbers, means = words(table.rows)
    assert [["1", "1", "-2", "4"], ["2", "3", "0", "0"], ["3", "5", "2", "4"]] == numbers
    assert ["mean", r"\mu = 3", "", r"\sigma^2 = \tfrac{8}{3}"] == means


def test_frequencies_have_digits_enough_to_be_used() -> None:
    """10000^{-2/3} = 0.00215443…: four places would leave two digits."""
    body = "given:\n  X: ones(3x6)\nparts:\n  - ask: x\n    plan: [{P: sinusoid(X)}]"
    step = step_of(body, "P")
    assert ["1", r"\tfrac{1}{3}", r"\approx 0.04642"] == words(step.table.rows)[1]
    assert ["2", r"\tfrac{2}{3}", r"\approx 0.002154"] == words(step.table.rows)[2]
    # The first token has the place 0, where every wave is 0 or 1: the second is worked out.
    assert "P_{2,1}" == step.working[0][0][0]


@pytest.mark.parametrize(
    ("entry", "shown"),
    [
        ("yes", ((False, "yes"),)),
        (Num(Rational(3)), ((True, "3"),)),
        (Product((Num(Rational(3)), Num(Rational(-2)))), ((True, "-6"),)),
    ],
)
def test_cells_are_words_or_numbers(entry: object, shown: object) -> None:
    trace = trace_of("sparse")
    notation = notation_for(trace.problem, trace.problem.parts[0], Settings())
    assert shown == ledger_cell(entry, notation)  # type: ignore[arg-type]


def test_scores_are_followed_back_through_mask_and_scaling() -> None:
    step = next(step for step in steps(trace_of("masked")) if step.name == "a.A")
    assert step.table is not None
    # The first query sees itself only; the second shows more.
    header = ["key", "S_{2,j}", "T_{2,j}", "M_{2,j}", "e^{M_{2,j}}", "A_{2,j}"]
    assert [header] == words((step.table.header,))
    assert ["star", "2", r"\approx 1.4142", r"-\infty", "0", "0"] == words(step.table.rows)[2]


ADDITIVE = """
index_from: FIRST
given:
  GIVEN: 1 2
  K: 1 0; 0 1
  W: 1 0; 0 1
  U: 1 1; 0 1
  v: 1 2
parts:
  - ask: Find the scores.
    attend: {queries: GIVEN, keys: K, score: {SCORE}}
    find: S
"""
SCORED = ("additive: {W: W, U: U, v: v}", "concat: {W: 1 0; 0 1; 1 1; 0 1, v: v}")


@pytest.mark.parametrize("score", SCORED)
@pytest.mark.parametrize(("first", "headers"), [("0", ["u_{j0}", "u_{j1}"]), ("1", ["u_{j1}", "u_{j2}"])])
def test_hidden_values_are_counted_as_the_file_counts(score: str, first: str, headers: list[str]) -> None:
    body = ADDITIVE.replace("GIVEN", "q").replace("FIRST", first).replace("SCORE", score)
    table = step_of(body, "S").table
    assert table is not None
    tanh = [rf"\tanh {header}" for header in headers]
    assert ["key", *headers, *tanh, "s_{j}"] == words((table.header,))[0]


@pytest.mark.parametrize("score", SCORED)
def test_hidden_values_are_not_called_as_something_given_is(score: str) -> None:
    """q is called u here, so that u_j = u W + … would be two things by one name."""
    step = step_of(ADDITIVE.replace("GIVEN", "u").replace("FIRST", "1").replace("SCORE", score), "S")
    assert r"s_{j} = \tanh(u'_j) \cdot v, \quad u'_j = " in step.formula
    assert step.table is not None
    assert ["key", "u'_{j1}", "u'_{j2}"] == words((step.table.header,))[0][:3]


TWO_NAMES = """
given:
  M: 3 1; 2 4
  D: 2 1; 1 1
parts:
  - ask: Find the weights.
    attend: {queries: M, keys: D, weights: entmax15}
    find: A
"""


def test_mean_and_deviation_are_not_called_as_something_given_is() -> None:
    step = step_of(TWO_NAMES)
    assert r"\tau = M' - \sqrt{(1 - D')/k} \text{ with the mean } M' \text{" in step.formula
    assert step.table is not None
    assert ["k", "M'", "D'", r"\tau = M' - \sqrt{(1 - D')/k}"] == words((step.table.header,))[0][2:6]
    plain = step_of(
        TWO_NAMES.replace("M:", "Q:")
        .replace("D:", "K:")
        .replace("queries: M, keys: D", "queries: Q, keys: K")
    )
    assert r"\tau = M - \sqrt{(1 - D)/k}" in plain.formula


def test_the_size_of_a_support_is_not_called_as_a_key_is() -> None:
    body = (
        "given: {q: 1 2, k: 3 1}\nparts:\n  - {ask: w, attend: {queries: q, keys: k, weights: sparsemax}}\n"
    )
    step = step_of(body)
    assert r"\tau = \tfrac{1}{k'}" in step.formula


def test_alpha_is_a_number_where_the_weights_are_called_so() -> None:
    """One query's weights are α, and α = α-entmax(s) says nothing; the weights of several are A."""
    body = "given: {Q: 1 2; 0 1, K: 3 1; 1 1; 0 2}\nparts:\n  - ask: w\n    attend: {queries: WHO, keys: K, "
    body += "weights: {entmax: {alpha: 1.25}}}\n    find: A\n"
    one = step_of(body.replace("WHO", "1 2"))
    assert r"\alpha = \tfrac{5}{4}\text{-entmax}(" in one.formula
    assert "" == one.sizes
    several = step_of(body.replace("WHO", "Q"))
    assert r"A = \alpha\text{-entmax}(" in several.formula
    assert r"\alpha = \tfrac{5}{4}" == several.sizes
