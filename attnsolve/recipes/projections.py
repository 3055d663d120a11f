"""Queries, keys and values: projected from tokens, through a narrow latent, or as the file gives them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attnsolve.languages import message
from attnsolve.ops import OPS_BY_NAME, Op, Role
from attnsolve.recipes.base import Plan
from attnsolve.recipes.fields import Field

SELECT, PROJECT = OPS_BY_NAME["select"], OPS_BY_NAME["project"]

PROJECTIONS = (
    Field("W_Q", "matrix", "projection of the queries", role=Role.WEIGHTS),
    Field("W_K", "matrix", "projection of the keys", role=Role.WEIGHTS),
    Field("W_V", "matrix", "projection of the values", role=Role.WEIGHTS),
    Field(
        "W_DKV",
        "matrix",
        "keys and values are made of the tokens times this matrix, which makes them narrower",
        role=Role.WEIGHTS,
    ),
    Field("b_Q", "matrix", "bias of the queries", role=Role.ROW),
    Field("b_K", "matrix", "bias of the keys", role=Role.ROW),
    Field("b_V", "matrix", "bias of the values", role=Role.ROW),
)

# Beside the context of a recipe, where keys and values do not come from the same tokens.
VALUE_CONTEXT = Field(
    "value_context",
    "matrix",
    "the tokens that values come from, if not those of the keys; a row for each key",
    role=Role.TOKENS,
)

TITLES = {
    "Q": message("Queries: project the tokens"),
    "K": message("Keys: project the tokens"),
    "V": message("Values: project the tokens"),
}


def project(plan: Plan, letter: str, source: str, settings: Mapping[str, Any], *, out: str = "") -> str:
    """`Q = X W_Q + b_Q` when the file gives W_Q, else the source itself; `out` is another letter for it."""
    weights, bias = settings.get(f"W_{letter}"), settings.get(f"b_{letter}")
    if weights is None:
        if bias is not None:
            plan.refuse(f"b_{letter}", f"a bias is added to a projection; give W_{letter} too")
        return source
    title = TITLES[letter]
    return projected(plan, out or letter, PROJECT, source, weights, bias, key=letter, title=title)


def latent(plan: Plan, source: str, settings: Mapping[str, Any]) -> str:
    """What keys and values are made of: the tokens, or a narrow latent of them, all that a cache keeps."""
    down = settings.get("W_DKV")
    if down is None:
        return source
    for needed in ("W_K", "W_V"):
        if needed not in settings:
            plan.refuse("W_DKV", f"the latent is projected to keys and values; give {needed} too")
    with plan.at("W_DKV"):
        title = message("Latent: tokens made narrow, for keys and values")
        return plan.call("L", PROJECT, source, down, title=title)


def keys_and_values(plan: Plan, context: str, settings: Mapping[str, Any]) -> tuple[str, str]:
    """K and V of the context; the values are of tokens of their own where the file has some."""
    seen = latent(plan, context, settings)
    valued = settings.get(VALUE_CONTEXT.name, seen)
    if valued is not seen and "W_DKV" in settings:
        plan.refuse(VALUE_CONTEXT.name, "a latent is made of one context; leave W_DKV or this out")
    rows, wanted = plan.frames[valued].rows.size, plan.frames[seen].rows.size
    if rows != wanted:
        plan.refuse(VALUE_CONTEXT.name, f"each key has a value: {wanted} tokens are expected, not {rows}")
    return project(plan, "K", seen, settings), project(plan, "V", valued, settings)


def projected(
    plan: Plan, letter: str, op: Op, source: str, weights: str, bias: str | None, *, key: str, title: str = ""
) -> str:
    """A projection; its matrix and its bias are each complained about at their own key."""
    with plan.at(f"W_{key}"):
        plan.frame(op, (source, weights))
    with plan.at(f"b_{key}"):
        return plan.call(letter, op, source, weights, *((bias,) if bias else ()), title=title)


def only(plan: Plan, source: str, rows: tuple[int, ...] | None) -> str:
    """The tokens that ask: all of them, or the chosen ones."""
    if rows is None:
        return source
    with plan.at("queries"):
        return plan.call("X", SELECT, source, rows=rows)
