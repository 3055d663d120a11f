"""The end of a script: one of torch's own layers, built from the same tensors, must agree."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from itertools import pairwise
from math import isclose, sqrt
from typing import NamedTuple

import torch

from attnsolve.companion.blocks import Block, blocks
from attnsolve.companion.heads import Head, Layer, Reader
from attnsolve.companion.literals import matrix, source, tree
from attnsolve.companion.multihead import fits_one_layer, sizes_of
from attnsolve.ops.layer_norm import EPSILON
from attnsolve.ops.scaling import DIVIDE
from attnsolve.problem import Call
from attnsolve.trace import Trace


class Slice(NamedTuple):
    """The columns of a projection that a head uses, and the call that made it."""

    made: Call
    start: int
    stop: int


def lines(trace: Trace, variables: Mapping[str, str]) -> Iterator[str]:
    """Every layer of the trace that torch has, as nn.MultiheadAttention where nothing has to be padded."""
    writer = _Writer(Reader(trace), variables)
    layers = list(writer.reader.layers())
    if layers:
        yield from ("", "# ---- The same by torch's own layers")
    if not all(map(writer.is_whole, layers)):
        yield from ("", "from torch.nn.functional import scaled_dot_product_attention")
    for layer in layers:
        yield ""
        yield from writer.multihead(layer) if writer.is_whole(layer) else writer.heads(layer)
    for block in blocks(writer.reader):
        if all(writer.is_whole(attention.layer) for attention in block.attentions):
            yield ""
            yield from writer.block(block)


class _Writer:
    """Writes a layer with the variables that a script has for the values of the trace."""

    def __init__(self, reader: Reader, variables: Mapping[str, str]) -> None:
        self.reader = reader
        self.variables = variables

    def is_whole(self, layer: Layer) -> bool:
        """Whether the heads are, as they stand, an nn.MultiheadAttention with all its projections."""
        sizes, heads = sizes_of(layer), layer.heads
        widths = {len(p.weight) for head in heads for p in (head.query, head.key, head.value)}
        inner = {p.weight.shape[1] for head in heads for p in (head.query, head.key, head.value)}
        return (
            fits_one_layer(layer)
            and all(self.slice_of(name) is not None for head in heads for name in head.inputs)
            and widths == {sizes.embed_dim} == {sizes.output}
            and inner == {sizes.head_dim}
            and all(isclose(head.factor * sqrt(sizes.head_dim), 1.0, rel_tol=1e-12) for head in heads)
            and all(head.mask is None or only_hides(head.mask) for head in heads)
        )

    def multihead(self, layer: Layer) -> Iterator[str]:
        """The layer, its state as torch keeps it, and what it must agree with."""
        sizes, first, name = sizes_of(layer), layer.heads[0], self.variables[layer.output]
        bias = layer.bias is not None or any(len(call.made.args) > 2 for call in self.slices(layer))
        yield "# nn.MultiheadAttention keeps its weights out × in, those of Q, K and V under each other."
        yield (
            f"layer = torch.nn.MultiheadAttention({sizes.embed_dim}, {sizes.heads}, bias={bias}, "
            "dtype=torch.float64)"
        )
        yield "layer.load_state_dict({"
        yield from (f'    "{key}": {value},' for key, value in self.state(layer, sizes.embed_dim, bias=bias))
        yield "})"
        mask = self.hidden(layer.heads)
        if mask:
            yield f"mask = {mask}  # here True hides a key"
        tokens = ", ".join(self.variables[p.tokens] for p in (first.query, first.key, first.value))
        settings = ("attn_mask=mask, " if mask else "") + "average_attn_weights=False"
        yield from ("with torch.no_grad():", f"    found, weights = layer({tokens}, {settings})")
        yield f"torch.testing.assert_close(found, {name})"
        for place, head in enumerate(layer.heads):
            yield f"torch.testing.assert_close(weights[{place}], {self.variables[head.weights]})"
        yield f'print("nn.MultiheadAttention agrees with {layer.output}")'

    def block(self, block: Block) -> Iterator[str]:
        """The encoder's or decoder's layer, its state, and what it must agree with."""
        sizes, output = sizes_of(block.attentions[0].layer), block.forward.output
        hidden = self.reader.trace.value(block.forward.first.out).shape[1]
        small = source(block.norms[0].options.get("epsilon", EPSILON))
        yield f"# nn.{block.name} without dropout."
        yield f"layer = torch.nn.{block.name}("
        yield f"    {sizes.embed_dim}, {sizes.heads}, {hidden}, dropout=0.0, dtype=torch.float64,"
        yield f"    activation={block.forward.activation!r}, layer_norm_eps={small},"
        yield f"    batch_first=True, norm_first={block.norm_first},"
        yield ").eval()"
        yield "layer.load_state_dict({"
        yield from (f'    "{key}": {value},' for key, value in self.block_state(block, sizes.embed_dim))
        yield "})"
        inputs = [f"{self.variables[name]}[None]" for name in (block.tokens, *block.memories)]
        hidden_keys = [self.hidden(attention.layer.heads) for attention in block.attentions]
        masks = [f"{word}={mask}" for word, mask in zip(block.masks, hidden_keys, strict=True) if mask]
        yield from ("with torch.no_grad():", f"    found = layer({', '.join([*inputs, *masks])})[0]")
        yield f"torch.testing.assert_close(found, {self.variables[output]})"
        yield f'print("nn.{block.name} agrees with {output}")'

    def block_state(self, block: Block, width: int) -> Iterator[tuple[str, str]]:
        """The entries of the state dict of an encoder's or decoder's layer."""
        for name, attention in block.parts:
            entries = self.state(attention.layer, width, bias=True)
            yield from ((f"{name}.{key}", value) for key, value in entries)
        for name, call in (("linear1", block.forward.first), ("linear2", block.forward.second)):
            yield f"{name}.weight", f"{self.variables[call.args[1]]}.T"
            size = self.reader.trace.value(call.out).shape[1]
            yield f"{name}.bias", self.row(call, 2, f"torch.zeros({size}, dtype=torch.float64)")
        for place, call in enumerate(block.norms, start=1):
            yield f"norm{place}.weight", self.row(call, 1, f"torch.ones({width}, dtype=torch.float64)")
            yield f"norm{place}.bias", self.row(call, 2, f"torch.zeros({width}, dtype=torch.float64)")

    def row(self, call: Call, place: int, otherwise: str) -> str:
        """A bias or a gain of a call as torch keeps it, or what stands there without one."""
        return f"{self.variables[call.args[place]]}[0]" if place < len(call.args) else otherwise

    def state(self, layer: Layer, width: int, *, bias: bool) -> Iterator[tuple[str, str]]:
        """The entries of the layer's state dict, written with the matrices of the exercise."""
        slices = [joined([self.slice_of(head.inputs[k]) for head in layer.heads]) for k in range(3)]
        pieces = [piece for group in slices for piece in group]
        yield "in_proj_weight", f"torch.cat([{', '.join(self.weights(p, 1) for p in pieces)}], dim=1).T"
        if bias:
            yield "in_proj_bias", f"torch.cat([{', '.join(self.weights(p, 2) for p in pieces)}], dim=1)[0]"
        output = self.reader.graph.made[layer.output]
        eye, zeros = (f"torch.{word}({width}, dtype=torch.float64)" for word in ("eye", "zeros"))
        yield "out_proj.weight", eye if layer.weight is None else f"{self.variables[output.args[1]]}.T"
        if bias:
            yield "out_proj.bias", zeros if layer.bias is None else f"{self.variables[output.args[2]]}[0]"

    def weights(self, piece: Slice, place: int) -> str:
        """The weights (1) or the bias (2) of a projection, or of the columns of it that are meant."""
        if place >= len(piece.made.args):
            return f"torch.zeros(1, {piece.stop - piece.start}, dtype=torch.float64)"
        width = self.reader.trace.value(piece.made.out).shape[1]
        columns = "" if piece.stop - piece.start == width else f"[:, {piece.start}:{piece.stop}]"
        return self.variables[piece.made.args[place]] + columns

    def slices(self, layer: Layer) -> list[Slice]:
        """The projections of all heads."""
        found = (self.slice_of(name) for head in layer.heads for name in head.inputs)
        return [piece for piece in found if piece is not None]

    def slice_of(self, name: str) -> Slice | None:
        """Where the queries, keys or values of a head come from, if they are projected."""
        source = self.reader.graph.source(name)
        if source.projection is None:
            return None
        if source.slice is None:
            return Slice(source.projection, 0, self.reader.trace.value(source.projection.out).shape[1])
        return Slice(source.projection, source.slice.options["start"], source.slice.options["stop"])

    def hidden(self, heads: tuple[Head, ...]) -> str:
        """attn_mask for the layer, read off the scores that softmax gets; nothing without a mask."""
        masks = [head.mask for head in heads]
        if all(mask is None for mask in masks):
            return ""
        names = [f"~{self.scores(head)}.isfinite()" for head in heads]
        first = masks[0]
        alike = first is not None and all(mask is not None and torch.equal(mask, first) for mask in masks)
        return names[0] if alike else f"torch.stack([{', '.join(names)}])"

    def scores(self, head: Head) -> str:
        """The variable that softmax is taken of."""
        return self.variables[head.calls.weights.args[0]]

    def heads(self, layer: Layer) -> Iterator[str]:
        """Each head on its own, from its queries, keys and values."""
        for head in layer.heads:
            Q, K, V = (self.variables[name] for name in head.inputs)
            mask = "" if head.mask is None else "attn_mask=mask, "
            if head.mask is not None and only_hides(head.mask):
                yield f"mask = {self.scores(head)}.isfinite()  # here True keeps a key"
            elif head.mask is not None:
                yield "# This mask is added to the scores."
                rows = [
                    ["-math.inf" if x == float("-inf") else repr(x) for x in row]
                    for row in head.mask.tolist()
                ]
                yield from matrix("mask", rows)
            yield f"found = scaled_dot_product_attention({Q}, {K}, {V}, {mask}scale={self.scale(head)})"
            yield f"torch.testing.assert_close(found, {self.variables[head.output]})"
            yield f'print("F.scaled_dot_product_attention agrees with {head.output}")'

    def scale(self, head: Head) -> str:
        """What the dot products are multiplied by, as the plan has it: `1 / math.sqrt(2)`."""
        made: ast.expr = ast.Constant(1)
        if "temperature" in head.calls.weights.options:
            made = ast.BinOp(made, ast.Div(), tree(head.calls.weights.options["temperature"]))
        for call in reversed(head.calls.scalings):
            operator = ast.Div() if call.op is DIVIDE else ast.Mult()
            made = ast.BinOp(made, operator, tree(call.options["by"]))
        return ast.unparse(made)


def only_hides(mask: torch.Tensor) -> bool:
    """Whether a mask has nothing but 0 and -inf."""
    return bool(((mask == 0) | (mask == float("-inf"))).all())


def joined(pieces: list[Slice | None]) -> list[Slice]:
    """The slices of all heads; those that are one wide projection cut up, put together again."""
    known = [piece for piece in pieces if piece is not None]
    one = len({piece.made.out for piece in known}) == 1
    if one and all(left.stop == right.start for left, right in pairwise(known)):
        return [Slice(known[0].made, known[0].start, known[-1].stop)]
    return known
