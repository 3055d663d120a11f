"""Costs in print: how they are counted, tables of formulas and of numbers, where two ways meet."""

from __future__ import annotations

from attnsolve.costs import Costs, count
from attnsolve.problem import Part
from attnsolve.rendering.costs.comparison import compared, sequential_steps
from attnsolve.rendering.costs.sizes import letter
from attnsolve.rendering.costs.tables import (
    Section,
    gru_section,
    numbers_section,
    plan_section,
    totals_section,
)
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.text import Segments, formula, prose, sentence
from attnsolve.trace import Trace

# What a letter counts; a width that is not here is called after its matrix.
MEANINGS = {
    "l": "the number of tokens",
    "m": "the number of the other tokens",
    "n": "the number of the third tokens",
    "d": "the width of a token",
    "d_k": "the width of a query and a key",
    "d_v": "the width of a value",
}
OTHER_WIDTH = "another width"


def sections(trace: Trace, part: Part, settings: Settings) -> tuple[Section, ...]:
    """What a part has counted: the rules, each plan step by step, the totals, numbers, a comparison."""
    if part.costs is None:
        return ()
    costs = count(trace.problem, part)
    made = []
    if settings.detail != "result":
        made.append(Section((), (how_it_is_counted(costs),), None))
        made += [plan_section(trace, costs, cost) for cost in costs.plans]
        if costs.beside is not None:
            made.append(gru_section(trace.problem, costs.beside))
    if not made or len(costs.everything) > 1:
        made.append(totals_section(trace, costs, told=bool(made)))
    made.append(numbers_section(costs))
    if costs.beside is not None:
        made.append(comparison_section(costs))
        made.append(Section(prose("One after another."), (sequential_steps(costs),), None))
    return tuple(made)


def how_it_is_counted(costs: Costs) -> Segments:
    """The letters, and the rules of the game."""
    described: list[tuple[bool, str]] = []
    for place, name in enumerate(costs.sizes):
        before = "" if place == 0 else " and " if place == len(costs.sizes) - 1 else ", "
        described += sentence(before, formula(letter(name)), f" is {MEANINGS.get(name, OTHER_WIDTH)}")
    return sentence(
        "Here ",
        described,
        "; sizes that are equal in this exercise share a letter. An ",
        formula(r"a \times b"),
        " matrix times a ",
        formula(r"b \times c"),
        " one takes ",
        formula("abc"),
        " multiplications and ",
        formula("ac(b - 1)"),
        " additions; subtractions count as additions, and transposing, copying and comparing is free.",
    )


def comparison_section(costs: Costs) -> Section:
    """Where each plan is cheaper than the GRU."""
    said = [compared(costs, name, found) for name, found in costs.crossovers().items()]
    said += [
        sentence(f"Part ({plan.name}) is not counted to the end, so that it cannot be compared.")
        for plan in costs.plans
        if plan.uncounted
    ]
    return Section(prose("Which needs fewer multiplications?"), tuple(said), None)


__all__ = ["Section", "sections"]
