"""How the rows of an answer are told apart: LaTeX, brackets, Markdown tables, spreadsheets, plain lines."""

from __future__ import annotations

import re
from typing import NamedTuple

from attnsolve.expressions import normalise
from attnsolve.reasons import Reason, reason
from attnsolve.verifier.reading.separators import Typed, looks_decimal, split_row
from attnsolve.verifier.reading.translation import CONSTANTS, FUNCTIONS

MATRIX = re.compile(r"\\(?:begin|end)\s*\{[A-Za-z]*(?:matrix|array)\*?\}")
OPTIONS = re.compile(r"\s*(?:\[[a-z]*\]|\{[lcr|\s@{}]*\})")
DELIMITED = re.compile(r"\\(?:left|right|[bB]ig+[lr]?)\s*(?=[][(){}.|])|\\(?=[{}])")
# A row of LaTeX ends with \\, and perhaps a length: \\[2pt].
ROW_END = re.compile(r"\\\\(?:\s*\[\s*-?[0-9.]+\s*[a-z]{2}\s*\])?|\\cr\b|\\tabularnewline\b")
RULES = re.compile(r"\\(?:hline|toprule|midrule|bottomrule|displaystyle|textstyle)\b")
CALLED = re.compile(r"\s*(?:np\.|numpy\.|torch\.|sympy\.|jnp\.)?(?:array|tensor|matrix|Matrix|asarray)\s*\(")
TRANSPOSED = re.compile(r"(?:\.T|\.?'|ᵀ|⊤|\^\{?\\?(?:T|top|intercal|math(?:sf|rm)\{T\})\}?)$")
GROUP = re.compile(r"(?<![^\s,(\[])\(([^()]*)\)")
ROUND = re.compile(r"\(([^()\[\]]*)\)")
BRACES = re.compile(r"\s*\{\s*[{\d.+-][^\\]*\}\s*")
COMMA_OR_WHOLE = re.compile(r"[+-]?[0-9]+(?:,[0-9]+)?%?")
LEADING = re.compile(r"\s*(?:[≈=≃]|\\approx|\\simeq)\s*(?=[\[(]|\\begin|\\left)")
WRAPPERS = re.compile(r"^\s*(?:\$\$?|\\\[|\\\()|(?:\$\$?|\\\]|\\\)|(?<=[\]}\)$])[.,;])\s*$")
SCALED = re.compile(r"([0-9.eE+-]{1,20})[ \t]*\*[ \t]*\n")  # how MATLAB shows large numbers: 1.0e+03 *
# What may stand between a factor and its matrix, on either side.
TIMES = ("*", "·", "×", "\\cdot", "\\times", "\\,")
FACTOR_BEHIND = re.compile(r"\s*(\*|/|·|×|\\cdot|\\times)\s*(\S.*)", re.DOTALL)
# The line below the heading of a Markdown table, and a heading: words that are no numbers.
RULE = re.compile(r":?-{2,}:?")
LABEL = re.compile(r"[$*`\\]*([^\W\d]+)[\w{}^$*`, ]*")
# What is unclear about an answer with more than one matrix in it.
FACTOR = reason("something stands before or after the matrix; multiply it out and write the result")


class TypedTable(NamedTuple):
    """The rows of an answer as text, whether a ᵀ behind them turns them, and what multiplies all of them."""

    rows: list[list[Typed]]
    turned: bool = False
    factor: str = ""


def unclear(body: str, why: Reason) -> TypedTable:
    """An answer whose rows cannot be told apart."""
    return TypedTable([[Typed(body, why)]])


