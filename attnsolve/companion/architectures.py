"""Layers and models by their public parameter names: what each becomes in a problem file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import torch

from attnsolve.companion.explained import Choices, Explained, Matrices, Setting, counted
from attnsolve.companion.parameters import checked_heads
from attnsolve.companion.public_models import gpt2, llama
from attnsolve.companion.state_dicts import StateDict, common_start
from attnsolve.errors import LayerError
from attnsolve.limits import Limits


class Architecture(NamedTuple):
    """A kind of layer or model: its name, the names that it must have, and how it is read."""

    name: str
    endings: tuple[str, ...]
    read: Callable[[StateDict, Choices], Explained]
    choices: tuple[str, ...] = ()  # what else can be said about it


def settled(choices: Choices) -> dict[str, Setting]:
    """Where the norms stand, and the activation: torch's defaults unless somebody says otherwise."""
    return {"norm": "pre" if choices.norm_first else "post", "activation": choices.activation or "relu"}


def said_of(choices: Choices) -> str:
    """The same in words, because a state dict does not tell it."""
    where = "before" if choices.norm_first else "after"
    activation = choices.activation or "relu"
    return f"Not in a state dict, but said: activation {activation}, norms {where} the residuals."


def encoder_layer(state: StateDict, choices: Choices) -> Explained:
    """nn.TransformerEncoderLayer."""
    width = state.width("self_attn.out_proj.weight", 0)
    heads, matrices = checked_heads(choices.heads, width, state.limits), Matrices()
    settings: dict[str, Setting] = {"heads": str(heads), **matrices.attention(state, "self_attn.", width, "")}
    settings |= feed_forward(state, matrices, width)
    for key in ("1", "2"):
        settings |= matrices.norm(state, f"norm{key}", key, width)
    settings |= settled(choices)
    title = f"A TransformerEncoderLayer of PyTorch, {counted(heads, 'head')}"
    find = (*(f"head{place}.A" for place in range(1, heads + 1)), last_of(choices, 2))
    return Explained(title, said_of(choices), "encoder_block", settings, matrices.given, find)


def feed_forward(state: StateDict, matrices: Matrices, width: int) -> dict[str, Setting]:
    """linear1 and linear2 of torch's layers."""
    first = matrices.linear(state, "linear1", "1", (None, width))
    return first | matrices.linear(state, "linear2", "2", (width, len(matrices.given["W_1"])))


def last_of(choices: Choices, norms: int) -> str:
    """The output of a layer: its last norm, or its last residual where norms stand first."""
    return f"R{norms}" if choices.norm_first else f"N{norms}"


def decoder_layer(state: StateDict, choices: Choices) -> Explained:
    """nn.TransformerDecoderLayer."""
    width = state.width("self_attn.out_proj.weight", 0)
    heads, matrices = checked_heads(choices.heads, width, state.limits), Matrices()
    own = matrices.attention(state, "self_attn.", width, "s")
    looking = matrices.attention(state, "multihead_attn.", width, "c")
    settings: dict[str, Setting] = {
        "self": {"heads": str(heads), **own},
        "cross": {"heads": str(heads), **looking},
        **feed_forward(state, matrices, width),
    }
    for key in ("1", "2", "3"):
        settings |= matrices.norm(state, f"norm{key}", key, width)
    settings |= settled(choices)
    title = f"A TransformerDecoderLayer of PyTorch, {counted(heads, 'head')}"
    intro = f"{said_of(choices)} No query looks at a later token."
    find = (*(f"cross.head{place}.A" for place in range(1, heads + 1)), last_of(choices, 3))
    return Explained(title, intro, "decoder_block", settings, matrices.given, find, has_context=True)


LAYER = ("activation", "norm_first")
ARCHITECTURES = (
    Architecture("GPT-2", ("wte.weight", "wpe.weight", "h.0.attn.c_attn.weight"), gpt2),
    Architecture("Llama", ("embed_tokens.weight", "layers.0.self_attn.q_proj.weight"), llama),
    Architecture(
        "nn.TransformerDecoderLayer",
        ("multihead_attn.in_proj_weight", "self_attn.in_proj_weight", "linear1.weight", "norm3.weight"),
        decoder_layer,
        LAYER,
    ),
    Architecture(
        "nn.TransformerEncoderLayer",
        ("self_attn.in_proj_weight", "linear1.weight", "linear2.weight", "norm2.weight"),
        encoder_layer,
        LAYER,
    ),
)


def explained(tensors: Mapping[str, torch.Tensor], choices: Choices, limits: Limits) -> Explained | None:
    """The problem that a state dict poses; None where it is none of these."""
    for kind in ARCHITECTURES:
        prefix = common_start(tensors, *kind.endings)
        if prefix is None:
            continue
        for name, value in choices._asdict().items():
            if name != "heads" and value is not None and name not in kind.choices:
                raise LayerError(f"--{name.replace('_', '-')} says nothing about a {kind.name}; leave it out")
        state = StateDict(tensors, what=kind.name, prefix=prefix, limits=limits)
        found = kind.read(state, choices)
        state.finish()
        return found
    return None
