"""How wide maths will be on paper, counted in digits: lines are broken before they run off the page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import zip_longest

# About what 16 cm of A4 hold in 11 point, with room for the left-hand side.
PAGE = 72
# An exact form wider than this is left to its decimals.
WIDEST_FORM = 2 * PAGE

# A matrix is printed a little smaller where a line does not hold it; a wider one is broken.
WIDEST_MATRIX = 1.35 * PAGE

BEGIN, END = r"\begin{bmatrix} ", r" \end{bmatrix}"
# Digits are equally wide, so one measure serves many numbers.
ZEROS = bytes.maketrans(b"123456789", b"000000000")
# Stands in no maths, so that it can stand between pieces that are looked at together.
BETWEEN = "\0"
# A number is one token; but in x^23 and \\frac12 the first digit stands alone.
TOKEN = re.compile(r"\\[A-Za-z]+|\\.|(?<![\^_c])[0.]+|.", re.DOTALL)
# Where a sum may be broken, and what keeps its insides together.
BOUNDARY = re.compile(r" [+-] (?=\S)|\\(?:begin|end)\{\w+\}|\\.|[({\[)}\]]", re.DOTALL)
OPENED, CLOSED = frozenset(("(", "{", "[", r"\{")), frozenset((")", "}", "]", r"\}"))
WIDTHS = {
    r"\,": 0.3,
    r"\;": 0.5,
    r"\quad": 2.0,
    r"\qquad": 4.0,
    r"\left": 0.0,
    r"\right": 0.0,
    r"\\": 0.0,
    "+": 2.2,
    "-": 1.8,
    "=": 2.4,
    r"\approx": 2.4,
    r"\cdot": 1.4,
    ",": 0.8,
    "(": 0.8,
    ")": 0.8,
    " ": 0.0,
    "&": 1.6,
}
WRAPPING = frozenset((r"\sqrt", r"\tilde", r"\hat", r"\text", r"\mathrm", r"\operatorname"))
# What takes more tokens with it than itself.
OPENING = WRAPPING | {"{", "^", "_", r"\frac", r"\tfrac", r"\dfrac"}


# What was measured, by its markup: whole pieces of maths, and the numbers of matrices.
MOST_KNOWN = 8192
_widths: dict[str, float] = {}
_cells: dict[str, float] = {}


def width(maths: str) -> float:
    """The estimated width of a piece of maths; its matrices were measured when they were made."""
    known = _widths.get(maths)
    return remembered(maths, added_up(maths)) if known is None else known


def remembered(maths: str, width: float) -> float:
    """The width of a piece of maths, for whoever asks next."""
    if len(_widths) >= MOST_KNOWN:
        _widths.clear()
    _widths[maths] = width
    return width


def continued(before: str, more: str) -> str:
    """Maths with more behind it, measured from there on if it ends with a matrix."""
    text = before + more
    if before.endswith(END) and text not in _widths:
        remembered(text, added_up(text, total=width(before), place=len(before)))
    return text


def added_up(maths: str, *, total: float = 0.0, place: int = 0) -> float:
    """The width of maths, its matrices measured one by one; so much of it comes to that much already."""
    while (start := maths.find(BEGIN, place)) >= 0 and (end := maths.find(END, start + len(BEGIN))) >= 0:
        if start > place:
            total += width_between(maths[place:start])
        place = end + len(END)
        known = _widths.get(matrix := maths[start:place])
        if known is None:
            rows = maths[start + len(BEGIN) : end].split(r" \\ ")
            known = remembered(matrix, matrix_width([row.split(" & ") for row in rows]))
        total += known
    return total + width_between(maths[place:]) if place < len(maths) else total


@lru_cache(maxsize=8192)
def width_between(maths: str) -> float:
    """The width of what stands between matrices; much of it is the same in all variants."""
    return measured(with_zeros(maths))


def side_by_side(matrices: Sequence[str]) -> str:
    """Matrices beside each other, each of which has its width."""
    text = " ".join(matrices)
    remembered(text, sum(map(width, matrices)))
    return text


def with_zeros(maths: str) -> str:
    """Maths with 0 for every digit."""
    return maths.encode("utf-8", "surrogatepass").translate(ZEROS).decode("utf-8", "surrogatepass")


def is_wider(maths: str, limit: float) -> bool:
    """Whether maths is wider than that; measured only where its markup is long enough to be."""
    return not is_surely_within(limit, maths) and width(maths) > limit


def is_surely_within(limit: float, *pieces: str) -> bool:
    """Whether the markup is too short to be wider: only signs are wider than what is typed for them."""
    typed = sum(map(len, pieces))
    if typed > limit:
        return False
    signs = sum([piece.count("-") + piece.count("+") + piece.count("=") for piece in pieces])
    return typed + 1.4 * signs <= limit


def matrix_width(rows: Sequence[Sequence[str]]) -> float:
    """A matrix: its columns, each as wide as its widest cell."""
    columns = len(rows[0])
    if all([len(row) == columns for row in rows]):
        needed = cell_widths([cell for row in rows for cell in row])
        widest = [max(needed[j::columns]) for j in range(columns)]
    else:
        widest = [max(cell_widths(column)) for column in zip_longest(*rows, fillvalue="")]
    return sum(widest) + 1.6 * (len(widest) - 1) + 2.0


def cell_widths(cells: Sequence[str]) -> list[float]:
    """The widths of the numbers of a matrix, most of which are known."""
    known = list(map(_cells.get, cells))
    if None not in known:
        return known  # type: ignore[return-value]
    found = list(map(measured, with_zeros(BETWEEN.join(cells)).split(BETWEEN)))
    if len(_cells) >= MOST_KNOWN:
        _cells.clear()
    _cells.update(zip(cells, found, strict=True))
    return found


@lru_cache(maxsize=8192)
def measured(maths: str) -> float:
    """The width of maths without matrices, its digits all 0."""
    return _Measure(TOKEN.findall(maths)).row() if maths else 0.0


class _Measure:
    """A walk over the tokens of maths markup, adding up widths."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.place = 0

    def row(self, stop: str = "") -> float:
        total = 0.0
        while self.place < len(self.tokens) and (token := self.tokens[self.place]) != stop:
            if token in OPENING:
                total += self.item()
            else:
                self.place += 1
                known = WIDTHS.get(token)
                total += known if known is not None else 1.0 if token[0] == "\\" else len(token)
        self.place += 1
        return total

    def item(self) -> float:
        token = self.tokens[self.place]
        self.place += 1
        if token == "{":
            return self.row("}")
        if token in ("^", "_"):
            return 0.7 * self.item()
        if token in (r"\frac", r"\tfrac", r"\dfrac"):
            scale = 0.72 if token == r"\tfrac" else 1.0
            return scale * max(self.item(), self.item()) + 0.3
        if token in WRAPPING:
            return self.item() + (1.0 if token == r"\sqrt" else 0.0)
        return WIDTHS.get(token, 1.0)


