"""Costs in print: how they are counted, tables of formulas and of numbers, where two ways meet."""

from __future__ import annotations

from attnsolve.costs import Costs, count
from attnsolve.languages import message
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
from attnsolve.rendering.text import Segments, formula, in_a_row, listed, say
from attnsolve.trace import Trace

# What a letter counts; a width that is not here is called after its matrix.
MEANINGS = {
    "l": message("{letter} is the number of tokens"),
    "m": message("{letter} is the number of the other tokens"),
    "n": message("{letter} is the number of the third tokens"),
    "d": message("{letter} is the width of a token"),
    "d_k": message("{letter} is the width of a query and a key"),
    "d_v": message("{letter} is the width of a value"),
}
OTHER_WIDTH = message("{letter} is another width")


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
        made.append(Section(say("One after another."), (sequential_steps(costs),), None))
    return tuple(made)


def how_it_is_counted(costs: Costs) -> Segments:
    """The letters, and the rules of the game."""
    described = [say(MEANINGS.get(name, OTHER_WIDTH), letter=formula(letter(name))) for name in costs.sizes]
    return in_a_row(
        (
            say(
                "Here {meanings}; sizes that are equal in this exercise share a letter.",
                meanings=listed(described),
            ),
            say(
                "An {left} matrix times a {right} one takes {products} multiplications and {sums} additions; "
                "subtractions count as additions, and transposing, copying and comparing is free.",
                left=formula(r"a \times b"),
                right=formula(r"b \times c"),
                products=formula("abc"),
                sums=formula("ac(b - 1)"),
            ),
        )
    )


def comparison_section(costs: Costs) -> Section:
    """Where each plan is cheaper than the GRU."""
    said = [compared(costs, name, found) for name, found in costs.crossovers().items()]
    said += [
        say("Part ({part}) is not counted to the end, so that it cannot be compared.", part=plan.name)
        for plan in costs.plans
        if plan.uncounted
    ]
    return Section(say("Which needs fewer multiplications?"), tuple(said), None)


__all__ = ["Section", "sections"]
