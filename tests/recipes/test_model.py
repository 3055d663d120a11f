"""Whole models against torch: its own layers for one like GPT-2, its functions for one like Llama."""

import math
import random
from typing import Any

import pytest
from recipes.solved import Table, assert_close, drawn, solved, tensor

from attnsolve.errors import ProblemError

torch = pytest.importorskip("torch")

RANDOM = 20  # models of each kind
WIDTH, WORDS, HIDDEN = 4, 5, 3


def tables(seed: int, **shapes: tuple[int, int]) -> dict[str, Table]:
    return {name: drawn(*shape, seed=1000 * seed + k) for k, (name, shape) in enumerate(shapes.items())}


def given(seed: int) -> tuple[dict[str, Table], dict[str, Any]]:
    """The parameters of a model with two layers."""
    shapes = {"E": (WORDS, WIDTH), "P": (6, WIDTH), "gf": (1, WIDTH), "bf": (1, WIDTH)}
    for k in (1, 2):
        shapes |= {f"{name}{k}": (WIDTH, WIDTH) for name in ("Q", "K", "V", "O")}
        shapes |= {
            f"{name}{k}": (1, WIDTH) for name in ("bq", "bk", "bv", "bo", "b2", "g1", "h1", "g2", "h2")
        }
        shapes |= {
            f"A{k}": (WIDTH, HIDDEN),
            f"C{k}": (WIDTH, HIDDEN),
            f"B{k}": (HIDDEN, WIDTH),
            f"b1{k}": (1, HIDDEN),
        }
        shapes |= {f"k{k}": (WIDTH, 2), f"v{k}": (WIDTH, 2)}
    made = tables(seed, **shapes)
    return made, {name: tensor(table) for name, table in made.items()}


def words(seed: int) -> list[int]:
    return [random.Random(seed + k).randint(1, WORDS) for k in range(2 + seed % 3)]


def torchs_layer(M: dict[str, Any], k: int) -> Any:
    """nn.TransformerEncoderLayer with the norms first and GELU, as GPT-2 has it."""
    layer = torch.nn.TransformerEncoderLayer(
        WIDTH,
        2,
        HIDDEN,
        dropout=0.0,
        activation="gelu",
        norm_first=True,
        batch_first=True,
        dtype=torch.float64,
    ).eval()
    layer.load_state_dict(
        {
            "self_attn.in_proj_weight": torch.cat([M[f"{x}{k}"].T for x in "QKV"]),
            "self_attn.in_proj_bias": torch.cat([M[f"b{x}{k}"][0] for x in "qkv"]),
            "self_attn.out_proj.weight": M[f"O{k}"].T,
            "self_attn.out_proj.bias": M[f"bo{k}"][0],
            "linear1.weight": M[f"A{k}"].T,
            "linear1.bias": M[f"b1{k}"][0],
            "linear2.weight": M[f"B{k}"].T,
            "linear2.bias": M[f"b2{k}"][0],
            **{f"norm{n}.weight": M[f"g{n}{k}"][0] for n in (1, 2)},
            **{f"norm{n}.bias": M[f"h{n}{k}"][0] for n in (1, 2)},
        }
    )
    return layer


GPT = ", ".join(
    f"{{W_Q: Q{k}, b_Q: bq{k}, W_K: K{k}, b_K: bk{k}, W_V: V{k}, b_V: bv{k}, W_O: O{k}, b_O: bo{k}, "
    f"W_1: A{k}, b_1: b1{k}, W_2: B{k}, b_2: b2{k}, gamma_1: g1{k}, beta_1: h1{k}, "
    f"gamma_2: g2{k}, beta_2: h2{k}}}"
    for k in (1, 2)
)


