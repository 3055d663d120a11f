"""A trained layer as an exercise: the numbers of an nn.MultiheadAttention written out as a problem file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from pathlib import Path
from typing import Any

import torch

from attnsolve.companion.weights import ENDINGS, printable, read
from attnsolve.errors import ExpressionError, LayerError
from attnsolve.exact.decimals import round_rational
from attnsolve.expressions import number
from attnsolve.limits import LIMITS, Limits
from attnsolve.loader import loads
from attnsolve.problem import Problem

Rows = list[list[str]]

FLOATS = (torch.float64, torch.float32, torch.float16, torch.bfloat16)
INTEGERS = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)
SEPARATE = ("q_proj_weight", "k_proj_weight", "v_proj_weight")
LEARNED = ("bias_k", "bias_v")
NAMES = ("in_proj_weight", *SEPARATE, "in_proj_bias", "out_proj.weight", "out_proj.bias", *LEARNED)
MEANT = "exact solutions are meant to be read"
SAVE = "torch.save(layer.state_dict(), 'layer.pt')"


@dataclass(frozen=True, slots=True)
class Parameters:
    """The numbers of a layer, out × in as torch keeps them, by the names of a problem file."""

    heads: int
    matrices: Mapping[str, torch.Tensor]

    @property
    def width(self) -> int:
        """How many numbers a token has."""
        return int(self.matrices["W_O"].shape[0])


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


def as_tensor(x: Any) -> torch.Tensor:
    """A tensor as it is, and lists of numbers as one."""
    try:
        return x if isinstance(x, torch.Tensor) else torch.tensor(x, dtype=torch.float64)
    except (TypeError, ValueError, RuntimeError) as error:
        raise LayerError(f"the input is no tensor of numbers: {error}") from None


def state_of(module: torch.nn.MultiheadAttention) -> dict[str, torch.Tensor]:
    """The parameters of a module that it has, by name."""
    state = {name: module for name in NAMES}
    for name in NAMES:
        for piece in name.split("."):
            state[name] = getattr(state[name], piece, None)
    return {name: value for name, value in state.items() if value is not None}


def explain(
    layer: Path,
    tokens: str,
    *,
    heads: int | None = None,
    places: int | None = None,
    limits: Limits = LIMITS,
) -> str:
    """The problem file for a layer in a file, and tokens in a file or as typed: `1 2; 3 4`."""
    state = read(layer, limits=limits)
    if not isinstance(state, Mapping):
        raise LayerError(f"'{layer}' holds a {type(state).__name__}, not a state dict; write one with {SAVE}")
    parameters = parameters_of(only_layer(state, str(layer)), heads, limits=limits)
    return problem_text(parameters, read_tokens(tokens, places, limits), places)


def only_layer(state: Mapping[Any, Any], name: str) -> dict[str, torch.Tensor]:
    """The parameters of the one attention layer in a state dict, without what stands before their names."""
    if not all(isinstance(key, str) and isinstance(value, torch.Tensor) for key, value in state.items()):
        raise LayerError(f"'{name}' holds more than tensors by name; write a state dict with {SAVE}")
    before = [
        key.removesuffix("out_proj.weight")
        for key in state
        if key.endswith("out_proj.weight") and (key == "out_proj.weight" or key[:-15].endswith("."))
    ]
    found = [start for start in before if {f"{start}in_proj_weight", f"{start}q_proj_weight"} & set(state)]
    if not found:
        named = ", ".join(printable(key) for key in list(state)[:5]) or "none"
        missing = "in_proj_weight and out_proj.weight are not both there"
        raise LayerError(f"'{name}' holds no nn.MultiheadAttention: {missing}; its names are {named}")
    if len(found) > 1:
        named = ", ".join(printable(start or "the model itself") for start in found[:5])
        raise LayerError(
            f"'{name}' holds {len(found)} attention layers ({named}); save one alone with {SAVE}"
        )
    return {key.removeprefix(found[0]): value for key, value in state.items() if key.startswith(found[0])}


def parameters_of(
    state: Mapping[str, torch.Tensor], heads: int | None, *, limits: Limits = LIMITS
) -> Parameters:
    """The matrices of a state dict, checked: what the layer adds to plain attention is refused."""
    for name in LEARNED:
        if name in state:
            raise LayerError(f"the layer has {name}, a learned key or value; build it without add_bias_kv")
    unknown = [name for name in state if name not in NAMES]
    if unknown:
        raise LayerError(f"'{printable(unknown[0])}' is no part of an nn.MultiheadAttention")
    for name, value in state.items():
        check_tensor(name, value)
    width = shape_of(state, "out_proj.weight", 2)[0]
    if width > limits.dimension:
        said = f"the layer has {width} numbers a token; the limit is {limits.dimension} ({MEANT})"
        raise LayerError(f"{said}, and --limit dimension={width} raises it")
    return Parameters(checked_heads(heads, width, limits), dict(matrices(state, width)))


def check_tensor(name: str, value: torch.Tensor, *, dtypes: tuple[torch.dtype, ...] = FLOATS) -> None:
    """Refuse tensors whose numbers cannot simply be listed."""
    if value.layout != torch.strided or value.is_quantized or value.device.type == "meta":
        raise LayerError(f"{name} is no plain tensor of numbers; store it dense, in float32 or float64")
    if value.dtype not in dtypes:
        known = ", ".join(str(dtype).removeprefix("torch.") for dtype in FLOATS)
        raise LayerError(f"{name} is {str(value.dtype).removeprefix('torch.')}; only {known} are read")


def shape_of(state: Mapping[str, torch.Tensor], name: str, sides: int) -> tuple[int, ...]:
    """The shape of a parameter that must be there."""
    if name not in state:
        raise LayerError(f"the layer has no {name}; write its whole state dict with {SAVE}")
    if state[name].dim() != sides or 0 in state[name].shape:
        raise LayerError(f"{name} is {sized(state[name])}; it must have {sides} sides")
    return tuple(state[name].shape)


def matrices(state: Mapping[str, torch.Tensor], width: int) -> Iterator[tuple[str, torch.Tensor]]:
    """The parameters one by one: in_proj_weight is W_Q, W_K and W_V under each other."""
    if "in_proj_weight" in state:
        expect(state, "in_proj_weight", (3 * width, width))
        wide = state["in_proj_weight"].chunk(3)
    else:
        for name in SEPARATE:
            expect(state, name, (width, width))
        wide = tuple(state[name] for name in SEPARATE)
    yield from zip(("W_Q", "W_K", "W_V"), wide, strict=True)
    if "in_proj_bias" in state:
        expect(state, "in_proj_bias", (3 * width,))
        yield from zip(("b_Q", "b_K", "b_V"), state["in_proj_bias"][None].chunk(3, dim=1), strict=True)
    expect(state, "out_proj.weight", (width, width))
    yield "W_O", state["out_proj.weight"]
    if "out_proj.bias" in state:
        expect(state, "out_proj.bias", (width,))
        yield "b_O", state["out_proj.bias"][None]


def expect(state: Mapping[str, torch.Tensor], name: str, wanted: tuple[int, ...]) -> None:
    """Refuse a parameter of another shape."""
    shape = shape_of(state, name, len(wanted))
    if shape == wanted:
        return
    said = f"{name} is {sized(state[name])}; with {wanted[-1]} numbers a token it must be "
    hint = "" if name not in SEPARATE else "; only self-attention is explained, of one input"
    raise LayerError(said + "×".join(map(str, wanted)) + hint)


def sized(value: torch.Tensor) -> str:
    """A shape for people: 3×4."""
    return "×".join(map(str, value.shape)) or "a single number"


def checked_heads(heads: int | None, width: int, limits: Limits) -> int:
    """How many heads there are; a state dict does not say it."""
    possible = [count for count in range(1, min(width, limits.heads) + 1) if width % count == 0]
    if heads is None and width == 1:
        return 1
    if heads is None:
        listed = ", ".join(map(str, possible))
        raise LayerError(f"a state dict does not say how many heads it has; say --heads N (one of {listed})")
    if width % heads:
        raise LayerError(f"{width} numbers a token cannot be shared by {heads} heads equally")
    if heads > limits.heads:
        raise LayerError(f"{heads} heads; the limit is {limits.heads}, and --limit heads={heads} raises it")
    return heads


def read_tokens(text: str, places: int | None, limits: Limits) -> Rows:
    """The input: a tensor in a file, or a matrix as typed, whose numbers stay as they are."""
    if Path(text).suffix.lower() not in ENDINGS:
        return typed(text, limits)
    found = read(Path(text), limits=limits)
    if isinstance(found, Mapping) and len(found) == 1:
        found = next(iter(found.values()))
    if not isinstance(found, torch.Tensor):
        what = f"{len(found)} things" if isinstance(found, Mapping) else f"a {type(found).__name__}"
        raise LayerError(f"'{text}' holds {what}; one tensor is expected: torch.save(x, 'x.pt')")
    return spelled(one_sequence(found, batch_sides=(0, 1)), places, limits)


def typed(text: str, limits: Limits) -> Rows:
    """A matrix as typed, each number checked."""
    rows = [row.split() for row in text.replace("\n", ";").split(";") if row.strip()]
    check_tokens(len(rows), limits)
    for cell in (cell for row in rows for cell in row):
        try:
            number(cell, limits=limits)
        except ExpressionError as error:
            known = ", ".join(ENDINGS)
            said = f"'{printable(text)}' is neither a file ({known}) nor a matrix such as '1 2; 3 4'"
            raise LayerError(f"{said}: {error}") from None
    if len({len(row) for row in rows}) != 1:
        raise LayerError("the rows of the input need the same length, as in '1 2; 3 4'")
    return rows


def one_sequence(x: torch.Tensor, *, batch_sides: tuple[int, ...]) -> torch.Tensor:
    """The tokens of a single sequence, a row each; a batch of one is taken out of its batch."""
    check_tensor("the input", x, dtypes=(*FLOATS, *INTEGERS))
    if x.dim() == 3:
        side = next((side for side in batch_sides if x.shape[side] == 1), None)
        if side is None:
            raise LayerError(f"the input is {sized(x)}: more than one sequence; give a single one, n×d")
        x = x.select(side, 0)
    if x.dim() != 2 or 0 in x.shape:
        raise LayerError(f"the input is {sized(x)}; tokens are rows: n×d, or a batch of one")
    return x


def check_tokens(count: int, limits: Limits) -> None:
    """Refuse more tokens than anybody would read a solution of."""
    if not count:
        raise LayerError("the input has no tokens; write them as '1 2; 3 4', a row each")
    if count > limits.tokens:
        said = f"the input has {count} tokens; the limit is {limits.tokens} ({MEANT})"
        raise LayerError(f"{said}, and --limit tokens={count} raises it")


def spelled(tokens: torch.Tensor, places: int | None, limits: Limits = LIMITS) -> Rows:
    """The input as a problem file writes it."""
    check_tokens(len(tokens), limits)
    if tokens.shape[1] > limits.dimension:  # said of the layer already, unless the two do not fit
        raise LayerError(
            f"a token of the input has {tokens.shape[1]} numbers; the limit is {limits.dimension}"
        )
    return [[spelled_number(x, "the input", places) for x in row] for row in tokens.detach().tolist()]


def spelled_number(x: float, name: str, places: int | None) -> str:
    """A number as a decimal, or as the dyadic fraction that a float is."""
    if not isfinite(x):
        raise LayerError(f"{name} has {x} in it; a solution needs plain numbers")
    if places is None:
        return str(Fraction(x))
    text = round_rational(Fraction(x), places).text
    return text.rstrip("0").rstrip(".") if "." in text else text


def problem_text(parameters: Parameters, tokens: Rows, places: int | None) -> str:
    """The problem file, in torch's own layout."""
    width, heads = parameters.width, parameters.heads
    if len(tokens[0]) != width:
        raise LayerError(f"a token of the input has {len(tokens[0])} numbers, the layer expects {width}")
    given = {"X": tokens}
    for name, value in parameters.matrices.items():
        rows = [[spelled_number(x, name, places) for x in row] for row in value.detach().tolist()]
        # A bias of nothing but zeros, as of a layer that is not trained yet, only makes the working longer.
        if name.startswith("W") or any(cell != "0" for row in rows for cell in row):
            given[name] = rows
    return "\n".join(problem_lines(given, heads, places)) + "\n"


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
    yield f"      heads: {heads}"
    yield from (f"      {name}: {name}" for name in given if name != "X")
    yield "      divide_by: sqrt(d_k)"
    yield f"    find: [{', '.join(f'head{place}.A' for place in range(1, heads + 1))}, Z]"
    yield "    plot: weights"
