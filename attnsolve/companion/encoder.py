"""nn.TransformerEncoderLayer against an encoder block of the plan."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch

from attnsolve.companion import multihead
from attnsolve.companion.chain import Chain
from attnsolve.companion.comparison import Comparison, compare
from attnsolve.companion.heads import Layer, Reader
from attnsolve.companion.tensors import Precision, number, tensor
from attnsolve.problem import Call
from attnsolve.trace import Trace
from attnsolve.working import evaluate

ACTIVATIONS = {"rectify": "relu", "gelu": "gelu"}


@dataclass(frozen=True, slots=True)
class Block:
    """An encoder block by the calls it is made of."""

    layer: Layer
    tokens: str
    output: str
    norm_first: bool
    norms: tuple[Call, Call]
    first: Call
    activation: str
    second: Call


def blocks(trace: Trace, reader: Reader) -> Iterator[Block]:
    """Every block with both residuals, both norms and a feed-forward layer, that torch's layer can hold."""
    layers = {layer.output: layer for layer in reader.layers()}
    for call in reader.made.values():
        layer = layers.get(call.args[-1]) if call.op.name == "add" else None
        block = read(reader, call, layer) if layer is not None else None
        if block is not None and is_torchs(reader, block):
            yield block


def read(reader: Reader, residual: Call, layer: Layer) -> Block | None:
    """The block around the first residual connection, or None when a piece of it is missing."""

    def user(name: str, *ops: str) -> Call | None:
        return next((c for c in reader.made.values() if name in c.args[:1] and c.op.name in ops), None)

    norm = user(residual.out, "layer_norm")
    if norm is None:
        return None
    tokens = layer.heads[0].query.tokens
    before = reader.made.get(tokens)
    norm_first = before is not None and before.op.name == "layer_norm" and before.args[0] == residual.args[0]
    first = user(norm.out, "project")
    active = user(first.out, *ACTIVATIONS) if first is not None else None
    second = user(active.out, "project") if active is not None else None
    if first is None or active is None or second is None:
        return None
    ends = [c for c in reader.made.values() if c.op.name == "add" and c.args[-1] == second.out]
    last = user(ends[0].out, "layer_norm") if ends and not norm_first else None
    if not ends or (last is None and not norm_first):
        return None
    activation = ACTIVATIONS[active.op.name]
    if norm_first and before is not None:
        return Block(layer, residual.args[0], ends[0].out, True, (before, norm), first, activation, second)
    assert last is not None
    return Block(layer, residual.args[0], last.out, False, (norm, last), first, activation, second)


def is_torchs(reader: Reader, block: Block) -> bool:
    """Whether nn.TransformerEncoderLayer has such a block: nothing to pad, one ε, on the variance."""
    sizes = multihead.sizes_of(block.layer)
    width = reader.trace.value(block.tokens).shape[1]
    epsilons = {number(evaluate(norm.options["epsilon"])) for norm in block.norms}
    inside = all(norm.options.get("epsilon_at", "variance") == "variance" for norm in block.norms)
    fits = sizes.embed_dim == sizes.tokens == sizes.output == width and multihead.fits_one_layer(block.layer)
    return fits and inside and len(epsilons) == 1


def check(trace: Trace, chain: Chain, block: Block, form: Precision) -> Comparison:
    """The output of the block against torch's own layer with the same weights."""
    sizes = multihead.sizes_of(block.layer)
    hidden = trace.value(block.first.args[1]).shape[1]
    module = torch.nn.TransformerEncoderLayer(
        sizes.embed_dim,
        sizes.heads,
        hidden,
        dropout=0.0,
        activation=block.activation,
        layer_norm_eps=number(evaluate(block.norms[0].options["epsilon"])),
        batch_first=True,
        norm_first=block.norm_first,
        dtype=torch.float64,
    ).eval()
    multihead.load(module.self_attn, block.layer, sizes)
    for linear, call in ((module.linear1, block.first), (module.linear2, block.second)):
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
        f"activation={block.activation}, dropout=0, eval()",
        *multihead.explain(block.layer, sizes, mask),
    )
    against = f"nn.TransformerEncoderLayer(d_model={sizes.embed_dim}, nhead={sizes.heads})"
    ours, room = trace.value(block.output), chain.tolerance(block.output)
    return compare(block.output, against, ours, found[0].double(), room, form, explained=explained)
