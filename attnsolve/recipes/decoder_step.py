"""One step of a decoder with attention: context, attentional state, read-out, loss."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attnsolve.languages import message
from attnsolve.ops import OPS_BY_NAME, Role
from attnsolve.recipes import head_mistakes, heads, projections
from attnsolve.recipes.base import Plan, Recipe
from attnsolve.recipes.fields import Field

PROJECT, JOIN, TANH = OPS_BY_NAME["project"], OPS_BY_NAME["join"], OPS_BY_NAME["tanh"]
PROBABILITIES, CROSS_ENTROPY = OPS_BY_NAME["probabilities"], OPS_BY_NAME["cross_entropy"]
ORDERS = ("context_first", "state_first")

FIELDS = (
    Field("state", "matrix", "the decoder's state: the query", required=True, role=Role.TOKENS),
    Field("states", "matrix", "the encoder's hidden states, a row each", required=True, role=Role.TOKENS),
    *heads.SETTINGS,
    Field("join", "choice", "which comes first in [c; s] (default context_first)", choices=ORDERS),
    Field("W_c", "matrix", "the layer after the attention, tanh(W_c [c; s])", role=Role.WEIGHTS),
    Field("b_c", "matrix", "its bias", role=Role.ROW),
    Field("W_y", "matrix", "the read-out over the vocabulary", role=Role.WEIGHTS),
    Field("b_y", "matrix", "its bias", role=Role.ROW),
    Field("target", "rows", "the number of the right word, for the cross-entropy"),
)


def build(plan: Plan, settings: Mapping[str, Any]) -> None:
    """c = F a, s̃ = tanh(W_c [c; s]), ŷ = softmax(W_y s̃), -ln ŷ of the right word."""
    state, states = settings["state"], settings["states"]
    # Decoders with dot-product attention do not scale; whoever does, says so.
    unscaled = settings if "multiply_by" in settings else {"divide_by": "none", **settings}
    width = plan.frames[states].columns.size
    context = heads.attention(plan, state, states, states, unscaled, d_model=width, output="C")
    both = (state, context) if settings.get("join") == "state_first" else (context, state)
    last = plan.call("G", JOIN, *both, title=message("Join the context and the decoder's state"))
    if "W_c" in settings:
        before = _layer(plan, "U", last, settings, "c", message("The layer after the attention"))
        last = plan.call("H", TANH, before, title=message("Attentional state: tanh of each number"))
    elif "b_c" in settings:
        plan.refuse("b_c", "a bias is added to a projection; give W_c too")
    if "W_y" not in settings:
        for surplus in ("b_y", "target"):
            if surplus in settings:
                plan.refuse(surplus, f"'{surplus}' belongs to the read-out; give W_y too")
        return
    logits = _layer(plan, "O", last, settings, "y", message("Read-out: a number for each word"))
    words = plan.call("Y", PROBABILITIES, logits)
    if "target" in settings:
        with plan.at("target"):
            plan.call("L", CROSS_ENTROPY, words, target=settings["target"])


def _layer(plan: Plan, letter: str, source: str, settings: Mapping[str, Any], key: str, title: str) -> str:
    weights, bias = settings[f"W_{key}"], settings.get(f"b_{key}")
    return projections.projected(plan, letter, PROJECT, source, weights, bias, key=key, title=title)


DECODER_STEP = Recipe(
    name="decoder_step",
    doc="one step of a decoder with attention over the encoder's states, up to the loss",
    fields=FIELDS,
    build=build,
    mistakes=head_mistakes.MISTAKES,
)
