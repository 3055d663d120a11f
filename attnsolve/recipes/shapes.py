"""Shapes as the file writes them, and what to say when two of them do not fit together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from attnsolve.ops import Frame, Op, Options
from attnsolve.problem import Convention


@dataclass(frozen=True, slots=True)
class Layout:
    """How the file lays its matrices and counts, so that messages speak of them as they were typed."""

    convention: Convention = field(default_factory=Convention)
    roles: Mapping[str, str] = field(default_factory=dict)
    index_from: int = 1

    def printed_across(self, name: str, frame: Frame) -> bool:
        """Whether the course prints a value the other way round than the engine keeps it."""
        return self.convention.turns(self.roles.get(name, ""), frame)

    def typed_across(self, name: str, frame: Frame) -> bool:
        """Whether the file has it the other way round; a list of tokens is the same in every convention."""
        return self.roles.get(name) not in ("tokens", "row") and self.printed_across(name, frame)

    def shape(self, name: str, frame: Frame) -> str:
        """`3×2`, as the file types a given or as the course prints a result."""
        rows, columns = frame.shape
        return f"{columns}×{rows}" if self.typed_across(name, frame) else f"{rows}×{columns}"


def misfit(
    op: Op, args: tuple[str, ...], frames: Mapping[str, Frame], options: Options, layout: Layout
) -> str:
    """Why an op cannot take these matrices, with their shapes and what would fit, if that is known."""
    if "rows" in options:
        return _no_such_row(args[0], frames[args[0]], options["rows"], layout)
    if op.family == "score" and len(args) == 2:
        return _unlike_widths(args, frames, layout)
    if op.roles[:2] == ("tokens", "weights"):
        return _unfit_weights(args, frames, layout)
    if op.roles == ("scores", "tokens"):
        return _unpaired_values(args, frames, layout)
    return ""


def shown(name: str) -> str:
    """The last piece of a name, which is what the file calls it."""
    return name.rpartition(".")[2]


def numbers(count: int) -> str:
    """`1 number`, `3 numbers`."""
    return "1 number" if count == 1 else f"{count} numbers"


def _no_such_row(name: str, frame: Frame, rows: tuple[int, ...], layout: Layout) -> str:
    first, size = layout.index_from, frame.rows.size
    missing = next((row for row in rows if not 0 <= row < size), 0)
    return f"there is no token {missing + first}; {shown(name)} has the tokens {first} to {size - 1 + first}"


def _unlike_widths(args: tuple[str, ...], frames: Mapping[str, Frame], layout: Layout) -> str:
    Q, K = (frames[name] for name in args[:2])
    q, k = map(shown, args[:2])
    said = (
        f"{numbers(Q.columns.size)} per token in {q}, but {K.columns.size} in {k}; queries and keys need "
        f"the same width ({q} is {layout.shape(args[0], Q)}, {k} is {layout.shape(args[1], K)})"
    )
    upright = Q.columns.size == 1 and Q.rows.size == K.columns.size
    return f"{said}; if {q} is one vector, write it in one row, without ';'" if upright else said


def _unfit_weights(args: tuple[str, ...], frames: Mapping[str, Frame], layout: Layout) -> str:
    X, W = (frames[name] for name in args[:2])
    x, w = map(shown, args[:2])
    width, across = X.columns.size, layout.typed_across(args[1], W)
    if width == W.rows.size:
        return _unfit_bias(args, frames)
    fitting = f"{W.columns.size}×{width}" if across else f"{width}×{W.columns.size}"
    said = (
        f"{w} is {layout.shape(args[1], W)}, but {x} is {layout.shape(args[0], X)}, "
        f"with {numbers(width)} per token; {w} needs {width} {'columns' if across else 'rows'}: {fitting}"
    )
    if W.columns.size == width:
        other = "convention: rows writes" if across else "the conventions columns and torch write"
        return f"{said}; its transpose would fit ({other} it that way round)"
    if layout.convention.tokens == "columns" and X.rows.size == W.rows.size:
        return f"{said}; in a file each row of {x} is a token, also where tokens print as columns"
    return said


def _unfit_bias(args: tuple[str, ...], frames: Mapping[str, Frame]) -> str:
    """Only called when the weights fit, so that the bias cannot."""
    w, b = shown(args[1]), shown(args[2])
    makes = frames[args[1]].columns.size
    return f"{b} is {frames[args[2]]}, but {w} makes {numbers(makes)} per token; {b} needs one row: 1×{makes}"


def _unpaired_values(args: tuple[str, ...], frames: Mapping[str, Frame], layout: Layout) -> str:
    A, V = (frames[name] for name in args)
    v, keys, values = shown(args[1]), A.columns.size, V.rows.size
    return (
        f"{keys} key{'s' * (keys != 1)} but {values} value{'s' * (values != 1)} "
        f"({v} is {layout.shape(args[1], V)}); every key needs its value"
    )
