"""Costs in print: tables of formulas and of numbers, where two ways meet, and the same for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import reduce
from math import ceil, floor
from operator import add
from typing import Any, NamedTuple

from attnsolve.costs import Cost, Costs, Crossover, count
from attnsolve.exact.counting import OPERATIONS, Counts
from attnsolve.exact.polynomials import ONE, Polynomial
from attnsolve.problem import Part, Problem
from attnsolve.rendering import formulas, numerals
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.tables import Table, math
from attnsolve.rendering.text import Segments, formula, prose, sentence
from attnsolve.trace import Trace

ALWAYS_SHOWN = ("multiplications", "additions")
HEADINGS = {"functions": "other functions"}
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
GRU = {
    "z": r"z_t = \sigma(x_t W_z + h_{t-1} U_z)",
    "r": r"r_t = \sigma(x_t W_r + h_{t-1} U_r)",
    "n": r"n_t = \tanh(x_t W_n + (r_t \odot h_{t-1}) U_n)",
    "h": r"h_t = (1 - z_t) \odot h_{t-1} + z_t \odot n_t",
}
GRU_IN_COLUMNS = GRU | {
    "z": r"z_t = \sigma(W_z x_t + U_z h_{t-1})",
    "r": r"r_t = \sigma(W_r x_t + U_r h_{t-1})",
    "n": r"n_t = \tanh(W_n x_t + U_n (r_t \odot h_{t-1}))",
}


class Section(NamedTuple):
    """A few words and a table."""

    title: Segments
    text: tuple[Segments, ...]
    table: Table | None


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
        made.append(totals_section(trace.problem, costs))
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


def operations(*costs: Cost) -> list[str]:
    """The columns of a table: what is done at all."""
    return [
        name
        for name in OPERATIONS
        if name in ALWAYS_SHOWN or any(getattr(cost.total, name) != 0 for cost in costs)
    ]


def plan_section(trace: Trace, costs: Costs, cost: Cost) -> Section:
    """The steps of a plan that cost anything, and their sum; a head that has its own table is one line."""
    shown = operations(cost)
    part = next(part for part in trace.problem.parts if part.id == cost.name)
    notation = Notation(trace.problem, part, style="fractions", places=trace.problem.places)
    earlier = {plan.name: plan for plan in costs.plans[: costs.plans.index(cost)]}
    rows: list[tuple[Segments, ...]] = []
    told: set[str] = set()
    for step in cost.steps:
        call = trace.step(step.name).call
        if call.part in told or step.counts == Counts():
            continue
        if call.part in earlier:
            told.add(call.part)
            whole = [other.counts for other in cost.steps if trace.step(other.name).call.part == call.part]
            words = prose(f"the steps of part ({call.part})")
            rows.append((words, *counted(reduce(add, whole), shown)))
            continue
        left = math(f"{notation.symbol(call.out)} = {formulas.symbols(call, notation)}")
        rows.append((left, *counted(step.counts, shown)))
    rows.append((prose("together"), *counted(cost.total, shown)))
    table = Table((), header("step", shown), tuple(rows), has_sums=True)
    return Section(named(trace.problem, cost, dot=True), (), table)


def gru_section(problem: Problem, cost: Cost) -> Section:
    """The gates of a GRU, a token, and all tokens."""
    shown = operations(cost)
    written = GRU_IN_COLUMNS if problem.convention.tokens == "columns" else GRU
    rows: list[tuple[Segments, ...]]
    rows = [(math(written[step.name]), *counted(step.counts, shown)) for step in cost.steps]
    rows.append((prose("one token"), *counted(cost.once, shown)))
    rows.append((prose("all $l$ tokens"), *counted(cost.total, shown)))
    said = sentence(
        "It reads one token after the other, without biases; ",
        formula(r"\odot"),
        " multiplies number by number.",
    )
    table = Table((), header("step", shown), tuple(rows), has_sums=True)
    return Section(prose("A GRU of the same width."), (said,), table)


def totals_section(problem: Problem, costs: Costs) -> Section:
    """Every plan in one line, and last what they are compared with."""
    shown = operations(*costs.everything)
    rows = [(named(problem, cost), *counted(cost.total, shown)) for cost in costs.everything]
    table = Table((), header("plan", shown), tuple(rows), has_sums=costs.beside is not None)
    return Section(prose("Side by side." if len(rows) > 1 else "Together."), (), table)


def numbers_section(costs: Costs) -> Section:
    """The same in numbers, for the sizes of the exercise and for those that are asked for."""
    shown = operations(*costs.everything)
    rows: list[tuple[Segments, ...]] = []
    for sizes in (costs.sizes, *costs.asked):
        for place, cost in enumerate(costs.everything):
            left = math(at_sizes(sizes, costs.sizes)) if place == 0 else ()
            values = cost.total.values(sizes)
            numbers = [math(grouped(values[name])) for name in shown]
            rows.append((left, named(None, cost), *numbers))
    head = (prose("sizes"), *header("plan", shown))
    return Section(prose("In numbers."), (), Table((), head, tuple(rows)))


def comparison_section(costs: Costs) -> Section:
    """Where each plan is cheaper than the GRU."""
    said = tuple(compared(costs, name, found) for name, found in costs.crossovers().items())
    return Section(prose("Which needs fewer multiplications?"), said, None)


def compared(costs: Costs, name: str, found: Crossover) -> Segments:
    """Up to which length a plan needs fewer multiplications than the GRU."""
    plan = next(cost for cost in costs.plans if cost.name == name)
    assert costs.beside is not None
    smaller, larger = (in_print(cost.total.multiplications) for cost in (plan, costs.beside))
    start = f"Part ({name}) needs "
    if found.verdict in ("always", "never", "equal"):
        sign = {"always": "<", "never": ">", "equal": "="}[found.verdict]
        word = {"always": "fewer than", "never": "more than", "equal": "as many as"}[found.verdict]
        end = formula(f"{smaller} {sign} {larger}")
        return sentence(f"{start}{word} the GRU, whatever the sizes: ", end, ".")
    condition = formula(f"{smaller} < {larger}")
    begun = (f"{start}fewer than the GRU when ", condition)
    if found.verdict in ("below", "above"):
        sign = "<" if found.verdict == "below" else ">"
        bound = formula(f"l {sign} {quotient(found.top, found.bottom)}")
        return sentence(*begun, ", that is, when ", bound, *lengths(costs, found), ".")
    divided = formula("{} < {}".format(*map(in_print, found.sides)))
    again = () if divided == condition else (", that is, when ", divided)
    why = ", whatever " if found.verdict == "independent" else "; this gives no single bound for "
    return sentence(*begun, *again, why, formula("l"), ".")


def lengths(costs: Costs, found: Crossover) -> list[tuple[bool, str]]:
    """The last (or first) whole l for each choice of the other sizes: `; for d = 512 up to l = 1537`."""
    told: dict[tuple[tuple[bool, str], ...], None] = {}
    for sizes in (costs.sizes, *costs.asked):
        others = {name: value for name, value in sizes.items() if name in found.saved.names and name != "l"}
        bound = found.top.value(sizes) / found.bottom.value(sizes)
        if found.verdict == "above":
            limit = sentence("from ", formula(f"l = {max(1, floor(bound) + 1)}"), " on")
        elif bound > 1:
            limit = sentence("up to ", formula(f"l = {ceil(bound) - 1}"))
        else:
            limit = sentence("never")
        where = sentence("for ", formula(at_sizes(others, others)), " ") if others else ()
        told[(*where, *limit)] = None
    return [piece for words in told for piece in ((False, "; "), *words)]


def sequential_steps(costs: Costs) -> Segments:
    """How many steps have to wait for each other."""
    return sentence(
        "A plan has as many steps for a long sequence as for a short one, each a calculation with whole "
        "matrices in which no token waits for another: ",
        formula("O(1)"),
        " steps one after another. The GRU needs ",
        formula("h_{t-1}"),
        " before it can find ",
        formula("h_t"),
        ": ",
        formula("O(l)"),
        " steps one after another.",
    )


def named(problem: Problem | None, cost: Cost, *, dot: bool = False) -> Segments:
    """`part (a): The core`, with its title if the problem is told; or the GRU."""
    if cost.name == "gru":
        return prose("GRU")
    title = next((part.title for part in problem.parts if part.id == cost.name), "") if problem else ""
    start = f"{'Part' if dot else 'part'} ({cost.name})"
    return sentence(start, ": " if title else "", prose(title), "." if dot else "")


def header(first: str, shown: Sequence[str]) -> tuple[Segments, ...]:
    """The heads of the columns."""
    return (prose(first), *(prose(HEADINGS.get(name, name)) for name in shown))


def counted(counts: Counts, shown: Sequence[str]) -> list[Segments]:
    """A row of formulas."""
    return [math(in_print(getattr(counts, name))) for name in shown]


def in_print(count: Polynomial) -> str:
    """A polynomial as maths: `2 l^{2} d - l d`."""
    terms = []
    for monomial, coefficient in count.ordered():
        factors = [letter(name) + (f"^{{{power}}}" if power > 1 else "") for name, power in monomial]
        terms.append(numerals.times(coefficient, " ".join(factors), "fractions"))
    return numerals.joined(terms)


def quotient(top: Polynomial, bottom: Polynomial) -> str:
    """A bound, as a fraction where it does not divide."""
    return in_print(top) if bottom == ONE else rf"\frac{{{in_print(top)}}}{{{in_print(bottom)}}}"


def letter(name: str) -> str:
    """`d_{k}` for d_k."""
    base, _, below = name.partition("_")
    return f"{base}_{{{below}}}" if below else base


def at_sizes(sizes: Mapping[str, int], order: Mapping[str, int]) -> str:
    """`l = 512, d = 512`."""
    return r",\ ".join(f"{letter(name)} = {sizes[name]}" for name in order)


def grouped(number: Fraction) -> str:
    """A whole number with a thin space before every three digits, when it is long."""
    return f"{number.numerator:,}".replace(",", r"\,") if number >= 10_000 else str(number.numerator)


def record(problem: Problem, part: Part, settings: Settings) -> dict[str, Any]:
    """The same for programs: formulas as text, numbers as whole numbers."""
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


__all__ = ["Section", "record", "sections"]
