"""A long short-term memory: three gates, a memory that is kept, and a state that is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attnsolve.languages import message
from attnsolve.ops import OPS_BY_NAME, Role
from attnsolve.problem import Call
from attnsolve.recipes import recurrent
from attnsolve.recipes.base import Plan, Recipe, Setting, edited
from attnsolve.recipes.fields import Field
from attnsolve.recipes.recurrent import SIGMOID, STATE, TANH, TIMES

GATE = OPS_BY_NAME["gate"]

FIELDS = (
    recurrent.INPUT,
    recurrent.START,
    Field("memory", "matrix", "the memory before the first step", required=True, role=Role.TOKENS),
    *recurrent.matrices("i", "the input gate"),
    *recurrent.matrices("f", "the forget gate"),
    *recurrent.matrices("n", "the new memory"),
    *recurrent.matrices("o", "the output gate"),
)

PIECES = (
    ("i", SIGMOID, message("Inside the input gate"), message("Input gate: the sigmoid of each number")),
    ("f", SIGMOID, message("Inside the forget gate"), message("Forget gate: the sigmoid of each number")),
    ("n", TANH, message("Inside the new memory"), message("New memory: tanh of each number")),
    ("o", SIGMOID, message("Inside the output gate"), message("Output gate: the sigmoid of each number")),
)


def build(plan: Plan, settings: Mapping[str, Any]) -> None:
    """c' = f ∘ c + i ∘ n and h' = o ∘ tanh(c'), where i, f, o are σ(x W + h U + b) and n is tanh of such."""

    def cell(inner: Plan, token: str, left: tuple[str, ...]) -> tuple[str, ...]:
        state, memory = left
        i, f, n, o = (
            recurrent.activated(inner, letter, op, token, state, settings, before=before, after=after)
            for letter, op, before, after in PIECES
        )
        recurrent.require_width(inner, settings["start"], "start", o)
        with inner.at("memory"):
            kept = inner.call("c", GATE, f, memory, i, n, title=message("The memory: keep some, add some"))
        seen = inner.call("t", TANH, kept, title=message("Tanh of the memory"))
        return inner.call(
            STATE, TIMES, o, seen, title=message("The new state: what the output gate shows")
        ), kept

    recurrent.unroll(plan, settings, cell, start=(settings["start"], settings["memory"]))


def _without_tanh(call: Call, setting: Setting) -> Call | None:
    return None if call.op is TANH and call.letter == "t" else call


LSTM = Recipe(
    name="lstm",
    doc="a long short-term memory: input, forget and output gate, memory and state, token after token",
    fields=FIELDS,
    build=build,
    mistakes=(
        *recurrent.MISTAKES,
        edited(
            "memory-without-tanh",
            "The output gate is for the tanh of the memory, not for the memory itself.",
            _without_tanh,
        ),
    ),
)
