"""A decoding step with a cache: only the new token is projected, the keys and values before it are kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attnsolve.languages import message
from attnsolve.ops import OPS_BY_NAME, Axis, Family, Role
from attnsolve.problem import Call
from attnsolve.recipes import head_mistakes, heads, multi_head, projections
from attnsolve.recipes.base import Plan, Recipe, Setting, edited, present
from attnsolve.recipes.fields import Field
from attnsolve.recipes.scores import turn

STACK, SUBTRACT, SELECT = OPS_BY_NAME["stack"], OPS_BY_NAME["subtract"], OPS_BY_NAME["select"]
LONGEST = 512

FIELDS = (
    Field("input", "matrix", "the new token, one row", required=True, role=Role.TOKENS),
    Field(
        "cache_keys",
        "matrix",
        "the keys of the tokens before it, a row each",
        required=True,
        role=Role.TOKENS,
    ),
    Field("cache_values", "matrix", "their values, a row each", required=True, role=Role.TOKENS),
    Field(
        "cached",
        "count",
        "how many rows of cache_keys and cache_values are in the cache (default: all)",
        low=1,
        high=LONGEST,
    ),
    Field(
        "whole",
        "matrix",
        "the output of a causal run over all tokens; its row of the new token is compared",
        role=Role.TOKENS,
    ),
    Field("heads", "count", "how many heads share the columns (default 1)", low=1, high=64),
    multi_head.KV_HEADS,
    *projections.PROJECTIONS,
    Field("W_O", "matrix", "the output matrix", role=Role.WEIGHTS),
    Field("b_O", "matrix", "the output bias", role=Role.ROW),
    *heads.SETTINGS,
)
TITLES = {"K": message("The new key joins the cache"), "V": message("The new value joins the cache")}
# What the new rows are called before they join the cache.
NEW = {"K": "kn", "V": "vn"}


def build(plan: Plan, settings: Mapping[str, Any]) -> None:
    """q, k and v of the new token; k and v join K and V; softmax(q Kᵀ/√d) V."""
    token = settings["input"]
    if plan.frames[token].rows.size != 1:
        plan.refuse("input", f"{plan.frames[token].rows.size} tokens; a decoding step has one, the new one")
    _check(plan, settings)
    cache = {"K": _kept(plan, "K", settings, "cache_keys"), "V": _kept(plan, "V", settings, "cache_values")}
    place = plan.frames[cache["K"]].rows.size
    Q = _placed(plan, projections.project(plan, "Q", token, settings), token, place)
    joined = {}
    for letter, kept in cache.items():
        new = projections.project(plan, letter, token, settings, out=NEW[letter])
        new = _placed(plan, new, token, place)
        if letter == "K":
            new = turn(plan, "K", new, settings)
        with plan.at("cache_keys" if letter == "K" else "cache_values"):
            joined[letter] = plan.call(letter, STACK, kept, new, title=TITLES[letter])
    output = _attended(plan, turn(plan, "Q", Q, settings), joined, settings)
    if "whole" in settings:
        _compared(plan, output, place, settings["whole"])


def _check(plan: Plan, settings: Mapping[str, Any]) -> None:
    """Refuse what cannot be told of a token whose place is known only after its projection."""
    placing = settings.get("position")
    if "W_Q" not in settings and ("mask" in settings or placing is not None):
        key = present(settings, "position", "mask")
        plan.refuse(key, f"'{key}' asks for the place of the new token; give W_Q, W_K and W_V too")
    if placing is not None and placing.op.family is Family.ROTATION and settings.get("heads", 1) > 1:
        plan.refuse("heads", "a cache of turned keys has one head here; write each head as a step of its own")


def _kept(plan: Plan, letter: str, settings: Mapping[str, Any], key: str) -> str:
    """The rows that are in the cache."""
    name, count = settings[key], settings.get("cached")
    if count is None or count == plan.frames[name].rows.size:
        return str(name)
    with plan.at("cached"):
        return plan.call(f"{letter}c", SELECT, name, rows=tuple(range(count)))


def _placed(plan: Plan, name: str, token: str, place: int) -> str:
    """A projection of the new token, which stands after all that is cached."""
    if name != token:
        frame = plan.frames[name]
        plan.frames[name] = frame._replace(rows=Axis(1, (place,), frame.rows.labels))
    return name


def _attended(plan: Plan, Q: str, joined: Mapping[str, str], settings: Mapping[str, Any]) -> str:
    """What the new token gets, from one head or several, after the output matrix if there is one."""
    placing = settings.get("position")
    turned = placing is not None and placing.op.family is Family.ROTATION
    own = {key: value for key, value in settings.items() if key != "position" or not turned}
    width = plan.frames[settings["input"]].columns.size
    count = settings.get("heads", 1)
    if count > 1 or multi_head.KV_HEADS.name in settings:
        wide = {"Q": Q, **joined}
        parts = multi_head.heads_of(plan, wide, own, count, d_model=width)
        mixed = plan.call("C", multi_head.CONCATENATE, *parts)
    else:
        output = "C" if "W_O" in settings else "Z"
        mixed = heads.attention(plan, Q, joined["K"], joined["V"], own, d_model=width, output=output)
    if "W_O" not in settings:
        return mixed
    weights, bias = settings["W_O"], settings.get("b_O")
    return projections.projected(plan, "Z", multi_head.OUTPUT, mixed, weights, bias, key="O")


def _compared(plan: Plan, output: str, place: int, whole: str) -> None:
    """The output less the same row of the run over all tokens: nothing is left."""
    with plan.at("whole"):
        row = plan.call("Y", SELECT, whole, rows=(place,))
        title = message("Less the same row of the run over all tokens: nothing is left")
        plan.call("D", SUBTRACT, output, row, title=title)


def _not_joined(call: Call, setting: Setting) -> Call | None:
    """The new token sees the cache alone."""
    return None if call.op is STACK and call.letter in NEW else call


CACHED_STEP = Recipe(
    name="cached_step",
    doc="one step of decoding: a new token attends to the cached keys and values and to itself",
    fields=FIELDS,
    build=build,
    mistakes=(
        *head_mistakes.MISTAKES,
        edited(
            "new-token-left-out",
            "The new token sees itself too: its key and value join the cache.",
            _not_joined,
        ),
    ),
)
