"""torch.nn.MultiheadAttention with a problem's own weights in it, padded with zeros where they do not fit."""

from __future__ import annotations

from dataclasses import dataclass
from math import isclose, sqrt

import torch

from attnsolve.companion.heads import Head, Layer, Projection


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large the layer has to be: embed_dim is heads × head_dim, at least as wide as tokens and output."""

    heads: int
    head_dim: int
    tokens: int
    output: int

    @property
    def embed_dim(self) -> int:
        """The width of the layer."""
        return self.heads * self.head_dim


def sizes_of(layer: Layer) -> Sizes:
    """The smallest layer that holds all of these heads."""
    count = len(layer.heads)
    tokens = len(layer.heads[0].query.weight)
    together = sum(head.value.weight.shape[1] for head in layer.heads)
    output = together if layer.weight is None else layer.weight.shape[1]
    widest = max(max(head.query.weight.shape[1], head.value.weight.shape[1]) for head in layer.heads)
    return Sizes(count, max(widest, -(-max(tokens, output) // count)), tokens, output)


def fits_one_layer(layer: Layer) -> bool:
    """Whether all heads read the same tokens, as the heads of one torch layer must."""
    names = {(head.query.tokens, head.key.tokens, head.value.tokens) for head in layer.heads}
    return len(names) == 1


def build(layer: Layer, sizes: Sizes, dtype: torch.dtype) -> torch.nn.MultiheadAttention:
    """The layer with its weights loaded; torch keeps them out × in."""
    first = layer.heads[0]
    module = torch.nn.MultiheadAttention(
        sizes.embed_dim,
        sizes.heads,
        batch_first=True,
        kdim=len(first.key.weight),
        vdim=len(first.value.weight),
        dtype=torch.float64,
    ).eval()
    load(module, layer, sizes)
    return module.to(dtype)


def load(module: torch.nn.MultiheadAttention, layer: Layer, sizes: Sizes) -> None:
    """Put the weights of the heads where the module keeps them."""
    parts = [
        stacked([scaled(head, sizes) for head in layer.heads], sizes, sizes.embed_dim),
        stacked([head.key for head in layer.heads], sizes),
        stacked([head.value for head in layer.heads], sizes),
    ]
    state = {"in_proj_bias": torch.cat([bias for _, bias in parts])}
    if module.in_proj_weight is not None:
        wide = [torch.nn.functional.pad(w, (0, sizes.embed_dim - w.shape[1])) for w, _ in parts]
        state["in_proj_weight"] = torch.cat(wide)
    else:
        names = ("q_proj_weight", "k_proj_weight", "v_proj_weight")
        state |= {name: weight for name, (weight, _) in zip(names, parts, strict=True)}
    state["out_proj.weight"], state["out_proj.bias"] = output_of(layer, sizes)
    module.load_state_dict(state)


def scaled(head: Head, sizes: Sizes) -> Projection:
    """The query's projection times what makes up for the layer's own division by √head_dim."""
    factor = head.factor * sqrt(sizes.head_dim)
    return Projection(head.query.tokens, head.query.weight * factor, head.query.bias * factor)


def stacked(
    projections: list[Projection], sizes: Sizes, width: int | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """The weights of all heads under each other, each filled up to head_dim rows, and to `width` columns."""
    weights, biases = [], []
    for projection in projections:
        missing = sizes.head_dim - projection.weight.shape[1]
        beside = 0 if width is None else width - len(projection.weight)
        weights.append(torch.nn.functional.pad(projection.weight.T, (0, beside, 0, missing)))
        biases.append(torch.nn.functional.pad(projection.bias, (0, missing)))
    return torch.cat(weights), torch.cat(biases)


def output_of(layer: Layer, sizes: Sizes) -> tuple[torch.Tensor, torch.Tensor]:
    """The output projection for padded heads; without one, the heads are only moved together."""
    together = sum(head.value.weight.shape[1] for head in layer.heads)
    inner = torch.eye(together, dtype=torch.float64) if layer.weight is None else layer.weight.T
    weight = torch.zeros(sizes.embed_dim, sizes.embed_dim, dtype=torch.float64)
    start = 0
    for place, head in enumerate(layer.heads):
        width = head.value.weight.shape[1]
        left = place * sizes.head_dim
        weight[: sizes.output, left : left + width] = inner[:, start : start + width]
        start += width
    bias = torch.zeros(sizes.embed_dim, dtype=torch.float64)
    if layer.bias is not None:
        bias[: sizes.output] = layer.bias
    return weight, bias


def mask_of(layer: Layer, dtype: torch.dtype) -> torch.Tensor | None:
    """attn_mask for every head: booleans where True hides, or numbers to be added if there are any."""
    if all(head.mask is None for head in layer.heads):
        return None
    shape = next(head.mask.shape for head in layer.heads if head.mask is not None)
    zero = torch.zeros(shape, dtype=torch.float64)
    masks = torch.stack([zero if head.mask is None else head.mask for head in layer.heads])
    hidden = masks == float("-inf")
    return hidden if bool((hidden | (masks == 0)).all()) else masks.to(dtype)


def explain(layer: Layer, sizes: Sizes, mask: torch.Tensor | None) -> tuple[str, ...]:
    """What had to be done so that torch's layer computes this exercise, in words."""
    said = ["batch_first=True, weights stored out × in"]
    own = {(head.query.weight.shape[1], head.value.weight.shape[1]) for head in layer.heads}
    if own != {(sizes.head_dim, sizes.head_dim)}:
        said.append(f"every head is filled up with zeros to head_dim = {sizes.head_dim}")
    if sizes.tokens < sizes.embed_dim:
        said.append(
            f"the tokens have {sizes.tokens} numbers, the layer {sizes.embed_dim}: zero columns are appended"
        )
    if sizes.output < sizes.embed_dim:
        said.append(f"only the first {sizes.output} columns of the output count, the others are 0")
    if layer.weight is None and sizes.heads > 1:
        said.append("there is no output matrix: out_proj only puts the heads side by side")
    if any(head.query.trivial for head in layer.heads):
        said.append("without a projection the weights are an identity matrix")
    factors = {head.factor * sqrt(sizes.head_dim) for head in layer.heads}
    if not all(isclose(factor, 1.0, rel_tol=1e-12) for factor in factors):
        times = ", ".join(f"{factor:.6g}" for factor in sorted(factors))
        said.append(
            f"the layer always divides by √head_dim = √{sizes.head_dim}, so W_Q is multiplied by {times}"
        )
    if mask is not None:
        polarity = "True hides a key" if mask.dtype == torch.bool else "numbers are added, -inf hides"
        said.append(f"attn_mask: {polarity}")
    return tuple(said)
