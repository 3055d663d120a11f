"""Mixed numbers, `4 1/2` for 4½, where the 4 and the 1/2 cannot be two numbers because one is too many."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from attnsolve.exact import Rational
from attnsolve.notes import NoteKind
from attnsolve.submission import State, Table, Written

WHOLE = re.compile(r"[-+−]?[0-9]{1,9}")
PROPER = re.compile(r"([0-9]{1,9})/([0-9]{1,9})")


def is_mixed(whole: Written, part: Written) -> bool:
    """Whether two numbers beside each other may be one mixed number: a whole one and a proper fraction."""
    proper = PROPER.fullmatch(part.text) if whole.state is part.state is State.NUMBER else None
    return proper is not None and 0 < int(proper[1]) < int(proper[2]) and bool(WHOLE.fullmatch(whole.text))


def mixed(whole: Written, part: Written) -> Written:
    """The one number that a whole number and a fraction behind it are."""
    value = Fraction(part.text)
    size = Fraction(whole.text.replace("−", "-"))
    total = size - value if whole.text[0] in "-−" else size + value
    return Written(f"{whole.text} {part.text}", State.NUMBER, Rational(total), notes=whole.notes + part.notes)


def with_mixed_numbers(rows: Table, width: int) -> Table | None:
    """The rows with mixed numbers in every row that is else too long; None where that does not help."""
    # Without the blanks that make each row as long as the longest.
    typed = [[w for w in row if all(note.kind is not NoteKind.SHORT_ROW for note in w.notes)] for row in rows]
    made = [row if len(row) <= width else merged(row) for row in typed]
    return Table(map(tuple, made)) if made != typed and {width} == set(map(len, made)) else None


def merged(row: Sequence[Written]) -> list[Written]:
    """A row with every whole number and the fraction behind it as one."""
    made = list(row[:1])
    for before, written in pairwise(row):
        if is_mixed(before, written):
            made[-1] = mixed(before, written)
        else:
            made.append(written)
    return made
