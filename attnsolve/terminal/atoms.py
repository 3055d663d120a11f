"""Pieces of a formula side by side, with blanks where printed maths has them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from attnsolve.terminal.boxes import EMPTY, Box, row, word

OPENING, CLOSING = ("(", "[", "{", "⟨"), (")", "]", "}", "⟩")


class Place(Enum):
    """What an atom is in its formula: long formulas are broken before relations and after commas."""

    ORDINARY = "a letter, a number, a bracket, a matrix"
    RELATION = "stands between two sides"
    OPERATION = "stands between two terms"
    COMMA = "ends a piece"
    SPACE = "blanks"
    FUNCTION = "the name of a function"
    QUOTIENT = "a fraction with a slash: what stands beside it is not part of it"


class Atom(NamedTuple):
    """A piece of a formula, and what it is there."""

    box: Box
    place: Place = Place.ORDINARY


def line(atoms: Sequence[Atom], *, aligned: bool = False) -> Box:
    """Atoms on one line of writing, with blanks where printed maths has them."""
    return row(spaced(atoms, aligned=aligned))


def spaced(atoms: Sequence[Atom], *, aligned: bool = False) -> list[Box]:
    """The boxes of atoms with the blanks between them; an aligned line begins with its relation."""
    made: list[Box] = []
    before: Atom | None = None
    for number, atom in enumerate(atoms):
        behind = atoms[number + 1] if number + 1 < len(atoms) else None
        made.append(between(before, atom, begins=aligned))
        made.append(atom.box)
        if atom.place is Place.OPERATION and is_sign(before):
            before = Atom(atom.box)  # a sign, not an operation: -2
        elif atom.place is Place.FUNCTION and behind is not None and starts_word(behind):
            made.append(word(" "))
            before = Atom(atom.box, Place.SPACE)
        else:
            before = atom
    return made


def is_sign(before: Atom | None) -> bool:
    """Whether a plus or minus after this has nothing on its left."""
    if before is None:
        return True
    if before.place in (Place.RELATION, Place.OPERATION, Place.COMMA):
        return True
    return not before.box.lines[before.box.baseline].strip() or is_opening(before)


def is_opening(atom: Atom) -> bool:
    """Whether a piece of maths is an opening bracket."""
    return atom.place is Place.ORDINARY and atom.box.lines[0].rstrip() in OPENING


def starts_word(atom: Atom) -> bool:
    """Whether a letter or number begins here, which would run together with a name before it."""
    text = atom.box.lines[atom.box.baseline]
    return text[:1].isalnum() or text[:1] in "-−√"


def between(before: Atom | None, atom: Atom, *, begins: bool) -> Box:
    """The blank between two atoms, or nothing."""
    if before is None:
        return word(" ") if begins and atom.place in (Place.RELATION, Place.OPERATION) else EMPTY
    if before.place is Place.SPACE or atom.place in (Place.SPACE, Place.COMMA):
        return EMPTY
    if before.place in (Place.RELATION, Place.COMMA) or atom.place is Place.RELATION:
        return word(" ")
    if before.place is Place.OPERATION:
        return word(" ")
    if atom.place is Place.OPERATION:
        return EMPTY if is_sign(before) else word(" ")
    if before.place is Place.FUNCTION or is_opening(before) or before.box.lines[0] in ("+", "-"):
        return EMPTY
    tall = before.box.height > 1 or atom.box.height > 1
    is_apart = Place.QUOTIENT in (before.place, atom.place) and atom.box.lines[0] not in CLOSING
    return word(" ") if tall or is_apart or atom.place is Place.FUNCTION else EMPTY
