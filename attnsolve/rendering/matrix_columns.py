"""How many columns the widest matrix of a LaTeX document has: amsmath slowly sets up that many for each."""

from __future__ import annotations

# What amsmath reckons with if it is told nothing.
USUAL = 10
# Every matrix of ours begins and ends with this, behind one of the letters of its brackets.
EDGE = "matrix}"
BEGINS, ENDS = (tuple(rf"\{edge}{{{bracket}" for bracket in ("", *"bBpvV")) for edge in ("begin", "end"))


def most_columns(text: str, *, beyond: int = 0) -> int:
    """The columns of the widest matrix in it, however they are nested; or 0, if none has more than that."""
    pieces = text.split(EDGE)[:-1]
    insides = {*pieces[1::2]}  # most come again where they are multiplied
    if all([piece.endswith(BEGINS) for piece in pieces[::2]]) and all([x.endswith(ENDS) for x in insides]):
        wide = [inside for inside in insides if inside.count("&") >= beyond]
        most = columns(r"\\".join(wide)) if wide else 0  # side by side: the longest row of them all
    else:
        most = most_columns_nested(pieces)
    return most if most > beyond else 0


def most_columns_nested(pieces: list[str]) -> int:
    """The same where matrices stand inside others, or other things are called as they are."""
    most = 0
    opened: list[str] = []  # what stands in each matrix that has begun, without those inside it
    for piece in pieces:
        if opened:
            opened[-1] += piece
        if piece.endswith(BEGINS):
            opened.append("")
        elif opened and piece.endswith(ENDS):
            most = max(most, columns(opened.pop()))
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
