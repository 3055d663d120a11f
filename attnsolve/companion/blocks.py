"""nn.TransformerEncoderLayer and nn.TransformerDecoderLayer against the blocks of a plan."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch

from attnsolve.companion import multihead
from attnsolve.companion.chain import Chain
from attnsolve.companion.comparison import Comparison, compare
from attnsolve.companion.floats import number
from attnsolve.companion.heads import Layer, Reader
from attnsolve.companion.tensors import Precision, tensor
from attnsolve.graph import Graph
from attnsolve.ops import Op
from attnsolve.ops.activation import GELU, RECTIFY
from attnsolve.ops.addition import ADD
from attnsolve.ops.layer_norm import EPSILON, LAYER_NORM
from attnsolve.ops.projection import PROJECTION
from attnsolve.problem import Call
from attnsolve.trace import Trace
from attnsolve.working import evaluate

# Activations that the layers know by name.
ACTIVATIONS: dict[Op, str] = {RECTIFY: "relu", GELU: "gelu"}


class Attention(NamedTuple):
    """Attention of some tokens, added to them, with its layer norm: x + f(LN(x)) or LN(x + f(x))."""

    layer: Layer
    tokens: str
    norm: Call
    norm_first: bool
    output: str

    @property
    def seen(self) -> set[str]:
        """What keys and values are made of."""
        return {p.tokens for head in self.layer.heads for p in (head.key, head.value)}

    @property
    def is_to_itself(self) -> bool:
        """Whether the tokens attend to themselves."""
        return self.seen == {head.query.tokens for head in self.layer.heads}


class FeedForward(NamedTuple):
    """Two projections with an activation between them, added to the tokens, with their layer norm."""

    first: Call
    activation: str
    second: Call
    norm: Call
    output: str


@dataclass(frozen=True, slots=True)
class Block:
    """An encoder's layer, with one attention, or a decoder's, whose second one looks at a memory."""

    attentions: tuple[Attention, ...]
    forward: FeedForward

    @property
    def tokens(self) -> str:
        """What goes in."""
        return self.attentions[0].tokens

    @property
    def memories(self) -> tuple[str, ...]:
        """What else goes in: for a decoder what the encoder has made."""
        return tuple(name for attention in self.attentions[1:] for name in attention.seen)

    @property
    def norm_first(self) -> bool:
        """Whether the norms stand before attention and feed-forward."""
        return self.attentions[0].norm_first

    @property
    def norms(self) -> tuple[Call, ...]:
        """The layer norms in order."""
        return (*(attention.norm for attention in self.attentions), self.forward.norm)

    @property
    def name(self) -> str:
        """What torch calls it."""
        return "TransformerDecoderLayer" if self.memories else "TransformerEncoderLayer"

    @property
    def masks(self) -> tuple[str, ...]:
        """What torch calls the masks of its attentions."""
        return ("tgt_mask", "memory_mask") if self.memories else ("src_mask",)

    @property
    def parts(self) -> tuple[tuple[str, Attention], ...]:
        """The attentions with what torch calls them."""
        return tuple(zip(("self_attn", "multihead_attn"), self.attentions, strict=False))


def blocks(reader: Reader) -> Iterator[Block]:
    """Every block with its residuals, norms and a feed-forward layer that one of torch's layers can hold."""
    graph = reader.graph
    found = [attention for layer in reader.layers() for attention in attentions(graph, layer)]
    for first in found:
        if not first.is_to_itself:
            continue
        looking = [one for one in found if one.tokens == first.output and not one.is_to_itself]
        for chosen in ((first,), *((first, second) for second in looking)):
            if len({attention.norm_first for attention in chosen}) == 1:
                for forward in feed_forwards(graph, chosen[-1].output, norm_first=first.norm_first):
                    block = Block(chosen, forward)
                    if is_torchs(reader, block):
                        yield block


def attentions(graph: Graph, layer: Layer) -> Iterator[Attention]:
    """The ways in which the output of a layer is added to the tokens that ask, before or after a norm."""
    asking = {head.query.tokens for head in layer.heads}
    for residual in graph.users(layer.output):
        if residual.op is not ADD:
            continue
        tokens = beside(residual, layer.output)
        if asking == {tokens}:
            for norm in users(graph, residual.out, LAYER_NORM):
                yield Attention(layer, tokens, norm, False, norm.out)
        for before in users(graph, tokens, LAYER_NORM):
            if asking == {before.out}:
                yield Attention(layer, tokens, before, True, residual.out)


