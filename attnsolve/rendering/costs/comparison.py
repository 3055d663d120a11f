"""Which of two ways is cheaper, and from which number of tokens on."""

from __future__ import annotations

from math import ceil, floor

from attnsolve.costs import Costs, Crossover
from attnsolve.rendering.costs.sizes import at_sizes, in_print, quotient
from attnsolve.rendering.text import Segments, formula, sentence


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
