"""Mixed numbers, `4 1/2` for 4½, where the 4 and the 1/2 cannot be two numbers because one is too many."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from attnsolve.exact import Rational
from attnsolve.report import NoteKind
from attnsolve.submission import State, Table, Written

WHOLE = re.compile(r"[-+−]?[0-9]{1,9}")
PROPER = re.compile(r"([0-9]{1,9})/([0-9]{1,9})")


def is_proper(text: str) -> bool:
    """Whether a text is a fraction between 0 and 1."""
    match = PROPER.fullmatch(text)
    return match is not None and 0 < int(match[1]) < int(match[2])


def is_mixed(whole: Written, part: Written) -> bool:
    """Whether two numbers beside each other may be one mixed number."""
    both = whole.state is State.NUMBER and part.state is State.NUMBER
    return both and WHOLE.fullmatch(whole.text) is not None and is_proper(part.text)


def mixed(whole: Written, part: Written) -> Written:
    """The one number that a whole number and a fraction behind it are."""
    value = Fraction(part.text)
    size = Fraction(whole.text.replace("−", "-"))
    total = size - value if whole.text[0] in "-−" else size + value
    return Written(f"{whole.text} {part.text}", State.NUMBER, Rational(total), notes=whole.notes + part.notes)


def with_mixed_numbers(rows: Table, width: int) -> Table | None:
    """The rows with mixed numbers in every row that is else too long; None where that does not help."""
    typed = [without_padding(row) for row in rows]
    made = [row if len(row) <= width else merged(row) for row in typed]
    if all(len(row) == width for row in made) and made != typed:
        return Table(map(tuple, made))
    return None


def without_padding(row: Sequence[Written]) -> list[Written]:
    """A row without the blanks that make it as long as the longest."""
    return [w for w in row if not any(note.kind is NoteKind.SHORT_ROW for note in w.notes)]


def merged(row: Sequence[Written]) -> list[Written]:
    """A row with every whole number and the fraction behind it as one."""
    made = list(row[:1])
    for before, written in pairwise(row):
        if is_mixed(before, written):
            made[-1] = mixed(before, written)
        else:
            made.append(written)
    return made
