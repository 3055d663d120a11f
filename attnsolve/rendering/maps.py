"""Attention maps: the weights as a picture that is also readable in grey, with the value in every cell."""

from __future__ import annotations

import re

from attnsolve.exact import Matrix
from attnsolve.exact.decimals import Rounded
from attnsolve.exact.masked import visible
from attnsolve.file_names import safe_stem
from attnsolve.languages import decimal, translated
from attnsolve.maths.commands import ACCENTS
from attnsolve.ops import Family
from attnsolve.records import NamedTuple
from attnsolve.rendering.escaping import html_code
from attnsolve.rendering.notation import HUNDREDTHS, Notation
from attnsolve.rendering.sentences import key_token, meanings, query_token
from attnsolve.rendering.text import Segments, formula, in_a_row, say, say_count
from attnsolve.trace import Step

CELL, LABEL, MARGIN, LETTER = 64, 60, 34, 9
SHADES = 100
# From here on white ink is easier to read than black; both keep a contrast of 4.5 around it.
DARK = 65


# What stands in the place of a weight that a mask has hidden: it is no small weight, but none.
HIDDEN = "–"


class MapCell(NamedTuple):
    """One weight: its text, and how dark it is in hundredths."""

    text: str
    shade: int
    dark: bool


UNSEEN = MapCell(HIDDEN, 0, False)
# Every weight as it is printed, and in hundredths.
RoundedCells = list[list[tuple[Rounded, Rounded]]]


class Map(NamedTuple):
    """An attention map as rows of shaded cells, laid as the weights are printed, with names on both sides."""

    name: str
    title: Segments
    rows: tuple[tuple[MapCell, ...], ...]
    beside: tuple[Segments, ...]  # the tokens of its rows
    above: tuple[Segments, ...]  # the tokens of its columns
    sides: Segments  # which of them ask
    signs: Segments  # how its numbers are to be read
    alt: Segments
    svg: str
    file: str
    link: str  # the file as a Markdown link can name it


def attention_map(step: Step, notation: Notation, *, picture: bool = True) -> Map:
    """The weights of a step as a map; without a `picture` where none stands beside the document."""
    hidden, rounded = hidden_keys(step), rounded_cells(step.value, notation)
    rows = tuple(
        tuple(map_cell(*pair) if (i, j) not in hidden else UNSEEN for j, pair in enumerate(row))
        for i, row in enumerate(rounded)
    )
    beside = tuple((query_token(step, i, notation),) for i in range(step.value.shape[0]))
    above = tuple((key_token(step, j, notation),) for j in range(step.value.shape[1]))
    if notation.transposed(step.call.out):
        rows, beside, above = tuple(zip(*rows, strict=True)), above, beside
        sides = say("Columns ask, rows are looked at.")
    else:
        sides = say("Rows ask, columns are looked at.")
    title = say("Attention map of {A}", A=formula(notation.symbol(step.call.out)))
    said = meanings(step, notation, most=step.value.shape[0])
    alt = in_a_row(said)
    file = f"{safe_stem(notation.problem.name)}-{step.call.out.replace('.', '-')}.svg"
    drawn = ""
    if picture:
        names = [plain(token) for token in beside], [plain(token) for token in above]
        drawn = svg(rows, *names, plain(title), plain(alt).strip())
    link = file if re.fullmatch(r"[\w.-]+", file) else f"<{file}>"
    signs = how_to_read(rounded, map_places(notation), hidden=bool(hidden))
    return Map(step.call.out, title, rows, beside, above, sides, signs, alt, drawn, file, link)


def hidden_keys(step: Step) -> set[tuple[int, int]]:
    """The places of weights that a mask has hidden."""
    if step.call.op.family is not Family.NORMALISER:
        return set()
    kept = visible(step.inputs[0]).rows
    return {(i, j) for i, row in enumerate(kept) for j, yes in enumerate(row) if not yes}


def how_to_read(rounded: RoundedCells, places: int, *, hidden: bool) -> Segments:
    """`The numbers are rounded to 2 places. – is hidden by a mask.`, as far as that is so."""
    exact = all(shown.exact for row in rounded for shown, _ in row)
    said = []
    if not exact:
        said.append(
            say_count(
                "The numbers are rounded to {count} place.",
                "The numbers are rounded to {count} places.",
                places,
            )
        )
    if hidden:
        said.append(say("{sign} is hidden by a mask.", sign=HIDDEN))
    return in_a_row(said)


def map_places(notation: Notation) -> int:
    """The decimals of a weight in a map: two, or fewer where the sheet has fewer."""
    return min(notation.places, HUNDREDTHS)