def split_layout(text: str) -> TypedTable:
    """The rows of an answer, whichever way they were typed or pasted."""
    body = text
    for _ in range(2):
        body = WRAPPERS.sub("", body)
    leading = LEADING.match(body)
    body = body[leading.end() :] if leading else body
    scaled = SCALED.match(body)
    if scaled:
        return split_layout(body[scaled.end() :])._replace(factor=scaled[1])
    if re.search(r"(?<!\\)&", body) or MATRIX.search(body) or ROW_END.search(body):
        return _split_latex(body)
    body = DELIMITED.sub("", body) if "\\" in body else body
    if "|" in body:
        return _split_bars(body)
    decimals = _split_decimals(body) if ";" in body and "," in body else None
    if decimals is not None:
        return decimals
    if BRACES.fullmatch(body):
        body = body.translate(str.maketrans("{}", "[]"))
    for _ in range(3):
        body = GROUP.sub(
            lambda group: f"[{group[1]}]" if "," in group[1] or ";" in group[1] else group[0], body
        )
    if CALLED.match(body):
        start, stop = body.find("["), body.rfind("]")
        if -1 < start < stop:
            body = body[start : stop + 1]
    if "[" in body or "]" in body:
        return _split_brackets(body)
    tabs = _split_tabs(body) if "\t" in body else None
    return TypedTable(tabs or split_lines(body, bracketed=False))


def _split_decimals(body: str) -> TypedTable | None:
    """`(4,5; 0; 4,5; 0)`: decimal commas in round brackets; None where it is a matrix, or may be one.

    A matrix has rows of one length, and no numbers that start with a 0.
    """
    turned = TRANSPOSED.search(body.rstrip())
    body = (body[: turned.start()] if turned else body).strip()
    if ROUND.sub("", body).strip(" \t\n,;"):
        return None
    groups = [[cell.strip() for cell in re.split(r"[;\n]", g) if cell.strip()] for g in ROUND.findall(body)]
    flat = [normalise(cell) for group in groups for cell in group]
    if len(flat) < 2 or not all(map(COMMA_OR_WHOLE.fullmatch, flat)):
        return None
    if all("," in cell for cell in flat) and not any(looks_decimal(cell.split(",")) for cell in flat):
        return None
    if len(groups) > 1:
        return TypedTable([[Typed(cell) for cell in group] for group in groups], bool(turned))
    return TypedTable([[Typed(cell)] for cell in groups[0]], bool(turned))


def _split_latex(body: str) -> TypedTable:
    """Cells between & and rows between \\\\, with or without the environment around them."""
    turned, factor = None, ""
    edges = list(MATRIX.finditer(body))
    if edges:
        before, after = body[: edges[0].start()], body[edges[-1].end() :]
        turned = TRANSPOSED.search(after.rstrip())
        after = after[: turned.start()] if turned else after
        if len(edges) != 2 or "begin" not in edges[0][0] or "end" not in edges[1][0]:
            begin, end = "\\begin{bmatrix}", "\\end{bmatrix}"
            return unclear(body, reason("one {begin} and one {end} are expected", begin=begin, end=end))
        sides = [DELIMITED.sub("", side).strip() for side in (before, after)]
        found = _factor(sides[0].rstrip("[({.|"), sides[1].lstrip("])}.|"))
        if found is None:
            return unclear(body, FACTOR)
        factor, body = found, body[edges[0].end() : edges[1].start()]
        options = OPTIONS.match(body)
        body = body[options.end() :] if options else body
    rows = []
    for line in ROW_END.split(RULES.sub("", body)):
        if line.strip():
            rows.append([Typed(cell.strip()) for cell in re.split(r"(?<!\\)&", line)])
    return TypedTable(rows, bool(turned), factor)


def _factor(before: str, behind: str) -> str | None:
    """What multiplies a matrix, from what stands around it; None where that is no single factor."""
    before = before.strip()
    times = next((sign for sign in TIMES if before.endswith(sign)), "")
    before = before.removesuffix(times).rstrip()
    match = FACTOR_BEHIND.fullmatch(behind)
    if (behind.strip() and match is None) or re.search(r"[\[\];&,\n=≈]", before + behind):
        return None
    if len(split_row(before)) > 1 or before.endswith(("/", "^")):
        return None
    if before.strip() in ("", "+", "-") and match is None:
        return f"{before.strip()}1" if before.strip() else ""
    first = f"({before})" if before.strip() not in ("", "+", "-") else f"({before.strip()}1)"
    return f"{first}{match[1]}({match[2].strip()})" if match else before.strip()


