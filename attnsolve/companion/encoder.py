"""nn.TransformerEncoderLayer against an encoder block of the plan."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import torch

from attnsolve.companion import multihead
from attnsolve.companion.chain import Chain
from attnsolve.companion.comparison import Comparison, compare
from attnsolve.companion.heads import Layer, Reader
from attnsolve.companion.tensors import Precision, number, tensor
from attnsolve.graph import Graph
from attnsolve.ops import Op
from attnsolve.ops.activation import GELU, RECTIFY
from attnsolve.ops.addition import ADD
from attnsolve.ops.layer_norm import EPSILON, LAYER_NORM
from attnsolve.ops.projection import PROJECTION
from attnsolve.problem import Call
from attnsolve.trace import Trace
from attnsolve.working import evaluate

# Activations that the layer knows by name.
ACTIVATIONS: dict[Op, str] = {RECTIFY: "relu", GELU: "gelu"}


class FeedForward(NamedTuple):
    """Two projections with an activation between them, and the addition that ends them."""

    first: Call
    activation: str
    second: Call
    end: Call


@dataclass(frozen=True, slots=True)
class Block:
    """An encoder block by the calls it is made of."""

    layer: Layer
    tokens: str
    output: str
    norm_first: bool
    norms: tuple[Call, Call]
    forward: FeedForward


def blocks(reader: Reader) -> Iterator[Block]:
    """Every block with both residuals, both norms and a feed-forward layer, that torch's layer can hold."""
    layers = {layer.output: layer for layer in reader.layers()}
    for call in reader.graph.made.values():
        for attended in dict.fromkeys(call.args if call.op is ADD else ()):
            if attended in layers:
                found = read(reader.graph, call, layers[attended])
                yield from (block for block in found if is_torchs(reader, block))


def read(graph: Graph, residual: Call, layer: Layer) -> Iterator[Block]:
    """The blocks that begin with self-attention of some tokens, which are then added to its output."""
    tokens = beside(residual, layer.output)
    attending = {p.tokens for head in layer.heads for p in (head.query, head.key, head.value)}
    for norm in users(graph, residual.out, LAYER_NORM):
        if attending == {tokens}:
            for forward in feed_forwards(graph, norm.out, middle=norm.out):
                for last in users(graph, forward.end.out, LAYER_NORM):
                    yield Block(layer, tokens, last.out, False, (norm, last), forward)
        for before in users(graph, tokens, LAYER_NORM):
            if attending == {before.out}:
                for forward in feed_forwards(graph, norm.out, middle=residual.out):
                    yield Block(layer, tokens, forward.end.out, True, (before, norm), forward)


def feed_forwards(graph: Graph, source: str, *, middle: str) -> Iterator[FeedForward]:
    """Two projections of `source` with an activation between them, and the addition to `middle`."""
    for first in users(graph, source, PROJECTION):
        for active in users(graph, first.out, *ACTIVATIONS):
            for second in users(graph, active.out, PROJECTION):
                for end in graph.users(second.out):
                    if end.op is ADD and set(end.args) == {middle, second.out}:
                        yield FeedForward(first, ACTIVATIONS[active.op], second, end)


def users(graph: Graph, name: str, *ops: Op) -> list[Call]:
    """The calls of some ops that have a value as their first matrix."""
    return [call for call in graph.users(name) if call.op in ops and call.args[0] == name]


def beside(addition: Call, name: str) -> str:
    """The other one of the two matrices that are added."""
    first, second = addition.args
    return second if first == name else first


def is_torchs(reader: Reader, block: Block) -> bool:
    """Whether nn.TransformerEncoderLayer has such a block: nothing to pad, one ε, on the variance."""
    sizes = multihead.sizes_of(block.layer)
    width = reader.trace.value(block.tokens).shape[1]
    inside = all(norm.options.get("epsilon_at", "variance") == "variance" for norm in block.norms)
    fits = sizes.embed_dim == sizes.tokens == sizes.output == width and multihead.fits_one_layer(block.layer)
    return fits and inside and len({epsilon_of(norm) for norm in block.norms}) == 1


def epsilon_of(norm: Call) -> float:
    """The ε of a layer norm, as a float."""
    return number(evaluate(norm.options.get("epsilon", EPSILON)))


def check(trace: Trace, chain: Chain, block: Block, form: Precision) -> Comparison:
    """The output of the block against torch's own layer with the same weights."""
    sizes = multihead.sizes_of(block.layer)
    hidden = trace.value(block.forward.first.args[1]).shape[1]
    module = torch.nn.TransformerEncoderLayer(
        sizes.embed_dim,
        sizes.heads,
        hidden,
        dropout=0.0,
        activation=block.forward.activation,
        layer_norm_eps=epsilon_of(block.norms[0]),
        batch_first=True,
        norm_first=block.norm_first,
        dtype=torch.float64,
    ).eval()
    multihead.load(module.self_attn, block.layer, sizes)
    for linear, call in ((module.linear1, block.forward.first), (module.linear2, block.forward.second)):
        weight, *bias = (tensor(trace.value(name)) for name in call.args[1:])
        linear.weight.data, linear.bias.data = weight.T, bias[0][0] if bias else torch.zeros(weight.shape[1])
    for norm, call in ((module.norm1, block.norms[0]), (module.norm2, block.norms[1])):
        rows = [tensor(trace.value(name))[0] for name in call.args[1:]]
        norm.weight.data = rows[0] if rows else torch.ones(sizes.embed_dim)
        norm.bias.data = rows[1] if len(rows) > 1 else torch.zeros(sizes.embed_dim)
    module = module.to(form.dtype)
    mask = multihead.mask_of(block.layer, form.dtype)
    with torch.no_grad():
        found = module(tensor(trace.value(block.tokens)).to(form.dtype)[None], src_mask=mask)
    where = "before" if block.norm_first else "after"
    explained = (
        f"norm_first={block.norm_first}: the norms stand {where} attention and feed-forward",
        f"activation={block.forward.activation}, dropout=0, eval()",
        *multihead.explain(block.layer, sizes, mask),
    )
    against = f"nn.TransformerEncoderLayer(d_model={sizes.embed_dim}, nhead={sizes.heads})"
    ours, room = trace.value(block.output), chain.tolerance(block.output)
    return compare(block.output, against, ours, found[0].double(), room, form, explained=explained)
