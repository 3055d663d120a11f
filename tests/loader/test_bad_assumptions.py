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
        part("    attend: {queries: q, keys: k, values: v, mask: {causal: true}}\n"),
        "7:46: parts.a.attend: unknown key 'mask'; with symbols the keys are queries, keys, values, divide_by",
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
    "numbers and symbols": (
        f"{TOP}{GOOD}vary: {{q: -2..2}}\nparts:\n  - ask: What?\n{ATTEND}",
        "5:7: vary: 'vary' is for problems with numbers, and this one has symbols",
    ),
    "symbols without assumptions": (
        f"{TOP}given: {{q: 1 2}}\nparts:\n  - ask: What?\n    attend: {{queries: q, keys: q}}\n    limit: c -> oo\n",
        "7:12: parts.a.limit: 'limit' asks about symbols; say what they are under assume:",
    ),
    "claims about nothing": (
        part("    claims: [alpha_a = 1/2]\n"),
        "7:13: parts.a.claims: say attend: here or in an earlier part",
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