# Lines of maths as they stand under each other: what is aligned at the sign, left and right of it.
Rows = tuple[tuple[str, str], ...]


def laid_out(left: str, stages: Sequence[tuple[str, str]], *, page: float = PAGE) -> list[tuple[str, str]]:
    """`left = a = b ≈ c` as rows of an aligned block, broken at relations and, if need be, at plus signs."""
    whole = " ".join([f"{relation} {text}" for relation, text in stages])
    if is_surely_within(page, left, whole):
        return [(left, whole)]  # short even as markup, so there is nothing to measure
    rows: list[tuple[str, str]] = []
    line, used = "", width(left)
    for relation, text in stages:
        piece = f"{relation} {text}"
        room = width(relation) + width(text)
        if line and used + room > page:
            rows.append((left if not rows else "", line))
            line, used = "", 4.0
        if not line and room > page:
            broken = broken_sum(relation, text, page)
            for part in broken[:-1]:
                rows.append((left if not rows else "", part))
            line, used = broken[-1], width(broken[-1]) + 4.0
            continue
        line, used = (f"{line} {piece}" if line else piece), used + room
    rows.append((left if not rows else "", line))
    return rows


def broken_sum(relation: str, text: str, page: float) -> list[str]:
    """A sum that is too long for one line, in several; breaks come before its own signs only."""
    pieces = split_terms(text)
    lines, line = [], f"{relation} {pieces[0]}"
    for piece in pieces[1:]:
        if width(f"{line} {piece}") > page:
            lines.append(line)
            line = f"\\quad {piece}"
        else:
            line = f"{line} {piece}"
    return [*lines, line]


def widest_piece(text: str) -> float:
    """The widest part of a sum that cannot be broken over lines."""
    return max(map(width, split_terms(text)))


def split_terms(text: str) -> list[str]:
    """The terms of a sum, each with its sign, split outside brackets, braces and matrices."""
    pieces, depth, start = [], 0, 0
    for found in BOUNDARY.finditer(text):
        token = found[0]
        depth += (token in OPENED or token.startswith(r"\begin")) - (
            token in CLOSED or token.startswith(r"\end")
        )
        if depth == 0 and token in (" + ", " - "):
            pieces.append(text[start : found.start()].strip())
            start = found.start()
    return [*pieces, text[start:].strip()]
