"""Places in the scores against torch, and against the definitions of their papers."""

import math
import random
from typing import Any

import pytest
from recipes.solved import Table, assert_close, drawn, solved, tensor

from attnsolve.errors import ProblemError

torch = pytest.importorskip("torch")

RANDOM = 100  # problems of each kind


def given(seed: int) -> tuple[dict[str, Table], Any]:
    """Tokens and three square matrices of four numbers a token; and torch's."""
    tokens = random.Random(seed).randint(1, 4)
    tables = {"X": drawn(tokens, 4, seed=seed)}
    tables |= {f"W{k}": drawn(4, 4, seed=1000 * k + seed) for k in (1, 2, 3)}
    return tables, [tensor(table) for table in tables.values()]


def attention(Q: Any, K: Any, V: Any, bias: Any = None, *, scale: float | None = None) -> Any:
    return torch.nn.functional.scaled_dot_product_attention(
        Q[None], K[None], V[None], attn_mask=None if bias is None else bias[None], scale=scale
    )[0]


def rotate_half(X: Any, places: Any, base: float, angle: float) -> Any:
    """As models with halves that turn together have it: x cos + (-x2, x1) sin."""
    width = X.shape[1]
    theta = angle / base ** (torch.arange(0, width, 2, dtype=X.dtype) / width)
    angles = torch.cat([places[:, None] * theta] * 2, dim=1)
    first, second = X.chunk(2, dim=1)
    return X * angles.cos() + torch.cat([-second, first], dim=1) * angles.sin()


