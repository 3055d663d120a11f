"""Small language models by the parameter names of GPT-2 and of Llama."""

from __future__ import annotations

from collections.abc import Mapping
from string import ascii_lowercase

import torch

from attnsolve.companion.explained import Choices, Explained, Matrices, Setting, counted
from attnsolve.companion.parameters import checked_heads
from attnsolve.companion.state_dicts import StateDict
from attnsolve.errors import LayerError


def gpt2(state: StateDict, choices: Choices) -> Explained:
    """GPT-2: c_attn is Q, K and V side by side; its weights are in × out."""
    width = state.width("wte.weight", 1)
    heads, matrices = checked_heads(choices.heads, width, state.limits), Matrices()
    state.passed_over(".attn.bias", ".attn.masked_bias")  # which keys are hidden, no parameters
    layers: list[Mapping[str, Setting]] = []
    for number in state.numbered("h."):
        before, mark = f"h.{number}.", ascii_lowercase[number]
        layer = matrices.norm(state, f"{before}ln_1", "1", width, mark)
        wide = state.take(f"{before}attn.c_attn.weight", width, 3 * width).T.chunk(3)
        rows = state.row(f"{before}attn.c_attn.bias", 3 * width).chunk(3, dim=1)
        for x, weight, bias in zip("QKV", wide, rows, strict=True):
            layer |= {
                f"W_{x}": matrices.put(f"W_{x}{mark}", weight),
                f"b_{x}": matrices.put(f"b_{x}{mark}", bias),
            }
        layer |= turned(state, matrices, f"{before}attn.c_proj", "O", mark)
        layer |= matrices.norm(state, f"{before}ln_2", "2", width, mark)
        layer |= turned(state, matrices, f"{before}mlp.c_fc", "1", mark)
        layer |= turned(state, matrices, f"{before}mlp.c_proj", "2", mark)
        layers.append(layer)
    settings: dict[str, Setting] = {
        "embedding": matrices.put("E", state.take("wte.weight", None, width)),
        "table": matrices.put("P", state.take("wpe.weight", None, width)),
        "heads": str(heads),
        "activation": "gelu",
        "layers": layers,
        **matrices.norm(state, "ln_f", "f", width),
    }
    settings |= read_out(state, matrices, "wte.weight", width)
    title = f"A model like GPT-2, {counted(len(layers), 'layer')}, {counted(heads, 'head')}"
    intro = "The exact GELU is taken where GPT-2 has one made with tanh. Words are counted from 0."
    return Explained(title, intro, "model", settings, matrices.given, ("O", "Y"), reads_words=True)


def read_out(state: StateDict, matrices: Matrices, embedding: str, width: int) -> dict[str, Setting]:
    """lm_head, unless it is missing or the embedding itself."""
    if "lm_head.weight" not in state.tensors:
        return {}
    head, words = state.take("lm_head.weight", None, width, outside=True), state.take(embedding, None, width)
    return {} if torch.equal(head, words) else {"W_y": matrices.put("W_y", head)}


def turned(state: StateDict, matrices: Matrices, before: str, key: str, mark: str) -> dict[str, Setting]:
    """A linear layer of GPT-2, whose weights are in × out."""
    weight = state.take(f"{before}.weight", None, None).T
    bias = state.row(f"{before}.bias", len(weight))
    return {
        f"W_{key}": matrices.put(f"W_{key}{mark}", weight),
        f"b_{key}": matrices.put(f"b_{key}{mark}", bias),
    }


def llama(state: StateDict, choices: Choices) -> Explained:
    """Llama: RMS norms, rotary halves, heads that share keys and values, a gated feed-forward layer."""
    width = state.width("embed_tokens.weight", 1)
    heads, matrices = checked_heads(choices.heads, width, state.limits), Matrices()
    state.passed_over("rotary_emb.inv_freq")
    numbers = state.numbered("layers.")
    narrow = state.take("layers.0.self_attn.k_proj.weight", None, width).shape[0]
    if narrow * heads % width:
        said = f"keys of {narrow} numbers fit no whole number of the {heads} heads of a token of {width}"
        raise LayerError(f"{said} numbers; say another --heads")
    settings: dict[str, Setting] = {
        "embedding": matrices.put("E", state.take("embed_tokens.weight", None, width)),
        "heads": str(heads),
        "kv_heads": str(narrow * heads // width),
        "norm_kind": "rms",
        "epsilon": "0.000001",
        "activation": "silu",
        "position": "{rotary: {pairs: half}}",
        "layers": [llama_layer(state, matrices, number, (width, narrow)) for number in numbers],
        **matrices.norm(state, "norm", "f", width),
    }
    settings |= read_out(state, matrices, "embed_tokens.weight", width)
    title = f"A model like Llama, {counted(len(numbers), 'layer')}, {counted(heads, 'head')}"
    intro = (
        "Not in a state dict, but said: the rotary base is 10000, the epsilon of the norms 0.000001. "
        "Words are counted from 0."
    )
    return Explained(title, intro, "model", settings, matrices.given, ("O", "Y"), reads_words=True)


def llama_layer(
    state: StateDict, matrices: Matrices, number: int, widths: tuple[int, int]
) -> Mapping[str, Setting]:
    """One layer of Llama; keys and values are narrower where heads share them."""
    (width, narrow), before, mark = widths, f"layers.{number}.", ascii_lowercase[number]
    linear: tuple[tuple[str, str, tuple[int | None, int | None]], ...] = (
        ("Q", "self_attn.q_proj", (width, width)),
        ("K", "self_attn.k_proj", (narrow, width)),
        ("V", "self_attn.v_proj", (narrow, width)),
        ("O", "self_attn.o_proj", (width, width)),
        ("1", "mlp.gate_proj", (None, width)),
        ("3", "mlp.up_proj", (None, width)),
        ("2", "mlp.down_proj", (width, None)),
    )
    layer = matrices.norm(state, f"{before}input_layernorm", "1", width, mark)
    layer |= matrices.norm(state, f"{before}post_attention_layernorm", "2", width, mark)
    for key, name, shape in linear:
        layer |= matrices.linear(state, before + name, key, shape, mark)
    return layer
