"""Files with symbols whose numbers by name, or whose `vary:`, cannot be."""

# ruff: noqa: E501 (messages are quoted whole, as a lecturer reads them)

from pathlib import Path

import pytest
from badfiles import TOP, check

ASSUME = "assume: {m: integer >= 3, c: positive, k: 'orthonormal, m vectors', v: m vectors}\n"  # line 3
LETTERS = "assume: {t: real}\n"


def file(
    let: str = "{r: 2}",
    vary: str = "{r: 2..4}",
    query: str = "<r>*c*k_a",
    ask: str = "What?",
    more: str = "    claims: [alpha_a = 1, alpha_b = 0]\n",
) -> str:
    """let in line 4, given in 5, ask in 7, attend in 8, more from 9 on, vary last."""
    attend = "    attend: {queries: q, keys: k, values: v}\n"
    return f"{TOP}{ASSUME}let: {let}\ngiven: {{q: {query}}}\nparts:\n  - ask: {ask}\n{attend}{more}vary: {vary}\n"


def lettered(vary: str, *, K: str = "1 0; 0 t") -> str:
    """A matrix with a letter in line 5, vary in line 9."""
    part = "parts:\n  - ask: What?\n    attend: {queries: q, keys: K}\n"
    return f"{TOP}{LETTERS}let: {{w: 2}}\ngiven: {{q: 1 2, K: {K}, x: t t}}\n{part}vary: {vary}\n"


FILES: dict[str, tuple[str, *tuple[str, ...]]] = {
    "numbers by name without symbols": (
        f"{TOP}let: {{r: 2}}\nparts:\n  - ask: Why?\n    discuss: Because.\n",
        "3:6: let: 'let' is for problems with symbols, which have assume:",
    ),
    "no map of numbers": (file(let="2"), "4:6: let: a map of at most 40 numbers is expected here, such as {r: 2, s: 3}"),
    "what is no number": (
        file(let="{r: two or so}"),
        "4:10: let.r: 'two or so' is no number such as 2 or 1/3, and no letter of an index such as a",
    ),
    "a name that is taken": (file(let="{e: 2}"), "4:7: let: 'e' cannot be the name of a number here"),
    "a number that has no name": (
        file(query="<r>*c*k_a + <s>*k_b"),
        "5:24: given.q: there is no number 's' under let; there are r; put blanks around < and > where they are signs",
    ),
    "signs without blanks": (
        file(more="    claims: [0<c>1]\n"),
        "9:15: parts.claims: there is no number 'c' under let; there are r; put blanks around < and >",
    ),
    "a number over zero": (
        file(ask="What is $<1/(r-2)>$?"),
        "7:19: parts.ask: '<1/(r-2)>' is no number that could stand here: division by zero",
    ),
    "a number that is too long": (
        file(query="<r^9999999>*k_a"),
        "5:12: given.q: '<r^9999999>' is no number that could stand here: ",
    ),
    "a number that is not rational": (
        file(query="<r^(1/2)>*k_a"),
        "5:12: given.q: '<r^(1/2)>' is no number that could stand here: it is not rational",
    ),
    "a letter that is calculated with": (
        file(let="{r: 2, i: a}", query="<r*i>*k_a"),
        "5:12: given.q: there is no number 'i' under let; there are r;",
    ),
    "a fault after a number that was filled in": (
        file(let="{r: 12345}", query="<r>*c*k_a + zz*k_b"),
        "5:24: given.q: nothing here is called 'zz'",
    ),
    "nothing that varies": (file(vary="{version: 2}"), "10:7: vary: say what varies: a number under let: ({r: 2..5})"),
    "a name that nothing has": (
        file(vary="{s: 2..4}"),
        "10:8: vary: no number under let, and no matrix of numbers, is called 's'; there are r",
    ),
    "no range": (file(vary="{r: 4..2}"), "10:11: vary.r: '4..2' is not a range; write the least and the largest number: -2..2"),
    "a root": (file(vary="{r: [2, sqrt(2)]}"), "10:11: vary.r: only rational numbers are put into texts and formulas"),
    "a letter twice": (
        file(let="{i: a}", query="c*k_<i>", vary="{i: [a, a]}"),
        "10:11: vary.i: a list of letters is expected here, each once, such as [a, b, j]",
    ),
    "a setting for numbers": (
        file(vary="{r: 2..4, design: {a: [1/2 1/2]}}"),
        "10:25: vary.design: 'design' is for problems with numbers, and this one has symbols",
    ),
    "a judge of numbers": (
        file(vary="{r: 2..4, allow: [ties]}"),
        "10:25: vary.allow: 'ties' is not one of zero_rows, equal_rows, groups, outcomes, verdicts",
    ),
    "claims of a part without any": (
        file(vary="{claims: {b: {true: 1}}}"),
        "10:17: vary.claims.b: 'b' is no part with claims; those with some are a",
    ),
    "too many claims": (
        file(vary="{claims: {a: {true: 2, false: 2}}}"),
        "10:20: vary.claims.a: 4 claims are drawn from 2; write how many of each verdict",
    ),
    "a verdict that nobody gives": (
        file(vary="{claims: {a: {maybe: 1}}}"),
        "10:20: vary.claims.a: 0 claims are drawn from 2",
        "10:21: vary.claims.a: unknown key 'maybe'",
    ),
    "several statements in a line": (
        file(more="    claims: ['alpha_a = 1, alpha_b = 0', alpha_a = 1]\n", vary="{claims: {a: {true: 1}}}"),
        "10:17: vary.claims.a: the claim in line 9 has 2 statements; to be drawn, each stands in a line of its own",
    ),
    "marks for each claim": (
        file(more="    claims: [alpha_a = 1, alpha_b = 0]\n    marks: {claim1: 2}\n", vary="{claims: {a: {false: 1}}}"),
        "10:12: parts.a.marks: papers have different claims here, so write marks: as one number that all share",
    ),
    "something chosen that is nowhere": (
        file(vary="{choose: {given.p: [c*k_a, c*k_b], let.s: [1, 2]}}"),
        "10:17: vary.choose: nothing is called 'p' under given; there are q",
        "10:42: vary.choose: nothing is called 's' under let; there are r",
    ),
    "a number that is chosen and varies": (
        file(vary="{r: 2..4, choose: {let.r: [2, 3]}}"),
        "10:11: vary.r: 'r' is chosen already, under choose",
    ),
    "a matrix of letters": (lettered("{x: 1..3}"), "9:11: vary.x: 'x' has letters only, and no number that could vary"),
    "a matrix with a number by name": (
        lettered("{K: 1..3}", K="1 0; <w> t"),
        "9:11: vary.K: 'K' has numbers of let: in it; let these vary, and not the whole matrix",
    ),
    "a given and a number of one name": (
        lettered("{q: 1..3}").replace("{w: 2}", "{q: 2}"),
        "9:11: vary.q: 'q' is a given and a number under let; rename one of them",
    ),
    "claims where there are numbers": (
        f"{TOP}given: {{q: 1 2}}\nparts:\n  - ask: What?\n    attend: {{queries: q, keys: q}}\nvary: {{claims: {{a: {{true: 1}}}}}}\n",
        "7:16: vary.claims: 'claims' is for problems with symbols, which have assume:",
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_numbers_by_name_and_variants_that_cannot_be_are_refused(name: str, tmp_path: Path) -> None:
    text, *expected = FILES[name]
    check(text, tuple(expected), tmp_path)
