"""The decoder block of a Transformer: masked self-attention, attention to the encoder, feed-forward."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attnsolve.problem import Call
from attnsolve.recipes import blocks, multi_head
from attnsolve.recipes.base import Plan, Recipe, Setting, edited
from attnsolve.recipes.fields import Field
from attnsolve.recipes.self_attention import INPUT

SELF, CROSS = "self", "cross"

FIELDS = (
    INPUT,
    Field("context", "matrix", "the encoder's output, a row each", required=True, role="tokens"),
    Field(
        SELF,
        "section",
        "the self-attention: its heads, matrices and settings; causal unless its mask says otherwise",
        fields=blocks.ATTENTION,
    ),
    Field(
        CROSS,
        "section",
        "the attention to the context: its heads, matrices and settings",
        fields=blocks.ATTENTION,
    ),
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

    def look(source: str) -> str:
        with plan.at(CROSS):
            return blocks.attention(plan.inside(CROSS), source, settings.get(CROSS, {}), context=context)

    middle = blocks.sublayer(plan, 1, tokens, settings, attend, key=SELF)
    middle = blocks.sublayer(plan, 2, middle, settings, look, key=CROSS)
    blocks.feed_forward(plan, 3, middle, settings)


def _tokens(setting: Setting, name: str) -> str:
    """The tokens that queries or keys are made of."""
    return setting.graph.source(setting.graph.before_turning(name)).tokens


def _without_context(call: Call, setting: Setting) -> Call:
    """Keys and values from the decoder's own tokens."""
    if call.group.partition(".")[0] != CROSS:
        return call
    heads = [head for head in setting.graph.heads if head.weights.group.startswith(CROSS)]
    renamed = {
        _tokens(setting, head.keys): _tokens(setting, head.queries)
        for head in heads
        if head.keys is not None and head.queries is not None
    }
    return call._replace(args=tuple(renamed.get(name, name) for name in call.args))


DECODER_BLOCK = Recipe(
    name="decoder_block",
    doc="a Transformer's decoder layer: masked self-attention, attention to the context, and feed-forward",
    fields=FIELDS,
    build=build,
    mistakes=(
        *multi_head.MULTI_HEAD.mistakes,
        *blocks.MISTAKES,
        edited(
            "context-forgotten",
            "The keys and values of the cross-attention come from the encoder.",
            _without_context,
        ),
    ),
)
