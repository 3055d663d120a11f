"""Shapes as the file writes them, and what to say when two of them do not fit together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from attnsolve.ops import Frame, Op, Role
from attnsolve.ops.misfits import SLOT, Misfit, Wording
from attnsolve.problem import Convention
from attnsolve.records import NamedTuple

if TYPE_CHECKING:  # few problems have letters
    from attnsolve.exact.formulas.letters import Letters


class Layout(NamedTuple):
    """How the file lays its matrices and counts, so that messages speak of them as they were typed."""

    convention: Convention = Convention()
    roles: Mapping[str, Role] = {}
    index_from: int = 1
    letters: Letters | None = None  # what may stand for numbers
    labels: tuple[str, ...] = ()  # of the tokens of every matrix that has so many of them

    def printed_across(self, name: str, frame: Frame) -> bool:
        """Whether the course prints a value the other way round than the engine keeps it."""
        return self.convention.turns(self.roles.get(name), frame)

    def typed_across(self, name: str, frame: Frame) -> bool:
        """Whether the file has it the other way round; a list of tokens is the same in every convention."""
        return self.roles.get(name) not in (Role.TOKENS, Role.ROW) and self.printed_across(name, frame)

    def shape(self, name: str, frame: Frame) -> str:
        """`3×2`, as the file types a given or as the course prints a result."""
        rows, columns = frame.shape
        return f"{columns}×{rows}" if self.typed_across(name, frame) else f"{rows}×{columns}"


class FileWording(Wording):
    """How a misfit is told of the matrices of a file: by their own names, laid and counted as in the file."""

    def __init__(self, op: Op, args: tuple[str, ...], frames: Mapping[str, Frame], layout: Layout) -> None:
        self.called = dict(zip(_parameters(op, len(args)), args, strict=False))
        super().__init__({parameter: frames[name] for parameter, name in self.called.items()})
        self.roles = dict(zip(op.parameters, op.roles, strict=True))
        self.layout = layout
        self.first = layout.index_from

    def name(self, parameter: str) -> str:
        """The last piece of its name, which is what the file calls it."""
        return self.called[parameter].rpartition(".")[2]

    def lies_across(self, parameter: str) -> bool:
        """As the file types a given, or as the course prints a result."""
        return self.layout.typed_across(self.called[parameter], self.frames[parameter])

    def side(self, of: str) -> str:
        """Queries are rows of the scores, or columns where the course writes `K' Q`."""
        return "row" if (of == "query") != self.layout.convention.queries_as_columns else "column"

    def hint(self, misfit: Misfit) -> str:
        """That a matrix of weights would fit the other way round, or that tokens were typed as columns."""
        if misfit.has is None or misfit.needs is None or self.roles[misfit.parameter] is not Role.WEIGHTS:
            return ""
        turned = zip(misfit.needs, reversed(misfit.has.shape), strict=True)
        if all(need in (None, size) for need, size in turned):
            across = self.lies_across(misfit.parameter)
            other = "convention: rows writes" if across else "the conventions columns and torch write"
            return f"; its transpose would fit ({other} it that way round)"
        # Tokens that were typed as columns are as many as the weights have rows.
        tokens = next((name for name in SLOT.findall(misfit.why) if self._are_columns(name[0], misfit)), None)
        if tokens is None:
            return ""
        return (
            f"; in a file each row of {self.name(tokens[0])} is a token, also where tokens print as columns"
        )

    def _are_columns(self, parameter: str, misfit: Misfit) -> bool:
        assert misfit.has is not None
        if self.layout.convention.tokens != "columns" or self.roles.get(parameter) is not Role.TOKENS:
            return False
        return self.frames[parameter].rows.size == misfit.has.rows.size


def _parameters(op: Op, count: int) -> tuple[str, ...]:
    """The names of an op's parameters; what it gathers is numbered."""
    if not op.gathers:
        return op.parameters
    return tuple(f"{op.parameters[0]}{place}" for place in range(1, count + 1))
