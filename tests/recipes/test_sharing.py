"""Shared, cached and linear attention, and other weights, against torch and the definitions on paper."""

import math
import random
from typing import Any

import pytest
from recipes.solved import Table, assert_close, drawn, solved, tensor

from attnsolve.errors import ProblemError

torch = pytest.importorskip("torch")
elu, scaled_dot_product_attention = (
    torch.nn.functional.elu,
    torch.nn.functional.scaled_dot_product_attention,
)

RANDOM = 100  # problems of each kind


def given(seed: int, **shapes: tuple[int, int]) -> tuple[dict[str, Table], dict[str, Any]]:
    """Tables of these shapes, and torch's."""
    tables = {name: drawn(*shape, seed=100 * seed + k) for k, (name, shape) in enumerate(shapes.items())}
    return tables, {name: tensor(table) for name, table in tables.items()}


def in_heads(M: Any, heads: int) -> Any:
    return M.reshape(len(M), heads, -1).transpose(0, 1)


def test_heads_in_groups_are_torchs_grouped_queries() -> None:
    for seed in range(RANDOM):
        heads = random.Random(seed).choice([2, 4])
        groups = random.Random(seed + 1).choice([1, heads // 2, heads])
        width = groups * 4 // heads
        tables, M = given(seed, X=(3, 4), Q=(4, 4), K=(4, width), V=(4, width))
        trace = solved(
            tables, f"multi_head: {{input: X, heads: {heads}, kv_heads: {groups}, W_Q: Q, W_K: K, W_V: V}}"
        )
        Q, K, V = in_heads(M["X"] @ M["Q"], heads), *(in_heads(M["X"] @ M[x], groups) for x in "KV")
        wanted = scaled_dot_product_attention(Q[None], K[None], V[None], enable_gqa=True)[0]
        assert_close(wanted.transpose(0, 1).reshape(3, 4), trace.value("a.C"))


def test_latent_keys_and_values_are_those_of_two_projections() -> None:
    for seed in range(RANDOM):
        tables, M = given(
            seed, X=(3, 4), Q=(4, 2), D=(4, 1 + seed % 3), K=(1 + seed % 3, 2), V=(1 + seed % 3, 3)
        )
        trace = solved(tables, "self_attention: {input: X, W_Q: Q, W_DKV: D, W_K: K, W_V: V}")
        latent = M["X"] @ M["D"]
        wanted = scaled_dot_product_attention(
            (M["X"] @ M["Q"])[None], (latent @ M["K"])[None], (latent @ M["V"])[None]
        )
        assert_close(wanted[0], trace.value("a.Z"))


@pytest.mark.parametrize(
    "settings", ["", ", position: {rotary: {angle: pi/2}}", ", position: {alibi: {slope: 1/2}}"]
)
def test_cached_step_is_proven_to_be_the_last_row_of_the_causal_run(settings: str) -> None:
    for seed in range(RANDOM // 4):
        tokens = 2 + seed % 3
        tables, _ = given(seed, X=(tokens, 2), Q=(2, 2), K=(2, 2), V=(2, 2))
        tables["x"] = tables["X"][-1:]
        own = f"W_Q: Q, W_K: K, W_V: V{settings}"
        keys = "a.Kr" if "rotary" in settings else "a.K"
        trace = solved(
            tables,
            f"self_attention: {{input: X, {own}, mask: {{causal: true}}}}\n  - ask: One.\n"
            f"    cached_step: {{input: x, cache_keys: {keys}, cache_values: a.V, cached: {tokens - 1}, "
            f"whole: a.Z, {own}}}",
        )
        whole, step = trace.value("a.Z"), trace.value("b.Z")
        assert step.same(whole.take([tokens - 1])) is True
        assert all(cell.is_zero() for _, _, cell in trace.value("b.D").cells())


def test_cached_step_with_heads_in_groups_is_that_of_torch() -> None:
    for seed in range(RANDOM):
        tables, M = given(seed, x=(1, 4), C=(3, 2), U=(3, 2), Q=(4, 4), K=(4, 2), V=(4, 2), O=(4, 3))
        trace = solved(
            tables,
            "cached_step: {input: x, cache_keys: C, cache_values: U, heads: 4, kv_heads: 2, "
            "W_Q: Q, W_K: K, W_V: V, W_O: O}",
        )
        K, V = torch.cat([M["C"], M["x"] @ M["K"]]), torch.cat([M["U"], M["x"] @ M["V"]])
        made = scaled_dot_product_attention(
            in_heads(M["x"] @ M["Q"], 4)[None], in_heads(K, 2)[None], in_heads(V, 2)[None], enable_gqa=True
        )[0]
        assert_close(made.transpose(0, 1).reshape(1, 4) @ M["O"], trace.value("a.Z"))


FEATURES = {"elu": lambda x: elu(x) + 1, "exp": torch.exp, "square": lambda x: x**2}


@pytest.mark.parametrize("features", FEATURES)
def test_both_orders_of_linear_attention_are_its_definition(features: str) -> None:
    for seed in range(RANDOM // 3 + 1):
        tables, M = given(seed, X=(3, 2), Q=(2, 2), K=(2, 2))
        tables["Q"][0][0] += 3  # no query without any feature
        M["Q"] = tensor(tables["Q"])
        Q, K = (FEATURES[features](M["X"] @ M[x]) for x in "QK")
        if features == "square" and bool(((Q @ K.T).sum(dim=1) == 0).any()):
            continue
        part = f"linear_attention: {{input: X, W_Q: Q, W_K: K, feature_map: {features}"
        trace = solved(tables, f"{part}}}\n  - ask: Again.\n    {part}, order: scores_first}}")
        rows = [
            sum((Q[i] @ K[j]) * M["X"][j] for j in range(3)) / sum(Q[i] @ K[j] for j in range(3))
            for i in range(3)
        ]
        assert_close(torch.stack(rows), trace.value("a.Z"), within=1e-10)
        assert_close(torch.stack(rows), trace.value("b.Z"), within=1e-10)


WEIGHTS = {
    "{sink_softmax: {sink: 1/2}}": lambda S: torch.softmax(
        torch.cat([S, torch.full((len(S), 1), 0.5, dtype=S.dtype)], dim=1), dim=1
    )[:, :-1],
    "sink_softmax": lambda S: S.exp() / (1 + S.exp().sum(dim=1, keepdim=True)),
    "{top_k: {k: 2, ties: first}}": lambda S: torch.stack(
        [torch.where(row >= row.topk(2).values[-1], row, -math.inf).softmax(dim=0) for row in S]
    ),
    "{sigmoid_weights: {bias: -1}}": lambda S: torch.special.expit(S - 1),
}


@pytest.mark.parametrize("weights", WEIGHTS)
def test_weights_are_those_of_torch(weights: str) -> None:
    for seed in range(RANDOM):
        numbers = random.Random(seed).sample(range(-8, 9), 8)  # no two alike
        tables: dict[str, Table] = {"S": [[x / 4 for x in numbers[:4]], [x / 4 for x in numbers[4:]]]}  # type: ignore[misc]
        trace = solved(tables, f"attend: {{scores: S, weights: {weights}}}")
        assert_close(WEIGHTS[weights](torch.tensor(tables["S"], dtype=torch.float64)), trace.value("a.A"))


def test_soft_caps_are_those_of_torch() -> None:
    for seed in range(RANDOM // 2):
        tables, M = given(seed, S=(2, 2), V=(2, 2))
        trace = solved(tables, "attend: {scores: S, values: V, soft_cap: 3/2, mask: {causal: true}}")
        scores = (1.5 * torch.tanh(M["S"] / 1.5)).masked_fill(torch.ones(2, 2).triu(1).bool(), -math.inf)
        assert_close(scores.softmax(dim=1) @ M["V"], trace.value("a.Z"))


@pytest.mark.parametrize(
    "mask", ["window: 2, sinks: 1", "window: 1, everywhere: [2]", "blocks: 2", "window: 3"]
)
def test_masks_by_place_are_those_of_a_list(mask: str) -> None:
    def sees(i: int, j: int) -> bool:
        near = {"window: 2, sinks: 1": 1, "window: 1, everywhere: [2]": 0, "window: 3": 2}.get(mask)
        if near is None:
            return (i in (0, 1)) == (j in (0, 1)) and (i in (2, 3)) == (j in (2, 3))
        return i - near <= j <= i + near or ("sinks" in mask and j == 0) or ("every" in mask and 1 in (i, j))

    for seed in range(RANDOM // 4):
        tables, M = given(seed, X=(5, 2))
        hidden = torch.tensor([[0.0 if sees(i, j) else -math.inf for j in range(5)] for i in range(5)])
        wanted = scaled_dot_product_attention(*[M["X"][None]] * 3, attn_mask=hidden.double())[0]
        trace = solved(tables, f"self_attention: {{input: X, mask: {{{mask}}}}}")
        assert_close(wanted, trace.value("a.Z"))
        alone = solved(tables, f"self_attention: {{input: X, queries: [4], mask: {{{mask}}}}}")
        assert_close(wanted[3:4], alone.value("a.Z"))


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("multi_head: {input: S, heads: 2, kv_heads: 3}", "2 heads cannot share 3 heads"),
        ("multi_head: {input: S, heads: [{W_Q: W}], kv_heads: 1}", "kv_heads stands beside a list of heads"),
        ("encoder_block: {input: S, kv_heads: 1}", "'kv_heads' belongs to several heads"),
        ("self_attention: {input: S, mask: {sinks: 1}}", "'sinks' widens a window"),
        ("self_attention: {input: S, W_DKV: W}", "give W_K too"),
        ("attend: {queries: S, keys: S, W_DKV: W}", "a latent is made of tokens"),
        ("cached_step: {input: S, cache_keys: S, cache_values: S}", "2 tokens; a decoding step has one"),
        (
            "cached_step: {input: 1 2, cache_keys: S, cache_values: S, position: rotary}",
            "asks for the place of the new token",
        ),
        ("self_attention: {input: S, soft_cap: -1}", "it must be above 0"),
        ("self_attention: {input: S, weights: {top_k: {k: 3}}}", "3 largest of 2 keys"),
    ],
)
def test_what_does_not_fit_is_refused(part: str, said: str) -> None:
    with pytest.raises(ProblemError) as refused:
        solved({"S": drawn(2, 2, seed=1), "W": drawn(2, 2, seed=2)}, part)
    assert said in str(refused.value)
