"""A trained layer or model as an exercise: its numbers written out as a problem file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import torch

from attnsolve.companion.architectures import explained
from attnsolve.companion.explained import Choices
from attnsolve.companion.listing import Rows, spelled_number
from attnsolve.companion.model_texts import written
from attnsolve.companion.parameters import (
    SAVE,
    Parameters,
    only_layer,
    parameters_of,
    state_of,
    tensors_of,
)
from attnsolve.companion.tokens import as_tensor, one_sequence, read_tokens, spelled
from attnsolve.companion.weights import read
from attnsolve.errors import LayerError
from attnsolve.limits import LIMITS, Limits
from attnsolve.loader import loads
from attnsolve.problem import Problem

NOTHING_SAID = Choices()


def from_module(module: Any, x: Any, *, places: int | None = None, limits: Limits = LIMITS) -> Problem:
    """The problem that a layer of torch's and its input pose; exact unless `places` are asked for."""
    if not isinstance(module, torch.nn.MultiheadAttention):
        raise LayerError(f"from_torch takes an nn.MultiheadAttention, not a {type(module).__name__}")
    if module.add_zero_attn:
        raise LayerError("a layer with add_zero_attn sees a key that is not there; build it without")
    parameters = parameters_of(state_of(module), module.num_heads, limits=limits)
    tokens = one_sequence(as_tensor(x), batch_sides=(0 if module.batch_first else 1,))
    text = problem_text(parameters, spelled(tokens, places, limits), places)
    return loads(text, name="layer", limits=limits)


def explain(
    layer: Path,
    tokens: str,
    *,
    choices: Choices = NOTHING_SAID,
    context: str | None = None,
    value_context: str | None = None,
    places: int | None = None,
    limits: Limits = LIMITS,
) -> str:
    """The problem file for a layer or a model in a file, and tokens in a file or as typed: `1 2; 3 4`."""
    state = read(layer, limits=limits)
    if not isinstance(state, Mapping):
        raise LayerError(f"'{layer}' holds a {type(state).__name__}, not a state dict; write one with {SAVE}")
    found = explained(tensors_of(state, str(layer)), choices, limits)
    if found is not None:
        if value_context is not None:
            raise LayerError("--value-context is for an attention alone; this layer has one --context")
        return written(found, tokens, context, places=places, limits=limits)
    for name in ("activation", "norm_first"):
        if getattr(choices, name) is not None:
            raise LayerError(f"--{name.replace('_', '-')} says nothing about an attention; leave it out")
    parameters = parameters_of(only_layer(state, str(layer)), choices.heads, limits=limits)
    seen, valued = (
        None if typed is None else read_tokens(typed, places, limits) for typed in (context, value_context)
    )
    rows = read_tokens(tokens, places, limits)
    return problem_text(parameters, rows, places, context=seen, value_context=valued)


def problem_text(
    parameters: Parameters,
    tokens: Rows,
    places: int | None,
    *,
    context: Rows | None = None,
    value_context: Rows | None = None,
) -> str:
    """The problem file, in torch's own layout."""
    heads = parameters.heads
    given = dict(tokens_read(parameters, tokens, context, value_context))
    for name, value in parameters.matrices.items():
        rows = [[spelled_number(x, name, places) for x in row] for row in value.detach().tolist()]
        # A bias of nothing but zeros, as of a layer that is not trained yet, only makes the working longer.
        if name.startswith("W") or any(cell != "0" for row in rows for cell in row):
            given[name] = rows
    return "\n".join(problem_lines(given, heads, places)) + "\n"


def tokens_read(
    parameters: Parameters, tokens: Rows, context: Rows | None, value_context: Rows | None
) -> Iterator[tuple[str, Rows]]:
    """The tokens that queries, keys and values are made of, by letter, each as wide as the layer wants it."""
    expect_width("the input", tokens, parameters.width)
    yield "X", tokens
    keys = tokens if context is None else context
    if context is None and parameters.seen != parameters.width:
        raise LayerError(f"keys are made of {parameters.seen} numbers (kdim); give them with --context")
    if context is not None:
        expect_width("the context", context, parameters.seen)
        yield "Y", context
    if value_context is None and parameters.valued != len(keys[0]):
        said = f"values are made of {parameters.valued} numbers (vdim), keys of {parameters.seen} (kdim)"
        raise LayerError(f"{said}; give the values' own tokens with --value-context")
    if value_context is not None:
        expect_width("the values' context", value_context, parameters.valued)
        yield "U", value_context


def expect_width(what: str, rows: Rows, width: int) -> None:
    """Refuse tokens that are not as wide as the layer."""
    if len(rows[0]) != width:
        raise LayerError(f"a token of {what} has {len(rows[0])} numbers, the layer expects {width}")


def problem_lines(given: Mapping[str, Rows], heads: int, places: int | None) -> Iterator[str]:
    """The lines of it: every matrix a block, and a part that uses them all."""
    count = "one head" if heads == 1 else f"{heads} heads"
    stored = "exactly as PyTorch stores them" if places is None else f"rounded to {places} places"
    yield "format: 1"
    yield f"title: A layer of PyTorch with {count}"
    yield f"intro: The numbers of an nn.MultiheadAttention, {stored}; weight matrices are (out × in)."
    yield "convention: torch"
    yield f"numbers: {'fractions' if places is None else 'decimals'}"
    yield "given:"
    for name, rows in given.items():
        yield f"  {name}: |"
        yield from (f"    {' '.join(row)}" for row in rows)
    yield "parts:"
    yield "  - id: a"
    yield "    ask: Find the weights of each head and the output of the layer."
    yield "    multi_head:"
    yield "      input: X"
    for name, key in (("Y", "context"), ("U", "value_context")):
        if name in given:
            yield f"      {key}: {name}"
    yield f"      heads: {heads}"
    yield from (f"      {name}: {name}" for name in given if name not in ("X", "Y", "U"))
    yield "      divide_by: sqrt(d_k)"
    yield f"    find: [{', '.join(f'head{place}.A' for place in range(1, heads + 1))}, Z]"
    yield "    plot: weights"
