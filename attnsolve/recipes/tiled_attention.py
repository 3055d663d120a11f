"""Attention tile by tile: a maximum, a sum and an output that run along and are rescaled (online softmax)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attnsolve.exact import Matrix
from attnsolve.languages import message
from attnsolve.ops import OPS_BY_NAME, Op, Role, rescaling, running_output, running_sum
from attnsolve.problem import Call
from attnsolve.recipes import attend, head_mistakes, masks, projections
from attnsolve.recipes.base import FieldError, Plan, Recipe, Setting, edited
from attnsolve.recipes.fields import Field
from attnsolve.recipes.scores import compared

TILE, SELECT, STACK, CONCATENATE, SUBTRACT = (
    OPS_BY_NAME[name] for name in ("tile", "select", "stack", "concatenate", "subtract")
)
MAXIMUM, SHIFTED = OPS_BY_NAME["running_maximum"], OPS_BY_NAME["shifted_exponentials"]
RESCALING = OPS_BY_NAME["rescaling"]
SUM, OUTPUT, OVER_SUM = (OPS_BY_NAME[name] for name in ("running_sum", "running_output", "over_sum"))
MOST_KEYS = 512

FIELDS = (
    Field(
        "tile",
        "count",
        "how many keys are in a tile; the last may have fewer",
        required=True,
        low=1,
        high=MOST_KEYS,
    ),
    *(field for field in attend.FIELDS if field.name not in ("given_weights", "weights")),
    Field(
        "whole",
        "matrix",
        "the output of the same attention without tiles; it is subtracted, and nothing is left",
        role=Role.TOKENS,
    ),
)
VALUES = message("Values of this tile")
ROW = message("Maximum, sum and output after this tile")
LEDGER = message("The ledger: maximum, sum and output after each tile")
DIFFERENCE = message("Less the output without tiles: nothing is left")


class Running:
    """What runs along the tiles: the names of the maximum, the sum and the output so far."""

    def __init__(self) -> None:
        self.maximum: tuple[str, ...] = ()
        self.sum: tuple[str, ...] = ()
        self.output: tuple[str, ...] = ()


def build(plan: Plan, settings: Mapping[str, Any]) -> None:
    """m = max(m, S), r = e^{m' - m}, P = e^{S - m}, l = r l' + P 1, O = r O' + P V for each tile; Z = O/l."""
    if masks.QUERIES in settings.get("mask", {}):
        with plan.at("mask"):
            plan.refuse(
                masks.QUERIES, "tiles have no weights that could be set to 0; leave these queries out"
            )
    scores, V = _compared(plan, settings)
    keys, values, size = plan.frames[scores].columns.size, plan.frames[V].rows.size, settings["tile"]
    if keys != values:
        with plan.at("values"):
            plan.frame(OPS_BY_NAME["mix"], (scores, V))
    if size > keys:
        plan.refuse("tile", f"a tile of {size} keys, but there are only {keys}")
    running, rows = Running(), []
    for number, start in enumerate(range(0, keys, size), start=1):
        inner = plan.inside(f"tile{number}") if size < keys else plan
        inner.path = plan.path
        rows.append(_tile(inner, scores, V, range(start, min(start + size, keys)), running))
    if len(rows) > 1:
        plan.call("Lg", STACK, *rows, title=LEDGER)
    output = plan.call("Z", OVER_SUM, *running.output, *running.sum)
    if "whole" in settings:
        with plan.at("whole"):
            plan.call("D", SUBTRACT, output, settings["whole"], title=DIFFERENCE)


def _compared(plan: Plan, settings: Mapping[str, Any]) -> tuple[str, str]:
    """The scores that are exponentiated, and the values."""
    if "scores" not in settings:
        Q, K, V = attend.projected(plan, settings)
        width = plan.frames[settings["keys"]].columns.size
        return compared(plan, Q, K, settings, d_model=width), V
    if "values" not in settings:
        raise FieldError((), "the key 'values' is missing; say which values are averaged, such as values: V")
    return attend.given_scores(plan, settings), projections.project(plan, "V", settings["values"], settings)


def _tile(plan: Plan, scores: str, V: str, keys: range, running: Running) -> str:
    """One tile: its scores and values, and what they change; gives its line of the ledger back."""
    if len(keys) < plan.frames[scores].columns.size:
        scores = plan.call("S", TILE, scores, start=keys.start, stop=keys.stop)
        V = plan.call("V", SELECT, V, title=VALUES, rows=tuple(keys))
    maximum = plan.call("m", MAXIMUM, scores, *running.maximum)
    factor: tuple[str, ...] = ()
    if running.maximum:
        factor = (plan.call("r", RESCALING, *running.maximum, maximum),)
    powers = plan.call("P", SHIFTED, scores, maximum)
    running.sum = (plan.call("l", SUM, powers, *factor, *running.sum),)
    running.output = (plan.call("O", OUTPUT, powers, V, *factor, *running.output),)
    running.maximum = (maximum,)
    return plan.call("Lg", CONCATENATE, maximum, *running.sum, *running.output, title=ROW)


def _by(op: Op, rule: Callable[..., Matrix]) -> Callable[[Call, Setting], Call]:
    """Every call of an op that goes on from an earlier tile, done by a wrong rule."""

    def change(call: Call, setting: Setting) -> Call:
        goes_on = call.op is op and len(call.args) == len(op.parameters)
        return call._replace(op=op._replace(rule=rule)) if goes_on else call

    return change


MISTAKES = (
    edited(
        "factor-left-out",
        "Sums and outputs of earlier tiles belong to an older maximum: rescale both.",
        _by(RESCALING, rescaling.not_rescaled),
    ),
    edited(
        "old-sum-not-rescaled",
        "The old sum belongs to the old maximum: rescale it before you add to it.",
        _by(SUM, running_sum.not_rescaled),
    ),
    edited(
        "old-output-not-rescaled",
        "The old output belongs to the old maximum: rescale it before you add to it.",
        _by(OUTPUT, running_output.not_rescaled),
    ),
)

TILED_ATTENTION = Recipe(
    name="tiled_attention",
    doc="attention tile by tile, with a maximum, a sum and an output that run along (online softmax)",
    fields=FIELDS,
    build=build,
    mistakes=(*MISTAKES, *head_mistakes.MISTAKES),
)
