"""Which of two ways is cheaper, and from which number of tokens on."""

from __future__ import annotations

from math import ceil, floor

from attnsolve.costs import Costs, Crossover
from attnsolve.languages import message
from attnsolve.rendering.costs.sizes import at_sizes, in_print, quotient
from attnsolve.rendering.sentences import begun
from attnsolve.rendering.text import Piece, Segments, formula, in_a_row, say

# Whatever the sizes: how the two numbers compare, and what is said of that.
SETTLED = {
    "always": ("<", message("Part ({part}) needs fewer than the GRU, whatever the sizes: {comparison}.")),
    "never": (">", message("Part ({part}) needs more than the GRU, whatever the sizes: {comparison}.")),
    "equal": ("=", message("Part ({part}) needs as many as the GRU, whatever the sizes: {comparison}.")),
}
WHEN = message("Part ({part}) needs fewer than the GRU when {condition}.")
THAT_IS = message("Part ({part}) needs fewer than the GRU when {condition}, that is, when {divided}.")


def compared(costs: Costs, name: str, found: Crossover) -> Segments:
    """Up to which length a plan needs fewer multiplications than the GRU."""
    plan = next(cost for cost in costs.plans if cost.name == name)
    assert costs.beside is not None
    smaller, larger = (in_print(cost.total.multiplications) for cost in (plan, costs.beside))
    if found.verdict in SETTLED:
        sign, words = SETTLED[found.verdict]
        return say(words, part=name, comparison=formula(f"{smaller} {sign} {larger}"))
    condition = formula(f"{smaller} < {larger}")
    places: dict[str, Piece] = {"part": name, "condition": condition, "l": formula("l")}
    if found.verdict in ("below", "above"):
        sign = "<" if found.verdict == "below" else ">"
        bound = formula(f"l {sign} {quotient(found.top, found.bottom)}")
        return in_a_row((say(THAT_IS, **places, divided=bound), lengths(costs, found)))
    divided = formula("{} < {}".format(*map(in_print, found.sides)))
    first = say(WHEN, **places) if divided == condition else say(THAT_IS, **places, divided=divided)
    if found.verdict == "independent":
        return in_a_row((first, say("This holds whatever {l} is.", **places)))
    return in_a_row((first, say("This gives no single bound for {l}.", **places)))


def lengths(costs: Costs, found: Crossover) -> Segments:
    """The last (or first) whole l for each choice of the other sizes: `For d = 512 up to l = 1537.`"""
    told: dict[Segments, None] = {}
    for sizes in (costs.sizes, *costs.asked):
        others = {name: value for name, value in sizes.items() if name in found.saved.names and name != "l"}
        bound = found.top.value(sizes) / found.bottom.value(sizes)
        if found.verdict == "above":
            limit = say("from {length} on", length=formula(f"l = {max(1, floor(bound) + 1)}"))
        elif bound > 1:
            limit = say("up to {length}", length=formula(f"l = {ceil(bound) - 1}"))
        else:
            limit = say("never")
        if others:
            limit = say("for {sizes} {limit}", sizes=formula(at_sizes(others, others)), limit=limit)
        told[limit] = None
    return begun(say("{limits}.", limits=[piece for words in told for piece in ((False, "; "), *words)][1:]))


def sequential_steps(costs: Costs) -> Segments:
    """How many steps have to wait for each other."""
    return say(
        "A plan has as many steps for a long sequence as for a short one, each a calculation with whole "
        "matrices in which no token waits for another: {constant} steps one after another. The GRU needs "
        "{before} before it can find {after}: {linear} steps one after another.",
        constant=formula("O(1)"),
        before=formula("h_{t-1}"),
        after=formula("h_t"),
        linear=formula("O(l)"),
    )
