"""The decoder block of a Transformer: masked self-attention, attention to the encoder, feed-forward."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attnsolve.ops.base import Role
from attnsolve.recipes import blocks, multi_head
from attnsolve.recipes.base import Plan, Recipe
from attnsolve.recipes.fields import Field
from attnsolve.recipes.self_attention import INPUT

SELF = "self"

FIELDS = (
    INPUT,
    Field("context", "matrix", "the encoder's output, a row each", required=True, role=Role.TOKENS),
    Field(
        SELF,
        "section",
        "the self-attention: its heads, matrices and settings; causal unless its mask says otherwise",
        fields=blocks.ATTENTION,
    ),
    blocks.LOOKING,
    *blocks.norms(3),
    *blocks.FEED_FORWARD,
)


def build(plan: Plan, settings: Mapping[str, Any]) -> None:
    """LN(X + self-attention), LN(… + attention to the context), LN(… + feed-forward)."""
    blocks.check_norms(plan, settings)
    tokens, context = settings["input"], settings["context"]
    own = {"mask": {"causal": True}, **settings.get(SELF, {})}

    def attend(source: str) -> str:
        with plan.at(SELF):
            return blocks.attention(plan.inside(SELF), source, own)

    middle = blocks.sublayer(plan, 1, tokens, settings, attend, key=SELF)
    blocks.feed_forward(plan, 3, blocks.looking(plan, middle, settings, context), settings)


DECODER_BLOCK = Recipe(
    name="decoder_block",
    doc="a Transformer's decoder layer: masked self-attention, attention to the context, and feed-forward",
    fields=FIELDS,
    build=build,
    mistakes=(
        *multi_head.MULTI_HEAD.mistakes,
        *blocks.MISTAKES,
        blocks.CONTEXT_FORGOTTEN,
    ),
)
