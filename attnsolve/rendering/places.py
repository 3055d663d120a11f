"""Which number of a value is meant, counted as the sheet counts and as one types it: `[2, 1]`, `[3]`."""

from __future__ import annotations

from attnsolve.inner_values import inner_calls
from attnsolve.ops.base import Axis, Frame
from attnsolve.problem import Problem
from attnsolve.problem_set import Asked, owner


def place(asked: Asked, name: str, cell: tuple[int, int] | None) -> str:
    """The indices of a number in brackets: one for a vector, two in the order of the printed matrix."""
    if cell is None:
        return ""
    problem, name = owner(asked, name)
    frame = frame_of(problem, name)
    row, column = (
        along(problem, axis, number) for axis, number in zip((frame.rows, frame.columns), cell, strict=True)
    )
    if frame.rows.size == 1:
        return f"[{column}]"
    if frame.columns.size == 1:
        return f"[{row}]"
    turned = problem.convention.turns(None, frame)
    return f"[{column}, {row}]" if turned else f"[{row}, {column}]"


def along(problem: Problem, axis: Axis, number: int) -> int:
    """A place on a side as the sheet counts it: where only some tokens ask, the second is still number 2."""
    return (number if axis.tokens is None else axis.tokens[number]) + problem.index_from


def frame_of(problem: Problem, name: str) -> Frame:
    """What the sides of a value stand for, also of one inside a step that nobody has asked for."""
    if name in problem.frames:
        return problem.frames[name]
    inside = (call for group in inner_calls(problem.calls()).values() for call in group)
    call = next(call for call in inside if call.out == name)
    frames = {key: given.frame for key, given in problem.givens.items()} | dict(problem.frames)
    return call.op.frame(*(frames[argument] for argument in call.args), **call.options)
