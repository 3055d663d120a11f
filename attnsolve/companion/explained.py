"""What a problem file says about a layer or a model, while its state dict is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import torch

from attnsolve.companion.state_dicts import StateDict

# A value in a problem file: a word, a flow map of them, or a list of such maps.
Setting = str | Mapping[str, "Setting"] | list[Mapping[str, "Setting"]]


class Choices(NamedTuple):
    """What a state dict does not say, and whoever calls has to."""

    heads: int | None = None
    activation: str | None = None
    norm_first: bool | None = None


class Explained(NamedTuple):
    """What a problem file says: a recipe with its settings, and the matrices by their names there."""

    title: str
    intro: str
    recipe: str
    settings: Mapping[str, Setting]
    given: Mapping[str, torch.Tensor]
    find: tuple[str, ...]
    reads_words: bool = False  # the input is the numbers of words, counted from 0, and not tokens
    has_context: bool = False


class Matrices:
    """The matrices of a problem, gathered under names of its own."""

    def __init__(self) -> None:
        self.given: dict[str, torch.Tensor] = {}

    def put(self, name: str, value: torch.Tensor) -> str:
        """A matrix under a name."""
        self.given[name] = value
        return name

    def attention(self, state: StateDict, before: str, width: int, mark: str) -> dict[str, Setting]:
        """torch's attention: in_proj_weight is W_Q, W_K and W_V under each other."""
        wide = state.take(f"{before}in_proj_weight", 3 * width, width).chunk(3)
        made: dict[str, Setting] = {
            f"W_{x}": self.put(f"W_{x}{mark}", w) for x, w in zip("QKV", wide, strict=True)
        }
        if state.has(f"{before}in_proj_bias"):
            rows = state.row(f"{before}in_proj_bias", 3 * width).chunk(3, dim=1)
            made |= self.rows({f"b_{x}": b for x, b in zip("QKV", rows, strict=True)}, mark)
        return made | self.linear(state, f"{before}out_proj", "O", (width, width), mark)

    def linear(
        self, state: StateDict, before: str, key: str, shape: tuple[int | None, int | None], mark: str = ""
    ) -> dict[str, Setting]:
        """A linear layer, out × in, with its bias if it has one."""
        weight = state.take(f"{before}.weight", *shape)
        made: dict[str, Setting] = {f"W_{key}": self.put(f"W_{key}{mark}", weight)}
        if state.has(f"{before}.bias"):
            made |= self.rows({f"b_{key}": state.row(f"{before}.bias", len(weight))}, mark)
        return made

    def rows(self, biases: Mapping[str, torch.Tensor], mark: str) -> dict[str, Setting]:
        """Biases; those of nothing but zeros, as of a layer that is not trained yet, are left out."""
        return {key: self.put(f"{key}{mark}", bias) for key, bias in biases.items() if bool(bias.any())}

    def norm(self, state: StateDict, before: str, key: str, width: int, mark: str = "") -> dict[str, Setting]:
        """A norm: its gain, and its bias if it has one."""
        made: dict[str, Setting] = {
            f"gamma_{key}": self.put(f"gamma_{key}{mark}", state.row(f"{before}.weight", width))
        }
        if state.has(f"{before}.bias"):
            made |= self.rows({f"beta_{key}": state.row(f"{before}.bias", width)}, mark)
        return made


def counted(number: int, word: str) -> str:
    """`1 layer`, `2 layers`."""
    return f"{number} {word}{'s' * (number != 1)}"
