"""Positions: an encoding for each token, added to it or put beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attnsolve.languages import message
from attnsolve.ops import OPS_BY_NAME, Op, Role
from attnsolve.recipes.base import FieldError, Plan, Recipe
from attnsolve.recipes.fields import Field

WAVES, SELECT = OPS_BY_NAME["waves"], OPS_BY_NAME["select"]
LEARNED = "learned"
ENCODINGS = {"sinusoidal": OPS_BY_NAME["sinusoid"], "one_hot": OPS_BY_NAME["one_hot"]}
# Vaswani et al. add their waves; a one-hot code would drown in a sum, so it is put beside the token.
USUALLY = {"sinusoidal": "add", "one_hot": "concatenate", LEARNED: "add"}
WAYS = (*ENCODINGS, LEARNED)
FIRST = ("0", "1")
LONGEST = 512

FIELDS = (
    Field("input", "matrix", "the tokens, a row each; not needed when places are given", role=Role.TOKENS),
    Field("places", "matrix", "sinusoidal: the places to encode, without tokens: 0; 1; 2", role=Role.TOKENS),
    Field("encoding", "choice", "sinusoidal (default), one_hot, or learned, from a table", choices=WAYS),
    Field(
        "table",
        "matrix",
        "learned: the codes, a row for each place, as many as tokens or more",
        role=Role.TOKENS,
    ),
    Field(
        "combine",
        "choice",
        "add (default of sinusoidal and learned), concatenate (default of one_hot), or none",
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


OPTIONS = ("width", "base", "frequencies_from", "positions_from", "length")


def build(plan: Plan, settings: Mapping[str, Any]) -> None:
    """P = encoding(X), then E = X + P or E = [X | P]."""
    encoding = settings.get("encoding", "sinusoidal")
    if "places" in settings:
        _waves(plan, settings)
        return
    if "input" not in settings:
        raise FieldError((), "the key 'input' is missing; say input: X, or places: 0; 1; 2")
    if encoding == LEARNED:
        codes = _learned(plan, settings)
    else:
        op = ENCODINGS[encoding]
        if "table" in settings:
            plan.refuse("table", f"{encoding} positions have no 'table'; say encoding: learned")
        options = _options(plan, op, settings, f"{encoding} positions have no")
        with plan.at("width" if "width" in settings else "length" if "length" in settings else "input"):
            codes = plan.call("P", op, settings["input"], **options)
    combine = settings.get("combine", USUALLY[encoding])
    with plan.at("combine" if "combine" in settings else "width"):
        if combine == "add":
            title = message("Add the positions to the tokens")
            plan.call("E", OPS_BY_NAME["add"], settings["input"], codes, title=title)
        elif combine == "concatenate":
            title = message("Put the positions beside the tokens")
            plan.call("E", OPS_BY_NAME["join"], settings["input"], codes, title=title)


def _learned(plan: Plan, settings: Mapping[str, Any]) -> str:
    """The first rows of a table, one for each token."""
    if "table" not in settings:
        raise FieldError((), "the key 'table' is missing; say which codes were learned, such as table: P")
    for surplus in OPTIONS:
        if surplus in settings:
            plan.refuse(surplus, f"learned positions have no '{surplus}'")
    table: str = settings["table"]
    tokens, codes = plan.frames[settings["input"]].rows.size, plan.frames[table].rows.size
    if codes < tokens:
        plan.refuse("table", f"{codes} codes for {tokens} tokens; each place needs a row")
    if codes == tokens:
        return table
    with plan.at("table"):
        return plan.call("P", SELECT, table, rows=tuple(range(tokens)))


def _waves(plan: Plan, settings: Mapping[str, Any]) -> None:
    """The codes of some places, whatever stands there."""
    if settings.get("encoding", "sinusoidal") != "sinusoidal":
        plan.refuse("encoding", "places are encoded by waves; other codes need an input")
    for surplus in ("input", "combine", "table"):
        if surplus in settings:
            plan.refuse(surplus, f"'{surplus}' is about tokens, but places are encoded without any")
    if "width" not in settings:
        raise FieldError((), "the key 'width' is missing: how many numbers a code has, such as width: 4")
    options = _options(plan, WAVES, settings, "given places have no")
    with plan.at("width" if settings["width"] % 2 else "places"):
        plan.call("P", WAVES, settings["places"], **options)


def _options(plan: Plan, op: Op, settings: Mapping[str, Any], complaint: str) -> dict[str, Any]:
    """What is set for an op; a setting that only another encoding has is refused."""
    known = {option.name: option for option in op.options}
    options: dict[str, Any] = {}
    for name in OPTIONS:
        if name not in settings:
            continue
        if name not in known:
            plan.refuse(name, f"{complaint} '{name}'")
        with plan.at(name):
            value = settings[name]
            options[name] = plan.option(known[name], value, {}) if name == "base" else value
    return options


POSITIONS = Recipe(
    name="positions",
    doc="positional encodings, sinusoidal, one-hot or learned, added to the tokens or put beside them",
    fields=FIELDS,
    build=build,
)
