"""What a part wants counted: good requests, and a table of bad ones with what is said about them."""

from pathlib import Path

import pytest
from badfiles import DATA, TOP, check

from attnsolve.loader import loads
from attnsolve.problem import CostRequest

PLANS = (  # lines 7 to 14
    "parts:\n"
    "  - {id: a, ask: w, self_attention: {input: X}}\n"
    "  - {id: b, ask: w, self_attention: {input: X, W_Q: W, W_K: W, W_V: 1 0 1; 0 1 1}}\n"
    "  - {id: c, ask: w, attend: {queries: q, keys: X, weights: {argmax: {ties: first}}}}\n"
    "  - {id: d, ask: w, discuss: d}\n"
    "  - {id: e, ask: w, multi_head: {input: X, heads: 2, W_Q: W, W_K: W, W_V: W}}\n"
    "  - {id: f, ask: w, attend: {queries: q, keys: q}}\n"
    "  - ask: w\n"
)


def asking(costs: str) -> str:
    """A good file but for the costs that its last part asks for, in line 15 from column 12 on."""
    return f"{TOP}{DATA}{PLANS}    costs: {costs}\n"


@pytest.mark.parametrize(
    ("costs", "request_"),
    [
        ("{of: a}", CostRequest(("a",))),
        ("{of: [a, b], beside: gru}", CostRequest(("a", "b"), "gru")),
        ("{of: c}", CostRequest(("c",))),
        ("{of: a, sizes: {l: 512, d: 64}}", CostRequest(("a",), "", ({"l": 512, "d": 64},))),
        (
            "{of: b, sizes: [{l: 1, d: 2, d_v: 3}, {d: 5, l: 4, d_v: 6}]}",
            CostRequest(("b",), "", ({"l": 1, "d": 2, "d_v": 3}, {"d": 5, "l": 4, "d_v": 6})),
        ),
        ("{of: e, sizes: {l: 3, d: 6}}", CostRequest(("e",), "", ({"l": 3, "d": 6},))),
    ],
)
def test_a_request_is_read(costs: str, request_: CostRequest) -> None:
    part = loads(asking(costs)).parts[-1]
    assert request_ == part.costs
    assert () == part.calls


@pytest.mark.parametrize(
    ("costs", "faults"),
    [
        ("a", ["15:12: parts.g.costs: a map of keys and values is expected here, such as {of: a}"]),
        ("{}", ["15:12: parts.g.costs: the key 'of' is missing: the earlier part"]),
        ("{off: a}", ["15:13: parts.g.costs: unknown key 'off'; did you mean 'of'?"]),
        ("{of: A}", ["15:17: parts.g.costs.of: there is no earlier part 'A'; did you mean 'a'?"]),
        (
            "{of: [a, zz]}",
            ["15:21: parts.g.costs.of: there is no earlier part 'zz'; the parts with a plan before it are"],
        ),
        ("{of: g}", ["15:17: parts.g.costs.of: there is no earlier part 'g'; the parts with a plan"]),
        ("{of: []}", ["15:17: parts.g.costs.of: an empty list; write the id of an earlier part"]),
        ("{of: {a: b}}", ["15:17: parts.g.costs.of: the id of an earlier part is expected here"]),
        ("{of: [a, a]}", ["15:21: parts.g.costs.of: part 'a' is named twice; once is enough"]),
        ("{of: d}", ["15:17: parts.g.costs.of: part 'd' has no plan whose steps could be counted"]),
        ("{of: a, beside: lstm}", ["15:28: parts.g.costs.beside: 'lstm' is not one of gru"]),
        ("{of: f, beside: gru}", ["15:17: parts.g.costs.of: there is no sequence of tokens here"]),
        ("{of: a, sizes: 512}", ["15:27: parts.g.costs.sizes: a map of sizes is expected here"]),
        ("{of: a, sizes: []}", ["15:27: parts.g.costs.sizes: a list of 1 to 40 maps is expected here"]),
        ("{of: a, sizes: [{}]}", ["15:28: parts.g.costs.sizes[1]: a map of sizes is expected here"]),
        (
            "{of: a, sizes: {l: 0, d: 1.5}}",
            [
                "15:31: parts.g.costs.sizes.l: '0' is not a whole number from 1 to 999999",
                "15:37: parts.g.costs.sizes.d: '1.5' is not a whole number from 1 to 999999",
            ],
        ),
        ("{of: a, sizes: {l: two, d: 1}}", ["15:31: parts.g.costs.sizes.l: 'two' is not a whole number"]),
        (
            "{of: a, sizes: [{l: 1, d: 2}, {n: 1, d: 2}]}",
            ["15:43: parts.g.costs.sizes[2]: there is no size 'n' in these plans; the sizes are l, d"],
        ),
        ("{of: b, sizes: {l: 1, d: 2}}", ["15:27: parts.g.costs.sizes: the size d_v is missing; the sizes"]),
        ("{of: e, sizes: {l: 1, d: 5}}", ["15:27: parts.g.costs.sizes: step e.head1.S does not come out"]),
    ],
)  # fmt: skip
def test_a_bad_request_is_told_where_it_stands(costs: str, faults: list[str], tmp_path: Path) -> None:
    check(asking(costs), tuple(faults), tmp_path)


def test_costs_of_a_part_with_faults_are_not_complained_about(tmp_path: Path) -> None:
    parts = "  - {ask: w, self_attention: {input: Y}}\n  - {ask: w, costs: {of: a, sizes: {k: 1}}}\n"
    check(
        f"{TOP}{DATA}parts:\n{parts}",
        ("8:38: parts.a.self_attention.input: there is no given 'Y'",),
        tmp_path,
    )


def test_costs_are_not_repeated_by_like(tmp_path: Path) -> None:
    text = asking("{of: a}") + "  - {ask: w, like: g}\n"
    check(text, ("16:5: parts.h: nothing says how to answer this",), tmp_path)
