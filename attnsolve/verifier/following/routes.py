"""Other sound routes: scores the other way round, divided by √d before they are named, less the largest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from attnsolve.errors import AttnsolveError
from attnsolve.exact import Matrix, matrix_of_cells
from attnsolve.exact.cells import ZERO, subtract
from attnsolve.exact.infinity import HIDDEN
from attnsolve.exact.masked import Masked
from attnsolve.notes import NoteKind
from attnsolve.ops import OPS_BY_NAME, Family
from attnsolve.problem import Call
from attnsolve.trace import Step
from attnsolve.verifier.case import Case
from attnsolve.verifier.digits import BITS, fits, goes_with
from attnsolve.verifier.exercise import Exercise
from attnsolve.verifier.following.hidden_scores import DIVIDE, hidden_later
from attnsolve.verifier.grids import Grid
from attnsolve.working import evaluate

DOT = OPS_BY_NAME["dot"]
OF_SOFTMAX = tuple(inner.op for inner in OPS_BY_NAME["softmax"].inner)


class Route(NamedTuple):
    """What may stand for a step's value; `sound` by itself, or only if what comes later is right."""

    kind: NoteKind
    value: Matrix
    sound: bool = True


class Routes:
    """The other routes through one problem, each worked out once."""

    def __init__(self, exercise: Exercise) -> None:
        self.exercise = exercise
        self.key = exercise.key
        self.truncation = exercise.scheme.truncation
        self.keeps = hidden_later(exercise.trace)
        self._known: dict[str, list[Route]] = {}

    def taken(self, case: Case, *, turned: bool) -> NoteKind | None:
        """What somebody has done in another order; None when it is no sound route."""
        step, grids = case.step, case.calculation.grids
        if turned and self.goes_on_right(step, grids):
            return NoteKind.USED_TURNED
        try:
            if step.call.out not in self._known:
                self._known[step.call.out] = list(self.others(step))
            fitting = (
                one for one in self._known[step.call.out] if self.fits(grids[step.call.out], one.value)
            )
            return next((one.kind for one in fitting if one.sound or self.goes_on_right(step, grids)), None)
        except AttnsolveError:
            return None  # no value that could be told

    def is_across(self, grid: Grid, step: Step) -> bool:
        """Whether rows and columns of the right value are exchanged, which what comes later may bear out."""
        return grid.shape[0] == grid.shape[1] and all(
            self.key.fits(written, step, j, i) for i, j, written in grid.numbers
        )

    def is_right(self, grid: Grid, step: Step) -> bool:
        """Whether every written number is that of the right value."""
        return all(self.key.fits(written, step, i, j) for i, j, written in grid.numbers)

    def fits(self, grid: Grid, value: Matrix) -> bool:
        """Whether every written number is that of a value: seen at a glance first, then proven."""
        balls, truncation = value.balls(BITS), self.truncation
        return all(
            goes_with(written, value, balls[i][j], i, j, truncation=truncation)
            if balls[i][j].is_finite()
            else fits(written, value.cell(i, j), truncation=truncation)
            for i, j, written in grid.numbers
        )

    def others(self, step: Step) -> Iterator[Route]:
        """What may stand for a step's value in a calculation that is right all the same."""
        steps, graph = self.exercise.steps, self.exercise.graph
        users = [call for call in graph.users(step.call.out) if call.args[0] == step.call.out]
        for user in users:
            if user.op is DIVIDE:
                yield Route(NoteKind.DIVIDED_BEFORE, steps[user.out].value)
            if user.op is DOT:
                for scaling in graph.users(user.out):
                    if scaling.op is DIVIDE:
                        scaled = step.value / evaluate(scaling.options["by"])
                        yield Route(NoteKind.QUERIES_DIVIDED, scaled)
        keep = self.keeps.get(step.call.out)
        if keep is not None:
            yield Route(NoteKind.MASKED_ALREADY, Masked.of(step.value, keep))
        before = graph.maker(step.call.args[0]) if step.call.op.family is Family.MASK else None
        if before is not None and before.op is DIVIDE:
            masked = step.call.op.rule(steps[before.out].inputs[0], *step.inputs[1:], **step.call.options)
            yield Route(NoteKind.MASKED_BEFORE_SCALING, masked, sound=False)
        yield from shifted(step, users)

    def goes_on_right(self, step: Step, grids: Mapping[str, Grid]) -> bool:
        """Whether what was written from a step on is right, either way round, at least to the weights."""
        for call in self.exercise.graph.following({step.call.out}):
            later, grid = self.exercise.steps[call.out], grids.get(call.out)
            if grid is not None and grid.numbers:
                if self.is_right(grid, later):
                    return True
                if not self.is_across(grid, later):
                    return False
                if call.op.family is Family.NORMALISER:
                    return True  # only the weights tell which way the scores were read
        return False


def shifted(step: Step, users: Sequence[Call]) -> Iterator[Route]:
    """Scores less the largest of their row, which changes no weight of a softmax."""
    kind = NoteKind.LARGEST_TAKEN_OFF
    if step.call.op in OF_SOFTMAX:
        yield Route(kind, step.call.op.rule(less_largest(step.inputs[0]), **step.call.options))
    elif any(user.op.powers is not None for user in users):
        yield Route(kind, less_largest(step.value))
    elif any(user.op is DIVIDE or user.op.family is Family.MASK for user in users):
        yield Route(kind, less_largest(step.value), sound=False)


def less_largest(scores: Matrix) -> Matrix:
    """Every score less the largest of its row; what is hidden stays so."""
    if isinstance(scores, Masked):
        whole = [[scores.cell(i, j) for j in range(scores.shape[1])] for i in range(scores.shape[0])]
        seen = [[cell for cell in row if cell is not HIDDEN] for row in whole]
        largest = [row[matrix_of_cells([row]).maxima()[0][0]] for row in seen]
        rows = [
            [ZERO if cell is HIDDEN else subtract(cell, top) for cell in row]
            for row, top in zip(whole, largest, strict=True)
        ]
        return Masked(matrix_of_cells(rows), scores.keep)
    rows = []
    for i, places in enumerate(scores.maxima()):
        cells = [scores.cell(i, j) for j in range(scores.shape[1])]
        rows.append([subtract(cell, cells[places[0]]) for cell in cells])
    return matrix_of_cells(rows)
