"""Symbols in print: one meaning each, indices in the order of the displayed matrix."""

import pytest

from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.problem import Problem
from attnsolve.rendering.formulas import symbols
from attnsolve.rendering.markup import corners
from attnsolve.rendering.notation import Notation


def notation_of(text: str, *, part: int = 0) -> Notation:
    problem: Problem = loads(f"format: 1\ntitle: T\n{text}")
    return Notation(problem, problem.parts[part], style="decimals", places=4)


HEADS = """
given: {X: 1 0; 0 1, C: 1 1; 2 0, q1: 1 0}
parts:
  - {id: a, ask: One, cross_attention: {input: X, context: C}}
  - {id: b, ask: Two, multi_head: {input: X, heads: [{W_Q: identity(2)}, {W_V: identity(2)}]}}
  - {id: c, ask: Three, attend: {queries: q1, keys: b.head1.Z, values: 1 2; 3 4}}
"""


@pytest.mark.parametrize(
    ("part", "name", "symbol"),
    [
        (0, "X", "X"),
        (0, "a.A", "A"),
        (0, "a.T", r"\tilde{S}"),
        (1, "b.head2.A", "A^{(2)}"),
        (1, "b.head1.W_Q", "W_{Q}^{(1)}"),
        (1, "b.C", "C'"),
        (2, "q1", "q_{1}"),
        (2, "c.values", "V"),
        (2, "c.A", r"\alpha"),
        (2, "b.head1.Z", r"Z^{\mathrm{(b)}(1)}"),
    ],
)
def test_symbols(part: int, name: str, symbol: str) -> None:
    assert symbol == notation_of(HEADS, part=part).symbol(name)


LAYOUTS = """
convention: {tokens: columns, project: W X, scores: %s}
given: {H: 1 0; 0 1; 1 1}
parts:
  - {id: a, ask: All, self_attention: {input: H}}
  - {id: b, ask: Second, self_attention: {input: H, queries: [2]}}
"""


@pytest.mark.parametrize(
    ("scores", "all_of_them", "only_one"),
    [("Q K'", "A_{2,3}", r"\alpha_{2,3}"), ("K' Q", "A_{3,2}", r"\alpha_{3,2}")],
)
def test_indices_follow_the_displayed_matrix(scores: str, all_of_them: str, only_one: str) -> None:
    """Query 2 and key 3, with queries as rows and as columns of the scores."""
    text = LAYOUTS % scores
    assert all_of_them == notation_of(text).entry("a.A", 1, 2)
    assert only_one == notation_of(text, part=1).entry("b.A", 0, 2)


def test_a_transpose_shares_the_superscript_of_a_head() -> None:
    assert r"Q^{(1) \top}" == notation_of(HEADS, part=1).transpose("b.head1.Q")


def test_a_matrix_too_wide_for_a_page_is_shown_by_its_sides() -> None:
    shown = corners([[str(10**6 + j) for j in range(14)]])
    assert r"\cdots" in shown
    assert "1000000 &" in shown
    assert "1000013" in shown


ROOTS_BELOW = """
given: {S: 1 sqrt(2); 2 -sqrt(3), T: 1/(1+sqrt(2)) 1/(1+exp(1))}
parts:
  - {id: a, ask: w, attend: {scores: S, weights: sum}, find: A}
"""


def test_roots_are_brought_out_of_denominators() -> None:
    """By hand: 1/(1 + √2) = √2 - 1, √2/(1 + √2) = 2 - √2, 2/(2 - √3) = 4 + 2√3, -√3/(2 - √3) = -3 - 2√3."""
    problem = loads(f"format: 1\ntitle: T\n{ROOTS_BELOW}")
    notation = Notation(problem, problem.parts[0], style="fractions", places=4)
    assert [[r"\sqrt{2} - 1", r"\frac{e^{-1}}{e^{-1} + 1}"]] == notation.rows(problem.givens["T"].value)
    shares = notation.rows(solve(problem).value("a.A"))
    assert [[r"\sqrt{2} - 1", r"2 - \sqrt{2}"], [r"4 + 2\sqrt{3}", r"-2\sqrt{3} - 3"]] == shares


def test_results_of_two_parts_are_told_apart() -> None:
    text = """
given: {X: 1 2; 3 4, q: 1 1, p: 0 -1}
parts:
  - {id: a, ask: One, attend: {queries: q, keys: X, divide_by: none}}
  - {id: b, ask: Two, attend: {queries: p, keys: X, divide_by: none}}
  - {id: c, ask: Three, plan: [{D: 'add(a.Z, b.Z)'}]}
"""
    notation = notation_of(text, part=2)
    assert r"z^{\mathrm{(a)}}" == notation.symbol("a.Z")
    assert r"z^{\mathrm{(b)}}" == notation.symbol("b.Z")


