"""nn.RNNCell, nn.GRUCell and nn.LSTMCell against the recurrent steps of a plan."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import torch

from attnsolve.companion.chain import Chain
from attnsolve.companion.comparison import Comparison, compare
from attnsolve.companion.tensors import Precision, tensor
from attnsolve.graph import Graph, graph_of
from attnsolve.ops import Op
from attnsolve.ops.activation import RECTIFY, SIGMOID, TANH
from attnsolve.ops.addition import ADD
from attnsolve.ops.blending import BLEND
from attnsolve.ops.gating import GATE
from attnsolve.ops.projection import PROJECTION
from attnsolve.ops.recurrence import RECUR
from attnsolve.ops.times import TIMES
from attnsolve.problem import Call
from attnsolve.trace import Trace


class Gate(NamedTuple):
    """One recurrence by the names of its matrices; a bias may be missing."""

    W: str
    U: str
    b: str | None = None
    c: str | None = None  # a second bias, of the state's own part
    turned: bool = False  # whether torch has it the other way round: 1 - σ(a) is σ(-a)


class Cell(NamedTuple):
    """A step that one of torch's cells can make: what goes in, its gates in torch's order, what comes out."""

    module: str
    token: str
    states: tuple[str, ...]
    gates: tuple[Gate, ...]
    outputs: tuple[str, ...]
    activation: str = "tanh"


def cells(graph: Graph) -> Iterator[Cell]:
    """Every recurrent step of a plan that torch has a cell for."""
    for call in graph.made.values():
        found = _gru(graph, call) or _lstm(graph, call) or _rnn(graph, call)
        if found is not None:
            yield found


def made_by(graph: Graph, name: str, *ops: Op) -> Call | None:
    """The call that made a value, if it is one of these ops."""
    call = graph.maker(name)
    return call if call is not None and call.op in ops else None


def gate_of(graph: Graph, name: str, op: Op) -> tuple[Gate, str, str] | None:
    """The recurrence behind an activation, with what came in and the state before."""
    active = made_by(graph, name, op)
    inside = None if active is None else made_by(graph, active.args[0], RECUR)
    if inside is None:
        return None
    token, W, state, U, *bias = inside.args
    return Gate(W, U, bias[0] if bias else None), token, state


def _rnn(graph: Graph, call: Call) -> Cell | None:
    if call.op not in (TANH, RECTIFY) or any(user.op in (BLEND, GATE) for user in graph.users(call.out)):
        return None
    found = gate_of(graph, call.out, call.op)
    if found is None:
        return None
    gate, token, state = found
    return Cell("RNNCell", token, (state,), (gate,), (call.out,), "tanh" if call.op is TANH else "relu")


def _lstm(graph: Graph, call: Call) -> Cell | None:
    """h' = o ∘ tanh(f ∘ c + i ∘ n)."""
    shown = made_by(graph, call.args[1], TANH) if call.op is TIMES else None
    kept = None if shown is None else made_by(graph, shown.args[0], GATE)
    if kept is None:
        return None
    f, memory, i, n = kept.args
    wanted = ((i, SIGMOID), (f, SIGMOID), (n, TANH), (call.args[0], SIGMOID))
    found = [gate for name, op in wanted if (gate := gate_of(graph, name, op)) is not None]
    seen = {(token, state) for _, token, state in found}
    if len(found) < len(wanted) or len(seen) > 1:
        return None
    ((token, state),) = seen
    return Cell("LSTMCell", token, (state, memory), tuple(gate for gate, *_ in found), (call.out, kept.out))


def _gru(graph: Graph, call: Call) -> Cell | None:
    """h' = z ∘ h + (1 - z) ∘ n, where the reset gate meets the state after its matrix."""
    if call.op is not BLEND:
        return None
    z, first, second = call.args
    update = gate_of(graph, z, SIGMOID)
    if update is None or update[2] not in (first, second):
        return None
    gate, token, state = update
    active = made_by(graph, second if state == first else first, TANH)
    inside = None if active is None else made_by(graph, active.args[0], ADD)
    if inside is None:
        return None
    came, kept = made_by(graph, inside.args[0], PROJECTION), made_by(graph, inside.args[1], TIMES)
    turned = None if kept is None else made_by(graph, kept.args[1], PROJECTION)
    reset = None if kept is None else gate_of(graph, kept.args[0], SIGMOID)
    if came is None or turned is None or reset is None:
        return None
    if (came.args[0], turned.args[0], *reset[1:]) != (token, state, token, state):
        return None
    candidate = Gate(
        came.args[1],
        turned.args[1],
        came.args[2] if len(came.args) > 2 else None,
        turned.args[2] if len(turned.args) > 2 else None,
    )
    gates = (reset[0], gate._replace(turned=state == first), candidate)
    return Cell("GRUCell", token, (state,), gates, (call.out,))


def build(trace: Trace, cell: Cell) -> Any:
    """torch's own cell with the matrices of the step, those of its gates beneath each other."""
    width, size = trace.value(cell.gates[0].W).shape
    more = {"nonlinearity": cell.activation} if cell.module == "RNNCell" else {}
    module: Any = getattr(torch.nn, cell.module)(width, size, dtype=torch.float64, **more)

    def row(name: str | None) -> torch.Tensor:
        return torch.zeros(size, dtype=torch.float64) if name is None else tensor(trace.value(name))[0]

    signs = [-1 if gate.turned else 1 for gate in cell.gates]
    pairs = list(zip(signs, cell.gates, strict=True))
    module.weight_ih.data = torch.cat([sign * tensor(trace.value(gate.W)).T for sign, gate in pairs])
    module.weight_hh.data = torch.cat([sign * tensor(trace.value(gate.U)).T for sign, gate in pairs])
    module.bias_ih.data = torch.cat([sign * row(gate.b) for sign, gate in pairs])
    module.bias_hh.data = torch.cat([sign * row(gate.c) for sign, gate in pairs])
    return module


def check(trace: Trace, chain: Chain, form: Precision) -> Iterator[Comparison]:
    """What each recurrent step leaves against torch's own cell."""
    for cell in cells(graph_of(trace.problem)):
        module = build(trace, cell).to(form.dtype)
        token, *states = (tensor(trace.value(name)).to(form.dtype) for name in (cell.token, *cell.states))
        with torch.no_grad():
            found = module(token, tuple(states) if len(states) > 1 else states[0])
        width, size = trace.value(cell.gates[0].W).shape
        against = f"nn.{cell.module}({width}, {size})"
        turned = any(gate.turned for gate in cell.gates)
        explained = ("the update gate is turned round: torch's is for the old state",) if turned else ()
        for name, made in zip(cell.outputs, found if len(states) > 1 else (found,), strict=True):
            room = chain.tolerance(name)
            yield compare(name, against, trace.value(name), made.double(), room, form, explained=explained)
