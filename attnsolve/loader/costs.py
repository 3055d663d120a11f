"""What a part wants counted: `costs: {of: a, beside: gru, sizes: [{l: 512, d: 512}]}`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attnsolve.costs import Costs, count_plans
from attnsolve.documents import Node
from attnsolve.errors import AttnsolveError
from attnsolve.graph import Graph
from attnsolve.loader.format import COSTS
from attnsolve.loader.reader import Reader, did_you_mean, listing, shortened
from attnsolve.loader.targets import Scope
from attnsolve.problem import CostRequest

LARGEST = 999_999


def read_costs(reader: Reader, node: Node, path: str, earlier: Mapping[str, bool]) -> CostRequest | None:
    """The request; `earlier` has the ids of the parts before this one, and if they have a plan."""
    before = len(reader.faults)
    entries = reader.mapping(node, path, COSTS, what="of: a")
    of = _parts(reader, entries["of"], f"{path}.of", earlier) if "of" in entries else ()
    beside = None
    if "beside" in entries:
        choices = next(field.choices for field in COSTS if field.name == "beside")
        beside = reader.choice(entries["beside"], f"{path}.beside", choices)
    sizes = [_sizes(reader, item, where) for item, where in _items(reader, entries.get("sizes"), path)]
    if len(reader.faults) > before or node.broken:
        return None
    return CostRequest(of, beside or "", tuple(sizes))


def _parts(reader: Reader, node: Node, path: str, earlier: Mapping[str, bool]) -> tuple[str, ...]:
    """The parts whose plans are counted: `a`, or `[a, b]`."""
    items = node.items if node.is_list else (node,)
    if not items:
        reader.fault(node, path, "an empty list; write the id of an earlier part, such as of: a")
    found: dict[str, None] = {}
    for item in items:
        name = reader.word(item, path, "the id of an earlier part")
        if name is None:
            continue
        if name not in earlier:
            known = [part for part, planned in earlier.items() if planned]
            parts = listing("the parts with a plan before it are", known, "no part before it has a plan")
            hint = did_you_mean(name, known) or parts
            reader.fault(item, path, f"there is no earlier part '{shortened(name)}'{hint}")
        elif not earlier[name]:
            reader.fault(item, path, f"part '{name}' has no plan whose steps could be counted")
        elif name in found:
            reader.fault(item, path, f"part '{name}' is named twice; once is enough")
        found[name] = None
    return tuple(found)


def _items(reader: Reader, node: Node | None, path: str) -> list[tuple[Node, str]]:
    """The maps of `sizes:`, each with its path; a single one needs no list."""
    if node is None:
        return []
    if not node.is_list:
        return [(node, f"{path}.sizes")]
    most = reader.limits.parts
    if not 0 < len(node.items) <= most:
        said = f"a list of 1 to {most} maps is expected here, such as [{{l: 512, d: 512}}]"
        reader.fault(node, f"{path}.sizes", said)
        return []
    return [(item, f"{path}.sizes[{number}]") for number, item in enumerate(node.items, start=1)]


def _sizes(reader: Reader, node: Node, path: str) -> dict[str, int]:
    if not node.is_map or not node.entries:
        reader.fault(node, path, "a map of sizes is expected here, such as {l: 512, d: 512}")
        return {}
    found = {}
    for key, value in node.entries:
        number = reader.integer(value, f"{path}.{key.text}", 1, LARGEST)
        found[key.text] = number if number is not None else 1
    return found


def check_costs(reader: Reader, scope: Scope, node: Node, path: str, request: CostRequest) -> None:
    """Count once while the file is read, so that whatever cannot be counted is told with its place."""
    if any(part in scope.lost for part in request.of):
        return
    try:
        costs = count_plans(
            request, Graph(scope.made.values()), scope.aliases, scope.frames, scope.layout.roles
        )
    except AttnsolveError as error:
        reader.fault(node.get("of") or node, f"{path}.of", str(error))
        return
    sizes = node.get("sizes")
    for (item, where), asked in zip(_items(reader, sizes, path), request.sizes, strict=True):
        _check_sizes(reader, item, where, costs, asked)


def _check_sizes(reader: Reader, node: Node, path: str, costs: Costs, asked: Mapping[str, Any]) -> None:
    """Every letter of the formulas has to be there, and no other; heads share widths evenly."""
    letters = ", ".join(costs.sizes)
    unknown = [key for key, _ in node.entries if key.text not in costs.sizes]
    for key in unknown:
        hint = did_you_mean(key.text, costs.sizes) or f"; the sizes are {letters}"
        reader.fault(key, path, f"there is no size '{shortened(key.text)}' in these plans{hint}")
    missing = [letter for letter in costs.sizes if letter not in asked]
    if missing and not unknown:
        reader.fault(node, path, f"the size {missing[0]} is missing; the sizes are {letters}")
    if missing or unknown:
        return
    for cost in costs.everything:
        for step in cost.steps:
            if any(number.denominator != 1 for number in step.counts.values(asked).values()):
                reader.fault(node, path, f"step {step.name} does not come out even: heads share d equally")
                return