CLASHES = """
given: {X: 1 0; 0 1, W_1: 1 2; 0 1, W_2: 1 0; 0 1, s_1: 1 2, b: 1 1, B: 1 0; 0 1, x_2: 'X[2]', v: 1 1}
parts:
  - {id: a, ask: x, encoder_block: {input: X, W_V: W_1, norm: none, W_1: 3 0; 0 3, W_2: W_2}, find: E}
  - {id: b, ask: x, attend: {queries: s_1, keys: X, divide_by: none}, find: A}
  - {id: c, ask: x, attend: {queries: B, keys: X, W_Q: 1 0; 0 1, b_Q: b}}
  - {id: d, ask: x, attend: {queries: 1 0, keys: 1 0; 0 1, W_Q: 1 0; 0 1, W_K: 1 0; 0 1}}
  - {id: e, ask: x, attend: {queries: x_2, keys: X}}
  - {id: f, ask: x, attend: {queries: X, keys: X, values: 1 2; 3 4,
       score: {additive: {W: 1 0; 0 1, U: 1 0; 0 1, v: v}}}}
"""


@pytest.mark.parametrize(
    ("part", "name", "symbol"),
    [
        (0, "W_1", "W_{1}"),
        (0, "a.W_1", "W_{1}'"),  # typed in place, beside a given of that name
        (1, "b.S", "s'"),  # s_{1} is a given, not a score
        (3, "d.queries", "q"),
        (3, "d.Q", "q'"),
        (3, "d.K", "K'"),
    ],
)
def test_no_two_values_of_a_part_share_a_symbol(part: int, name: str, symbol: str) -> None:
    assert symbol == notation_of(CLASHES, part=part).symbol(name)


@pytest.mark.parametrize(
    ("part", "name", "symbol"),
    [
        (2, "B", "B_{2,:}"),  # b_2 is a number of the bias
        (2, "c.Q", "q_{2}"),
        (4, "X", "x_{2}"),  # the given x_2 is that row
        (5, "f.values", "V_{2,:}"),  # v is the vector of the scores
    ],
)
def test_rows_have_a_small_letter_only_where_nothing_else_has_it(part: int, name: str, symbol: str) -> None:
    assert symbol == notation_of(CLASHES, part=part).vector(name, 1)


CHOSEN = """
convention: %s
given: {X: 1 0; 0 1; 1 1, W: 1 2; 0 1}
parts:
  - {id: a, ask: x, self_attention: {input: X, queries: [1, 3], W_Q: W}}
  - {id: b, ask: x, self_attention: {input: X, queries: [3], W_Q: W}}
"""


@pytest.mark.parametrize(
    ("convention", "some", "one"),
    [("rows", r"X_{\{1,3\},:}", "x_{3}"), ("columns", r"X_{:,\{1,3\}}", "x_{3}")],
)
def test_tokens_that_ask_are_not_called_like_all_of_them(convention: str, some: str, one: str) -> None:
    text = CHOSEN % convention
    assert some == notation_of(text).symbol("a.X")
    assert "X" == notation_of(text).symbol("X")
    assert one == notation_of(text, part=1).symbol("b.X")


NAMED = """
given: {X: 1 0; 0 1, Omega_q: 1 2; 0 1, Gamma: 1 0; 0 1}
parts:
  - {id: a, ask: x, plan: [{Q: 'project(X, Omega_q)'}, {M: 'dot(Q, X)'}, {T: 'softmax(M)'}, {H: 'mix(T, X)'}]}
  - {id: b, ask: x, self_attention: {input: X, W_Q: Gamma, mask: {causal: true}}}
"""


@pytest.mark.parametrize(
    ("part", "name", "symbol"),
    [
        (0, "Omega_q", r"\Omega_{q}"),
        (0, "a.M", "M"),
        (0, "a.T", "T"),
        (0, "a.H", "H"),
        (1, "Gamma", r"\Gamma"),
        (1, "b.M", r"\bar{S}"),
        (1, "b.T", r"\tilde{S}"),
    ],
)
def test_names_of_the_file_print_as_they_are_given(part: int, name: str, symbol: str) -> None:
    assert symbol == notation_of(NAMED, part=part).symbol(name)


@pytest.mark.parametrize(
    ("call", "index_from", "formula"),
    [
        ("embed(E, words=[3 1])", 1, r"E \text{, rows 3, 1}"),
        ("embed(E, words=[2 0])", 0, r"E \text{, rows 2, 0}"),
        ("select(E, rows=[2])", 1, r"E \text{, row 2}"),
    ],
)
def test_rows_that_are_looked_up_are_named(call: str, index_from: int, formula: str) -> None:
    given = f"index_from: {index_from}\ngiven: {{E: 1 0; 0 1; 1 1}}\n"
    notation = notation_of(f"{given}parts: [{{id: a, ask: Q, plan: [{{X: '{call}'}}]}}]\n")
    (step,) = solve(notation.problem).steps
    assert formula == symbols(step.call, notation)


def test_numbers_as_the_file_spells_them_may_be_functions_and_letters() -> None:
    givens = "assume: {t: real}\ngiven: {q: 1 t, K: 1.50 -1/2; sqrt(2) 2*t}\n"
    parts = "parts: [{ask: A, attend: {queries: q, keys: K, values: K}}]"
    problem = loads(f"format: 1\ntitle: T\n{givens}{parts}")
    notation = Notation(problem, problem.parts[0], style="source", places=4)
    assert [["1", "t"]] == notation.given_rows("q")
    assert [["1.50", r"-\tfrac{1}{2}"], [r"\sqrt{2}", "2 t"]] == notation.given_rows("K")
