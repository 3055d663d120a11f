"""A recurrent network: each state is made from what comes in and the state before it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attnsolve.languages import message
from attnsolve.ops import OPS_BY_NAME
from attnsolve.recipes import recurrent
from attnsolve.recipes.base import Plan, Recipe
from attnsolve.recipes.fields import Field

ACTIVATIONS = {name: OPS_BY_NAME[op] for name, op in (("tanh", "tanh"), ("relu", "rectify"))}

FIELDS = (
    recurrent.INPUT,
    recurrent.START,
    *recurrent.matrices("", "the network"),
    Field(
        "activation",
        "choice",
        "what a state is made with: tanh (default) or relu",
        choices=tuple(ACTIVATIONS),
    ),
)


def build(plan: Plan, settings: Mapping[str, Any]) -> None:
    """h_t = tanh(x_t W + h_{t-1} U + b)."""
    op = ACTIVATIONS[settings.get("activation", "tanh")]

    def cell(inner: Plan, token: str, left: tuple[str, ...]) -> tuple[str, ...]:
        inside = recurrent.recurrence(inner, "ph", token, left[0], settings, "")
        recurrent.require_width(inner, settings["start"], "start", inside)
        return (inner.call(recurrent.STATE, op, inside, title=message("The new state")),)

    recurrent.unroll(plan, settings, cell, start=(settings["start"],))


RNN = Recipe(
    name="rnn",
    doc="a recurrent network: h_t = tanh(x_t W + h_{t-1} U + b), token after token",
    fields=FIELDS,
    build=build,
    mistakes=recurrent.MISTAKES,
)
