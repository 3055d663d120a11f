"""A trace with letters at chosen numbers, so that torch can be asked about every formula in it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from attnsolve.exact import Matrix, matrix_of_cells
from attnsolve.exact.formulas.cells import Formula
from attnsolve.exact.formulas.letters import Letters
from attnsolve.exact.formulas.values import at
from attnsolve.exact.masked import Masked
from attnsolve.problem import Call
from attnsolve.statements.tree import Name
from attnsolve.trace import Step, Trace
from attnsolve.working import Num

Point = Mapping[Name, Fraction]


def at_numbers(trace: Trace) -> Trace:
    """The same steps with numbers for the letters: formulas are put to the test, not carried out anew."""
    assert trace.problem.assumptions is not None
    point = Letters(trace.problem.assumptions.symbols).point()
    givens = {
        name: given._replace(value=valued(given.value, point)) for name, given in trace.problem.givens.items()
    }
    parts = tuple(
        part._replace(calls=tuple(valued_call(call, point) for call in part.calls))
        for part in trace.problem.parts
    )
    steps = tuple(valued_step(step, point) for step in trace.steps)
    return Trace(trace.problem._replace(givens=givens, parts=parts), steps)


def valued_step(step: Step, point: Point) -> Step:
    """A step with numbers in its matrices and settings."""
    inputs = tuple(valued(value, point) for value in step.inputs)
    made = valued(step.value, point)
    return Step(valued_call(step.call, point), inputs, made, made)


def valued_call(call: Call, point: Point) -> Call:
    """A call with numbers in its settings."""
    return call._replace(options={name: valued_option(value, point) for name, value in call.options.items()})


def valued_option(value: Any, point: Point) -> Any:
    """A setting; only a number can have letters."""
    if isinstance(value, Num) and isinstance(value.cell, Formula):
        return Num(at(value.cell.tree, point))
    return value


def valued(matrix: Matrix, point: Point) -> Matrix:
    """A matrix with numbers for its letters."""
    if isinstance(matrix, Masked):
        return Masked(valued(matrix.base, point), matrix.keep)
    if matrix.kind != "formula":
        return matrix
    rows, columns = map(range, matrix.shape)
    cells = [[matrix.cell(i, j) for j in columns] for i in rows]
    return matrix_of_cells(
        [[at(cell.tree, point) if isinstance(cell, Formula) else cell for cell in row] for row in cells]
    )
