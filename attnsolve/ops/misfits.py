"""What does not fit: the matrix or the setting of an op that is to blame, why, and what would fit."""

from __future__ import annotations

import re
from collections.abc import Mapping

from attnsolve.errors import ShapeError
from attnsolve.ops.base import Frame
from attnsolve.records import NamedTuple

SLOT = re.compile(r"\{(-?\w+)(?::(\w+))?\}")


class Misfit(NamedTuple):
    """A parameter or a setting that an op cannot take, what it has, and what it needs.

    `why` is a whole sentence, or stands after `W is 2×2, but …` where `needs` says which shape would fit
    (None for a side of any length). In it `{W}` is a matrix by name, `{W:shape}` its shape, `{3:place}` a
    row or column counted from 0, and `{query:side}` what belongs to a query in the scores, a row or a column.
    """

    parameter: str
    why: str
    has: Frame | None = None
    needs: tuple[int | None, int | None] | None = None


class Unfit(ShapeError):
    """Matrices that an op cannot take, told by its own letters; `misfit` is for who knows the file's."""

    def __init__(self, misfit: Misfit, frames: Mapping[str, Frame]) -> None:
        super().__init__(Wording(frames).said(misfit))
        self.misfit = misfit


def unfit(
    parameter: str, why: str, *, needs: tuple[int | None, int | None] | None = None, **frames: Frame
) -> Unfit:
    """The error to raise, with the frames of every matrix that `why` speaks of."""
    return Unfit(Misfit(parameter, why, frames.get(parameter), needs), frames)


class Wording:
    """How a misfit is told where nobody has named the matrices: tokens as rows, counted from 1."""

    first = 1

    def __init__(self, frames: Mapping[str, Frame]) -> None:
        self.frames = frames

    def name(self, parameter: str) -> str:
        """What a matrix is called."""
        return parameter

    def lies_across(self, parameter: str) -> bool:
        """Whether a matrix is written the other way round than the engine keeps it."""
        return False

    def side(self, of: str) -> str:
        """What belongs to a query, or to a key, in a matrix of scores."""
        return "row" if of == "query" else "column"

    def hint(self, misfit: Misfit) -> str:
        """More that may help."""
        return ""

    def said(self, misfit: Misfit) -> str:
        """The sentence."""
        why = SLOT.sub(self._filled, misfit.why)
        if misfit.needs is None:
            return why
        name, shape = self.name(misfit.parameter), self._shape(misfit.parameter)
        return f"{name} is {shape}, but {why}; {name} needs {self._needed(misfit)}{self.hint(misfit)}"

    def _filled(self, slot: re.Match[str]) -> str:
        if slot[2] == "place":
            return str(int(slot[1]) + self.first)
        if slot[2] == "side":
            return self.side(slot[1])
        return self._shape(slot[1]) if slot[2] == "shape" else self.name(slot[1])

    def _shape(self, parameter: str) -> str:
        rows, columns = self.frames[parameter].shape
        return f"{columns}×{rows}" if self.lies_across(parameter) else f"{rows}×{columns}"

    def _needed(self, misfit: Misfit) -> str:
        """`one row: 1×3`, `3 rows: 3×2` with as many columns as it has, `3 rows and 2 columns: 3×2`."""
        assert misfit.needs is not None and misfit.has is not None
        needs, has = misfit.needs, misfit.has.shape
        if self.lies_across(misfit.parameter):
            needs, has = (needs[1], needs[0]), (has[1], has[0])
        fitting = "×".join(str(own if need is None else need) for need, own in zip(needs, has, strict=True))
        if needs[0] == 1 and needs[1] is not None:
            return f"one {'number' if needs[1] == 1 else 'row'}: {fitting}"
        sides = [counted(n, word) for n, word in zip(needs, ("row", "column"), strict=True) if n is not None]
        return f"{' and '.join(sides)}: {fitting}"


def counted(number: int, word: str) -> str:
    """`1 row`, `3 rows`."""
    return f"{number} {word}{'s' * (number != 1)}"


def numbers(count: int) -> str:
    """`1 number`, `3 numbers`."""
    return counted(count, "number")


def require_product(a: str, first: Frame, b: str, second: Frame) -> None:
    """Refuse a matrix of weights whose rows are not as many as the numbers of a token."""
    width = first.columns.size
    if width != second.rows.size:
        why = f"{{{a}}} is {{{a}:shape}}, with {numbers(width)} per token"
        raise unfit(b, why, needs=(width, None), **{a: first, b: second})


def require_row(parameter: str, row: Frame, width: int, why: str, **frames: Frame) -> None:
    """Refuse what is not a single row of so many numbers."""
    if row.shape != (1, width):
        raise unfit(parameter, why, needs=(1, width), **{parameter: row, **frames})
