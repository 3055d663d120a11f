"""Boxes of characters: what maths on a terminal is put together from."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import reduce
from typing import NamedTuple

# The pieces of tall brackets: at the top, between, at the bottom; alone on one line; and beside a middle.
TALL = {
    "(": "⎛⎜⎝", ")": "⎞⎟⎠", "[": "⎡⎢⎣", "]": "⎤⎥⎦", "{": "⎧⎪⎩", "}": "⎫⎪⎭",
    "|": "│││", "‖": "‖‖‖", "⌊": "⎢⎢⎣", "⌋": "⎥⎥⎦", "⌈": "⎡⎢⎢", "⌉": "⎤⎥⎥",
}  # fmt: skip
MIDDLES = {"{": "⎨", "}": "⎬"}
GAP = "  "  # between the columns of a matrix


class Box(NamedTuple):
    """Lines of one width, and which of them stands on the line of writing."""

    lines: tuple[str, ...]
    baseline: int = 0

    @property
    def width(self) -> int:
        """How many columns of a terminal it takes."""
        return width_of(self.lines[0])

    @property
    def height(self) -> int:
        """How many lines it has."""
        return len(self.lines)

    @property
    def below(self) -> int:
        """How many lines are below the line of writing."""
        return self.height - 1 - self.baseline


def width_of(text: str) -> int:
    """How many columns of a terminal a text takes: accents take none, East Asian signs two."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        for sign in text
    )


def padded(text: str, width: int, *, at: str = "<") -> str:
    """A text filled up with blanks, at its left (<), right (>) or in the middle (^) of the room."""
    room = max(0, width - width_of(text))
    left = {"<": 0, ">": room, "^": room // 2}[at]
    return " " * left + text + " " * (room - left)


def word(text: str) -> Box:
    """A text on one line."""
    return Box((text,))


EMPTY = word("")


def beside(first: Box, second: Box) -> Box:
    """Two boxes on one line of writing."""
    above, below = max(first.baseline, second.baseline), max(first.below, second.below)

    def lines(box: Box) -> list[str]:
        blank = " " * box.width
        return [blank] * (above - box.baseline) + list(box.lines) + [blank] * (below - box.below)

    return Box(tuple(a + b for a, b in zip(lines(first), lines(second), strict=True)), above)


def row(boxes: Iterable[Box]) -> Box:
    """Boxes on one line of writing."""
    return reduce(beside, boxes, EMPTY)


def stack(boxes: Sequence[Box], *, baseline: int, at: str = "^") -> Box:
    """Boxes above one another."""
    width = max(box.width for box in boxes)
    return Box(tuple(padded(line, width, at=at) for box in boxes for line in box.lines), baseline)


def fraction(above: Box, below: Box) -> Box:
    """Two boxes with a line between them."""
    width = max(above.width, below.width)
    return stack([above, word("─" * width), below], baseline=above.height)


def bracketed(box: Box, left: str, right: str) -> Box:
    """A box in brackets as high as it is; nothing and a dot are no bracket."""
    sides = [bracket(sign, box) for sign in (left, right)]
    return row([sides[0], box, sides[1]])


def bracket(sign: str, box: Box) -> Box:
    """A bracket as high as a box."""
    if sign in ("", "."):
        return EMPTY
    if box.height == 1:
        return word(sign)
    pieces = TALL.get(sign, sign * 3)
    middle = [pieces[1]] * (box.height - 2)
    if sign in MIDDLES and middle:
        middle[len(middle) // 2] = MIDDLES[sign]
    return Box((pieces[0], *middle, pieces[2]), box.baseline)


def table(rows: Sequence[Sequence[Box]], *, sides: str, gap: str = GAP) -> Box:
    """Boxes in rows and columns; `sides` has where they stand in each column, the last in all that follow."""
    columns = max(map(len, rows))
    filled = [[*cells, *[EMPTY] * (columns - len(cells))] for cells in rows]
    widths = [max(cells[j].width for cells in filled) for j in range(columns)]
    lines: list[str] = []
    for cells in filled:
        placed = [
            Box(
                tuple(padded(line, width, at=sides[min(j, len(sides) - 1)]) for line in cell.lines),
                cell.baseline,
            )
            for j, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        lines += row(
            box for j, cell in enumerate(placed) for box in ([word(gap)] if j else []) + [cell]
        ).lines
    return Box(tuple(lines), (len(lines) - 1) // 2)


def sliced(box: Box, width: int) -> list[Box]:
    """A box in pieces that are no wider, cut where no line has a sign; whole where there is no such place."""
    if box.width <= width:
        return [box]
    blank = [all(line[place] == " " for line in box.lines) for place in range(len(box.lines[0]))]
    cut = next((place for place in range(min(width, len(blank) - 1), width // 3, -1) if blank[place]), None)
    if cut is None or any(len(line) != len(blank) for line in box.lines):
        return [box]
    rest = Box(tuple("  " + line[cut:].removeprefix(" ") for line in box.lines), box.baseline)
    return [Box(tuple(line[:cut] for line in box.lines), box.baseline), *sliced(rest, width)]
