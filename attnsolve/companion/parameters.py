"""The parameters of an nn.MultiheadAttention, found in a state dict and checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import torch

from attnsolve.companion.listing import check_tensor, sized
from attnsolve.companion.weights import printable
from attnsolve.errors import LayerError
from attnsolve.limits import LIMITS, Limits

SEPARATE = ("q_proj_weight", "k_proj_weight", "v_proj_weight")
LEARNED = ("bias_k", "bias_v")
NAMES = ("in_proj_weight", *SEPARATE, "in_proj_bias", "out_proj.weight", "out_proj.bias", *LEARNED)
MEANT = "exact solutions are meant to be read"
SAVE = "torch.save(layer.state_dict(), 'layer.pt')"


@dataclass(frozen=True, slots=True)
class Parameters:
    """The numbers of a layer, out × in as torch keeps them, by the names of a problem file."""

    heads: int
    matrices: Mapping[str, torch.Tensor]

    @property
    def width(self) -> int:
        """How many numbers a token has."""
        return int(self.matrices["W_O"].shape[0])

    @property
    def seen(self) -> int:
        """How many numbers a token has that keys are made of."""
        return int(self.matrices["W_K"].shape[1])

    @property
    def valued(self) -> int:
        """How many numbers a token has that values are made of."""
        return int(self.matrices["W_V"].shape[1])


def state_of(module: torch.nn.MultiheadAttention) -> dict[str, torch.Tensor]:
    """The parameters of a module that it has, by name."""
    state = {name: module for name in NAMES}
    for name in NAMES:
        for piece in name.split("."):
            state[name] = getattr(state[name], piece, None)
    return {name: value for name, value in state.items() if value is not None}


def tensors_of(state: Mapping[Any, Any], name: str) -> Mapping[str, torch.Tensor]:
    """A state dict, in which there are tensors by name and nothing else."""
    if not all(isinstance(key, str) and isinstance(value, torch.Tensor) for key, value in state.items()):
        raise LayerError(f"'{name}' holds more than tensors by name; write a state dict with {SAVE}")
    return state


def only_layer(state: Mapping[str, torch.Tensor], name: str) -> dict[str, torch.Tensor]:
    """The parameters of the one attention layer in a state dict, without what stands before their names."""
    before = [
        key.removesuffix("out_proj.weight")
        for key in state
        if key.endswith("out_proj.weight") and (key == "out_proj.weight" or key[:-15].endswith("."))
    ]
    found = [start for start in before if {f"{start}in_proj_weight", f"{start}q_proj_weight"} & set(state)]
    if not found:
        named = ", ".join(printable(key) for key in list(state)[:5]) or "none"
        missing = "in_proj_weight and out_proj.weight are not both there"
        raise LayerError(f"'{name}' holds no nn.MultiheadAttention: {missing}; its names are {named}")
    if len(found) > 1:
        named = ", ".join(printable(start or "the model itself") for start in found[:5])
        raise LayerError(
            f"'{name}' holds {len(found)} attention layers ({named}); save one alone with {SAVE}"
        )
    return {key.removeprefix(found[0]): value for key, value in state.items() if key.startswith(found[0])}


def parameters_of(
    state: Mapping[str, torch.Tensor], heads: int | None, *, limits: Limits = LIMITS
) -> Parameters:
    """The matrices of a state dict, checked: what the layer adds to plain attention is refused."""
    for name in LEARNED:
        if name in state:
            raise LayerError(f"the layer has {name}, a learned key or value; build it without add_bias_kv")
    unknown = [name for name in state if name not in NAMES]
    if unknown:
        raise LayerError(f"'{printable(unknown[0])}' is no part of an nn.MultiheadAttention")
    for name, value in state.items():
        check_tensor(name, value)
    width = shape_of(state, "out_proj.weight", 2)[0]
    if width > limits.dimension:
        said = f"the layer has {width} numbers a token; the limit is {limits.dimension} ({MEANT})"
        raise LayerError(f"{said}, and --limit dimension={width} raises it")
    return Parameters(checked_heads(heads, width, limits), dict(matrices(state, width)))


def shape_of(state: Mapping[str, torch.Tensor], name: str, sides: int) -> tuple[int, ...]:
    """The shape of a parameter that must be there."""
    if name not in state:
        raise LayerError(f"the layer has no {name}; write its whole state dict with {SAVE}")
    if state[name].dim() != sides or 0 in state[name].shape:
        raise LayerError(f"{name} is {sized(state[name])}; it must have {sides} sides")
    return tuple(state[name].shape)


def matrices(state: Mapping[str, torch.Tensor], width: int) -> Iterator[tuple[str, torch.Tensor]]:
    """The parameters one by one: in_proj_weight is W_Q, W_K and W_V under each other."""
    if "in_proj_weight" in state:
        expect(state, "in_proj_weight", (3 * width, width))
        wide = state["in_proj_weight"].chunk(3)
    else:
        expect(state, SEPARATE[0], (width, width))
        for name in SEPARATE[1:]:
            expect(state, name, (width, shape_of(state, name, 2)[1]))
        wide = tuple(state[name] for name in SEPARATE)
    yield from zip(("W_Q", "W_K", "W_V"), wide, strict=True)
    if "in_proj_bias" in state:
        expect(state, "in_proj_bias", (3 * width,))
        yield from zip(("b_Q", "b_K", "b_V"), state["in_proj_bias"][None].chunk(3, dim=1), strict=True)
    expect(state, "out_proj.weight", (width, width))
    yield "W_O", state["out_proj.weight"]
    if "out_proj.bias" in state:
        expect(state, "out_proj.bias", (width,))
        yield "b_O", state["out_proj.bias"][None]


def expect(state: Mapping[str, torch.Tensor], name: str, wanted: tuple[int, ...]) -> None:
    """Refuse a parameter of another shape."""
    shape = shape_of(state, name, len(wanted))
    if shape == wanted:
        return
    said = f"{name} is {sized(state[name])}; with {wanted[-1]} numbers a token it must be "
    raise LayerError(said + "×".join(map(str, wanted)))


def checked_heads(heads: int | None, width: int, limits: Limits) -> int:
    """How many heads there are; a state dict does not say it."""
    possible = [count for count in range(1, min(width, limits.heads) + 1) if width % count == 0]
    if heads is None and width == 1:
        return 1
    if heads is None:
        listed = ", ".join(map(str, possible))
        raise LayerError(f"a state dict does not say how many heads it has; say --heads N (one of {listed})")
    if width % heads:
        raise LayerError(f"{width} numbers a token cannot be shared by {heads} heads equally")
    if heads > limits.heads:
        raise LayerError(f"{heads} heads; the limit is {limits.heads}, and --limit heads={heads} raises it")
    return heads