def test_model_like_gpt_2_is_torchs_layers_on_top_of_each_other() -> None:
    for seed in range(RANDOM):
        made, M = given(seed)
        read = words(seed)
        target = [random.Random(seed + 9 + k).randint(1, WORDS) for k in range(len(read))]
        trace = solved(
            made,
            f"model: {{words: {read}, embedding: E, table: P, heads: 2, activation: gelu, layers: [{GPT}], "
            f"gamma_f: gf, beta_f: bf, target: {target}}}",
        )
        places = torch.arange(len(read))
        X = torch.nn.functional.embedding(torch.tensor(read) - 1, M["E"]) + M["P"][places]
        mask = torch.nn.Transformer.generate_square_subsequent_mask(len(read), dtype=torch.float64)
        with torch.no_grad():
            for k in (1, 2):
                X = torchs_layer(M, k)(X[None], src_mask=mask)[0]
        X = torch.nn.functional.layer_norm(X, (WIDTH,), M["gf"][0], M["bf"][0])
        logits = X @ M["E"].T
        losses = torch.nn.functional.cross_entropy(logits, torch.tensor(target) - 1, reduction="none")
        assert_close(logits, trace.value("a.O"), within=1e-8)
        assert_close(losses[:, None], trace.value("a.L"), within=1e-8)
        assert_close(losses.mean().exp().reshape(1, 1), trace.value("a.PP"), within=1e-8)


LLAMA = ", ".join(
    f"{{W_Q: Q{k}, W_K: k{k}, W_V: v{k}, W_O: O{k}, W_1: A{k}, W_3: C{k}, W_2: B{k}, "
    f"gamma_1: g1{k}, gamma_2: g2{k}}}"
    for k in (1, 2)
)


def rotated(X: Any, base: float) -> Any:
    """Halves turned together, head by head: X is heads × tokens × width."""
    half = X.shape[-1] // 2
    theta = base ** (-torch.arange(half, dtype=X.dtype) / half)
    angles = torch.arange(X.shape[1], dtype=X.dtype)[:, None] * theta
    first, second = X[..., :half], X[..., half:]
    return torch.cat(
        [first * angles.cos() - second * angles.sin(), first * angles.sin() + second * angles.cos()], dim=-1
    )


def llama_layer(X: Any, M: dict[str, Any], k: int) -> Any:
    """Grouped queries with rotary positions, then SwiGLU, RMS norms first."""
    norm, attend = torch.nn.functional.rms_norm, torch.nn.functional.scaled_dot_product_attention
    N = norm(X, (WIDTH,), M[f"g1{k}"][0], 1e-5)
    Q, K, V = (
        (N @ M[f"{x}{k}"]).reshape(len(X), heads, 2).transpose(0, 1)
        for x, heads in (("Q", 2), ("k", 1), ("v", 1))
    )
    made = attend(rotated(Q, 100)[None], rotated(K, 100)[None], V[None], is_causal=True, enable_gqa=True)[0]
    X = X + made.transpose(0, 1).reshape(len(X), WIDTH) @ M[f"O{k}"]
    N = norm(X, (WIDTH,), M[f"g2{k}"][0], 1e-5)
    return X + (torch.nn.functional.silu(N @ M[f"A{k}"]) * (N @ M[f"C{k}"])) @ M[f"B{k}"]


def test_model_like_llama_is_its_definition() -> None:
    for seed in range(RANDOM):
        made, M = given(seed)
        read = words(seed)
        trace = solved(
            made,
            f"model: {{words: {read}, embedding: E, heads: 2, kv_heads: 1, norm_kind: rms, activation: silu, "
            f"position: {{rotary: {{base: 100, pairs: half}}}}, layers: [{LLAMA}], gamma_f: gf, "
            "temperature: 3/2}",
        )
        X = M["E"][torch.tensor(read) - 1]
        for k in (1, 2):
            X = llama_layer(X, M, k)
        X = torch.nn.functional.rms_norm(X, (WIDTH,), M["gf"][0], 1e-5)
        wanted = (X[-1:] @ M["E"].T / 1.5).softmax(dim=1)
        assert_close(wanted, trace.value("a.Y"), within=1e-8)


