"""The plan as a graph: makers, users, what lies behind and ahead, and the heads in it."""

from typing import NamedTuple

import pytest

from attnsolve.graph import Graph, Head, Source, graph_of
from attnsolve.loader import loads
from attnsolve.problem import Call, Problem

GIVEN = "given: {X: 1 0; 0 1; 1 1, Y: 1 2; 3 4, W: 1 0; 0 1, M: 0 0 0; 0 0 0; 0 0 0, S0: 1 2; 3 4}"


def problem(*parts: str) -> Problem:
    """A problem of some parts, each its way to say what is done."""
    listed = "".join(f"  - ask: What?\n    {part}\n" for part in parts)
    return loads(f"format: 1\ntitle: T\n{GIVEN}\nparts:\n{listed}")


def graph(*parts: str) -> Graph:
    return graph_of(problem(*parts))


def names(calls: tuple[Call | None, ...]) -> list[str | None]:
    return [None if call is None else call.out for call in calls]


PLAN = (
    "plan: [{Q: 'project(X, W)'}, {S: 'dot(Q, X)'}, {T: 'divide(S, 2)'}, {B: 'add_mask(T, M)'}, "
    "{A: 'softmax(B)'}, {Z: 'mix(A, X)'}, {R: 'add(X, Z)'}]"
)


def test_a_value_has_one_maker_and_a_given_none() -> None:
    found = graph(PLAN)
    assert ["a.S", None] == names((found.maker("a.S"), found.maker("X")))


def test_users_of_a_value_are_in_order_and_each_there_once() -> None:
    found = graph("plan: [{S: 'dot(X, X)'}, {T: 'divide(S, 2)'}, {A: 'softmax(T)'}, {Z: 'mix(A, X)'}]")
    assert ["a.S", "a.Z"] == names(found.users("X"))
    assert [] == names(found.users("a.Z"))


@pytest.mark.parametrize(
    ("wanted", "behind"),
    [
        (["a.T"], ["a.Q", "a.S", "a.T"]),
        (["X"], []),
        (["a.Q", "a.T"], ["a.Q", "a.S", "a.T"]),
        (["a.R"], ["a.Q", "a.S", "a.T", "a.B", "a.A", "a.Z", "a.R"]),
    ],
)
def test_what_lies_behind_a_value(wanted: list[str], behind: list[str]) -> None:
    assert behind == names(graph(PLAN).behind(wanted))


@pytest.mark.parametrize(
    ("changed", "following"), [("M", ["a.B", "a.A", "a.Z", "a.R"]), ("a.Z", ["a.R"]), ("a.R", []), ("Y", [])]
)
def test_what_changes_with_a_value(changed: str, following: list[str]) -> None:
    assert following == names(graph(PLAN).following({changed}))


def test_stages_of_scores_begin_before_the_scaling() -> None:
    assert ("a.S", "a.T", "a.B") == graph(PLAN).stages("a.B")
    assert ("S0",) == graph("plan: {A: 'softmax(S0)'}").stages("S0")


@pytest.mark.parametrize(
    ("name", "side", "origin"),
    [("a.A", 0, "X"), ("a.A", 1, "Y"), ("a.Z", 0, "X"), ("a.S", 1, "Y"), ("Y", 0, "Y")],
)
def test_origin_is_the_given_whose_tokens_stand_along_a_side(name: str, side: int, origin: str) -> None:
    assert origin == graph("attend: {queries: X, keys: Y, values: Y}").origin(name, side)


class Parts(NamedTuple):
    """A head by names."""

    queries: str | None
    keys: str | None
    values: str | None
    scores: str | None
    scalings: list[str | None]
    masks: list[str | None]
    weights: str
    output: str | None


def spelled(head: Head) -> Parts:
    scores, output = names((head.scores, head.output))
    scalings, masks = names(head.scalings), names(head.masks)
    return Parts(head.queries, head.keys, head.values, scores, scalings, masks, head.weights.out, output)


