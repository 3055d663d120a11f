"""A gated recurrent unit: an update gate, a reset gate, a candidate, and a blend of old and new."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attnsolve.languages import message
from attnsolve.ops import OPS_BY_NAME, Role
from attnsolve.problem import Call
from attnsolve.recipes import recurrent
from attnsolve.recipes.base import Plan, Recipe, Setting, edited
from attnsolve.recipes.fields import Field
from attnsolve.recipes.projections import projected
from attnsolve.recipes.recurrent import SIGMOID, STATE, TANH, TIMES

BLEND, PROJECT, ADD = OPS_BY_NAME["blend"], OPS_BY_NAME["project"], OPS_BY_NAME["add"]

FIELDS = (
    recurrent.INPUT,
    recurrent.START,
    *recurrent.matrices("z", "the update gate"),
    *recurrent.matrices("r", "the reset gate"),
    *recurrent.matrices("n", "the candidate"),
    Field("c_n", "matrix", "with reset: after, the bias of the state inside the candidate", role=Role.ROW),
    Field(
        "reset",
        "choice",
        "whether the reset gate is for the state before it meets its matrix (default) or after, as in torch",
        choices=("before", "after"),
    ),
    Field(
        "update",
        "choice",
        "what the update gate is for: new, h = (1 - z) h + z n (default), or old, as in torch",
        choices=("new", "old"),
    ),
)


def build(plan: Plan, settings: Mapping[str, Any]) -> None:
    """z = σ(x W_z + h U_z), r = σ(x W_r + h U_r), n = tanh(x W_n + (r ∘ h) U_n), h' = (1 - z) ∘ h + z ∘ n."""
    if "c_n" in settings and settings.get("reset") != "after":
        plan.refuse("c_n", "a second bias of the candidate belongs to reset: after; b_n is the first one")

    def cell(inner: Plan, token: str, left: tuple[str, ...]) -> tuple[str, ...]:
        (state,) = left
        z, r = (
            recurrent.activated(inner, letter, SIGMOID, token, state, settings, before=before, after=after)
            for letter, before, after in GATES
        )
        recurrent.require_width(inner, settings["start"], "start", z)
        candidate = _after if settings.get("reset") == "after" else _before
        n = inner.call("n", TANH, candidate(inner, token, state, r, settings), title=CANDIDATE)
        both = (n, state) if settings.get("update") == "old" else (state, n)
        return (inner.call(STATE, BLEND, z, *both, title=message("The new state: blend old and new")),)

    recurrent.unroll(plan, settings, cell, start=(settings["start"],))


GATES = (
    ("z", message("Inside the update gate"), message("Update gate: the sigmoid of each number")),
    ("r", message("Inside the reset gate"), message("Reset gate: the sigmoid of each number")),
)
INSIDE = message("Inside the candidate")
CANDIDATE = message("Candidate: tanh of each number")
RESET = message("What the reset gate leaves of the state")


def _before(plan: Plan, token: str, state: str, r: str, settings: Mapping[str, Any]) -> str:
    """x W_n + (r ∘ h) U_n + b_n."""
    kept = plan.call("k", TIMES, r, state, title=RESET)
    return recurrent.recurrence(plan, "pn", token, kept, settings, "n", title=INSIDE)


def _after(plan: Plan, token: str, state: str, r: str, settings: Mapping[str, Any]) -> str:
    """x W_n + b_n + r ∘ (h U_n + c_n)."""
    came = projected(
        plan,
        "v",
        PROJECT,
        token,
        settings["W_n"],
        settings.get("b_n"),
        key="n",
        title=message("What comes in, for the candidate"),
    )
    with plan.at("U_n"):
        plan.frame(PROJECT, (state, settings["U_n"]))
    with plan.at("c_n" if "c_n" in settings else "U_n"):
        bias = (settings["c_n"],) if "c_n" in settings else ()
        turned = plan.call(
            "w", PROJECT, state, settings["U_n"], *bias, title=message("The state, for the candidate")
        )
    with plan.at("U_n"):
        kept = plan.call("k", TIMES, r, turned, title=RESET)
        return plan.call("pn", ADD, came, kept, title=INSIDE)


def _without_reset(call: Call, setting: Setting) -> Call:
    """The state itself where only what is left of it belongs."""
    makers = {name: setting.graph.maker(name) for name in call.args}
    left = {name: made.args[1] for name, made in makers.items() if made is not None and made.letter == "k"}
    return call._replace(args=tuple(left.get(name, name) for name in call.args))


def _gates_exchanged(call: Call, setting: Setting) -> Call:
    """r where z belongs, and z where r belongs."""
    if call.op not in (BLEND, TIMES):
        return call
    other = {f"{call.part}.{call.group}.{a}": f"{call.part}.{call.group}.{b}" for a, b in ("zr", "rz")}
    made = setting.graph.made
    return call._replace(
        args=tuple(other[name] if name in other and name in made else name for name in call.args)
    )


GRU = Recipe(
    name="gru",
    doc="a gated recurrent unit: update gate, reset gate, candidate and new state, token after token",
    fields=FIELDS,
    build=build,
    mistakes=(
        *recurrent.MISTAKES,
        edited(
            "reset-forgotten",
            "The candidate sees of the state only what the reset gate leaves of it.",
            _without_reset,
        ),
        edited(
            "gates-exchanged",
            "The reset gate is for the candidate, the update gate for the new state.",
            _gates_exchanged,
        ),
    ),
)