@pytest.mark.parametrize("activation", ["relu", "gelu", "silu"])
def test_parallel_layer_adds_attention_and_feed_forward_of_the_same_tokens(activation: str) -> None:
    for seed in range(5):
        made, M = given(seed)
        made["X"] = drawn(3, WIDTH, seed=seed)
        X = tensor(made["X"])
        trace = solved(
            made,
            f"encoder_block: {{input: X, norm: pre, parallel: true, W_Q: Q1, W_K: K1, W_V: V1, W_1: A1, "
            f"W_2: B1, activation: {activation}, gamma_1: g11, beta_1: h11}}",
        )
        N = torch.nn.functional.layer_norm(X, (WIDTH,), M["g11"][0], M["h11"][0])
        seen = torch.nn.functional.scaled_dot_product_attention(*[(N @ M[f"{x}1"])[None] for x in "QKV"])[0]
        wanted = X + seen + getattr(torch.nn.functional, activation)(N @ M["A1"]) @ M["B1"]
        assert_close(wanted, trace.value("a.R2"), within=1e-9)


def test_sampling_keeps_the_most_probable_words() -> None:
    made, _ = given(1)
    whole = "words: [1, 2], embedding: E, layers: 1, W_Q: Q1, W_K: K1, W_V: V1"
    probable = tensor(solved(made, f"model: {{{whole}}}").value("a.Y"))[0]
    kept = probable.topk(2)
    shares = torch.zeros(WORDS, dtype=torch.float64)
    shares[kept.indices] = kept.values / kept.values.sum()
    assert_close(shares[None], solved(made, f"model: {{{whole}, top_k: 2}}").value("a.Y_k"))
    least = float(kept.values.sum()) - 1e-3
    assert_close(shares[None], solved(made, f"model: {{{whole}, top_p: {least:.4f}}}").value("a.Y_p"))


def test_words_that_are_looked_up_have_the_labels_of_the_file() -> None:
    made, _ = given(1)
    model = "model: {words: [1, 2, 1], embedding: E, layers: 1}"
    trace = solved(made, model, top="labels: [the, cat, sat]\n")
    frames = trace.problem.frames
    assert ("the", "cat", "sat") == frames["a.layer1.A"].columns.labels == frames["a.X_0"].rows.labels
    assert () == frames["E"].rows.labels


def test_two_layers_of_eight_tokens_stay_small() -> None:
    shapes = {f"{x}{k}": (8, 8) for x in "QKVO" for k in (1, 2)} | {"E": (8, 8), "A": (8, 16), "B": (16, 8)}
    layers = ", ".join(f"{{W_Q: Q{k}, W_K: K{k}, W_V: V{k}, W_O: O{k}}}" for k in (1, 2))
    trace = solved(
        tables(3, **shapes),
        f"model: {{words: {list(range(1, 9))}, embedding: E, heads: 2, W_1: A, W_2: B, layers: [{layers}]}}",
    )
    last = tensor(trace.value("a.Y"))
    assert math.isclose(1.0, float(last.sum()))
    assert "certified" == trace.value("a.Y").kind


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("words: [1, 6], embedding: E, layers: 1", "there is no word 6"),
        ("words: [1, 2], embedding: E, layers: 1, table: gf", "1 places for 2 words"),
        ("words: [1], embedding: E, layers: 1, norm_kind: rms, gamma_f: gf, beta_f: bf", "no bias"),
        ("words: [1], embedding: E, layers: 1, b_y: gf", "give W_y too"),
        ("words: [1], embedding: E, layers: 1, top_p: 2", "at most 1"),
        ("words: [1], embedding: E, layers: 1, top_k: 9", "9 most probable of 5 words"),
        ("words: [1], embedding: E, layers: 1, W_3: A1", "belongs to the feed-forward layer"),
        ("words: [1], embedding: E, layers: 1, parallel: true", "no feed-forward layer to stand beside"),
        ("words: [1, 2], embedding: E, layers: 1, target: [1]", "1 target for 2 rows"),
    ],
)
def test_what_makes_no_model_is_refused(settings: str, said: str) -> None:
    with pytest.raises(ProblemError) as refused:
        solved(given(1)[0], f"model: {{{settings}}}")
    assert said in str(refused.value)