@pytest.mark.parametrize(
    ("part", "heads"),
    [
        (PLAN, [Parts("a.Q", "X", "X", "a.S", ["a.T"], ["a.B"], "a.A", "a.Z")]),
        (
            "self_attention: {input: X, mask: {causal: true, drop_keys: [3], apply: before_scaling}}",
            [Parts("X", "X", "X", "a.S", ["a.T"], ["a.M1", "a.M"], "a.A", "a.Z")],
        ),
        (
            "plan: [{S: 'cosine(X, Y)'}, {A: 'argmax(S)'}]",
            [Parts("X", "Y", None, "a.S", [], [], "a.A", None)],
        ),
        ("plan: {A: 'softmax(S0)'}", [Parts(None, None, None, None, [], [], "a.A", None)]),
        (
            "plan: [{A: 'softmax(S0)'}, {Z: 'mix(A, Y)'}, {V: 'mix(A, W)'}]",
            [
                Parts(None, None, "Y", None, [], [], "a.A", "a.Z"),
                Parts(None, None, "W", None, [], [], "a.A", "a.V"),
            ],
        ),
        (
            "multi_head: {input: X, heads: 2, W_Q: W, W_K: W, W_V: W}",
            [
                Parts(f"{h}.Q", f"{h}.K", f"{h}.V", f"{h}.S", [f"{h}.T"], [], f"{h}.A", f"{h}.Z")
                for h in ("a.head1", "a.head2")
            ],
        ),
        # The second softmax is of words: what it descends from was made by weights, and is no score.
        (
            "plan: [{S: 'dot(X, X)'}, {A: 'softmax(S)'}, {Z: 'mix(A, X)'}, {P: 'softmax(Z)'}]",
            [
                Parts("X", "X", "X", "a.S", [], [], "a.A", "a.Z"),
                Parts(None, None, None, None, [], [], "a.P", None),
            ],
        ),
    ],
)
def test_heads_of_a_plan(part: str, heads: list[Parts]) -> None:
    assert heads == list(map(spelled, graph(part).heads))


def test_scores_that_more_is_done_to_than_scaling_and_masking_say_so() -> None:
    (plain,) = graph(PLAN).heads
    (biased,) = graph("plan: [{S: 'dot(X, X)'}, {B: 'add(S, M)'}, {A: 'softmax(B)'}]").heads
    assert (True, False) == (plain.only_scales_and_masks, biased.only_scales_and_masks)


def test_source_of_queries_is_told_with_projection_and_slice() -> None:
    found = graph("multi_head: {input: X, context: Y, heads: 2, W_Q: W, W_K: W}")
    wide, cut = found.maker("a.Q"), found.maker("a.head2.Q")
    assert Source("X", wide, cut) == found.source("a.head2.Q")
    assert Source("X", wide) == found.source("a.Q")
    assert Source("Y", None, found.maker("a.head1.V")) == found.source("a.head1.V")
    assert Source("Y") == found.source("Y")


def test_variants_share_the_graph_of_their_plan() -> None:

    one = problem(PLAN)
    assert graph_of(one) is graph_of(one._replace(title="Another"))
    assert graph_of(one) is not graph_of(problem(PLAN))


def test_padding_that_asks_stands_between_weights_and_output() -> None:
    found = problem("self_attention: {input: X, mask: {drop_queries: [3]}}\n    plot: weights")
    (head,) = graph_of(found).heads
    assert ["a.A", "a.B", "a.B", "a.Z"] == names(
        (head.weights, head.silenced, head.final_weights, head.output)
    )
    assert ("a.B",) == found.parts[0].plots


def test_other_weights_are_drawn_as_they_are() -> None:
    found = problem("self_attention: {input: X}\n    plot: weights")
    assert (("a.A",), None) == (found.parts[0].plots, graph_of(found).heads[0].silenced)
