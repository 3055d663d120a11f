"""Tables on a terminal: columns that fit, numbers at the right, a line below the heading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attnsolve.terminal.paragraphs import BOLD, Piece, shown_width, wrapped

BETWEEN = "  "
NARROWEST = 6


def drawn(rows: Sequence[Sequence[Sequence[Piece]]], sides: Sequence[str], width: int) -> Iterator[str]:
    """The lines of a table; the cells of columns that would not fit are wrapped."""
    widths = fitted(
        [max(shown_width(plain(row[j])) for row in rows if j < len(row)) for j in range(len(sides))], width
    )
    for number, row in enumerate(rows):
        cells = [[piece._replace(style=BOLD) for piece in cell] if not number else list(cell) for cell in row]
        fitting = [broken(cell, room) for cell, room in zip(cells, widths, strict=False)]
        wrapped_cells = [
            list(wrapped(cell, room)) or [""] for cell, room in zip(fitting, widths, strict=False)
        ]
        for place in range(max(map(len, wrapped_cells))):
            texts = [cell[place] if place < len(cell) else "" for cell in wrapped_cells]
            yield BETWEEN.join(
                filled(text, room, side) for text, room, side in zip(texts, widths, sides, strict=False)
            )
        if not number:
            yield BETWEEN.join("─" * room for room in widths)


def broken(cell: Sequence[Piece], width: int) -> Sequence[Piece]:
    """A cell whose formulas may be broken at blanks, where they are too wide for it."""
    return [piece._replace(is_whole=piece.is_whole and shown_width(piece.text) <= width) for piece in cell]


def plain(cell: Sequence[Piece]) -> str:
    """The text of a cell."""
    return "".join(piece.text for piece in cell)


def fitted(widths: list[int], width: int) -> list[int]:
    """The widths of columns, the widest ones made narrower until all fit."""
    room = list(widths)
    while sum(room) + len(BETWEEN) * (len(room) - 1) > width and max(room) > NARROWEST:
        room[room.index(max(room))] -= 1
    return room


def filled(text: str, width: int, side: str) -> str:
    """A cell with blanks on one side of it."""
    blanks = " " * max(0, width - shown_width(text))
    return blanks + text if side == ">" else text + blanks
