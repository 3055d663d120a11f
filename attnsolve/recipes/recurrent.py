"""What the recurrent networks share: tokens read one after another, each with the state before it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from attnsolve.languages import message
from attnsolve.ops import OPS_BY_NAME, Op, Role
from attnsolve.problem import Call
from attnsolve.recipes.base import Plan, Setting, edited
from attnsolve.recipes.fields import Field

RECUR, SELECT, STACK = OPS_BY_NAME["recur"], OPS_BY_NAME["select"], OPS_BY_NAME["stack"]
SIGMOID, TANH, TIMES = OPS_BY_NAME["sigmoid"], OPS_BY_NAME["tanh"], OPS_BY_NAME["times"]

# The states of all steps, a row each, and the state after one of them.
STATES, STATE = "Hs", "h"
STEP = re.compile(r"\bstep\d+\.")

INPUT = Field("input", "matrix", "what is read, a row for each step", required=True, role=Role.TOKENS)
START = Field("start", "matrix", "the state before the first step", required=True, role=Role.TOKENS)

# One step: from what comes in and what the step before left to what this one leaves, the state first.
Cell = Callable[[Plan, str, tuple[str, ...]], tuple[str, ...]]


def matrices(key: str, what: str, *, required: bool = True) -> tuple[Field, ...]:
    """The keys of one recurrence: two matrices and a bias."""
    below = f"_{key}" if key else ""
    return (
        Field(
            f"W{below}",
            "matrix",
            f"{what}: the matrix of what comes in",
            required=required,
            role=Role.WEIGHTS,
        ),
        Field(
            f"U{below}",
            "matrix",
            f"{what}: the matrix of the state before",
            required=required,
            role=Role.WEIGHTS,
        ),
        Field(f"b{below}", "matrix", f"{what}: the bias", role=Role.ROW),
    )


def unroll(plan: Plan, settings: Mapping[str, Any], cell: Cell, *, start: tuple[str, ...]) -> str:
    """Every token through the cell, one after another; the states put into one matrix at the end."""
    source = settings["input"]
    count = plan.frames[source].rows.size
    if count == 1:
        return cell(plan, source, start)[0]
    states, left = [], start
    for number in range(count):
        inner = plan.inside(f"step{number + 1}")
        inner.path = plan.path
        title = message("What comes in")
        left = cell(inner, inner.call("x", SELECT, source, rows=(number,), title=title), left)
        states.append(left[0])
    return plan.call(STATES, STACK, *states, title=message("The states of all steps"))


def recurrence(
    plan: Plan, letter: str, token: str, state: str, settings: Mapping[str, Any], key: str, *, title: str = ""
) -> str:
    """x W + h U + b; each matrix is complained about at its own key."""
    below = f"_{key}" if key else ""
    W, U, bias = (settings.get(f"{name}{below}") for name in "WUb")
    assert W is not None and U is not None
    with plan.at(f"W{below}"):
        plan.frame(OPS_BY_NAME["project"], (token, W))
    with plan.at(f"U{below}"):
        plan.frame(RECUR, (token, W, state, U))
    with plan.at(f"b{below}" if bias else f"W{below}"):
        given = (bias,) if bias else ()
        return plan.call(letter, RECUR, token, W, state, U, *given, title=title)


def activated(
    plan: Plan,
    letter: str,
    op: Op,
    token: str,
    state: str,
    settings: Mapping[str, Any],
    *,
    before: str = "",
    after: str = "",
) -> str:
    """An activation of a recurrence whose matrices are called after it: z = σ(x W_z + h U_z + b_z)."""
    inside = recurrence(plan, f"p{letter}", token, state, settings, letter, title=before)
    return plan.call(letter, op, inside, title=after)


def require_width(plan: Plan, name: str, key: str, made: str) -> None:
    """Refuse a state before the first step that is not as wide as those that the cell makes."""
    has, needs = plan.frames[name].columns.size, plan.frames[made].columns.size
    if has != needs:
        plan.refuse(key, f"'{key}' has {has} numbers, but a step makes {needs}; a state keeps its width")


def _not_carried(call: Call, setting: Setting) -> Call:
    """Every step from what stands before the first one."""
    first = setting.graph.maker(STEP.sub("step1.", call.out))
    if first is None or first is call:
        return call
    pairs = zip(call.args, first.args, strict=True)
    own = f"{call.part}.{call.group}."
    return call._replace(
        args=tuple(there if STEP.search(here) and not here.startswith(own) else here for here, there in pairs)
    )


MISTAKES = (
    edited(
        "state-not-carried",
        "Each step goes on from the state that the step before it left, not from the first one.",
        _not_carried,
    ),
)
