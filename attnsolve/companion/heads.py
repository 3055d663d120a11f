"""Heads in a plan: where a trace has softmax attention that one of torch's layers can repeat."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch

from attnsolve.companion.tensors import number, tensor
from attnsolve.exact.masked import shown, visible
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


@dataclass(frozen=True, slots=True)
class Layer:
    """Heads side by side, with an output projection if there is one."""

    heads: tuple[Head, ...]
    output: str
    weight: torch.Tensor | None = None
    bias: torch.Tensor | None = None


class Reader:
    """Follows the plan of a trace backwards."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.made = {step.call.out: step.call for step in trace.steps}

    def layers(self) -> Iterator[Layer]:
        """Every attention layer of the trace: several heads put together, or a head on its own."""
        inside: set[str] = set()
        for call in self.made.values():
            if call.op.name == "concatenate":
                heads = [self.head(name) for name in call.args]
                known = [head for head in heads if head is not None]
                if len(known) == len(heads):
                    inside.update(head.output for head in known)
                    yield self.projected(tuple(known), call.out)
        for call in self.made.values():
            head = self.head(call.out) if call.op.name == "mix" else None
            if head is not None and head.output not in inside:
                yield self.projected((head,), head.output)

    def projected(self, heads: tuple[Head, ...], together: str) -> Layer:
        """The layer with its output matrix, if the plan has one."""
        for call in self.made.values():
            if call.op.name == "output" and call.args[0] == together:
                weight, bias = (tensor(self.trace.value(name)) for name in (*call.args[1:], call.args[1])[:2])
                return Layer(heads, call.out, weight, bias[0] if len(call.args) > 2 else None)
        return Layer(heads, together)

    def head(self, name: str) -> Head | None:
        """The head that ends in a value, or None when it is no softmax over dot products."""
        mix = self.made.get(name)
        weights = self.made.get(mix.args[0]) if mix is not None and mix.op.name == "mix" else None
        if mix is None or weights is None or weights.op.name != "softmax":
            return None
        found = self.scores(weights)
        if found is None:
            return None
        dot, factor, mask = found
        Q, K, V = dot.args[0], dot.args[1], mix.args[1]
        query, key, value = map(self.projection, (Q, K, V))
        return Head(query, key, value, factor, mask, (Q, K, V), weights.out, mix.out)

    def scores(self, weights: Call) -> tuple[Call, float, torch.Tensor | None] | None:
        """The dot products behind weights, what they are multiplied by, and what is added before softmax."""
        factor, mask = 1.0, None
        if "temperature" in weights.options:
            factor /= number(evaluate(weights.options["temperature"]))
        call = self.made.get(weights.args[0])
        while call is not None and call.op.name != "dot":
            if call.op.name in ("divide", "multiply"):
                by = number(evaluate(call.options["by"]))
                factor *= by if call.op.name == "multiply" else 1 / by
            elif call.op.family == "mask":
                added = self.added(call) * factor
                mask = added if mask is None else mask + added
            else:
                return None
            call = self.made.get(call.args[0])
        return None if call is None else (call, factor, mask)

    def added(self, call: Call) -> torch.Tensor:
        """What a mask adds to the scores: numbers, and -inf where it hides a key."""
        step = self.trace.step(call.out)
        before, after = step.inputs[0], step.value
        added = tensor(shown(step.inputs[1])) if call.op.name == "add_mask" else torch.zeros(after.shape)
        hidden = tensor(visible(before)) * (1 - tensor(visible(after)))
        return added.to(torch.float64).masked_fill(hidden.bool(), float("-inf"))

    def projection(self, name: str) -> Projection:
        """Where queries, keys or values come from; a head's slice of wide ones takes its columns."""
        call = self.made.get(name)
        columns = slice(None)
        if call is not None and call.op.name == "split":
            columns = slice(call.options["start"], call.options["stop"])
            name = call.args[0]
            call = self.made.get(name)
        if call is None or call.op.name != "project":
            width = self.trace.value(name).shape[1]
            eye = torch.eye(width, dtype=torch.float64)[:, columns]
            return Projection(name, eye, torch.zeros(eye.shape[1], dtype=torch.float64))
        weight = tensor(self.trace.value(call.args[1]))
        bias = torch.zeros(weight.shape[1], dtype=torch.float64)
        if len(call.args) > 2:
            bias = tensor(self.trace.value(call.args[2]))[0]
        return Projection(call.args[0], weight[:, columns], bias[columns])
