"""Layers and models from their state dicts: torch's own modules, or written definitions, give the same."""

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

import attnsolve  # noqa: E402
from attnsolve.companion.checking import check  # noqa: E402
from attnsolve.companion.explained import Choices  # noqa: E402
from attnsolve.companion.explanation import explain  # noqa: E402
from attnsolve.errors import LayerError  # noqa: E402

nn, functional = torch.nn, torch.nn.functional
RANDOM = 3  # of each; by hand a hundred were drawn
WIDTH, WORDS = 4, 5


def drawn(seed: int, **shapes: tuple[int, ...]) -> dict[str, Any]:
    """Parameters in quarters, which are short in a problem file."""
    torch.manual_seed(seed)
    return {name: torch.randint(-8, 9, shape).double() / 4 for name, shape in shapes.items()}


def filled(module: Any, seed: int) -> Any:
    state = drawn(seed, **{name: tuple(value.shape) for name, value in module.state_dict().items()})
    module.load_state_dict(state)
    return module.double().eval()


def typed(x: Any) -> str:
    return "; ".join(" ".join(map(str, row)) for row in x.tolist())


def solved(folder: Path, state: dict[str, Any], tokens: str, **choices: Any) -> Any:
    """The trace of the exact problem for a state dict, with which torch agrees."""
    torch.save(state, folder / "layer.pt")
    contexts = {name: choices.pop(name, None) for name in ("context", "value_context")}
    text = explain(folder / "layer.pt", tokens, choices=Choices(**choices), **contexts)
    return attnsolve.solve(attnsolve.loads(text))


