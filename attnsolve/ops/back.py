"""How an op says the way back: the gradient of each of its matrices, by other ops."""

from __future__ import annotations

from collections.abc import Callable

from attnsolve.ops.base import GRADIENT, PARTIAL, RESULT, SECOND, Gradient, Op, Options, Passing, no_settings

__all__ = [
    "GRADIENT",
    "PARTIAL",
    "RESULT",
    "SECOND",
    "Passing",
    "back",
    "handed_on",
    "op_named",
    "same_settings",
]

Settings = Callable[[Passing], Options]


def op_named(name: str) -> Callable[[], Op]:
    """An op, looked up when it is needed: ops and their gradients refer to each other."""

    def found() -> Op:
        from attnsolve.ops import OPS_BY_NAME

        return OPS_BY_NAME[name]

    return found


def back(
    parameter: str,
    by: str,
    *arguments: str,
    title: str = "",
    settings: Settings = no_settings,
    partial: tuple[str, ...] = (),
    second: tuple[str, ...] = (),
) -> Gradient:
    """The gradient of a parameter by the op of this name; `partial` and `second` are ops done before it."""
    before = tuple((op_named(first[0]), first[1:]) for first in (partial, second) if first)
    return Gradient(parameter, op_named(by), arguments, title, settings, before)


def handed_on(parameter: str) -> Gradient:
    """The gradient of the result as it is."""
    return Gradient(parameter)


def same_settings(passing: Passing) -> Options:
    """The op's own."""
    return passing.options
