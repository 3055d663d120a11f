"""What a part asks for, as balls or floats, and whether two answers differ enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attnsolve.exact import Matrix
from attnsolve.exact.matrices import BallRows
from attnsolve.problem import Target
from attnsolve.variants.rough import seen_rows

Answer = list[BallRows]  # of each asked value


def asked(targets: Sequence[Target], values: Mapping[str, Matrix]) -> Answer:
    """The numbers a part asks for, as balls; what comes last is most likely to differ, so it comes first."""
    return [asked_rows(target, seen_rows(values[target.name])) for target in reversed(targets)]


def asked_rows(target: Target, rows: BallRows) -> BallRows:
    """The rows, the row or the number that a target means."""
    if target.row is None:
        return rows
    row = rows[target.row]
    return [row if target.column is None else [row[target.column]]]


def told_apart(first: Answer, second: Answer, places: int) -> bool:
    """Whether two answers are proven to differ by more than a unit somewhere, or have different shapes."""
    for a, b in zip(first, second, strict=True):
        if a is b:  # neither mistake has touched it
            continue
        if len(a) != len(b) or len(a[0]) != len(b[0]):
            return True
        for r, s in zip(a, b, strict=True):
            for x, y in zip(r, s, strict=True):
                if abs(x - y) * places > 1:
                    return True
    return False
