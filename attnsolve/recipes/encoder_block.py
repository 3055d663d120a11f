"""The encoder block of a Transformer: attention, residual, layer norm, feed-forward; one layer or several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attnsolve.recipes import blocks, multi_head
from attnsolve.recipes.base import Plan, Recipe, present
from attnsolve.recipes.fields import Field
from attnsolve.recipes.self_attention import INPUT

# What a layer may have of its own.
LAYER = (
    *blocks.ATTENTION,
    *blocks.norms(2),
    *blocks.FEED_FORWARD,
    Field("parallel", "flag", "true: attention and feed-forward read the same normed tokens, side by side"),
)

FIELDS = (
    INPUT,
    *LAYER,
    Field("layers", "layers", "how many such layers, or what each has of its own", fields=LAYER),
)


def build(plan: Plan, settings: Mapping[str, Any]) -> None:
    """One layer, or several on top of each other."""
    stacked(plan, settings["input"], settings)


def stacked(plan: Plan, tokens: str, settings: Mapping[str, Any], *, context: str | None = None) -> str:
    """The tokens after one layer, or after several on top of each other; a decoder's look at a context."""
    layers = settings.get("layers")
    if layers is None:
        return _layer(plan, tokens, settings, context)
    own = [{}] * layers if isinstance(layers, int) else layers
    for number, layer in enumerate(own, start=1):
        inner = plan.inside(f"layer{number}")
        with plan.at(*(("layers", number - 1) if layer else ())):
            inner.path = plan.path
            tokens = _layer(inner, tokens, {**settings, **layer}, context)
    return tokens


def _layer(plan: Plan, tokens: str, settings: Mapping[str, Any], context: str | None) -> str:
    """LN(X + attention), LN(… + attention to a context) if there is one, then LN(… + feed-forward)."""
    blocks.check_norms(plan, settings)
    key = present(settings, "W_O", "W_V", "heads", "input")

    def attend(source: str) -> str:
        return blocks.attention(plan, source, settings)

    if settings.get("parallel"):
        if context is not None:
            plan.refuse("parallel", "a layer that looks at an encoder has its steps one after another")
        return blocks.side_by_side(plan, tokens, settings, attend, key=key)
    middle = blocks.sublayer(plan, 1, tokens, settings, attend, key=key)
    if context is None:
        return blocks.feed_forward(plan, 2, middle, settings)
    return blocks.feed_forward(plan, 3, blocks.looking(plan, middle, settings, context), settings)


ENCODER_BLOCK = Recipe(
    name="encoder_block",
    doc="a Transformer's encoder: attention, residual, layer norm and feed-forward, in one layer or several",
    fields=FIELDS,
    build=build,
    mistakes=(*multi_head.MULTI_HEAD.mistakes, *blocks.MISTAKES),
)
