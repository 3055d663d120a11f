"""How many columns the widest matrix of a LaTeX document has: amsmath slowly sets up that many for each."""

from __future__ import annotations

import re

# What amsmath reckons with if it is told nothing.
USUAL = 10
EDGE = re.compile(r"\\(begin|end)\{[bBpvV]?matrix\}")


def most_columns(text: str, *, signs: int = 0) -> int:
    """The columns of the widest matrix in it, however matrices are nested; of those with so many `&`."""
    first, *rest = EDGE.split(text)
    most, opened = 0, [first]
    for edge, behind in zip(rest[::2], rest[1::2], strict=True):
        if edge == "begin":
            opened.append(behind)
        elif len(opened) > 1:
            inside = opened.pop()
            most = max(most, columns(inside)) if inside.count("&") >= signs else most
            opened[-1] += behind
    return most


def columns(inside: str) -> int:
    """The columns of the longest row between the brackets of a matrix."""
    return 1 + max(row.count("&") - row.count(r"\&") for row in inside.split(r"\\"))


def room_for(columns: int) -> str:
    """What a preamble says so that matrices with so many columns can be set; nothing, where that is usual."""
    return f"\\setcounter{{MaxMatrixCols}}{{{columns}}}\n" if columns > USUAL else ""