def assert_close(wanted: Any, found: Any) -> None:
    mine = torch.tensor(
        [[float(ball.mid()) for ball in row] for row in found.balls(128)], dtype=torch.float64
    )
    torch.testing.assert_close(mine, wanted, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("first", [None, True])
@pytest.mark.parametrize("activation", [None, "gelu"])
def test_encoder_layer_is_torchs(tmp_path: Path, first: bool | None, activation: str | None) -> None:
    for seed in range(RANDOM):
        options = {"dropout": 0.0, "batch_first": True, "norm_first": bool(first)}
        module = nn.TransformerEncoderLayer(WIDTH, 2, 3, activation=activation or "relu", **options)
        state = {f"layers.0.{name}": x for name, x in filled(module, seed).state_dict().items()}
        x = drawn(seed + 50, x=(2, WIDTH))["x"]
        trace = solved(tmp_path, state, typed(x), heads=2, activation=activation, norm_first=first)
        with torch.no_grad():
            assert_close(module(x[None])[0], trace.value("a.R2" if first else "a.N2"))


def test_decoder_layer_is_torchs_and_check_says_so(tmp_path: Path) -> None:
    for seed in range(RANDOM):
        module = filled(nn.TransformerDecoderLayer(WIDTH, 2, 3, dropout=0.0, batch_first=True), seed)
        x, y = drawn(seed + 50, x=(2, WIDTH), y=(3, WIDTH)).values()
        trace = solved(tmp_path, module.state_dict(), typed(x), heads=2, context=typed(y))
        mask = nn.Transformer.generate_square_subsequent_mask(2, dtype=torch.float64)
        with torch.no_grad():
            assert_close(module(x[None], y[None], tgt_mask=mask)[0], trace.value("a.N3"))
    found = check(trace)
    assert found.fine and any(one.against.startswith("nn.TransformerDecoderLayer") for one in found.layers)


def test_cross_attention_with_keys_of_another_width_is_torchs(tmp_path: Path) -> None:
    for seed in range(RANDOM):
        module = filled(nn.MultiheadAttention(WIDTH, 2, kdim=3, vdim=3, batch_first=True), seed)
        x, y = drawn(seed + 50, x=(2, WIDTH), y=(3, 3)).values()
        trace = solved(tmp_path, module.state_dict(), typed(x), heads=2, context=typed(y))
        with torch.no_grad():
            assert_close(module(x[None], y[None], y[None])[0][0], trace.value("a.Z"))


def test_values_of_another_width_than_the_keys_are_torchs(tmp_path: Path) -> None:
    for seed in range(RANDOM):
        module = filled(nn.MultiheadAttention(WIDTH, 2, kdim=3, vdim=2, batch_first=True), seed)
        x, y, u = drawn(seed + 50, x=(2, WIDTH), y=(3, 3), u=(3, 2)).values()
        contexts = {"context": typed(y), "value_context": typed(u)}
        trace = solved(tmp_path, module.state_dict(), typed(x), heads=2, **contexts)
        with torch.no_grad():
            assert_close(module(x[None], y[None], u[None])[0][0], trace.value("a.Z"))
    found = check(trace)
    assert found.fine and any(one.against.startswith("nn.MultiheadAttention") for one in found.layers)


def gpt2(layers: int) -> dict[str, tuple[int, ...]]:
    """The parameters of GPT-2 by their public names."""
    shapes: dict[str, tuple[int, ...]] = {"wte.weight": (WORDS, WIDTH), "wpe.weight": (4, WIDTH)}
    for number in range(layers):
        for name, shape in {"ln_1": (WIDTH,), "ln_2": (WIDTH,)}.items():
            shapes |= {f"h.{number}.{name}.weight": shape, f"h.{number}.{name}.bias": shape}
        for name, (width, wide) in {
            "attn.c_attn": (WIDTH, 3 * WIDTH),
            "attn.c_proj": (WIDTH, WIDTH),
            "mlp.c_fc": (WIDTH, 3),
            "mlp.c_proj": (3, WIDTH),
        }.items():
            shapes |= {f"h.{number}.{name}.weight": (width, wide), f"h.{number}.{name}.bias": (wide,)}
    return shapes | {"ln_f.weight": (WIDTH,), "ln_f.bias": (WIDTH,)}


def heads_of(x: Any, heads: int) -> Any:
    return x.reshape(len(x), heads, -1).transpose(0, 1)


def test_model_with_the_names_of_gpt_2_is_its_definition(tmp_path: Path) -> None:
    for seed in range(RANDOM):
        M, words = drawn(seed, **gpt2(2)), [seed % WORDS, 3, 0]

        def linear(x: Any, name: str) -> Any:
            return x @ M[f"{name}.weight"] + M[f"{name}.bias"]  # noqa: B023

        def norm(x: Any, name: str) -> Any:
            return functional.layer_norm(x, (WIDTH,), M[f"{name}.weight"], M[f"{name}.bias"])  # noqa: B023

        X = M["wte.weight"][words] + M["wpe.weight"][:3]
        for h in ("h.0", "h.1"):
            Q, K, V = (
                heads_of(x, 2) for x in linear(norm(X, f"{h}.ln_1"), f"{h}.attn.c_attn").chunk(3, dim=1)
            )
            mixed = functional.scaled_dot_product_attention(Q, K, V, is_causal=True).transpose(0, 1)
            X = X + linear(mixed.reshape(3, WIDTH), f"{h}.attn.c_proj")
            wide = functional.gelu(linear(norm(X, f"{h}.ln_2"), f"{h}.mlp.c_fc"))
            X = X + linear(wide, f"{h}.mlp.c_proj")
        head = M["wte.weight"] + (0 if seed else torch.eye(WORDS, WIDTH))  # tied to the embedding, or not
        logits = norm(X, "ln_f")[-1:] @ head.T
        state = {f"transformer.{name}": x for name, x in M.items()} | {"lm_head.weight": head}
        state["transformer.h.0.attn.bias"] = torch.ones(1, 1, 4, 4).bool()
        trace = solved(tmp_path, state, " ".join(map(str, words)), heads=2)
        assert_close(logits, trace.value("a.O"))
        assert_close(logits.softmax(dim=1), trace.value("a.Y"))


def llama(layers: int) -> dict[str, tuple[int, ...]]:
    """The parameters of Llama by their public names; two heads share one of keys and values."""
    shapes: dict[str, tuple[int, ...]] = {"model.embed_tokens.weight": (WORDS, WIDTH)}
    for number in range(layers):
        names = {
            "self_attn.q_proj": (WIDTH, WIDTH),
            "self_attn.k_proj": (2, WIDTH),
            "self_attn.v_proj": (2, WIDTH),
            "self_attn.o_proj": (WIDTH, WIDTH),
            "mlp.gate_proj": (3, WIDTH),
            "mlp.up_proj": (3, WIDTH),
            "mlp.down_proj": (WIDTH, 3),
            "input_layernorm": (WIDTH,),
            "post_attention_layernorm": (WIDTH,),
        }
        shapes |= {f"model.layers.{number}.{name}.weight": shape for name, shape in names.items()}
    return shapes | {"model.norm.weight": (WIDTH,), "lm_head.weight": (WORDS, WIDTH)}


def rotated(X: Any) -> Any:
    """Complex numbers of the first and the second half of each head, turned by the place."""
    half = X.shape[-1] // 2
    angles = torch.arange(X.shape[1])[:, None] * 10000.0 ** (-torch.arange(half) / half)
    turned = torch.complex(X[..., :half], X[..., half:]) * torch.polar(
        torch.ones(()).double(), angles.double()
    )
    return torch.cat([turned.real, turned.imag], dim=-1)


def test_model_with_the_names_of_llama_is_its_definition(tmp_path: Path) -> None:
    for seed in range(RANDOM):
        M, words = drawn(seed, **llama(2)), [2, seed % WORDS]

        def norm(x: Any, name: str) -> Any:
            return functional.rms_norm(x, (WIDTH,), M[f"model.{name}.weight"], 1e-6)  # noqa: B023

        X = M["model.embed_tokens.weight"][words]
        for h in ("layers.0", "layers.1"):
            own = {name: M[f"model.{h}.{name}.weight"] for name in NAMES}
            N = norm(X, f"{h}.input_layernorm")
            Q, K, V = (
                heads_of(N @ own[f"self_attn.{x}_proj"].T, n) for x, n in (("q", 2), ("k", 1), ("v", 1))
            )
            made = functional.scaled_dot_product_attention(
                rotated(Q)[None], rotated(K)[None], V[None], is_causal=True, enable_gqa=True
            )[0]
            X = X + made.transpose(0, 1).reshape(2, WIDTH) @ own["self_attn.o_proj"].T
            N = norm(X, f"{h}.post_attention_layernorm")
            gate, up, down = (own[f"mlp.{x}_proj"].T for x in ("gate", "up", "down"))
            X = X + (functional.silu(N @ gate) * (N @ up)) @ down
        logits = norm(X, "norm")[-1:] @ M["lm_head.weight"].T
        trace = solved(tmp_path, M, " ".join(map(str, words)), heads=2)
        assert_close(logits, trace.value("a.O"))


def test_biases_of_zeros_are_left_out(tmp_path: Path) -> None:
    torch.save(ENCODER, tmp_path / "layer.pt")
    text = explain(tmp_path / "layer.pt", X, choices=Choices(2))
    assert "W_Q: |" in text and "b_Q" not in text and "beta_1" not in text


NAMES = (*(f"self_attn.{x}_proj" for x in "qkvo"), *(f"mlp.{x}_proj" for x in ("gate", "up", "down")))
ENCODER = nn.TransformerEncoderLayer(WIDTH, 2, 3, batch_first=True).state_dict()
DECODER = nn.TransformerDecoderLayer(WIDTH, 2, 3, batch_first=True).state_dict()
GPT2 = {name: torch.ones(shape) for name, shape in gpt2(1).items()}
LLAMA = {name: torch.ones(shape) for name, shape in llama(1).items()}
CROSS = nn.MultiheadAttention(WIDTH, 2, kdim=3, vdim=3).state_dict()
TWO_CONTEXTS = nn.MultiheadAttention(WIDTH, 2, kdim=3, vdim=2).state_dict()
X = "1 2 3 4"


@pytest.mark.parametrize(
    ("state", "tokens", "choices", "said"),
    [
        (ENCODER, X, {}, "say --heads N"),
        (ENCODER, "1 2 3", {"heads": 2}, "a token of the input has 3 numbers, the layer expects 4"),
        (ENCODER, X, {"heads": 2, "context": X}, "leave --context out"),
        (
            {**ENCODER, "adapter": torch.ones(2)},
            X,
            {"heads": 2},
            "'adapter': not understood",
        ),
        ({**ENCODER, "linear2.weight": torch.ones(4, 5)}, X, {"heads": 2}, "linear2.weight is 4×5"),
        ({**ENCODER, "norm1.bias": torch.ones(3)}, X, {"heads": 2}, "norm1.bias is 3"),
        (DECODER, X, {"heads": 2}, "give it with --context"),
        (DECODER, X, {"heads": 2, "context": "1 2"}, "a token of the context has 2 numbers"),
        (GPT2, "1 9", {"heads": 2}, "'9' is no word; the input of a model is numbers from 0 to 4"),
        (GPT2, "1 1/2", {"heads": 2}, "'1/2' is no word"),
        (GPT2, "1", {"heads": 2, "activation": "gelu"}, "--activation says nothing about a GPT-2"),
        ({**GPT2, "h.2.ln_1.weight": torch.ones(4)}, "1", {"heads": 2}, "numbered from 0 on"),
        (
            {**GPT2, "wte.weight": torch.ones(5, 768)},
            "1",
            {"heads": 2},
            "768 numbers a token",
        ),
        (
            {k: v for k, v in GPT2.items() if k != "ln_f.bias"} | {"h.0.extra": torch.ones(1)},
            "1",
            {"heads": 2},
            "extra",
        ),
        (LLAMA, "1", {"heads": 1}, "keys of 2 numbers fit no whole number of the 1 heads"),
        (CROSS, X, {"heads": 2}, "numbers (kdim); give them with --context"),
        (CROSS, X, {"heads": 2, "context": X}, "a token of the context has 4 numbers, the layer expects 3"),
        (TWO_CONTEXTS, X, {"heads": 2, "context": "1 2 3"}, "own tokens with --value-context"),
        (
            TWO_CONTEXTS,
            X,
            {"heads": 2, "context": "1 2 3", "value_context": "1"},
            "a token of the values' context has 1 numbers, the layer expects 2",
        ),
        (ENCODER, X, {"heads": 2, "value_context": X}, "--value-context is for an attention alone"),
        (CROSS, X, {"heads": 2, "norm_first": True}, "--norm-first says nothing about an attention"),
    ],
)
def test_what_is_not_understood_is_told(
    state: dict[str, Any], tokens: str, choices: dict[str, Any], said: str, tmp_path: Path
) -> None:
    with pytest.raises(LayerError) as refused:
        solved(tmp_path, state, tokens, **choices)
    assert said in str(refused.value)