def _split_brackets(body: str) -> TypedTable:
    """`[1 2; 3 4]` and `[[1, 2], [3, 4]]`: the innermost brackets are rows, where there are several."""
    if _is_one_sided(body):
        return TypedTable(split_lines(body.strip("[]"), bracketed=True))
    start, stop = body.find("["), body.rfind("]") + 1
    if not -1 < start < stop:
        return unclear(body, FACTOR)
    behind = body[stop:].rstrip()
    turned = TRANSPOSED.search(behind)
    factor = _factor(body[:start], behind[: turned.start()] if turned else behind)
    if factor is None:
        return unclear(body, FACTOR)
    body = body[start:stop]
    if body.count("[") < 2:
        return TypedTable(split_lines(body.strip("[]"), bracketed=True), bool(turned), factor)
    rows: list[list[Typed]] = []
    depth, end = 0, 0
    for bracket in re.finditer(r"[\[\]]|$", body):
        piece = body[end : bracket.start()].strip(" \t\n,")
        if piece and depth == 0 and end:
            return unclear(body, FACTOR)
        if piece:
            rows += split_lines(" ".join(piece.split("\n")), bracketed=True)
        depth += (bracket[0] == "[") - (bracket[0] == "]")
        end = bracket.end()
    return TypedTable(rows, bool(turned), factor)


def _is_one_sided(body: str) -> bool:
    """Whether a bracket was forgotten at one end, which hides nothing."""
    return bool(re.fullmatch(r"\[+[^\[\]]*|[^\[\]]*\]+", body)) and not re.search(r"[*/^]\s*[\[\]]", body)


def _split_bars(body: str) -> TypedTable:
    """A Markdown table, whose heading and first column are left out where they are words; or rows in bars."""
    lines = [line.strip() for line in body.split("\n") if line.strip()]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    ruled = [all(map(RULE.fullmatch, row)) for row in rows]
    if True in ruled[1:2] and all(not cell or is_label(cell) for cell in rows[0]):
        rows, ruled = rows[2:], ruled[2:]
    rows = [row for row, is_rule in zip(rows, ruled, strict=True) if not is_rule]
    if rows and all(len(row) > 1 and is_label(row[0]) for row in rows):
        rows = [row[1:] for row in rows]
    if all(len(row) == 1 for row in rows):
        return TypedTable([split_row(row[0]) for row in rows])
    return TypedTable([[Typed(cell) for cell in row] for row in rows])


def is_label(cell: str) -> bool:
    """Whether a cell of a table is a word and no number: q1, token 2."""
    match = LABEL.fullmatch(cell)
    return match is not None and match[1].lower() not in (*FUNCTIONS, *CONSTANTS, "inf", "nan", "na", "none")


def _split_tabs(body: str) -> list[list[Typed]] | None:
    """A block of a spreadsheet, where an empty cell is a blank; None when the tabs are only layout."""
    lines = [line.rstrip() for line in re.split(r"[;\n]", body) if line.strip()]
    if all(line.startswith("\t") for line in lines):
        lines = [line[1:] for line in lines]
    rows = [[cell.strip() for cell in line.split("\t")] for line in lines]
    if any(len(split_row(cell)) > 1 for row in rows for cell in row):
        return None
    return [[Typed(cell) for cell in row] for row in rows]


def split_lines(body: str, *, bracketed: bool) -> list[list[Typed]]:
    """Rows of numbers between ; or line breaks."""
    rows = [split_row(line, bracketed=bracketed) for line in re.split(r"(?<!\\);|\n", body)]
    return [row for row in rows if row]
