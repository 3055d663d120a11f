"""The work of a problem, counted on paper by the rule in the module's own words."""

import pytest
from variants.drawn import PROBLEMS, drawer, variants

from attnsolve.loader import loads
from attnsolve.variants.effort import effort


def counted(data: str, plan: str) -> int:
    return effort(loads(f"format: 1\ntitle: T\ngiven:\n{data}parts:\n  - ask: What?\n    plan: [{plan}]\n"))


DOT = "S: 'dot(q, K)'"
# 4 for a plain product; 1 with a factor of ±1; 0 with a 0; 1 more if it is negative; 2 more for each
# fraction; 1 more for each digit after the first.
PRODUCTS = {
    "3·2 + 2·4: two plain products": ("3 2", "2 4", 4 + 4),
    "3·1 + 5·0": ("3 5", "1 0", 1 + 0),
    "-1·3: one for the factor, one for the sign": ("-1", "3", 1 + 1),
    "-1·-3: the product is positive": ("-1", "-3", 1),
    "-2·3": ("-2", "3", 4 + 1),
    "-2·-3": ("-2", "-3", 4),
    "1/2·3": ("1/2", "3", 4 + 2),
    "1/2·-3/2": ("1/2", "-3/2", 4 + 2 + 2 + 1),
    "1/2·1": ("1/2", "1", 1),
    "12·3": ("12", "3", 4 + 1),
    "12·123": ("12", "123", 4 + 1 + 2),
    "25/2·3: a fraction with two digits before its point": ("25/2", "3", 4 + 2 + 1),
}


@pytest.mark.parametrize(("q", "K", "expected"), PRODUCTS.values(), ids=PRODUCTS)
def test_the_work_of_a_row_times_a_row(q: str, K: str, expected: int) -> None:
    assert expected == counted(f"  q: {q}\n  K: {K}\n", DOT)


def test_the_work_of_a_whole_small_problem() -> None:
    # Q = X W   1·2 + 2·0 = 1 + 0 and 1·1 + 2·3 = 1 + 4                        together  6; Q = (2, 7)
    # S = Q Kᵀ  2·1 + 7·-1 = 1 + (1 + 1) and 2·3 + 7·1/2 = 4 + (4 + 2)         together 13
    # A         two numbers that are written down                             2·4 =  8
    # Z = A V   decimals times (2, 0; -1, 1/2): 8, 1 (the -1), 0 and 8         together 17
    data = "  X: 1 2\n  W: 2 1; 0 3\n  K: 1 -1; 3 1/2\n  V: 2 0; -1 1/2\n"
    plan = "{Q: 'project(X, W)'}, {S: 'dot(Q, K)'}, {A: softmax(S)}, {Z: 'mix(A, V)'}"
    text = f"format: 1\ntitle: T\ngiven:\n{data}parts:\n  - ask: What?\n    plan: [{plan}]\n"
    assert 6 + 13 + 8 + 17 == effort(loads(text))


def test_what_comes_from_weights_is_decimals() -> None:
    # S: 3·1 = 1 and 3·2 = 4; A: 4 for each of 2; Z: 1 and 8 with V = (1; 2); then two decimals times (3, 1).
    data = "  q: 3\n  K: 1; 2\n  V: 1; 2\n  W: 3 1\n"
    plan = "{S: 'dot(q, K)'}, {A: softmax(S)}, {Z: 'mix(A, V)'}, {Y: 'project(Z, W)'}"
    text = f"format: 1\ntitle: T\ngiven:\n{data}parts:\n  - ask: What?\n    plan: [{plan}]\n"
    assert (1 + 4) + 8 + (1 + 8) + (8 + 1) == effort(loads(text))


@pytest.mark.parametrize("name", PROBLEMS)
def test_variants_are_within_a_tenth_of_the_usual_work(name: str) -> None:
    usual = drawer(name).usual_effort
    for variant in variants(name):
        # Counted again, on the file that is handed out.
        work = effort(loads(variant.text, name=name, folder=PROBLEMS[name].parent))
        assert work == variant.effort
        assert 10 * abs(work - usual) <= usual, (work, usual)