def rounded_cells(value: Matrix, notation: Notation) -> RoundedCells:
    """Every weight as it is printed in a map, and as its shade has it: in hundredths."""
    places, rows = map_places(notation), range(value.shape[0])
    shades = [notation.hundredths(value, i) for i in rows]
    if places == HUNDREDTHS:
        return [[(shade, shade) for shade in row] for row in shades]
    return [[(value.cell(i, j).rounded(places), shade) for j, shade in enumerate(shades[i])] for i in rows]


def map_cell(shown: Rounded, hundredths: Rounded) -> MapCell:
    """A weight with two decimals; the shade is the weight itself, within white and black."""
    shade = max(0, min(SHADES, hundredths.digits))
    return MapCell(decimal(shown.text), shade, shade > DARK)


class Drawing(NamedTuple):
    """A piece of a picture: how large it is, and what is drawn in it."""

    width: int
    height: int
    parts: tuple[str, ...]


def svg(
    rows: tuple[tuple[MapCell, ...], ...], beside: list[str], above: list[str], title: str, alt: str
) -> str:
    """The picture of one map, the same bytes every time."""
    return framed(squares(rows, beside, above), title, alt)


def framed(drawing: Drawing, title: str, alt: str) -> str:
    """A whole picture on white, with its title and what it shows in words."""
    width, height, parts = drawing
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="15">',
        f"<title>{html_code(title)}</title>",
        f"<desc>{html_code(alt)}</desc>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    return "\n".join([*lines, *parts, "</svg>", ""])


def squares(rows: tuple[tuple[MapCell, ...], ...], beside: list[str], above: list[str]) -> Drawing:
    """Squares from white (0) to dark (1) with their values, and the tokens on two sides."""
    across = max(CELL, *(LETTER * len(token) + 12 for token in above))
    start = max(LABEL, *(LETTER * len(token) + 20 for token in beside))
    width, height = start + across * len(above) + 8, MARGIN + CELL * len(beside) + 8
    parts: list[str] = []
    centres = [start + across * j + across // 2 for j in range(len(above))]
    parts += [written(token, x, MARGIN - 12) for token, x in zip(above, centres, strict=True)]
    for i, (token, row) in enumerate(zip(beside, rows, strict=True)):
        top = MARGIN + CELL * i
        middle = top + CELL // 2 + 5
        parts.append(written(token, start - 10, middle, anchor="end"))
        for cell, x in zip(row, centres, strict=True):
            place = f'x="{x - across // 2}" y="{top}" width="{across}" height="{CELL}"'
            parts.append(f'<rect {place} fill="{colour(cell.shade)}" stroke="#666666"/>')
            parts.append(written(cell.text, x, middle, ink="#ffffff" if cell.dark else "#000000"))
    return Drawing(width, height, tuple(parts))


def written(text: str, x: int, y: int, *, anchor: str = "middle", ink: str = "#000000") -> str:
    """A piece of text in the picture."""
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{ink}">{html_code(text)}</text>'


def colour(shade: int) -> str:
    """A blue that darkens evenly, so that it reads the same in grey: white at 0, deep blue at 100."""
    red, green, blue = (255 - (255 - end) * shade // SHADES for end in (12, 44, 92))
    return f"#{red:02x}{green:02x}{blue:02x}"


SUBSCRIPTS = str.maketrans("0123456789,", "₀₁₂₃₄₅₆₇₈₉,")
# What is on a letter and around it; it has no plain character.
FACES = "|".join((*sorted(ACCENTS), "mathit", "mathbf", "mathrm", "boldsymbol"))


def plain(segments: Segments) -> str:
    """A sentence as plain text, for pictures and alt texts: x_{2} is x₂."""
    return "".join(spoken(text) if is_maths else text for is_maths, text in segments)


def spoken(source: str) -> str:
    """Simple maths as plain characters."""
    text = re.sub(r"_\{([\d,]+)\}", lambda match: match[1].translate(SUBSCRIPTS), source)
    text = re.sub(r"\^\{\((\d+)\)\}", lambda match: translated(" of head {number}", number=match[1]), text)
    text = re.sub(r"\^\{\[(\d+)\]\}", lambda match: translated(" of case {number}", number=match[1]), text)
    text = re.sub(rf"\\(?:{FACES})(?![A-Za-z])\{{?", "", text)
    return (
        re.sub(r"\\([A-Za-z]+)", lambda match: letter(match[1]), text)
        .replace("{", "")
        .replace("}", "")
        .replace("\\", "")
    )


def letter(command: str) -> str:
    """α for alpha; other commands by their name."""
    from unicodedata import lookup  # few symbols are Greek

    size = "CAPITAL" if command[0].isupper() else "SMALL"
    try:
        return lookup(f"GREEK {size} LETTER {command.upper()}")
    except KeyError:
        return command
