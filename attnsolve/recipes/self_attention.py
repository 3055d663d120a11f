"""Self-attention and cross-attention with one head: tokens in, tokens out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attnsolve.ops.base import Role
from attnsolve.recipes import head_mistakes, heads, projections
from attnsolve.recipes.base import Plan, Recipe
from attnsolve.recipes.fields import Field

INPUT = Field("input", "matrix", "the tokens, a row each", required=True, role=Role.TOKENS)
CONTEXT = Field(
    "context", "matrix", "the tokens that keys and values come from", required=True, role=Role.TOKENS
)
QUERIES = Field(
    "queries", "rows", "only these tokens ask, such as [2]", once="a token is named twice; each asks once"
)
ONE_HEAD = Field("heads", "heads", "a list with one head, when its matrices are written there")


def build(plan: Plan, settings: Mapping[str, Any]) -> None:
    """Q, K and V from the tokens, then attention."""
    tokens, context = settings["input"], settings.get("context", settings["input"])
    if "heads" not in settings:
        attend(plan, tokens, context, settings)
        return
    listed = settings["heads"]
    if not isinstance(listed, list) or len(listed) != 1 or isinstance(listed[0], str):
        plan.refuse("heads", "one head with its matrices is expected here; several heads go into multi_head")
    with plan.at("heads", 0):
        attend(plan, tokens, context, {**settings, **listed[0]})


def attend(plan: Plan, tokens: str, context: str, settings: Mapping[str, Any]) -> None:
    """One head from tokens to its output."""
    asking = projections.only(plan, tokens, settings.get("queries"))
    Q = projections.project(plan, "Q", asking, settings)
    K, V = projections.keys_and_values(plan, context, settings)
    heads.attention(plan, Q, K, V, settings, d_model=plan.frames[context].columns.size)


SELF_ATTENTION = Recipe(
    name="self_attention",
    doc="every token attends to every token, with or without projections",
    fields=(INPUT, QUERIES, ONE_HEAD, *projections.PROJECTIONS, *heads.SETTINGS),
    build=build,
    mistakes=head_mistakes.MISTAKES,
)

CROSS_ATTENTION = Recipe(
    name="cross_attention",
    doc="the tokens of `input` attend to the tokens of `context`",
    fields=(
        *(INPUT, CONTEXT, projections.VALUE_CONTEXT, QUERIES, ONE_HEAD),
        *(*projections.PROJECTIONS, *heads.SETTINGS),
    ),
    build=build,
    mistakes=head_mistakes.MISTAKES,
)
