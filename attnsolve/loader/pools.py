"""Pools in a sheet file: exercises of which each paper of an exam has some, all of them worth the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from attnsolve.documents import Node
from attnsolve.loader.reader import shortened
from attnsolve.marks import in_figures
from attnsolve.problem import Problem
from attnsolve.scheme import total_of

SUCH_AS_POOL = "choose: 2, of: [a.yaml, b.yaml, c.yaml], points: 10"


def is_pool(node: Node) -> bool:
    """Whether an entry of `exercises:` is a pool of them."""
    return node.is_map and any(key.text in ("choose", "of") for key, _ in node.entries)


def exercise_nodes(root: Node) -> list[Node]:
    """Every exercise of a sheet file, those of pools among them, in order."""
    return [one for item in root.items_of("exercises") for one in exercises_in(item)]


def exercises_in(item: Node) -> tuple[Node, ...]:
    """The exercises of an entry of `exercises:`, which is one itself or a pool of them."""
    return item.items_of("of") if is_pool(item) else (item,)


def unfit_choice(node: Node, count: int) -> str:
    """Why so many cannot be chosen of `count` exercises; nothing if they can."""
    text = node.text.strip()
    if node.is_text and re.fullmatch(r"[0-9]{1,4}", text) and 1 <= int(text) <= count:
        return ""
    typed = f"'{shortened(text)}'" if node.is_text else "this"
    return f"{typed} of {count} exercises cannot be drawn; write a whole number from 1 to {count}"


def unequal(problems: Sequence[Problem | None], worth: Fraction | None) -> Iterator[tuple[int, str]]:
    """The places of exercises that are not worth what the others are, each with what would be right."""
    worths = [None if one is None else sum(total_of(one, part) for part in one.parts) for one in problems]
    first = next((own for own in worths if own is not None), None)
    for place, own in enumerate(worths):
        if own is None or own == (first if worth is None else worth):
            continue
        here, there = in_figures(Fraction(own)), in_figures(Fraction(first or 0))
        said = f"the first of its pool {there}; all must be worth the same: write points: … beside choose:"
        if worth is not None:
            points = in_figures(worth)
            said = f"each of its pool {points}; write points: {points} here, or leave them out"
        yield place, f"this exercise is worth {here}, and {said}"


def repeated(problems: Sequence[Problem | None], sheet: str) -> Iterator[tuple[int, str]]:
    """The places of exercises that stand in a pool a second time: somebody would get them twice."""
    seen: set[tuple[str, tuple[str, ...]]] = set()
    for place, problem in enumerate(problems):
        if problem is None or problem.file == sheet:
            continue
        name = (problem.file, tuple(part.id for part in problem.parts))
        if name in seen:
            yield place, "this exercise stands in the pool already; leave it out, or choose other parts of it"
        seen.add(name)
