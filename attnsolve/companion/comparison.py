"""One comparison of our numbers with torch's: the largest difference, in ulps too, and a verdict."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import torch

from attnsolve.companion.floats import BITS, number
from attnsolve.companion.tensors import Precision
from attnsolve.exact import Matrix
from attnsolve.exact.infinity import HIDDEN

# Half the step between float64 numbers near 1, of which math.ulp knows.
DOUBLE = 2.0**-53


@dataclass(frozen=True, slots=True)
class Comparison:
    """What was compared with what, and what came of it: `agrees`, `precision` or `disagrees`."""

    name: str
    against: str
    precision: str
    verdict: str
    difference: float = 0.0
    ulps: float = 0.0
    allowed: float = 0.0
    cell: tuple[int, int] | None = None  # tokens as rows, counted from 0
    place: tuple[int, int] | None = None  # the same as the sheet has it and counts it
    ours: str = ""
    theirs: str = ""
    underflows: int = 0
    overflows: int = 0
    explained: tuple[str, ...] = ()
    cause: str = ""

    @property
    def fine(self) -> bool:
        """Whether torch and we agree, as far as the precision can tell."""
        return self.verdict != "disagrees"


def compare(
    name: str,
    against: str,
    ours: Matrix,
    theirs: torch.Tensor,
    allowed: torch.Tensor,
    form: Precision,
    *,
    explained: tuple[str, ...] = (),
) -> Comparison:
    """The certified values of a matrix against torch's numbers, each within what its conditioning allows."""
    if tuple(theirs.shape) != ours.shape:
        shape = "×".join(map(str, theirs.shape))
        cause = f"torch's result is {shape}, ours is {ours.shape[0]}×{ours.shape[1]}"
        return Comparison(name, against, form.name, "disagrees", explained=explained, cause=cause)
    most = float(allowed[allowed.isfinite()].max()) if allowed.isfinite().any() else 0.0
    seen = Comparison(name, against, form.name, "agrees", explained=explained, allowed=most)
    worst = 0.0
    for i, j, cell in ours.cells():
        found, room = float(theirs[i, j]), float(allowed[i, j])
        if cell is HIDDEN and found == float("-inf"):
            continue
        # A float is a number exactly, so the ball of the difference is as good as the ball of the cell.
        ball = cell.ball(BITS)
        if is_beyond(ball, found, form):
            seen = replace(seen, overflows=seen.overflows + 1)
            continue
        distance = abs(ball - found)
        vanished = found == 0.0 and not cell.is_zero()
        near = number(cell)
        # What may be 0 for all that floats can tell is not measured in the tiny steps of numbers next to 0.
        counted = abs(near) > room and not vanished and not ball.contains(0)
        seen = replace(
            seen,
            difference=max(seen.difference, size(distance)),
            ulps=max(seen.ulps, size(distance) / ulp(near, form)) if counted else seen.ulps,
            underflows=seen.underflows + vanished,
        )
        # A ball that may hold torch's number does not speak against it; a nan agrees with nothing.
        if (distance > room or found != found) and (size(distance) / room > worst or seen.fine):
            worst = size(distance) / room
            shown = cell.decimals(12).text
            seen = replace(
                seen, verdict="disagrees", cell=(i, j), ours=shown, theirs=repr(found), allowed=room
            )
    return seen


def is_beyond(ball: Any, found: float, form: Precision) -> bool:
    """Whether torch has an infinity because a number is larger than all that the precision holds."""
    return math.isinf(found) and bool(ball > form.largest if found > 0 else ball < -form.largest)


def size(distance: Any) -> float:
    """A distance for people to read; what is not a number is infinitely far away."""
    upper = float(distance.upper())
    return upper if upper == upper else float("inf")


def ulp(value: float, form: Precision) -> float:
    """The step between the numbers of a precision near a value."""
    return math.ulp(value) * (form.unit / DOUBLE) if math.isfinite(value) else float("inf")
