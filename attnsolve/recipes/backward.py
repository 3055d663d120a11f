"""The way back: the gradient of a result, or of a loss, in what it was made from, by the chain rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attnsolve.graph import Graph
from attnsolve.ops.base import Role
from attnsolve.ops.running_maximum import FROM_ALL_TILES
from attnsolve.recipes.base import Plan, Recipe
from attnsolve.recipes.fields import Field
from attnsolve.recipes.gradient_step import step_down
from attnsolve.recipes.way_back import Way, parameter

FIELDS = (
    Field(
        "of",
        "matrix",
        "the earlier result that is differentiated, such as a.Z or a.L",
        required=True,
        role=Role.ANY,
    ),
    Field(
        "gradient",
        "matrix",
        "its own gradient, as large as itself; without it that of a loss: 1",
        role=Role.TOKENS,
    ),
    Field(
        "loss",
        "choice",
        "where a loss has several rows and no gradient is given: whether it is their sum (default) or mean",
        choices=("sum", "mean"),
    ),
    Field(
        "wrt",
        "values",
        "the givens and results whose gradients are wanted (default: all givens behind it): [W_Q, a.A]",
    ),
    Field(
        "jacobian", "rows", "the rows of the first softmax on the way back whose Jacobians are written out"
    ),
    Field("rate", "number", "the learning rate of a step of gradient descent, which changes what wrt names"),
    Field("again", "flag", "whether the result is worked out once more after that step (default false)"),
)


def build(plan: Plan, settings: Mapping[str, Any]) -> None:
    """Back from the result, call by call; what is used several times gets the sum of its gradients."""
    of = settings["of"]
    graph = Graph(plan.made.values())
    if graph.maker(of) is None:
        plan.refuse("of", f"{of} is given, not made, so there is nothing to go back through")
    wanted = tuple(dict.fromkeys(settings.get("wrt", {}).values())) or givens_behind(graph, of)
    way = Way(plan, graph, of, wanted)
    for name in wanted:
        if name not in way.changing:
            with plan.at("wrt"):
                plan.refuse_here(f"{of} does not depend on {name}")
        if name not in way.uses and name != of:
            with plan.at("wrt"):
                plan.refuse_here(f"{name} only runs along the tiles: {FROM_ALL_TILES}")
    way.begin(settings)
    way.go_back(settings.get("jacobian", ()))
    if "rate" in settings:
        step_down(plan, way, settings)
        return
    plan.answers.extend(way.gradients[name] for name in wanted)
    if settings.get("again"):
        plan.refuse("again", "nothing has changed without a step of gradient descent; give its rate too")


def givens_behind(graph: Graph, of: str) -> tuple[str, ...]:
    """Every given that has a share in a result and can have a gradient, in order."""
    found: dict[str, None] = {}
    for call in graph.behind([of]):
        with_rule = {rule.parameter for rule in call.op.gradients or ()}
        for place, name in enumerate(call.args):
            if graph.maker(name) is None and (
                call.op.gradients is None or parameter(call.op, place) in with_rule
            ):
                found[name] = None
    return tuple(found)


BACKWARD = Recipe(
    name="backward",
    doc="gradients of an earlier result or loss by the chain rule, and a step of gradient descent",
    fields=FIELDS,
    build=build,
)
