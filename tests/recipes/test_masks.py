"""Masks in every spelling, against torch and its two polarities: True keeps here, and drops there."""

from fractions import Fraction
from typing import Any

import pytest
from recipes.solved import Table, assert_close, drawn, solved, tensor

from attnsolve.errors import ProblemError
from attnsolve.trace import Trace

torch = pytest.importorskip("torch")
attention = torch.nn.functional.scaled_dot_product_attention

# Four tokens of width 4.
GIVEN: dict[str, Table] = {
    "X": drawn(4, 4, seed=1),
    "W_Q": drawn(4, 4, seed=2),
    "W_K": drawn(4, 4, seed=3),
    "W_V": drawn(4, 4, seed=4),
    "W_O": drawn(4, 4, seed=5),
}
PROJECTIONS = "input: X, W_Q: W_Q, W_K: W_K, W_V: W_V"
X, W_Q, W_K, W_V, W_O = (tensor(GIVEN[name]) for name in GIVEN)
Q, K, V = X @ W_Q, X @ W_K, X @ W_V
HIDDEN = float("-inf")

CAUSAL = torch.ones(4, 4, dtype=torch.bool).tril()
MARKED = torch.tensor([[1, 0, 1, 1], [0, 1, 0, 0], [1, 1, 1, 0], [0, 0, 0, 1]], dtype=torch.bool)
TYPED = "1 0 1 1; 0 1 0 0; 1 1 1 0; 0 0 0 1"
FIRST = torch.arange(4)[None, :]
BIAS = torch.tensor([[0.0, -1, 2, 0.5], [0, 0, -3, 0], [1, 1, 1, 1], [0.25, 0, 0, 0]], dtype=torch.float64)
BIASED = "0 -1 2 1/2; 0 0 -3 0; 1 1 1 1; 1/4 0 0 0"

# What a file says, and torch's mask in which True means that a query may look.
KEPT: dict[str, Any] = {
    "{causal: true}": CAUSAL,
    "{lengths: 3}": (FIRST < 3).expand(4, 4),
    "{lengths: [3]}": (FIRST < 3).expand(4, 4),
    "{lengths: [1, 4, 2, 3]}": FIRST < torch.tensor([1, 4, 2, 3])[:, None],
    "{drop_keys: [2]}": (FIRST != 1).expand(4, 4),
    "{drop_keys: [4, 1]}": ((FIRST != 3) & (FIRST != 0)).expand(4, 4),
    f"{{keep: {TYPED}}}": MARKED,
    f"{{drop: {TYPED}}}": ~MARKED,
    f"{{causal: false, keep: {TYPED}}}": MARKED,
    f"{{keep: {TYPED}, apply: before_scaling}}": MARKED,
    "{causal: true, apply: before_scaling}": CAUSAL,
    "{causal: true, lengths: 3}": CAUSAL & (FIRST < 3),
    "{causal: true, drop_keys: 2, lengths: 3}": CAUSAL & (FIRST != 1) & (FIRST < 3),
}


def attended(mask: str, *, more: str = "", top: str = "") -> Trace:
    return solved(GIVEN, f"self_attention: {{{PROJECTIONS}, mask: {mask}{more}}}", top=top)


@pytest.mark.parametrize("mask", KEPT)
def test_scaled_dot_product_attention_keeps_where_true(mask: str) -> None:
    trace = attended(mask)
    assert_close(attention(Q, K, V, attn_mask=KEPT[mask]), trace.value("a.Z"))
    # The weight of a hidden key is 0, not only small.
    hidden = [(i, j) for i in range(4) for j in range(4) if not KEPT[mask][i, j]]
    assert hidden
    assert {0} == {trace.value("a.A").cell(i, j).rational() for i, j in hidden}


def test_causal_is_torchs_is_causal() -> None:
    assert_close(attention(Q, K, V, is_causal=True), attended("{causal: true}").value("a.Z"))


