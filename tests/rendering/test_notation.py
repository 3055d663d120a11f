"""Symbols in print: one meaning each, indices in the order of the displayed matrix."""

import pytest

from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.problem import Problem
from attnsolve.rendering.markup import bmatrix
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
    shown = bmatrix([[str(10**6 + j) for j in range(14)]])
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
