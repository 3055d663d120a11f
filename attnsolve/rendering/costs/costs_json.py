"""Costs for programs: formulas as text, numbers as whole numbers."""

from __future__ import annotations

from typing import Any

from attnsolve.costs import Cost, Costs, Crossover, count
from attnsolve.exact.counting import OPERATIONS, Counts
from attnsolve.exact.polynomials import ONE
from attnsolve.problem import Part, Problem
from attnsolve.rendering.settings import Settings


def record(problem: Problem, part: Part, settings: Settings) -> dict[str, Any]:
    """What a part has counted."""
    costs = count(problem, part)
    return {
        "sizes": dict(costs.sizes),
        "plans": [cost_record(cost, costs, settings) for cost in costs.plans],
        "beside": None if costs.beside is None else cost_record(costs.beside, costs, settings),
        "fewer_multiplications": {name: condition(found) for name, found in costs.crossovers().items()},
    }


def cost_record(cost: Cost, costs: Costs, settings: Settings) -> dict[str, Any]:
    """One plan, step by step unless only results are wanted."""
    steps = [{"name": step.name, **texts(step.counts)} for step in cost.steps]
    return {
        "of": cost.name,
        **({"not_counted": {step.name: step.why for step in cost.uncounted}} if cost.uncounted else {}),
        **({} if settings.detail == "result" else {"steps": steps, "times": str(cost.times)}),
        "total": texts(cost.total),
        "numbers": [
            {
                "sizes": dict(sizes),
                **{name: value.numerator for name, value in cost.total.values(sizes).items()},
            }
            for sizes in (costs.sizes, *costs.asked)
        ],
    }


def texts(counts: Counts) -> dict[str, str]:
    """Formulas as SymPy reads them."""
    return {name: str(getattr(counts, name)) for name in OPERATIONS}


def condition(found: Crossover) -> str:
    """When fewer multiplications are needed than beside: `l < 3*d + 3/2`, always, never, or an inequality."""
    if found.verdict in ("below", "above"):
        sign = "<" if found.verdict == "below" else ">"
        below = "" if found.bottom == ONE else f"/({found.bottom})"
        return f"l {sign} ({found.top}){below}" if below else f"l {sign} {found.top}"
    if found.verdict in ("always", "never", "equal"):
        return "always" if found.verdict == "always" else "never"
    return "{} < {}".format(*found.sides)
