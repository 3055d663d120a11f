"""One step of gradient descent: what is wanted moves against its gradient, and the result is made anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attnsolve.ops import OPS_BY_NAME
from attnsolve.recipes.base import Plan
from attnsolve.recipes.way_back import Way

DESCEND = OPS_BY_NAME["descend"]
# Behind this stands what the plan makes of matrices after a step of gradient descent.
NEW = "new"


def step_down(plan: Plan, way: Way, settings: Mapping[str, Any]) -> None:
    """One step of gradient descent for each given that is wanted; then, if asked, the result once more."""
    inner = plan.inside(NEW)
    inner.path = plan.path
    renamed = {}
    for name in way.wanted:
        if way.graph.maker(name) is not None:
            plan.refuse("rate", f"{name} is a result; only givens take a step, so leave it out of wrt")
        with plan.at("rate"):
            rate = plan.option(DESCEND.options[0], settings["rate"], {})
            renamed[name] = inner.call(name.rpartition(".")[2], DESCEND, name, way.gradients[name], rate=rate)
        role = plan.layout.roles.get(name)
        plan.frames[renamed[name]] = plan.frames[renamed[name]]._replace(role=role)
    plan.answers.extend(renamed.values())
    if not settings.get("again"):
        return
    for call in way.graph.behind([way.of]):
        if renamed.keys().isdisjoint(call.args):
            continue
        args = [renamed.get(argument, argument) for argument in call.args]
        letter = f"{way.group(call.out)}{call.letter}"
        if f"{inner.prefix}.{letter}" in plan.frames:  # two parts have such a value
            letter = f"{letter}_{call.part}"
        renamed[call.out] = inner.call(
            letter, call.op, *args, title=call.title, named=call.named, **call.options
        )
    plan.answers.append(renamed[way.of])
