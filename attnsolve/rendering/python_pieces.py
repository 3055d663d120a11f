"""Small pieces of Python as trees, from which compiled templates are put together."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeVar

Made = TypeVar("Made", bound=ast.stmt | ast.expr)


def loaded(name: str) -> ast.expr:
    """A variable that is read."""
    return ast.Name(name, ast.Load())


def stored(name: str) -> ast.expr:
    """A variable that is written."""
    return ast.Name(name, ast.Store())


def called(tool: ast.expr, *given: ast.expr, **named: ast.expr) -> ast.expr:
    """A call."""
    return ast.Call(tool, [*given], [ast.keyword(name, value) for name, value in named.items()])


def each_of(values: ast.expr, change: Callable[[ast.expr], ast.expr]) -> ast.expr:
    """Something made of each of several values, in a list."""
    one = "_one"
    return ast.ListComp(change(loaded(one)), [ast.comprehension(stored(one), values, [], 0)])


def function(name: str, parameters: list[str], defaults: list[ast.expr], body: list[ast.stmt]) -> ast.stmt:
    """A function; the last of its parameters have the defaults."""
    taken = ast.arguments([], [ast.arg(each) for each in parameters], None, [], [], None, defaults)
    return ast.FunctionDef(name, taken, body, [], None)


def shown(value: ast.expr) -> ast.expr:
    """A value as a piece of a text."""
    return ast.FormattedValue(value, -1, None)


def placed(made: Made, line: int) -> Made:
    """Python that stands on a line of the template that it was made of."""
    made.lineno = made.end_lineno = line
    made.col_offset = made.end_col_offset = 0
    return made


def as_read(target: ast.expr) -> ast.expr:
    """What is assigned to, read."""
    if isinstance(target, ast.Tuple):
        return ast.Tuple([*map(as_read, target.elts)], ast.Load())
    assert isinstance(target, ast.Name)
    return loaded(target.id)