def layer(heads: int) -> Any:
    """torch's own layer with our matrices."""
    made = torch.nn.MultiheadAttention(4, heads, bias=False, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        made.in_proj_weight.copy_(torch.cat([W_Q.T, W_K.T, W_V.T]))
        made.out_proj.weight.copy_(W_O.T)
    return made.eval()


def multi_head(mask: str, *, more: str = "") -> Trace:
    return solved(GIVEN, f"multi_head: {{{PROJECTIONS}, W_O: W_O, heads: 2, mask: {mask}{more}}}")


@pytest.mark.parametrize("mask", KEPT)
def test_multihead_attention_drops_where_true(mask: str) -> None:
    with torch.no_grad():
        expected, _ = layer(2)(X, X, X, attn_mask=~KEPT[mask])
    assert_close(expected, multi_head(mask).value("a.Z"))


def test_padding_is_a_key_padding_mask() -> None:
    with torch.no_grad():
        expected, _ = layer(2)(X, X, X, key_padding_mask=torch.tensor([False, False, True, True]))
    assert_close(expected, multi_head("{lengths: 2}").value("a.Z"))


def test_a_mask_of_one_head_leaves_the_others_alone() -> None:
    """torch has a mask for each head too; here head 1 looks everywhere."""
    slices = [{"W_Q": "Q1", "W_K": "K1", "W_V": "V1"}, {"W_Q": "Q2", "W_K": "K2", "W_V": "V2"}]
    given = {"X": GIVEN["X"], "W_O": GIVEN["W_O"]}
    for letter in "QKV":
        for number in (1, 2):
            wide = GIVEN[f"W_{letter}"]
            given[f"{letter}{number}"] = [row[2 * number - 2 : 2 * number] for row in wide]
    first, second = (", ".join(f"{key}: {name}" for key, name in head.items()) for head in slices)
    heads = f"[{{{first}}}, {{{second}, mask: {{keep: {TYPED}}}}}]"
    trace = solved(given, f"multi_head: {{input: X, heads: {heads}, W_O: W_O}}")
    masks = torch.stack([torch.zeros(4, 4, dtype=torch.bool), ~MARKED])
    with torch.no_grad():
        expected, _ = layer(2)(X, X, X, attn_mask=masks)
    assert_close(expected, trace.value("a.Z"))


def test_a_head_may_have_another_mask_than_all_heads() -> None:
    heads = f"[{{W_Q: W_Q, W_K: W_K, W_V: W_V}}, {{W_Q: W_Q, W_K: W_K, W_V: W_V, mask: {{keep: {TYPED}}}}}]"
    trace = solved(GIVEN, f"multi_head: {{input: X, heads: {heads}, mask: {{causal: true}}}}")
    assert_close(attention(Q, K, V, attn_mask=CAUSAL), trace.value("a.head1.Z"))
    assert_close(attention(Q, K, V, attn_mask=MARKED), trace.value("a.head2.Z"))


# -- masks that are added ----------------------------------------------------------------------------------


def test_a_mask_is_added_after_the_scaling_as_torch_does() -> None:
    assert_close(attention(Q, K, V, attn_mask=BIAS), attended(f"{{add: {BIASED}}}").value("a.Z"))


def test_a_mask_is_added_before_the_scaling_if_the_file_says_so() -> None:
    found = attended(f"{{add: {BIASED}, apply: before_scaling}}").value("a.Z")
    expected = torch.softmax((Q @ K.T + BIAS) / 2, dim=-1) @ V
    assert_close(expected, found)
    assert (expected - attention(Q, K, V, attn_mask=BIAS)).abs().max() > 0.01


@pytest.mark.parametrize("spelling", ["-inf", "-oo", "-∞"])
def test_minus_infinity_hides(spelling: str) -> None:
    added = f"0 {spelling} 2 1/2; 0 0 -3 0; 1 1 1 {spelling}; 1/4 0 0 0"
    mask = BIAS.clone()
    mask[0, 1] = mask[2, 3] = HIDDEN
    trace = attended(f"{{add: {added}}}")
    assert_close(attention(Q, K, V, attn_mask=mask), trace.value("a.Z"))
    assert 0 == trace.value("a.A").cell(0, 1).rational()


def test_added_and_causal() -> None:
    mask = BIAS.masked_fill(~CAUSAL, HIDDEN)
    assert_close(
        attention(Q, K, V, attn_mask=mask), attended(f"{{add: {BIASED}, causal: true}}").value("a.Z")
    )


# -- when only some tokens ask -----------------------------------------------------------------------------

ASKING = {
    "{causal: true}": CAUSAL,
    "{lengths: 3}": (FIRST < 3).expand(4, 4),
    "{lengths: [1, 4, 2, 3]}": FIRST < torch.tensor([1, 4, 2, 3])[:, None],
    "{drop_keys: [2]}": (FIRST != 1).expand(4, 4),
    f"{{keep: {TYPED}}}": MARKED,
    f"{{drop: {TYPED}}}": ~MARKED,
    f"{{add: {BIASED}, causal: true}}": BIAS.masked_fill(~CAUSAL, HIDDEN),
}


@pytest.mark.parametrize("queries", [(3,), (2, 4), (4, 1), (1, 2), (2, 1), (4, 3, 2, 1)])
@pytest.mark.parametrize("mask", ASKING)
def test_queries_keep_their_own_places(mask: str, queries: tuple[int, ...]) -> None:
    places = [query - 1 for query in queries]
    trace = attended(mask, more=f", queries: {list(queries)}")
    assert_close(attention(Q[places], K, V, attn_mask=ASKING[mask][places]), trace.value("a.Z"))


def test_a_mask_may_be_given_for_those_that_ask() -> None:
    kept = torch.tensor([[1, 0, 0, 1], [1, 1, 0, 1]], dtype=torch.bool)
    trace = attended("{keep: 1 0 0 1; 1 1 0 1}", more=", queries: [2, 4]")
    assert_close(attention(Q[[1, 3]], K, V, attn_mask=kept), trace.value("a.Z"))
    trace = attended("{lengths: [2, 3]}", more=", queries: [2, 4]")
    expected = attention(Q[[1, 3]], K, V, attn_mask=FIRST < torch.tensor([[2], [3]]))
    assert_close(expected, trace.value("a.Z"))


def test_a_mask_of_all_queries_is_cut_down_to_those_that_ask_other_tokens() -> None:
    Y = drawn(3, 4, seed=7)
    kept = torch.tensor([[1, 0, 1, 0], [0, 0, 0, 1], [1, 1, 0, 0]], dtype=torch.bool)
    part = "cross_attention: {input: Y, context: X, queries: [3, 1], mask: {keep: 1 0 1 0; 0 0 0 1; 1 1 0 0}}"
    expected = attention(tensor(Y)[[2, 0]], X, X, attn_mask=kept[[2, 0]])
    assert_close(expected, solved(GIVEN | {"Y": Y}, part).value("a.Z"))


@pytest.mark.parametrize("mask", ASKING)
def test_heads_in_which_only_some_tokens_ask(mask: str) -> None:
    with torch.no_grad():
        hidden = ASKING[mask][[2, 1]]
        hidden = hidden if hidden.is_floating_point() else ~hidden
        expected, _ = layer(2)(X[[2, 1]], X, X, attn_mask=hidden)
    assert_close(expected, multi_head(mask, more=", queries: [3, 2]").value("a.Z"))


# -- elsewhere than in self-attention ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mask", "kept"),
    [
        ("{lengths: 2}", [[1, 1, 0, 0]] * 2),
        ("{lengths: [2, 1]}", [[1, 1, 0, 0], [1, 0, 0, 0]]),
        ("{keep: 1 0 1 0; 0 0 0 1}", [[1, 0, 1, 0], [0, 0, 0, 1]]),
        ("{drop_keys: 3}", [[1, 1, 0, 1]] * 2),
    ],
)
@pytest.mark.parametrize("recipe", ["cross_attention: {input: Y, context: X", "attend: {queries: Y, keys: X"])
def test_masks_of_other_tokens(recipe: str, mask: str, kept: list[list[int]]) -> None:
    Y = drawn(2, 4, seed=7)
    trace = solved(GIVEN | {"Y": Y}, f"{recipe}, mask: {mask}}}")
    expected = attention(tensor(Y), X, X, attn_mask=torch.tensor(kept, dtype=torch.bool))
    assert_close(expected, trace.value("a.Z"))


