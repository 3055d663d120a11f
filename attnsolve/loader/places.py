"""Where a file says what a step does: the key that chose its op, or else the nearest map around it."""

from __future__ import annotations

import re

from attnsolve.documents import Node
from attnsolve.loader.parts import PLANS
from attnsolve.ops import Family
from attnsolve.problem import Call, Problem

# What chooses an op of a family, and the lists in which heads and layers stand.
KEYS = {
    Family.NORMALISER: "weights",
    Family.SCORE: "score",
    Family.ROTATION: "position",
    Family.BIAS: "position",
    Family.MASK: "mask",
}
LISTS = {"head": "heads", "layer": "layers"}
GROUP = re.compile(r"(head|layer|case)(\d+)|(self|cross)")

Place = tuple[Node, str]  # with its path


def place_of(root: Node, problem: Problem, call: Call) -> Place:
    """The node of a sound file, and its path, that a call of its problem comes from."""
    number = [part.id for part in problem.parts].index(call.part)
    parts = root.get("parts")
    assert parts is not None
    part = (parts.items[number], f"parts.{call.part}")
    groups = [match for piece in call.group.split(".") if (match := GROUP.fullmatch(piece))]
    key = KEYS.get(call.op.family, "") if call.op.family is not None else ""
    if groups and groups[0][1] == "case":  # what the case changes is to blame, not what all cases share
        return inner(item(inner(part, "cases"), int(groups[0][2])), key)
    found = [inner(part, way) for way in PLANS if part[0].get(way) is not None]
    if not found:  # the plan is another part's
        return inner(part, "like")
    way = found[0]
    for line in way[0].items:  # a written plan
        if line.get(call.letter) is not None:
            return inner((line, way[1]), call.letter)
    holders = [way]
    for group in groups:
        if group[3]:
            holders.append(inner(holders[-1], group[3]))
            continue
        first = problem.index_from if group[1] == "head" else 1
        holders.append(item(inner(holders[-1], LISTS[group[1]]), int(group[2]) - first + 1))
    return next((inner(holder, key) for holder in reversed(holders) if holder[0].get(key)), holders[-1])


def inner(outer: Place, key: str) -> Place:
    """The value of a key, or the map itself where it has no such key."""
    node, path = outer
    found = node.get(key)
    return outer if found is None else (found, f"{path}.{key}")


def item(outer: Place, number: int) -> Place:
    """An item of a list, counted from 1, or what stands there instead of a list."""
    node, path = outer
    return (node.items[number - 1], f"{path}[{number}]") if number <= len(node.items) else outer
