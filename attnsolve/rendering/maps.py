"""Attention maps: the weights as a picture that is also readable in grey, with the value in every cell."""

from __future__ import annotations

import re
from typing import NamedTuple

from attnsolve.exact import Cell, Matrix
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.sentences import key_token, meanings, query_token
from attnsolve.rendering.text import Segments
from attnsolve.trace import Step

CELL, LABEL, MARGIN, LETTER = 64, 60, 34, 9
SHADES = 100
# From here on white ink is easier to read than black; both keep a contrast of 4.5 around it.
DARK = 65


class MapCell(NamedTuple):
    """One weight: its text, and how dark it is in hundredths."""

    text: str
    shade: int
    dark: bool


class Map(NamedTuple):
    """An attention map as rows of shaded cells with token names on both sides."""

    name: str
    title: Segments
    rows: tuple[tuple[MapCell, ...], ...]
    queries: tuple[Segments, ...]
    keys: tuple[Segments, ...]
    alt: Segments
    svg: str
    file: str
    link: str  # the file as a Markdown link can name it


def attention_map(step: Step, notation: Notation, *, picture: bool = True) -> Map:
    """The weights of a step as a map; without a `picture` where none stands beside the document."""
    rows = tuple(tuple(map_cell(cell, notation) for cell in row) for row in cells(step.value))
    queries = tuple((query_token(step, i, notation),) for i in range(step.value.shape[0]))
    keys = tuple((key_token(step, j, notation),) for j in range(step.value.shape[1]))
    title: Segments = ((False, "Attention map of "), (True, notation.symbol(step.call.out)))
    said = meanings(step, notation, most=step.value.shape[0])
    alt = tuple(piece for words in said for piece in ((False, " "), *words))[1:]
    file = f"{notation.problem.name}-{step.call.out.replace('.', '-')}.svg"
    drawn = ""
    if picture:
        sides = [plain(q) for q in queries], [plain(k) for k in keys]
        drawn = svg(rows, *sides, plain(title), plain(alt).strip())
    link = file if re.fullmatch(r"[\w.-]+", file) else f"<{file}>"
    return Map(step.call.out, title, rows, queries, keys, alt, drawn, file, link)


def cells(value: Matrix) -> list[list[Cell]]:
    """The numbers of a matrix, row by row."""
    return [[value.cell(i, j) for j in range(value.shape[1])] for i in range(value.shape[0])]


def map_cell(cell: Cell, notation: Notation) -> MapCell:
    """A weight with two decimals; the shade is the weight itself, within white and black."""
    places = min(notation.places, 2)
    rounded = cell.rounded(places)
    shade = max(0, min(SHADES, cell.rounded(2).digits))
    return MapCell(rounded.text, shade, shade > DARK)


def svg(
    rows: tuple[tuple[MapCell, ...], ...], queries: list[str], keys: list[str], title: str, alt: str
) -> str:
    """The picture: squares from white (0) to dark (1) with their values, the same bytes every time."""
    from html import escape

    across = max(CELL, *(LETTER * len(key) + 12 for key in keys))
    start = max(LABEL, *(LETTER * len(query) + 20 for query in queries))
    width, height = start + across * len(keys) + 8, MARGIN + CELL * len(queries) + 8
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="15">',
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(alt)}</desc>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    centres = [start + across * j + across // 2 for j in range(len(keys))]
    parts += [written(key, x, MARGIN - 12) for key, x in zip(keys, centres, strict=True)]
    for i, (query, row) in enumerate(zip(queries, rows, strict=True)):
        top = MARGIN + CELL * i
        middle = top + CELL // 2 + 5
        parts.append(written(query, start - 10, middle, anchor="end"))
        for cell, x in zip(row, centres, strict=True):
            place = f'x="{x - across // 2}" y="{top}" width="{across}" height="{CELL}"'
            parts.append(f'<rect {place} fill="{colour(cell.shade)}" stroke="#666666"/>')
            parts.append(written(cell.text, x, middle, ink="#ffffff" if cell.dark else "#000000"))
    return "\n".join([*parts, "</svg>", ""])


def written(text: str, x: int, y: int, *, anchor: str = "middle", ink: str = "#000000") -> str:
    """A piece of text in the picture."""
    from html import escape  # few sheets have pictures, and it brings a long table of names

    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{ink}">{escape(text)}</text>'


def colour(shade: int) -> str:
    """A blue that darkens evenly, so that it reads the same in grey: white at 0, deep blue at 100."""
    red, green, blue = (255 - (255 - end) * shade // SHADES for end in (12, 44, 92))
    return f"#{red:02x}{green:02x}{blue:02x}"


SUBSCRIPTS = str.maketrans("0123456789,", "₀₁₂₃₄₅₆₇₈₉,")


def plain(segments: Segments) -> str:
    """A sentence as plain text, for pictures and alt texts: x_{2} is x₂."""
    return "".join(spoken(text) if is_maths else text for is_maths, text in segments)


def spoken(source: str) -> str:
    """Simple maths as plain characters."""
    text = re.sub(r"_\{([\d,]+)\}", lambda match: match[1].translate(SUBSCRIPTS), source)
    text = re.sub(r"\^\{\((\d+)\)\}", r" of head \1", text)
    text = re.sub(r"\\(tilde|hat|bar|mathit|mathbf|mathrm|boldsymbol)\{?", "", text)
    return re.sub(r"\\(\w+)", r"\1", text).replace("{", "").replace("}", "").replace("\\", "")
