"""Heads, plans and masks with symbols: each compiles into what `attend` makes, and torch agrees."""

# ruff: noqa: E501 (files are quoted whole)

import pytest

from attnsolve.assumptions import Attention
from attnsolve.derivations.answers import derive
from attnsolve.derivations.attention import Solved
from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.problem import Problem
from attnsolve.statements.claim import Relation
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.set_verification import verifier_of

families = pytest.importorskip("families")
NUMBERS = {"m": 6, "d": 7, "c": 1.3}


def problem(body: str) -> Problem:
    return loads(f"""
format: 1
title: Heads
assume: {{m: integer >= 4, d: integer >= m, c: positive, k: 'orthonormal, m vectors', l: 'orthogonal with norm 3, m vectors', v: m vectors, w: m vectors}}
given: {{q: c*k_a, p: c*(k_a - k_b), r: l_a + 2*l_b}}
parts:
  - id: a
    ask: What?
    {body}
""")


def attention(body: str) -> Attention:
    abstract = problem(body).parts[0].abstract
    assert abstract is not None
    return abstract.attention


SAME = [
    ("attend: {queries: q, keys: k, values: v, divide_by: sqrt(d)}",
     "plan: [S: 'dot(q, k)', T: 'divide(S, sqrt(d))', A: softmax(T), Z: 'mix(A, v)']"),
    ("attend: {queries: q, keys: k, values: v, mask: {drop_keys: [b, e]}}",
     "plan: [S: 'dot(q, k)', M: 'drop_keys(S, [b, e])', A: softmax(M), Z: 'mix(A, v)']"),
    ("attend: {queries: q, keys: k, values: v, mask: {drop_keys: b}}",
     "plan: [S: 'dot(q, k)', M: 'drop_keys(S, keys=b)', A: softmax(M), Z: 'mix(A, v)']"),
    ("attend: {queries: q, keys: k}", "plan: [S: 'dot(q, k)', A: softmax(S)]"),
    ("{attend: {queries: [q, p], keys: k, values: v}, combine: a_1 + a_2}",
     "multi_head: {heads: [{queries: q}, {queries: p}], keys: k, values: v, combine: a_1 + a_2}"),
    ("multi_head: {heads: [{queries: q, keys: k}, {queries: r, keys: l}], values: v, combine: (a_1 - a_2)/2}",
     "plan: [S: 'dot(q, k)', A: softmax(S), Z: 'mix(A, v)', T: 'dot(r, l)', B: softmax(T), Y: 'mix(B, v)', N: 'subtract(Z, Y)', O: 'divide(N, 2)']"),
]  # fmt: skip


def as_body(text: str) -> str:
    return text.strip("{}").replace(", combine", "\n    combine") if text.startswith("{") else text


@pytest.mark.parametrize(("one", "other"), SAME)
def test_it_is_the_same_attention(one: str, other: str) -> None:
    assert attention(as_body(one)) == attention(other)


CLOSED = [
    "multi_head: {heads: [{queries: q, keys: k, values: v}, {queries: r, keys: l, values: w, divide_by: 9}], divide_by: sqrt(d), combine: (a_1 + 2*a_2)/3}",
    "multi_head: {heads: [{queries: q, mask: {drop_keys: [a]}}, {queries: p, mask: {drop_keys: [b, e]}}], keys: k, values: v, combine: a_1 - a_2}",
    "plan: [S: 'dot(p, k)', T: 'multiply(S, 1/2)', M: 'drop_keys(T, e)', A: softmax(M), Z: 'mix(A, v)', Y: 'mix(A, w)', R: 'add(Z, Y)']",
    "attend: {queries: p, keys: k, values: v, mask: {drop_keys: [a, b, e]}}",
]


@pytest.mark.parametrize("body", CLOSED)
def test_every_line_holds_for_random_vectors(body: str) -> None:
    made = problem(f"{body}\n    limit: c -> oo")
    abstract = made.parts[0].abstract
    assert made.assumptions is not None and abstract is not None
    named = Solved(made.assumptions, abstract.attention).setting.named
    count = 0
    for seed in (1, 2, 3):
        family = families.Family(made.assumptions, abstract.attention, named, NUMBERS, seed)
        for passage in derive(made.assumptions, abstract).passages:
            for chain in passage.chains:
                wanted = None
                for line in chain:
                    wanted = family.of(line.left) if line.left is not None else wanted
                    if line.relation is Relation.EQUAL:
                        assert families.close(wanted, family.of(line.right)), line
                        count += 1
    assert count > 30


def test_a_hidden_weight_has_marks_and_claims_know_of_it() -> None:
    made = problem(
        "attend: {queries: q, keys: k, values: v, mask: {drop_keys: [b]}}\n    marks: {weights: 3}"
    )
    text = "alpha_b = 0\nalpha_a = e^c/(e^c + m - 2)\nalpha_i = 1/(e^c + m - 2)\n"
    verifier = verifier_of(solve(made))
    assert 3 == verifier.verify(read_submission(text, form="claims")).earned
    forgotten = text.replace("m - 2", "m - 1")
    assert 1 == verifier.verify(read_submission(forgotten, form="claims")).earned
