"""One script in many spellings, which all say the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction

Rows = list[list[str]]
Spelling = Callable[[str, Rows], str]

DECIMAL = re.compile(r"\d+\.\d+")


def point(name: str, rows: Rows) -> str:
    """`a.S 1.5 2; 3 4`."""
    return joined(f"{name} ", rows, " ", "; ")


def write(texts: Mapping[str, Rows], *, columns: bool = False, spelling: Spelling = point) -> str:
    """The answers of a script; where tokens are columns all tables lie on their side."""
    return "".join(f"{spelling(name, turned(rows) if columns else rows)}\n" for name, rows in texts.items())


def turned(rows: Rows) -> Rows:
    """Rows as columns."""
    return [list(column) for column in zip(*rows, strict=True)]


def joined(name: str, rows: Rows, between: str, below: str) -> str:
    """A name and its rows."""
    return name + below.join(between.join(row) for row in rows)


def cells(change: Callable[[str], str], rows: Rows) -> Rows:
    """Every cell written another way."""
    return [[change(cell) for cell in row] for row in rows]


def comma(cell: str) -> str:
    """0,5 for 0.5."""
    return cell.replace(".", ",")


def latex(cell: str) -> str:
    """Fractions and infinity as LaTeX has them."""
    if "/" in cell:
        above, below = cell.split("/")
        return rf"\frac{{{above}}}{{{below}}}"
    return cell.replace("inf", r"\infty")


def as_fraction(cell: str) -> str:
    """9/2 for 4.5."""
    return str(Fraction(cell)) if DECIMAL.fullmatch(cell.lstrip("-")) else cell


def as_percent(cell: str) -> str:
    """46.54% for 0.4654."""
    if not DECIMAL.fullmatch(cell):
        return cell
    before, behind = cell.split(".")
    digits = before + behind.ljust(2, "0")
    whole, rest = digits[: len(before) + 2].lstrip("0") or "0", digits[len(before) + 2 :]
    return f"{whole}.{rest}%" if rest else f"{whole}%"


def without_zero(cell: str) -> str:
    """.5 for 0.5."""
    return re.sub(r"(?<![\d.])0\.(?=\d)", ".", cell)


def with_point(cell: str) -> str:
    """2. for 2, as numpy shows it."""
    return f"{cell}." if cell.lstrip("-").isdigit() else cell


def markdown(name: str, rows: Rows) -> str:
    """A table with bars, its first row above the rule."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    rule = "|" + "---|" * len(rows[0])
    return "\n".join([name, lines[0], rule, *lines[1:]])


def percent(name: str, rows: Rows) -> str:
    """Weights as percent."""
    return point(name, cells(as_percent, rows) if name.endswith(".A") else rows)


def bmatrix(name: str, rows: Rows) -> str:
    """LaTeX."""
    inner = " \\\\ ".join(" & ".join(map(latex, row)) for row in rows)
    return rf"{name} = \begin{{bmatrix}} {inner} \end{{bmatrix}}"


def numpy_array(name: str, rows: Rows) -> str:
    """`array([[1.5, 2.], [3., 4.]])`."""
    return joined(f"{name} = array([[", cells(with_point, rows), ", ", "],\n       [") + "]])"


def numpy_printed(name: str, rows: Rows) -> str:
    """As numpy prints it, without commas."""
    return joined(f"{name} = [[", cells(with_point, rows), " ", "]\n [") + "]]"


def in_brackets(between: str) -> Spelling:
    """MATLAB, with blanks or commas between the numbers."""
    return lambda name, rows: joined(f"{name} = [", cells(matlab, rows), between, "; ") + "]"


def matlab(cell: str) -> str:
    """MATLAB's name of infinity."""
    return cell.replace("inf", "Inf")


def minus(cell: str) -> str:
    """A typographic minus."""
    return cell.replace("-", "−").replace("inf", "∞")


def on_lines(between: str, change: Callable[[str], str] = str) -> Spelling:
    """Rows on lines of their own: typed, or pasted from a spreadsheet."""
    return lambda name, rows: joined(f"{name}\n", cells(change, rows), between, "\n")


SPELLINGS: dict[str, Spelling] = {
    "point": point,
    "comma": lambda name, rows: point(name, cells(comma, rows)),
    "without zero": lambda name, rows: point(name, cells(without_zero, rows)),
    "percent": percent,
    "LaTeX": bmatrix,
    "LaTeX with commas": lambda name, rows: bmatrix(name, cells(lambda cell: cell.replace(".", "{,}"), rows)),
    "numpy array": numpy_array,
    "numpy printed": numpy_printed,
    "MATLAB": in_brackets(" "),
    "MATLAB with commas": in_brackets(", "),
    "lines": on_lines("  "),
    "lines with decimal commas": on_lines(" ", comma),
    "spreadsheet": on_lines("\t"),
    "spreadsheet with decimal commas": on_lines("\t", comma),
    "Markdown table": markdown,
    "typographic minus": lambda name, rows: point(name, cells(minus, rows)),
}
