"""Tensors whose numbers can simply be listed, and each number as a problem file writes it."""

from __future__ import annotations

from fractions import Fraction
from math import isfinite

import torch

from attnsolve.errors import LayerError
from attnsolve.exact.decimals import round_rational

Rows = list[list[str]]

FLOATS = (torch.float64, torch.float32, torch.float16, torch.bfloat16)


def check_tensor(name: str, value: torch.Tensor, *, dtypes: tuple[torch.dtype, ...] = FLOATS) -> None:
    """Refuse tensors whose numbers cannot simply be listed."""
    if value.layout != torch.strided or value.is_quantized or value.device.type == "meta":
        raise LayerError(f"{name} is no plain tensor of numbers; store it dense, in float32 or float64")
    if value.dtype not in dtypes:
        known = ", ".join(str(dtype).removeprefix("torch.") for dtype in FLOATS)
        raise LayerError(f"{name} is {str(value.dtype).removeprefix('torch.')}; only {known} are read")


def sized(value: torch.Tensor) -> str:
    """A shape for people: 3×4."""
    return "×".join(map(str, value.shape)) or "a single number"


def spelled_number(x: float, name: str, places: int | None) -> str:
    """A number as a decimal, or as the dyadic fraction that a float is."""
    if not isfinite(x):
        raise LayerError(f"{name} has {x} in it; a solution needs plain numbers")
    if places is None:
        return str(Fraction(x))
    text = round_rational(Fraction(x), places).text
    return text.rstrip("0").rstrip(".") if "." in text else text
