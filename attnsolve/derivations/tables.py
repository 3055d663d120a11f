"""Weights for chosen numbers: every combination that the assumptions allow, with certified decimals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import product as combinations
from math import prod

from attnsolve.derivations.attention import Solved
from attnsolve.derivations.derivation import Table, TableRow
from attnsolve.derivations.numbers import at, is_allowed
from attnsolve.derivations.steps import weight_symbol
from attnsolve.errors import AttnsolveError
from attnsolve.exact.formulas.letters import Letters
from attnsolve.statements.tree import Name, Tree, names, number

MOST_ROWS = 200


def table(solved: Solved, chosen: Mapping[Name, tuple[Fraction, ...]]) -> Table:
    """A row for each combination of the chosen numbers."""
    subjects: list[tuple[Tree, Tree]] = []
    several = len(solved.heads) > 1
    for place, head in enumerate(solved.heads, start=1):
        for group in solved.groups(head):
            subjects.append((weight_symbol(group[0], place if several else 0), head.weights[group[0]]))
    needed = {name for _, tree in subjects for name in names(tree)}
    points, left_out = chosen_points(chosen, needed, solved.setting)
    rows = tuple(
        TableRow(row, tuple(value_at(solved, symbol, tree, point) for symbol, tree in subjects))
        for row, point in points
    )
    return Table(tuple(chosen), tuple(symbol for symbol, _ in subjects), rows, left_out)


Point = tuple[tuple[tuple[Name, Tree], ...], dict[Name, Fraction]]


def chosen_points(
    chosen: Mapping[Name, tuple[Fraction, ...]],
    needed: Iterable[Name],
    setting: Letters,
    *,
    most: int = MOST_ROWS,
) -> tuple[list[Point], int]:
    """Every combination of chosen numbers that the assumptions allow, and how many they forbid."""
    missing = sorted(f"{name.name}" for name in needed if name not in chosen)
    if missing:
        raise AttnsolveError(f"the table needs numbers for {', '.join(missing)} too")
    count = prod(map(len, chosen.values()))
    if count > most:
        raise AttnsolveError(f"this table has {count} rows; the limit is {most}")
    points = [dict(zip(chosen, values, strict=True)) for values in combinations(*chosen.values())]
    allowed = [point for point in points if is_allowed(point, setting)]
    if points and not allowed:
        raise AttnsolveError("the assumptions allow none of these numbers")
    rows: list[Point] = []
    for point in allowed:
        rows.append((tuple((name, number(value)) for name, value in point.items()), point))
    return rows, len(points) - len(allowed)


def value_at(solved: Solved, symbol: Tree, tree: Tree, point: Mapping[Name, Fraction]) -> object | None:
    """A weight at chosen numbers; None of keys that are not there."""
    index = symbol.index[-1] if isinstance(symbol, Name) else ""
    if index not in solved.setting.named:
        others = at(solved.setting.rest, point).rational()
        if others is not None and others <= 0:
            return None
    return at(tree, point)
