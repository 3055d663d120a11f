"""Tables of costs: each plan step by step, a GRU, the totals, and the same in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add
from typing import NamedTuple

from attnsolve.costs import Cost, Costs
from attnsolve.exact.counting import OPERATIONS, Counts
from attnsolve.languages import message, template
from attnsolve.ops import Family, Op
from attnsolve.problem import Call, Problem
from attnsolve.rendering import formulas
from attnsolve.rendering.costs.sizes import at_sizes, grouped, in_print
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.tables import Table, math
from attnsolve.rendering.text import Segments, formula, prose, say, sentence
from attnsolve.trace import Trace

ALWAYS_SHOWN = ("multiplications", "additions")
HEADINGS = {
    "multiplications": message("multiplications"),
    "additions": message("additions"),
    "divisions": message("divisions"),
    "exponentials": message("exponentials"),
    "functions": message("other functions"),
}
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


def plan_section(trace: Trace, costs: Costs, cost: Cost) -> Section:
    """The steps of a plan that cost anything, and their sum; a head that has its own table is one line."""
    shown = operations(cost)
    part = next(part for part in trace.problem.parts if part.id == cost.name)
    notation = Notation(trace.problem, part, style="fractions", places=trace.problem.places)
    earlier = {plan.name: plan for plan in costs.plans[: costs.plans.index(cost)]}
    rows: list[tuple[Segments, ...]] = []
    told: set[str] = set()
    explained: set[Op] = set()
    remarks: list[Segments] = list(left_out(trace, cost))
    for step in cost.steps:
        call = trace.step(step.name).call
        if call.part in told:
            continue
        if call.part in earlier:
            told.add(call.part)
            whole = [other.counts for other in cost.steps if trace.step(other.name).call.part == call.part]
            words = say("the steps of part ({part})", part=call.part)
            rows.append((words, *counted(reduce(add, whole), shown)))
            continue
        symbols = written(call, notation)
        if step.why:
            rows.append((math(symbols), say("not counted"), *[()] * (len(shown) - 1)))
        elif step.counts != Counts():
            rows.append((math(symbols), *counted(step.counts, shown)))
            if call.op.counted_as and call.op not in explained:
                explained.add(call.op)
                remarks.append(
                    say("{step} takes {work}.", step=formula(symbols), work=template(call.op.counted_as))
                )
        elif call.op.family is Family.NORMALISER:  # nobody looks for splits and masks here, but for weights
            remarks.append(say("{step} only compares and chooses, which is free.", step=formula(symbols)))
    rows.append((say("together"), *counted(cost.total, shown)))
    table = Table((), header(message("step"), shown), tuple(rows), has_sums=True)
    return Section(named(trace.problem, cost, dot=True), tuple(remarks), table)


def written(call: Call, notation: Notation) -> str:
    """A step in symbols: its result, and how it is made."""
    return f"{notation.symbol(call.out)} = {formulas.symbols(call, notation)}"


def left_out(trace: Trace, cost: Cost) -> tuple[Segments, ...]:
    """Which steps the sums are without, and why."""
    said = []
    for step in cost.uncounted:
        call = trace.step(step.name).call
        part = next(part for part in trace.problem.parts if part.id == call.part)
        notation = Notation(trace.problem, part, style="fractions", places=trace.problem.places)
        said.append(
            say(
                "{step} is not counted, because {why}; the sums are without it.",
                step=formula(written(call, notation)),
                why=template(step.why),
            )
        )
    return tuple(said)


def gru_section(problem: Problem, cost: Cost) -> Section:
    """The gates of a GRU, a token, and all tokens."""
    shown = operations(cost)
    gates = GRU_IN_COLUMNS if problem.convention.tokens == "columns" else GRU
    rows: list[tuple[Segments, ...]]
    rows = [(math(gates[step.name]), *counted(step.counts, shown)) for step in cost.steps]
    rows.append((say("one token"), *counted(cost.once, shown)))
    rows.append((say("all {l} tokens", l=formula("l")), *counted(cost.total, shown)))
    said = say(
        "It reads one token after the other, without biases; {sign} multiplies number by number.",
        sign=formula(r"\odot"),
    )
    table = Table((), header(message("step"), shown), tuple(rows), has_sums=True)
    return Section(say("A GRU of the same width."), (said,), table)


def totals_section(trace: Trace, costs: Costs, *, told: bool) -> Section:
    """Every plan in one line, and last what they are compared with; `told` if what is left out was named."""
    shown = operations(*costs.everything)
    rows = [(named(trace.problem, cost), *counted(cost.total, shown)) for cost in costs.everything]
    table = Table((), header(message("plan"), shown), tuple(rows), has_sums=costs.beside is not None)
    text = () if told else tuple(words for cost in costs.plans for words in left_out(trace, cost))
    return Section(say("Side by side.") if len(rows) > 1 else say("Together."), text, table)


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
    head = (say("sizes"), *header(message("plan"), shown))
    return Section(say("In numbers."), (), Table((), head, tuple(rows)))


def named(problem: Problem | None, cost: Cost, *, dot: bool = False) -> Segments:
    """`part (a): The core`, with its title if the problem is told; or the GRU."""
    if cost.name == "gru":
        return sentence("GRU")
    title = next((part.title for part in problem.parts if part.id == cost.name), "") if problem else ""
    called: Segments = say("Part ({part})", part=cost.name) if dot else say("part ({part})", part=cost.name)
    if title:
        called = say("{heading}: {title}", heading=called, title=prose(title))
    if dot:
        return say("{title}.", title=called)
    return say("{plan}, as far as it is counted", plan=called) if cost.uncounted else called


def header(first: str, shown: Sequence[str]) -> tuple[Segments, ...]:
    """The heads of the columns."""
    return (say(first), *(say(HEADINGS[name]) for name in shown))


def operations(*costs: Cost) -> list[str]:
    """The columns of a table: what is done at all."""
    return [
        name
        for name in OPERATIONS
        if name in ALWAYS_SHOWN or any(getattr(cost.total, name) != 0 for cost in costs)
    ]


def counted(counts: Counts, shown: Sequence[str]) -> list[Segments]:
    """A row of formulas."""
    return [math(in_print(getattr(counts, name))) for name in shown]