@pytest.mark.parametrize("mask", KEPT)
def test_masks_of_given_scores(mask: str) -> None:
    S = drawn(4, 4, seed=8)
    trace = solved(GIVEN | {"S": S}, f"attend: {{scores: S, values: X, mask: {mask}}}")
    expected = torch.softmax(tensor(S).masked_fill(~KEPT[mask], HIDDEN), dim=-1)
    assert_close(expected, trace.value("a.A"))
    assert_close(expected @ X, trace.value("a.Z"))


def test_indices_count_as_the_sheet_counts() -> None:
    trace = attended("{drop_keys: [1]}", top="index_from: 0\n")
    assert_close(attention(Q, K, V, attn_mask=(FIRST != 1).expand(4, 4)), trace.value("a.Z"))


def test_a_mask_lies_as_the_scores_do() -> None:
    """Where scores are K'Q, a column belongs to a query, also in a mask."""
    turned = "; ".join(" ".join(str(int(x)) for x in row) for row in MARKED.T.tolist())
    trace = solved(
        GIVEN, f"self_attention: {{input: X, mask: {{keep: {turned}}}}}", top="convention: columns\n"
    )
    assert_close(attention(X, X, X, attn_mask=MARKED), trace.value("a.Z"))


def test_results_of_a_masked_part_can_be_taken_up() -> None:
    first = f"self_attention: {{{PROJECTIONS}, mask: {{causal: true}}}}"
    trace = solved(GIVEN, f"{first}\n  - ask: And then?\n    attend: {{scores: a.M}}")
    expected = torch.softmax((Q @ K.T / 2).masked_fill(~CAUSAL, HIDDEN), dim=-1)
    assert_close(expected, trace.value("b.A"))


def test_weights_other_than_softmax_see_the_mask() -> None:
    found = attended("{causal: true}", more=", weights: argmax").value("a.A")
    best = (Q @ K.T).masked_fill(~CAUSAL, HIDDEN).argmax(dim=-1)
    assert_close(torch.nn.functional.one_hot(best, 4).double(), found)
    assert {Fraction(0), Fraction(1)} == {cell.rational() for _, _, cell in found.cells()}


@pytest.mark.parametrize(("more", "places"), [("", [0, 1, 2, 3]), (", queries: [4, 2]", [3, 1])])
def test_padding_that_asks_gets_no_output(more: str, places: list[int]) -> None:
    """torch's attention with padding keys, and the output of padding queries set to 0."""
    trace = attended("{drop_keys: [4], drop_queries: [4]}", more=more)
    expected = attention(Q[None], K[None], V[None], attn_mask=(FIRST != 3).expand(4, 4))[0]
    expected[3] = 0
    assert_close(expected[places], trace.value("a.Z"))


def test_padding_that_does_not_ask_cannot_be_hidden() -> None:
    with pytest.raises(ProblemError, match=r"mask.drop_queries: there is no query 4; the queries are 1, 3"):
        attended("{drop_queries: [4]}", more=", queries: [1, 3]")
