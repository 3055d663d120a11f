"""Files with symbols that cannot be carried out, and what is said of each."""

# ruff: noqa: E501 (messages are quoted whole, as a lecturer reads them)

from pathlib import Path

import pytest
from badfiles import TOP, check

GOOD = (
    "assume: {m: integer >= 2, c: positive, k: 'orthonormal, m vectors', v: m vectors}\ngiven: {q: c*k_a}\n"
)
ATTEND = "    attend: {queries: q, keys: k, values: v}\n"


def part(body: str, *, assume: str = GOOD) -> str:
    """A file whose only part starts in line 6."""
    return f"{TOP}{assume}parts:\n  - ask: What?\n{body}"


FILES: dict[str, tuple[str, *tuple[str, ...]]] = {
    "an assumption that says nothing": (
        part(ATTEND, assume="assume: {m: many, k: 'orthonormal, m vectors', v: m vectors}\ngiven: {q: k_a}\n"),
        "3:13: assume.m: 'many' says nothing that I can use; it may be integer >= 2; positive;",
        "3:22: assume.k: say what m is before it counts anything",
        "3:51: assume.v: say what m is before it counts anything",
    ),
    "a name that is taken": (
        part(ATTEND, assume="assume: {alpha: positive, m: integer >= 2, k: 'orthonormal, m vectors', v: m vectors}\ngiven: {q: k_a}\n"),
        "3:10: assume: 'alpha' cannot be the name of a symbol",
    ),
    "a query with an unknown name": (
        part(ATTEND, assume=GOOD.replace("c*k_a", "x*k_a")),
        "4:12: given.q: nothing here is called 'x'; there are c, k, m, v",
    ),
    "keys that are nowhere": (
        part("    attend: {queries: q, keys: l, values: v}\n"),
        "7:32: parts.a.attend.keys: there are no vectors 'l'; there are k, v",
    ),
    "a query that is nowhere": (
        part("    attend: {queries: c, keys: k, values: v}\n"),
        "7:23: parts.a.attend.queries: queries are defined under given:; there are q",
    ),
    "an unknown key": (
        part("    attend: {queries: q, keys: k, values: v, weights: sparsemax}\n"),
        "7:46: parts.a.attend: unknown key 'weights'; with symbols the keys are queries, keys, values, divide_by, mask",
    ),
    "a mask by places": (
        part("    attend: {queries: q, keys: k, values: v, mask: {causal: true}}\n"),
        "7:52: parts.a.attend.mask: with symbols a mask hides keys by their names: {drop_keys: [a]}",
    ),
    "a mask of a number": (
        part("    attend: {queries: q, keys: k, values: v, mask: {drop_keys: [m]}}\n"),
        "7:65: parts.a.attend.mask.drop_keys: 'm' is no index of a key; write a for k_a, or 1 for k_1",
    ),
    "a mask that may hide all": (
        part("    attend: {queries: q, keys: k, values: v, mask: {drop_keys: [a, b]}}\n"),
        "7:13: parts.a.attend: the mask may hide every key of q, so that there is nothing to attend to; assume at least 3 keys",
    ),
    "more names than keys": (
        part(ATTEND, assume=GOOD.replace("c*k_a", "k_a + k_b + k_e")),
        "7:13: parts.a.attend: there may be fewer keys than the 3 that have names: a, b, e",
    ),
    "values of another count": (
        part(ATTEND, assume=GOOD.replace("v: m vectors", "v: 3 vectors")),
        "7:13: parts.a.attend: k and v do not have equally many vectors",
    ),
    "one vector as values": (
        part(ATTEND, assume=GOOD.replace("v: m vectors", "v: 'unit vector, orthogonal to k'")),
        "7:43: parts.a.attend.values: 'v' is one vector; keys and values are families, such as v: m vectors",
    ),
    "one head": (
        part("    multi_head: {heads: 2, keys: k, values: v}\n"),
        "7:25: parts.a.multi_head.heads: a list of heads is expected here, such as [{queries: q_1}, {queries: q_2}]",
    ),
    "an output matrix": (
        part("    multi_head: {heads: [{queries: q}, {queries: q}], keys: k, values: v, W_O: v}\n"),
        "7:75: parts.a.multi_head: unknown key 'W_O'; with symbols the keys are heads, keys, values, divide_by, mask, combine",
    ),
    "a head of a later part": (
        part("    multi_head: {heads: [b, {queries: q}], keys: k, values: v}\n"),
        "7:26: parts.a.multi_head.heads[1]: there is no earlier part 'b' with attention; there are none",
    ),
    "a head that is not there": (
        part("    multi_head: {heads: [{queries: q}, {queries: q}], keys: k, values: v, combine: a_1 + a_3}\n"),
        "7:17: parts.a.multi_head: combine: there is no head '3'; there are 2",
    ),
    "heads joined twice": (
        part("    multi_head: {heads: [{queries: q}, {queries: q}], keys: k, values: v, combine: a_1}\n    combine: a_2\n"),
        "8:14: parts.a.combine: multi_head says already how the outputs are joined",
    ),
    "a recipe of numbers": (
        part("    self_attention: {input: k}\n"),
        "7:21: parts.a.self_attention: 'self_attention' works on matrices of numbers; with abstract vectors a part has one of attend, multi_head, plan",
    ),
    "two plans": (
        part(f"{ATTEND}    plan: [S: 'dot(q, k)']\n"),
        "8:11: parts.a: attend and plan stand together; a part has one plan",
    ),
    "a plan with an op of numbers": (
        part("    plan: [S: 'dot(q, k)', A: sparsemax(S)]\n"),
        "7:31: parts.a.plan.A: sparsemax works on matrices of numbers; with abstract vectors a plan has dot, divide, multiply, drop_keys, softmax, mix, add, subtract",
    ),
    "a plan without weights": (
        part("    plan: [S: 'dot(q, k)']\n"),
        "7:11: parts.a.plan: this plan makes no weights; add a step such as A: softmax(S)",
    ),
    "a softmax of weights": (
        part("    plan: [S: 'dot(q, k)', A: softmax(S), B: softmax(A)]\n"),
        "7:46: parts.a.plan.B: softmax takes scores of this plan, and 'A' is none; there are S",
    ),
    "a plan with other vectors": (
        part("    plan: [S: 'dot(q, l)', A: softmax(S)]\n"),
        "7:15: parts.a.plan.S: there are no vectors 'l'; there are k, v",
    ),
    "a plan that goes on with one output": (
        part("    plan: [S: 'dot(q, k)', A: softmax(S), Z: 'mix(A, v)', Y: 'multiply(Z, 2)']\n"),
        "7:11: parts.a.plan: outputs of several heads are joined; that of one head is a",
    ),
    "a plan that mixes one of two": (
        part("    plan: [S: 'dot(q, k)', A: softmax(S), B: softmax(S), Z: 'mix(A, v)']\n"),
        "7:11: parts.a.plan: some of the weights are mixed with values and others are not",
    ),
    "nothing known of dot products": (
        part("    attend: {queries: q, keys: v, values: v}\n"),
        "7:13: parts.a.attend: nothing is assumed of the dot products of",
    ),
    "scores that all differ": (
        part(ATTEND, assume="assume: {m: integer >= 2, rho: real, mu: 'unit with products rho, m vectors', lambda: 'real, m numbers', k: lambda*mu, v: m vectors}\ngiven: {q: mu_a}\n"),
        "7:13: parts.a.attend: the scores of the other keys differ from one another",
    ),
    "a claim without a relation": (
        part(f"{ATTEND}    claims: [alpha_a = 1/2, alpha_a]\n"),
        "8:36: parts.a.claims: a relation is expected here",
    ),
    "a limit of nothing": (
        part(f"{ATTEND}    limit: x -> oo\n"),
        "8:12: parts.a.limit: 'x -> oo' is no limit; write c -> oo or c -> 0",
    ),
    "an equation to be solved": (
        part(f"{ATTEND}    solve: {{for: c, so that: alpha_a = 1/2}}\n"),
        "8:30: parts.a.solve: one inequality is solved, with <, <=, > or >=",
    ),
    "a table without a number for m": (
        part(f"{ATTEND}    table: {{c: [1, 2]}}\n"),
        "8:12: parts.a.table: the table needs numbers for m too",
    ),
    "a table of numbers that are not allowed": (
        part(f"{ATTEND}    table: {{c: 1, m: [1/2, -1]}}\n"),
        "8:12: parts.a.table: the assumptions allow none of these numbers",
    ),
    "numbers and symbols": (
        f"{TOP}{GOOD}vary: {{q: -2..2}}\nparts:\n  - ask: What?\n{ATTEND}",
        "5:8: vary: no number under let, and no matrix of numbers, is called 'q'; there are none",
    ),
    "symbols without assumptions": (
        f"{TOP}given: {{q: 1 2}}\nparts:\n  - ask: What?\n    attend: {{queries: q, keys: q}}\n    limit: c -> oo\n",
        "7:12: parts.a.limit: 'limit' asks about symbols; say what they are under assume:",
    ),
    "claims about nothing": (
        part("    claims: [alpha_a = 1/2]\n"),
        "7:13: parts.a.claims: say attend, multi_head or plan here or in an earlier part",
    ),
    "a bomb": (
        part(ATTEND, assume=GOOD.replace("c*k_a", "(c + m + 1)^60*(c + m + 2)^60*k_a")),
        "7:13: parts.a.attend: multiplied out this has about ",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_files_with_symbols_are_refused(name: str, tmp_path: Path) -> None:
    file, *expected = FILES[name]
    check(file, tuple(expected), tmp_path)
