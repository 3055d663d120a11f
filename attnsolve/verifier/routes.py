"""Other sound routes: scores written the other way round, or divided by √d before they are named."""

from __future__ import annotations

from collections.abc import Mapping

from attnsolve.exact import Matrix
from attnsolve.exact.cells import divide
from attnsolve.trace import Step, Trace
from attnsolve.verifier.intervals import fits
from attnsolve.verifier.placing import Grid
from attnsolve.verifier.scheme import Scheme
from attnsolve.working import evaluate


def goes_with(grid: Grid, value: Matrix, scheme: Scheme, *, across: bool = False) -> bool:
    """Whether every written number is that of a value, or of its transpose."""
    places = ((j, i) if across else (i, j) for i, j, _ in grid.numbers())
    if across and grid.shape[0] != grid.shape[1]:
        return False
    return all(
        fits(written, value.cell(*place), truncation=scheme.truncation)
        for place, (_, _, written) in zip(places, grid.numbers(), strict=True)
    )


def other_route(trace: Trace, step: Step, grids: Mapping[str, Grid], scheme: Scheme) -> str:
    """What somebody has done in another order, in a few words; nothing when it is no sound route."""
    grid = grids[step.call.out]
    if goes_with(grid, step.value, scheme, across=True) and goes_on_right(trace, step, grids, scheme):
        return "written with rows and columns exchanged, and used so"
    for later in trace.steps:
        if later.call.op.name == "divide" and later.call.args[0] == step.call.out:
            if goes_with(grid, later.value, scheme):
                return "already divided by the scale"
        elif later.call.op.name == "dot" and later.call.args[0] == step.call.out:
            scaled = next(
                (s for s in trace.steps if s.call.op.name == "divide" and s.call.args[0] == later.call.out),
                None,
            )
            if scaled is not None:
                by = evaluate(scaled.call.options["by"])
                if all(
                    fits(written, divide(step.value.cell(i, j), by), truncation=scheme.truncation)
                    for i, j, written in grid.numbers()
                ):
                    return "the queries are divided by the scale already"
    return ""


def goes_on_right(trace: Trace, step: Step, grids: Mapping[str, Grid], scheme: Scheme) -> bool:
    """Whether the next written value that depends on a step is right, either way round."""
    behind = {step.call.out}
    for later in trace.steps:
        if behind & set(later.call.args):
            behind.add(later.call.out)
            grid = grids.get(later.call.out)
            if grid is not None and any(True for _ in grid.numbers()):
                return goes_with(grid, later.value, scheme) or goes_with(
                    grid, later.value, scheme, across=True
                )
    return False