def feed_forwards(graph: Graph, tokens: str, *, norm_first: bool) -> Iterator[FeedForward]:
    """The feed-forward layers of some tokens, with their norm before them or after the addition."""
    for before in users(graph, tokens, LAYER_NORM) if norm_first else [None]:
        for first in users(graph, tokens if before is None else before.out, PROJECTION):
            for active in users(graph, first.out, *ACTIVATIONS):
                for second in users(graph, active.out, PROJECTION):
                    for end in graph.users(second.out):
                        if end.op is ADD and set(end.args) == {tokens, second.out}:
                            made = (first, ACTIVATIONS[active.op], second)
                            after = users(graph, end.out, LAYER_NORM) if before is None else []
                            yield from (FeedForward(*made, norm, norm.out) for norm in after)
                            if before is not None:
                                yield FeedForward(*made, before, end.out)


def users(graph: Graph, name: str, *ops: Op) -> list[Call]:
    """The calls of some ops that have a value as their first matrix."""
    return [call for call in graph.users(name) if call.op in ops and call.args[0] == name]


def beside(addition: Call, name: str) -> str:
    """The other one of the two matrices that are added."""
    first, second = addition.args
    return second if first == name else first


def is_torchs(reader: Reader, block: Block) -> bool:
    """Whether torch has such a layer: nothing to pad, one number of heads, one ε, on the variance."""
    sizes = [multihead.sizes_of(attention.layer) for attention in block.attentions]
    widths = {reader.trace.value(name).shape[1] for name in (block.tokens, *block.memories)}
    widths |= {width for size in sizes for width in (size.embed_dim, size.tokens, size.output)}
    together = all(multihead.fits_one_layer(attention.layer) for attention in block.attentions)
    inside = all(norm.options.get("epsilon_at", "variance") == "variance" for norm in block.norms)
    return (
        together
        and inside
        and len(widths) == len({size.heads for size in sizes}) == 1
        and len(block.memories) == len(block.attentions) - 1
        and len({epsilon_of(norm) for norm in block.norms}) == 1
    )


def epsilon_of(norm: Call) -> float:
    """The ε of a layer norm, as a float."""
    return number(evaluate(norm.options.get("epsilon", EPSILON)))


def build(trace: Trace, block: Block) -> Any:
    """torch's own layer with the weights of the block."""
    sizes, hidden = multihead.sizes_of(block.attentions[0].layer), trace.value(block.forward.first.out)
    module: Any = getattr(torch.nn, block.name)(
        sizes.embed_dim,
        sizes.heads,
        hidden.shape[1],
        dropout=0.0,
        activation=block.forward.activation,
        layer_norm_eps=epsilon_of(block.norms[0]),
        batch_first=True,
        norm_first=block.norm_first,
        dtype=torch.float64,
    ).eval()
    for name, attention in block.parts:
        multihead.load(getattr(module, name), attention.layer, multihead.sizes_of(attention.layer))
    for linear, call in ((module.linear1, block.forward.first), (module.linear2, block.forward.second)):
        weight, *bias = (tensor(trace.value(name)) for name in call.args[1:])
        linear.weight.data, linear.bias.data = weight.T, bias[0][0] if bias else torch.zeros(weight.shape[1])
    for place, call in enumerate(block.norms, start=1):
        load_norm(getattr(module, f"norm{place}"), trace, call)
    return module


def load_norm(norm: Any, trace: Trace, call: Call) -> None:
    """Put the gain and the bias of a step into torch's layer norm; those that it has not are 1 and 0."""
    width, rows = trace.value(call.out).shape[1], [tensor(trace.value(name))[0] for name in call.args[1:]]
    norm.weight.data = rows[0] if rows else torch.ones(width)
    norm.bias.data = rows[1] if len(rows) > 1 else torch.zeros(width)


def check(trace: Trace, chain: Chain, block: Block, form: Precision) -> Comparison:
    """The output of the block against torch's own layer with the same weights."""
    module = build(trace, block).to(form.dtype)
    masks = [multihead.mask_of(attention.layer, form.dtype) for attention in block.attentions]
    inputs = [tensor(trace.value(name)).to(form.dtype)[None] for name in (block.tokens, *block.memories)]
    with torch.no_grad():
        found = module(*inputs, **dict(zip(block.masks, masks, strict=True)))
    where = "before" if block.norm_first else "after"
    layers = [attention.layer for attention in block.attentions]
    said = [
        multihead.explain(one, multihead.sizes_of(one), mask) for one, mask in zip(layers, masks, strict=True)
    ]
    explained = (
        f"norm_first={block.norm_first}: the norms stand {where} attention and feed-forward",
        f"activation={block.forward.activation}, dropout=0, eval()",
        *dict.fromkeys(sentence for sentences in said for sentence in sentences),
    )
    sizes = multihead.sizes_of(layers[0])
    against = f"nn.{block.name}(d_model={sizes.embed_dim}, nhead={sizes.heads})"
    output = block.forward.output
    room = chain.tolerance(output)
    return compare(output, against, trace.value(output), found[0].double(), room, form, explained=explained)
