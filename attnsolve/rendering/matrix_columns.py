"""How many columns the widest matrix of a LaTeX document has: amsmath slowly sets up that many for each."""

from __future__ import annotations

# What amsmath reckons with if it is told nothing.
USUAL = 10
# Every matrix of ours begins and ends with this, behind one of the letters of its brackets.
EDGE = "matrix}"
BEGINS, ENDS = (frozenset(rf"\{edge}{{{bracket}" for bracket in ("", *"bBpvV")) for edge in ("begin", "end"))


def most_columns(text: str, *, signs: int = 0) -> int:
    """The columns of the widest matrix in it, however matrices are nested; of those with so many `&`."""
    most = 0
    opened: list[str] = []  # what stands in each matrix that has begun, without those inside it
    for piece in text.split(EDGE)[:-1]:
        if opened:
            opened[-1] += piece
        command = piece[piece.rfind("\\") :]
        if command in BEGINS:
            opened.append("")
        elif opened and command in ENDS:
            inside = opened.pop()
            most = max(most, columns(inside)) if inside.count("&") >= signs else most
    return most


def columns(inside: str) -> int:
    """The columns of the longest row between the brackets of a matrix."""
    rows = inside.split(r"\\")
    if r"\&" in inside:  # which is a sign of the text
        rows = [row.replace(r"\&", "") for row in rows]
    return 1 + max([row.count("&") for row in rows])


def room_for(columns: int) -> str:
    """What a preamble says so that matrices with so many columns can be set; nothing, where that is usual."""
    return f"\\setcounter{{MaxMatrixCols}}{{{columns}}}\n" if columns > USUAL else ""
