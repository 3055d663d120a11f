"""Real layers against a trace, in this order: MultiheadAttention, scaled_dot_product_attention, and more."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from attnsolve.companion import autograd, blocks, multihead, recurrent, transformer
from attnsolve.companion.chain import Chain
from attnsolve.companion.comparison import Comparison, compare
from attnsolve.companion.heads import Head, Layer, Reader
from attnsolve.companion.tensors import Precision, tensor
from attnsolve.ops.bilinear import BILINEAR
from attnsolve.trace import Step, Trace


def check_layers(trace: Trace, form: Precision) -> Iterator[Comparison]:
    """Every layer of torch's own that computes something of this trace."""
    reader, chain = Reader(trace), Chain(trace, form)
    for layer in reader.layers():
        if multihead.fits_one_layer(layer):
            yield from multihead_attention(trace, chain, layer, form)
        for head in layer.heads:
            yield dot_product_attention(trace, chain, head, form)
    for block in blocks.blocks(reader):
        yield blocks.check(trace, chain, block, form)
    for found in transformer.transformers(reader):
        yield transformer.check(trace, chain, found, form)
    yield from recurrent.check(trace, chain, form)
    yield from autograd.check(trace, chain, form)
    for step in trace.steps:
        if step.call.op is BILINEAR:
            yield bilinear(chain, step, form)


def multihead_attention(trace: Trace, chain: Chain, layer: Layer, form: Precision) -> Iterator[Comparison]:
    """The output of the whole layer, and the weights of each head."""
    sizes, first = multihead.sizes_of(layer), layer.heads[0]
    module, mask = multihead.build(layer, sizes, form.dtype), multihead.mask_of(layer, form.dtype)
    names = (first.query.tokens, first.key.tokens, first.value.tokens)
    query, key, value = (tensor(trace.value(name)).to(form.dtype)[None] for name in names)
    query = torch.nn.functional.pad(query, (0, sizes.embed_dim - sizes.tokens))
    if module.in_proj_weight is not None:  # one width for all three
        key, value = (torch.nn.functional.pad(x, (0, sizes.embed_dim - x.shape[-1])) for x in (key, value))
    with torch.no_grad():
        output, weights = module(query, key, value, attn_mask=mask, average_attn_weights=False)
    against = f"nn.MultiheadAttention(embed_dim={sizes.embed_dim}, num_heads={sizes.heads})"
    explained = multihead.explain(layer, sizes, mask)
    yield compare(
        layer.output,
        against,
        trace.value(layer.output),
        output[0, :, : sizes.output].double(),
        chain.tolerance(layer.output),
        form,
        explained=explained,
    )
    for place, head in enumerate(layer.heads):
        ours, room = trace.value(head.weights), chain.tolerance(head.weights)
        yield compare(
            head.weights, f"its weights, head {place + 1}", ours, weights[0, place].double(), room, form
        )


def dot_product_attention(trace: Trace, chain: Chain, head: Head, form: Precision) -> Comparison:
    """One head from its queries, keys and values."""
    Q, K, V = (tensor(trace.value(name)).to(form.dtype)[None, None] for name in head.inputs)
    mask: torch.Tensor | None = None
    explained: tuple[str, ...] = (f"scale={head.factor:.6g}",)
    if head.mask is not None:
        hidden = head.mask == float("-inf")
        plain = bool((hidden | (head.mask == 0)).all())
        mask = (~hidden if plain else head.mask.to(form.dtype))[None, None]
        explained += ("attn_mask: True keeps a key" if plain else "attn_mask: numbers are added, -inf hides",)
    found = torch.nn.functional.scaled_dot_product_attention(Q, K, V, attn_mask=mask, scale=head.factor)
    ours, room = trace.value(head.output), chain.tolerance(head.output)
    against = "F.scaled_dot_product_attention"
    return compare(head.output, against, ours, found[0, 0].double(), room, form, explained=explained)


def bilinear(chain: Chain, step: Step, form: Precision) -> Comparison:
    """nn.Bilinear with one output, on every pair of a query and a key."""
    Q, K, W, *rest = (tensor(value).to(form.dtype) for value in step.inputs)
    module = torch.nn.Bilinear(Q.shape[1], K.shape[1], 1, bias=bool(rest), dtype=form.dtype)
    module.load_state_dict({"weight": W[None], **({"bias": rest[0][0]} if rest else {})})
    with torch.no_grad():
        pairs = [module(Q[i].expand(len(K), -1), K)[:, 0] for i in range(len(Q))]
    room = chain.tolerance(step.call.out)
    against = f"nn.Bilinear({Q.shape[1]}, {K.shape[1]}, 1)"
    return compare(step.call.out, against, step.value, torch.stack(pairs).double(), room, form)
