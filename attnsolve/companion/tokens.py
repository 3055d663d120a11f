"""The input of a layer: a tensor in a file, or a matrix as typed; one sequence, a token a row."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from attnsolve.companion.listing import FLOATS, Rows, check_tensor, sized, spelled_number
from attnsolve.companion.parameters import MEANT
from attnsolve.companion.weights import ENDINGS, printable, read
from attnsolve.errors import ExpressionError, LayerError
from attnsolve.expressions import number
from attnsolve.limits import LIMITS, Limits

INTEGERS = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)


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


def as_tensor(x: Any) -> torch.Tensor:
    """A tensor as it is, and lists of numbers as one."""
    try:
        return x if isinstance(x, torch.Tensor) else torch.tensor(x, dtype=torch.float64)
    except (TypeError, ValueError, RuntimeError) as error:
        raise LayerError(f"the input is no tensor of numbers: {error}") from None


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
