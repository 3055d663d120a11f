"""Matrices too wide or too high for a page, in several equations: nothing given or asked is left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attnsolve.rendering.markup import bmatrix, indexed
from attnsolve.rendering.widths import WIDEST_MATRIX, width

# What a page holds below a heading.
MOST_ROWS = 24
BETWEEN_COLUMNS = 1.6

Cells = Sequence[Sequence[str]]


def equations(
    left: str, relation: str, rows: Cells, *, first: int, written: Callable[[Cells], str] = bmatrix
) -> tuple[str, ...]:
    r"""`X = […]`, or `X_{:,1 \ldots 8} = […]` and so on; rows and columns are counted from `first`."""
    down, across = row_bands(len(rows)), column_bands(rows, WIDEST_MATRIX - width(left))
    if len(down) == len(across) == 1:
        return (f"{left} {relation} {written(rows)}",)
    return tuple(
        f"{indexed(left, '', [place(rows, down, across, i, j, first)])} {relation} "
        + written([[*row[across[j].start : across[j].stop]] for row in rows[down[i].start : down[i].stop]])
        for i in range(len(down))
        for j in range(len(across))
    )


def place(rows: Cells, down: list[range], across: list[range], i: int, j: int, first: int) -> str:
    r"""Which rows and columns a block has: `1 \ldots 20,:`; one index is enough for a vector."""
    sides = ((down, i, len(rows)), (across, j, len(rows[0])))
    long = [(bands, k) for bands, k, size in sides if size > 1]
    return ",".join(counted(bands[k], first) if len(bands) > 1 else ":" for bands, k in long)


def counted(band: range, first: int) -> str:
    r"""`9 \ldots 16`, or `17` alone."""
    start, stop = band.start + first, band.stop - 1 + first
    return str(start) if start == stop else rf"{start} \ldots {stop}"


def row_bands(rows: int) -> list[range]:
    """Rows in groups of nearly equal size that a page holds."""
    return equal_bands(rows, -(-rows // MOST_ROWS))


def column_bands(rows: Cells, room: float) -> list[range]:
    """Columns in groups that a line holds."""
    columns = len(rows[0])
    if max(sum(map(len, row)) for row in rows) + BETWEEN_COLUMNS * columns <= room:
        return [range(columns)]  # short even as markup, so there is nothing to measure
    needed = [max(width(row[j]) for row in rows) + BETWEEN_COLUMNS for j in range(columns)]
    bands = filled_bands(needed, room)
    # A last band of a column or two is filled from the others, as long as a line holds them.
    even = equal_bands(columns, len(bands))
    return even if all(sum(needed[j] for j in band) <= room for band in even) else bands


def filled_bands(needed: Sequence[float], room: float) -> list[range]:
    """Places in groups, each as long as there is room."""
    bands, start, used = [], 0, 0.0
    for j, size in enumerate(needed):
        if j > start and used + size > room:
            bands.append(range(start, j))
            start, used = j, 0.0
        used += size
    return [*bands, range(start, len(needed))]


def equal_bands(places: int, groups: int) -> list[range]:
    """Places in so many groups of nearly equal size."""
    size = -(-places // groups)
    return [range(start, min(start + size, places)) for start in range(0, places, size)]
