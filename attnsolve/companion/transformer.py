"""nn.Transformer against a plan in which a decoder looks at what an encoder has made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import torch

from attnsolve.companion import blocks, multihead
from attnsolve.companion.blocks import Block
from attnsolve.companion.chain import Chain
from attnsolve.companion.comparison import Comparison, compare
from attnsolve.companion.heads import Reader
from attnsolve.companion.tensors import Precision, tensor
from attnsolve.ops.layer_norm import LAYER_NORM
from attnsolve.problem import Call
from attnsolve.trace import Trace


class Stack(NamedTuple):
    """Layers on top of each other, with a last norm if there is one."""

    layers: tuple[Block, ...]
    norm: Call | None

    @property
    def output(self) -> str:
        """What comes out."""
        return self.layers[-1].forward.output if self.norm is None else self.norm.out


class Transformer(NamedTuple):
    """An encoder, and a decoder all of whose layers look at its output."""

    encoder: Stack
    decoder: Stack


def transformers(reader: Reader) -> Iterator[Transformer]:
    """Every encoder with its decoder that one of torch's modules can hold."""
    found = list(blocks.blocks(reader))
    encoders = [block for block in found if not block.memories]
    decoders = [block for block in found if block.memories]
    stacks = {stack.output: stack for stack in stacked(reader, encoders)}
    for decoder in stacked(reader, decoders):
        memories = {name for block in decoder.layers for name in block.memories}
        encoder = stacks.get(next(iter(memories))) if len(memories) == 1 else None
        if encoder is not None and all(map(has_one_mask, (encoder, decoder))):
            yield Transformer(encoder, decoder)


def stacked(reader: Reader, layers: Sequence[Block]) -> Iterator[Stack]:
    """The longest stacks of some layers, without and with a norm after them."""
    below = {block.tokens: block for block in layers}
    inside = {block.forward.output for block in layers}
    for first in layers:
        if first.tokens in inside:
            continue
        stack = [first]
        while stack[-1].forward.output in below:
            stack.append(below[stack[-1].forward.output])
        last = blocks.users(reader.graph, stack[-1].forward.output, LAYER_NORM)
        norms: list[Call | None] = [
            call for call in last if blocks.epsilon_of(call) == blocks.epsilon_of(first.norms[0])
        ]
        yield from (Stack(tuple(stack), norm) for norm in (norms or [None]))


def has_one_mask(stack: Stack) -> bool:
    """Whether all layers hide the same keys: torch hands one mask to all of them."""
    masks = [masks_of(block) for block in stack.layers]
    return all(
        (a is None and b is None) or (a is not None and b is not None and torch.equal(a, b))
        for other in masks[1:]
        for a, b in zip(masks[0], other, strict=True)
    )


def masks_of(block: Block, dtype: torch.dtype = torch.float64) -> list[torch.Tensor | None]:
    """What each attention of a layer hides."""
    return [multihead.mask_of(attention.layer, dtype) for attention in block.attentions]


def build(trace: Trace, found: Transformer) -> Any:
    """torch's own module with the weights of the plan."""
    sizes = multihead.sizes_of(found.encoder.layers[0].attentions[0].layer)
    encoder, decoder = (
        [blocks.build(trace, block) for block in stack.layers] for stack in (found.encoder, found.decoder)
    )
    module: Any = torch.nn.Transformer(
        sizes.embed_dim,
        sizes.heads,
        custom_encoder=torch.nn.TransformerEncoder(encoder[0], 1, enable_nested_tensor=False),
        custom_decoder=torch.nn.TransformerDecoder(decoder[0], 1),
        batch_first=True,
    )
    # It has drawn weights of its own for copies of these layers.
    module.encoder.layers, module.decoder.layers = torch.nn.ModuleList(encoder), torch.nn.ModuleList(decoder)
    for half, stack in ((module.encoder, found.encoder), (module.decoder, found.decoder)):
        if stack.norm is not None:
            half.norm = torch.nn.LayerNorm(sizes.embed_dim, blocks.epsilon_of(stack.norm))
            blocks.load_norm(half.norm, trace, stack.norm)
    return module.eval()


def check(trace: Trace, chain: Chain, found: Transformer, form: Precision) -> Comparison:
    """The output of the decoder against that of torch's module, from the embedded words of both on."""
    module = build(trace, found).to(form.dtype)
    source, target = (
        tensor(trace.value(stack.layers[0].tokens)).to(form.dtype)[None]
        for stack in (found.encoder, found.decoder)
    )
    (src,), (tgt, memory) = (
        masks_of(stack.layers[0], form.dtype) for stack in (found.encoder, found.decoder)
    )
    with torch.no_grad():
        made = module(source, target, src_mask=src, tgt_mask=tgt, memory_mask=memory)
    sizes = multihead.sizes_of(found.encoder.layers[0].attentions[0].layer)
    numbers = f"{len(found.encoder.layers)} + {len(found.decoder.layers)} layers"
    against = f"nn.Transformer(d_model={sizes.embed_dim}, nhead={sizes.heads}), {numbers}"
    output = found.decoder.output
    room = chain.tolerance(output)
    return compare(output, against, trace.value(output), made[0].double(), room, form)
