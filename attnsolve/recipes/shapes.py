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
    if op.name == "select":
        return _no_such_row(args[0], frames[args[0]], options["rows"], layout)
    if op.family == "score":
        return (
            _unlike_widths(args, frames, layout)
            if len(args) == 2
            else unfit_score(op, args, frames, layout)[1]
        )
    if op.family == "mask":
        return _unfit_mask(args, frames, options, layout)
    if "target" in options:
        return _no_such_word(frames[args[0]], options["target"], layout)
    if op.roles[:2] == ("tokens", "weights"):
        return _unfit_weights(args, frames, layout)
    if op.roles == ("scores", "tokens"):
        return _unpaired_values(args, frames, layout)
    if op.roles == ("tokens", "row", "row"):
        return _unfit_rows(args, frames)
    return _unlike_sizes(args, frames, layout) if op.name == "add" else ""


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


def unfit_score(
    op: Op, args: tuple[str, ...], frames: Mapping[str, Frame], layout: Layout
) -> tuple[str, str]:
    """Which matrix of a score is to blame, by its parameter, and what would fit."""
    named = dict(zip(op.parameters, args, strict=False))
    Q, K, W = (frames[named[parameter]] for parameter in "QKW")
    q, k, w = Q.columns.size, K.columns.size, shown(named["W"])
    if op.name == "bilinear":
        if W.shape != (q, k):
            has = f"{w} is {W}, but a query has {numbers(q)} and a key {k}"
            return "W", f"{has}; {w} needs {q} rows and {k} columns: {q}×{k}"
        bias = named["b"]
        said = f"{shown(bias)} is {frames[bias]}, but the bias of these scores is a single number"
        return "b", f"{said}; {shown(bias)} needs one number: 1×1"
    if op.name == "concat" and W.rows.size != q + k:
        return "W", _unfit_for_both(named["W"], W, q, k, layout)
    if op.name == "additive":
        if W.rows.size != q:
            return "W", _unfit_weights((named["Q"], named["W"]), frames, layout)
        if frames[named["U"]].rows.size != k:
            return "U", _unfit_weights((named["K"], named["U"]), frames, layout)
        makes, u = frames[named["U"]].columns.size, shown(named["U"])
        if makes != W.columns.size:
            said = f"{u} makes {numbers(makes)} of a key, but {w} makes {W.columns.size} of a query"
            return "U", f"{said}; both are added, so they must make equally many"
    v, makes = named["v"], W.columns.size
    said = f"{shown(v)} is {frames[v]}, but {w} makes {numbers(makes)}"
    return "v", f"{said}; {shown(v)} needs one row: 1×{makes}"


def _unfit_for_both(name: str, W: Frame, q: int, k: int, layout: Layout) -> str:
    across, w, both = layout.typed_across(name, W), shown(name), q + k
    fitting = f"{W.columns.size}×{both}" if across else f"{both}×{W.columns.size}"
    return (
        f"{w} is {layout.shape(name, W)}, but query and key together have {both} numbers ({q} and {k}); "
        f"{w} needs {both} {'columns' if across else 'rows'}: {fitting}"
    )


def _unfit_mask(args: tuple[str, ...], frames: Mapping[str, Frame], options: Options, layout: Layout) -> str:
    S, first = frames[args[0]], layout.index_from
    if "keys" in options:
        missing = next(key for key in options["keys"] if not 0 <= key < S.columns.size)
        return f"there is no key {missing + first}; the keys are {first} to {S.columns.size - 1 + first}"
    if len(args) == 1:
        return ""
    query, key = ("column", "row") if layout.convention.queries_as_columns else ("row", "column")
    return (
        f"{shown(args[1])} is {layout.shape(args[1], frames[args[1]])}, but the scores are "
        f"{layout.shape(args[0], S)}; a mask has a {query} for each query and a {key} for each key"
    )


def _no_such_word(P: Frame, target: tuple[int, ...], layout: Layout) -> str:
    rows, words, first = P.rows.size, P.columns.size, layout.index_from
    if len(target) != rows:
        said = f"{len(target)} target{'s' * (len(target) != 1)} for {rows} row{'s' * (rows != 1)}"
        return f"{said} of probabilities; each row has one right word"
    missing = next(word for word in target if not 0 <= word < words)
    return f"there is no word {missing + first}; the words are {first} to {words - 1 + first}"


def _unfit_rows(args: tuple[str, ...], frames: Mapping[str, Frame]) -> str:
    width = frames[args[0]].columns.size
    name = next(name for name in args[1:] if frames[name].shape != (1, width))
    said = f"{shown(name)} is {frames[name]}, but a token has {numbers(width)} here"
    return f"{said}; {shown(name)} needs one row: 1×{width}"


def _unlike_sizes(args: tuple[str, ...], frames: Mapping[str, Frame], layout: Layout) -> str:
    X, Y = (frames[name] for name in args)
    x, y = map(shown, args)
    if X.columns.size != Y.columns.size:
        said = f"{numbers(X.columns.size)} per token in {x}, but {Y.columns.size} in {y}"
    else:
        said = f"{X.rows.size} token{'s' * (X.rows.size != 1)} in {x}, but {Y.rows.size} in {y}"
    return f"{said}; only matrices of the same size can be added"


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
