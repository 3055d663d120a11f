"""Formulas in sentences and by themselves, as lines that fit a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from attnsolve.terminal.atoms import Atom, Place, line
from attnsolve.terminal.boxes import EMPTY, Box, row, sliced, word
from attnsolve.terminal.formulas import ROW_END, FormulaReader

INDENT = "    "
ALIGNED = r"\begin{aligned}"


def inline(source: str) -> str:
    """A formula in a sentence, on one line; the rows of a matrix stand between semicolons."""
    box = line(FormulaReader(source, stacked=False).atoms())
    return " ; ".join(text.strip() for text in box.lines)


def display(source: str, width: int) -> list[str]:
    """The lines of a formula by itself, broken where it is wider than the terminal."""
    room = width - len(INDENT)
    rows = aligned_rows(source.strip())
    if rows is None:
        boxes = broken(FormulaReader(source.strip(), stacked=True).atoms(), room)
    else:
        left = max(line(before).width for before, _ in rows)
        boxes = [
            row([word(" " * (left - start.width)), start, box])
            for before, behind in rows
            for number, box in enumerate(broken(behind, room - left, aligned=True))
            for start in [EMPTY if number else line(before)]
        ]
    return [INDENT + text.rstrip() for box in boxes for piece in sliced(box, room) for text in piece.lines]


def aligned_rows(source: str) -> list[tuple[list[Atom], list[Atom]]] | None:
    """What stands before and behind the first & of each aligned line; None for any other formula."""
    reader = FormulaReader(source, stacked=True)
    if reader.next != ALIGNED:
        return None
    reader.take()
    rows: list[tuple[list[Atom], list[Atom]]] = []
    while reader.next and not reader.next.startswith("\\end"):
        before, behind = reader.atoms("&", ROW_END), []
        while reader.next == "&":
            reader.take()
            behind += reader.atoms("&", ROW_END)
        rows.append((before, behind))
        reader.end_row()
    reader.take()
    return None if reader.next else rows


def broken(atoms: Sequence[Atom], width: int, *, aligned: bool = False) -> list[Box]:
    """A formula in lines of writing that fit: broken after commas, before relations where it must be."""
    lines: list[list[Atom]] = [[]]
    for clause in split(atoms, after=Place.COMMA):
        whole = line([*lines[-1], *clause]).width <= width
        if lines[-1] and not whole and line(clause).width <= width:
            lines.append([])
        for piece in [clause] if whole else split(clause, before=Place.RELATION):
            if lines[-1] and line([*lines[-1], *piece]).width > width:
                lines.append([])
            lines[-1] += piece if lines[-1] else without_space(piece)
    made = [line(atoms, aligned=aligned or number > 0) for number, atoms in enumerate(lines)]
    return [box if aligned or not number else row([word("  "), box]) for number, box in enumerate(made)]


def without_space(atoms: Sequence[Atom]) -> Sequence[Atom]:
    """Atoms without the blanks at their start."""
    first = next((number for number, atom in enumerate(atoms) if atom.place is not Place.SPACE), len(atoms))
    return atoms[first:]


def split(
    atoms: Sequence[Atom], *, before: Place | None = None, after: Place | None = None
) -> list[list[Atom]]:
    """Atoms in pieces that begin at those of one place, or end there."""
    pieces: list[list[Atom]] = [[]]
    for atom in atoms:
        if pieces[-1] and (atom.place is before or pieces[-1][-1].place is after):
            pieces.append([])
        pieces[-1].append(atom)
    return pieces
