"""Numbers by name: each text and formula has them in its own spelling."""

from fractions import Fraction

import pytest

from attnsolve.loader import loads
from attnsolve.loader.named_numbers import written

FILE = """\
format: 1
title: A factor of <r>
intro: The factor is $<r>$.
assume:
  m: integer >= 3
  c: positive
  eps: between 0 and <w>
  k: orthogonal with norm <r>, m vectors
  v: m vectors
let: {r: 2, w: 1/3, f: 1, i: a}
given: {q: <f*>c*k_<i> - <w>*k_b}
parts:
  - ask: Let $q = <f*>c\\,k_<i> - <w> k_b$, where <w> is a third and $3 < 4$.
    attend: {queries: q, keys: k, values: v}
    solve: {for: c, so that: alpha_a >= <w> - eps}
    table: {m: [<r+2>], c: [<w>, <10*r>]}
    claims: [alpha_a >= <w>]
"""


def test_texts_formulas_tables_and_assumptions_have_the_numbers() -> None:
    problem = loads(FILE)
    by_hand = FILE.replace("let: {r: 2, w: 1/3, f: 1, i: a}", "let: {z: 1}")
    for place, text in (
        ("factor of <r>", "factor of 2"),
        ("$<r>$", "$2$"),
        ("0 and <w>", "0 and 1/3"),
        ("norm <r>", "norm 2"),
        ("<f*>", ""),
        ("<i>", "a"),
        ("- <w>*k_b", "- 1/3*k_b"),
        ("- <w> k_b$", "- \\frac{1}{3} k_b$"),
        ("where <w>", "where 1/3"),
        (">= <w> - eps", ">= 1/3 - eps"),
        ("<r+2>", "4"),
        ("[<w>, <10*r>]", "[1/3, 20]"),
        (">= <w>]", ">= 1/3]"),
    ):
        assert place in by_hand
        by_hand = by_hand.replace(place, text)
    same = loads(by_hand)
    assert same.title == problem.title == "A factor of 2"
    assert same.intro == problem.intro
    assert same.parts == problem.parts
    assert same.assumptions == problem.assumptions


@pytest.mark.parametrize(
    ("value", "before", "after", "expected"),
    [
        (Fraction(2), "c*", "*k", "2"),
        (Fraction(-2), "c*", "*k", "(-2)"),
        (Fraction(-2), "", "*k", "-2"),
        (Fraction(-2), "c - ", "*k", "(-2)"),
        (Fraction(1, 3), "c/", "", "(1/3)"),
        (Fraction(1, 3), "c*", "*k", "1/3"),
        (Fraction(1, 3), "", "^2", "(1/3)"),
        (Fraction(1, 3), "", "t", "(1/3)"),
        (Fraction(1, 3), "", " t", "1/3"),
    ],
)
def test_a_number_has_brackets_where_it_would_be_read_otherwise(
    value: Fraction, before: str, after: str, expected: str
) -> None:
    assert expected == written(value, before, after, in_maths=False)
