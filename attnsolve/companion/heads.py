"""Heads in a plan: where a trace has softmax attention that one of torch's layers can repeat."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch

from attnsolve import graph
from attnsolve.companion.floats import number
from attnsolve.companion.tensors import tensor
from attnsolve.exact.masked import shown, visible
from attnsolve.graph import graph_of
from attnsolve.ops import Family
from attnsolve.ops.add_mask import ADD_MASK
from attnsolve.ops.concatenation import CONCATENATE
from attnsolve.ops.dot import DOT
from attnsolve.ops.output import OUTPUT
from attnsolve.ops.scaling import DIVIDE
from attnsolve.ops.softmax import SOFTMAX
from attnsolve.problem import Call
from attnsolve.trace import Trace
from attnsolve.working import evaluate


@dataclass(frozen=True, slots=True)
class Projection:
    """Tokens and the linear layer that they go through: weight in × out, and a bias; both may be trivial."""

    tokens: str
    weight: torch.Tensor
    bias: torch.Tensor

    @property
    def trivial(self) -> bool:
        """Whether the tokens are used as they are."""
        return bool(torch.equal(self.weight, torch.eye(len(self.weight), dtype=torch.float64)))


@dataclass(frozen=True, slots=True)
class Head:
    """One head: softmax(factor · Q Kᵀ + mask) V, with the names of its values in the trace."""

    query: Projection
    key: Projection
    value: Projection
    factor: float
    mask: torch.Tensor | None  # 0, a number, or -inf, to be added to the scores
    inputs: tuple[str, str, str]  # Q, K and V
    weights: str
    output: str
    calls: graph.Head


@dataclass(frozen=True, slots=True)
class Layer:
    """Heads side by side, with an output projection if there is one."""

    heads: tuple[Head, ...]
    output: str
    weight: torch.Tensor | None = None
    bias: torch.Tensor | None = None


class Reader:
    """Reads the layers of a trace off the graph of its plan."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.graph = graph_of(trace.problem)
        found = (self.head(head) for head in self.graph.heads)
        self.heads = {head.output: head for head in found if head is not None}

    def layers(self) -> Iterator[Layer]:
        """Every attention layer of the trace: several heads put together, or a head on its own."""
        inside: set[str] = set()
        for call in self.graph.made.values():
            if call.op is CONCATENATE and all(name in self.heads for name in call.args):
                inside.update(call.args)
                yield self.projected(tuple(self.heads[name] for name in call.args), call.out)
        for head in self.heads.values():
            if head.output not in inside:
                yield self.projected((head,), head.output)

    def projected(self, heads: tuple[Head, ...], together: str) -> Layer:
        """The layer with its output matrix, if the plan has one."""
        for call in self.graph.users(together):
            if call.op is OUTPUT and call.args[0] == together:
                return Layer(heads, call.out, *self.linear(call))
        return Layer(heads, together)

    def linear(self, call: Call) -> tuple[torch.Tensor, torch.Tensor | None]:
        """The weights of a projection, in × out, and its bias if it has one."""
        weight, *bias = (tensor(self.trace.value(name)) for name in call.args[1:])
        return weight, bias[0][0] if bias else None

    def head(self, head: graph.Head) -> Head | None:
        """A head of the plan with its numbers, or None when it is no softmax over dot products."""
        if head.scores is None or head.output is None or not head.only_scales_and_masks:
            return None
        if head.silenced is not None:  # no layer of torch leaves out queries
            return None
        if head.weights.op is not SOFTMAX or head.scores.op is not DOT:
            return None
        Q, K, V = head.scores.args[0], head.scores.args[1], head.output.args[1]
        query, key, value = map(self.projection, (Q, K, V))
        factor, mask = self.factor_and_mask(head)
        return Head(query, key, value, factor, mask, (Q, K, V), head.weights.out, head.output.out, head)

    def factor_and_mask(self, head: graph.Head) -> tuple[float, torch.Tensor | None]:
        """What the dot products are multiplied by, and what is added to them before softmax."""
        factor, mask = 1.0, None
        if "temperature" in head.weights.options:
            factor /= number(evaluate(head.weights.options["temperature"]))
        for call in reversed(head.changes):  # what scales later scales a mask too
            if call.op.family is Family.SCALING:
                by = number(evaluate(call.options["by"]))
                factor *= 1 / by if call.op is DIVIDE else by
            else:
                added = self.added(call) * factor
                mask = added if mask is None else mask + added
        return factor, mask

    def added(self, call: Call) -> torch.Tensor:
        """What a mask adds to the scores: numbers, and -inf where it hides a key."""
        step = self.trace.step(call.out)
        before, after = step.inputs[0], step.value
        added = torch.zeros(after.shape)
        if call.op is ADD_MASK:
            added = tensor(shown(step.inputs[1]))
        elif call.op.family is Family.BIAS:
            added = tensor(shown(after) - shown(before))
        hidden = tensor(visible(before)) * (1 - tensor(visible(after)))
        return added.to(torch.float64).masked_fill(hidden.bool(), float("-inf"))

    def projection(self, name: str) -> Projection:
        """Where queries, keys or values come from; a head's slice of wide ones takes its columns."""
        source = self.graph.source(name)
        columns = slice(None)
        if source.slice is not None:
            columns = slice(source.slice.options["start"], source.slice.options["stop"])
        if source.projection is None:
            weight = torch.eye(self.trace.value(source.tokens).shape[1], dtype=torch.float64)
            bias = None
        else:
            weight, bias = self.linear(source.projection)
        if bias is None:
            bias = torch.zeros(weight.shape[1], dtype=torch.float64)
        return Projection(source.tokens, weight[:, columns], bias[columns])
