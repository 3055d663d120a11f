"""Positions: an encoding for each token, added to it or put beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attnsolve.ops import OPS_BY_NAME
from attnsolve.recipes.base import Field, Plan, Recipe
from attnsolve.recipes.self_attention import INPUT

ENCODINGS = {"sinusoidal": OPS_BY_NAME["sinusoid"], "one_hot": OPS_BY_NAME["one_hot"]}
# Vaswani et al. add their waves; a one-hot code would drown in a sum, so it is put beside the token.
USUALLY = {"sinusoidal": "add", "one_hot": "concatenate"}
FIRST = ("0", "1")
LONGEST = 512

FIELDS = (
    INPUT,
    Field("encoding", "choice", "sinusoidal (default) or one_hot", choices=tuple(ENCODINGS)),
    Field(
        "combine",
        "choice",
        "add (default of sinusoidal), concatenate (default of one_hot), or none",
        choices=("add", "concatenate", "none"),
    ),
    Field("width", "count", "sinusoidal: numbers in a code (default: as in a token)", low=1, high=LONGEST),
    Field("base", "number", "sinusoidal: the base of the wavelengths (default 10000)"),
    Field(
        "frequencies_from",
        "choice",
        "sinusoidal: the first k of base^(-2k/d), 0 as Vaswani et al. (default) or 1",
        choices=FIRST,
    ),
    Field("positions_from", "choice", "sinusoidal: the place of the first token (default 0)", choices=FIRST),
    Field(
        "length", "count", "one_hot: numbers in a code (default: the number of tokens)", low=1, high=LONGEST
    ),
)


def build(plan: Plan, settings: Mapping[str, Any]) -> None:
    """P = encoding(X), then E = X + P or E = [X | P]."""
    encoding = settings.get("encoding", "sinusoidal")
    op = ENCODINGS[encoding]
    known = {option.name: option for option in op.options}
    options: dict[str, Any] = {}
    for field in FIELDS[3:]:
        if field.name not in settings:
            continue
        if field.name not in known:
            plan.refuse(field.name, f"{encoding} positions have no '{field.name}'")
        value = settings[field.name]
        with plan.at(field.name):
            options[field.name] = plan.option(known[field.name], value, {}) if field.name == "base" else value
    with plan.at("width" if "width" in settings else "length" if "length" in settings else "input"):
        codes = plan.call("P", op, settings["input"], **options)
    combine = settings.get("combine", USUALLY[encoding])
    with plan.at("combine" if "combine" in settings else "width"):
        if combine == "add":
            title = "Add the positions to the tokens"
            plan.call("E", OPS_BY_NAME["add"], settings["input"], codes, title=title)
        elif combine == "concatenate":
            title = "Put the positions beside the tokens"
            plan.call("E", OPS_BY_NAME["join"], settings["input"], codes, title=title)


POSITIONS = Recipe(
    name="positions",
    doc="positional encodings, sinusoidal or one-hot, added to the tokens or put beside them",
    fields=FIELDS,
    build=build,
)