def rotate_neighbours(X: Any, places: Any, base: float, angle: float) -> Any:
    """With the block-diagonal matrix of Su et al., token by token."""
    rows = []
    for x, place in zip(X, places, strict=True):
        blocks = []
        for k in range(len(x) // 2):
            turn = float(place) * angle * base ** (-2 * k / len(x))
            blocks.append(
                torch.tensor(
                    [[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]], dtype=X.dtype
                )
            )
        rows.append(torch.block_diag(*blocks) @ x)
    return torch.stack(rows)


@pytest.mark.parametrize(("pairs", "turned"), [("half", rotate_half), ("interleaved", rotate_neighbours)])
def test_rotary_attention_is_that_of_turned_queries_and_keys(pairs: str, turned: Any) -> None:
    angles = {"pi/2": math.pi / 2, "pi/3": math.pi / 3, "1": 1.0, "1/4": 0.25}
    for seed in range(RANDOM // 2):
        tables, (X, W1, W2, W3) = given(seed)
        word, angle = random.Random(seed).choice(list(angles.items()))
        base, first = random.Random(seed).choice([4, 9, 100, 10_000]), seed % 2
        rotary = f"{{base: {base}, angle: {word}, pairs: {pairs}, positions_from: {first}}}"
        trace = solved(
            tables, f"self_attention: {{input: X, W_Q: W1, W_K: W2, W_V: W3, position: {{rotary: {rotary}}}}}"
        )
        places = torch.arange(len(X), dtype=X.dtype) + first
        Q, K = (turned(M, places, base, angle) for M in (X @ W1, X @ W2))
        assert_close(attention(Q, K, X @ W3), trace.value("a.Z"), within=1e-11)


def test_scores_of_turned_tokens_hang_on_distances_alone() -> None:
    tables, _ = given(3)
    first, later = (
        solved(tables, f"self_attention: {{input: X, W_Q: W1, position: {{rotary: {settings}}}}}")
        for settings in ("{angle: pi/3}", "{angle: pi/3, positions_from: 1}")
    )
    assert first.value("a.Qr").same(later.value("a.Qr")) is False
    assert first.value("a.S").balls(128)[0][0].overlaps(later.value("a.S").balls(128)[0][0])
    assert_close(tensor(first.value("a.S")), later.value("a.S"))


def test_only_the_token_that_asks_is_turned_by_its_own_place() -> None:
    tables, _ = given(5)
    rotary = "position: {rotary: {angle: pi/2}}"
    whole = solved(tables, f"self_attention: {{input: X, W_Q: W1, {rotary}}}").value("a.Z")
    last = whole.shape[0]
    alone = solved(tables, f"self_attention: {{input: X, queries: [{last}], W_Q: W1, {rotary}}}")
    assert alone.value("a.Z").same(whole.take([last - 1])) is True


def test_alibi_of_every_head_is_a_bias_with_its_own_slope() -> None:
    for seed in range(RANDOM):
        tables, (X, W1, W2, W3) = given(seed)
        heads = random.Random(seed).choice([1, 2, 4])
        trace = solved(
            tables,
            f"multi_head: {{input: X, heads: {heads}, W_Q: W1, W_K: W2, W_V: W3, position: alibi, "
            "mask: {causal: true}}",
        )
        places = torch.arange(len(X))
        far = (places[:, None] - places[None, :]).abs().double()
        hidden = torch.full((len(X), len(X)), -math.inf, dtype=X.dtype).triu(1)
        made = [
            attention(Q, K, V, hidden - far * 2 ** (-8 * (h + 1) / heads))
            for h, (Q, K, V) in enumerate(
                zip(*((X @ W).chunk(heads, dim=1) for W in (W1, W2, W3)), strict=True)
            )
        ]
        assert_close(torch.cat(made, dim=1), trace.value("a.C"))


def test_numbers_for_distances_are_toeplitz_biases() -> None:
    for seed in range(RANDOM):
        tables, (X, W1, W2, _) = given(seed)
        reach = seed % 3
        tables["B"] = drawn(1, 2 * reach + 1, seed=seed + 7)
        trace = solved(
            tables, "self_attention: {input: X, W_Q: W1, W_K: W2, position: {distance_bias: {B: B}}}"
        )
        row = [float(x) for x in tables["B"][0]]
        bias = [[row[max(-reach, min(reach, j - i)) + reach] for j in range(len(X))] for i in range(len(X))]
        wanted = attention(X @ W1, X @ W2, X, torch.tensor(bias, dtype=X.dtype))
        assert_close(wanted, trace.value("a.Z"))


def test_vectors_for_distances_are_those_of_shaw() -> None:
    for seed in range(RANDOM):
        tables, (X, W1, W2, _) = given(seed)
        reach = seed % 3
        tables["R"] = drawn(2 * reach + 1, 4, seed=seed + 7)
        R = tensor(tables["R"])
        trace = solved(
            tables,
            "self_attention: {input: X, W_Q: W1, W_K: W2, score: {relative: {R: R}}, divide_by: sqrt(d_k)}",
        )
        Q, K = X @ W1, X @ W2
        scores = torch.zeros(len(X), len(X), dtype=X.dtype)
        for i in range(len(X)):
            for j in range(len(X)):
                scores[i, j] = Q[i] @ (K[j] + R[max(-reach, min(reach, j - i)) + reach]) / 2
        assert_close(scores.softmax(dim=-1) @ X, trace.value("a.Z"))


def t5_bucket(far: Any, *, bidirectional: bool, buckets: int, longest: int) -> Any:
    """The relative position bucket of T5, line by line after its published code."""
    found = torch.zeros_like(far)
    if bidirectional:
        buckets //= 2
        found += (far > 0).long() * buckets
        far = far.abs()
    else:
        far = -torch.min(far, torch.zeros_like(far))
    exact = buckets // 2
    large = (
        exact
        + (torch.log(far.double() / exact) / math.log(longest / exact) * (buckets - exact) + 1e-9)
        .floor()
        .clamp(min=0)
        .long()
    )
    large = torch.min(large, torch.full_like(large, buckets - 1))
    return found + torch.where(far < exact, far, large)


@pytest.mark.parametrize("direction", ["both", "past"])
def test_buckets_are_those_of_t5(direction: str) -> None:
    for seed in range(RANDOM):
        buckets, longest = 4 + 4 * (seed % 3), 8 + seed % 20
        tables = {"S": drawn(1, 12, seed=seed), "B": drawn(1, buckets, seed=seed + 1)}
        place = seed % 12 + 1
        trace = solved(
            tables,
            f"plan: [{{T: 'bucket_bias(S, B, longest={longest}, direction={direction}, rows={place})'}}]",
        )
        far = torch.arange(12) - (place - 1)
        rows = t5_bucket(far, bidirectional=direction == "both", buckets=buckets, longest=longest)
        assert_close(tensor(tables["S"]) + tensor(tables["B"])[0][rows][None], trace.value("a.T"))


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("attend: {scores: S, position: rotary}", "rotary turns queries and keys, but 'scores' gives"),
        ("self_attention: {input: S, position: rotary}", "3 numbers a token"),
        ("self_attention: {input: S, position: {distance_bias: {B: 1 2}}}", "give an odd number"),
        ("self_attention: {input: S, position: bucket_bias}", "bucket_bias needs more"),
        ("self_attention: {input: S, position: {rotary: {angle: 0}}}", "a number other than 0"),
        ("positions: {input: S, encoding: learned}", "the key 'table' is missing"),
        ("positions: {input: S, encoding: learned, table: 1 2 3}", "1 codes for 2 tokens"),
        ("positions: {input: S, table: S}", "say encoding: learned"),
    ],
)
def test_what_cannot_be_placed_is_refused(part: str, said: str) -> None:
    with pytest.raises(ProblemError) as refused:
        solved({"S": drawn(2, 3, seed=1)}, part)
    assert said in str(refused.value)


@pytest.mark.parametrize(("rows", "more"), [(4, 0), (4, 2)])
def test_learned_codes_are_the_first_rows_of_their_table(rows: int, more: int) -> None:
    tables = {"X": drawn(rows, 2, seed=1), "P": drawn(rows + more, 2, seed=2)}
    trace = solved(tables, "positions: {input: X, encoding: learned, table: P}")
    codes = torch.nn.Embedding.from_pretrained(tensor(tables["P"]))(torch.arange(rows))
    assert_close(tensor(tables["X"]) + codes, trace.value("a.E"))
