"""Whole answers as typed or pasted: `1 2; 3 4`, LaTeX, numpy, MATLAB, a block of a spreadsheet."""

from __future__ import annotations

import re
from functools import lru_cache

from attnsolve.errors import AttnsolveError
from attnsolve.expressions import normalise
from attnsolve.limits import Limits
from attnsolve.loader.reader import shortened
from attnsolve.report import Note, NoteKind
from attnsolve.submission import State, Table, Written, printable
from attnsolve.verifier.reading.numbers import ABOUT, Budget, read_number, unread
from attnsolve.verifier.reading.separators import RELATION, Typed, looks_decimal, split_row
from attnsolve.verifier.reading.struck import spread

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
COMMA_OR_WHOLE = re.compile(r"[+-]?[0-9]+(?:,[0-9]+)?%?")
LEADING = re.compile(r"\s*(?:[≈=≃]|\\approx|\\simeq)\s*(?=[\[(]|\\begin|\\left)")
WRAPPERS = re.compile(r"^\s*(?:\$\$?|\\\[|\\\()|(?:\$\$?|\\\]|\\\)|(?<=[\]}\)$])[.,;])\s*$")
SCALED = re.compile(r"[0-9.eE+-]{1,20}[ \t]*\*[ \t]*\n")  # how MATLAB shows large numbers: 1.0e+03 *
# The separators of other keyboards; the numbers themselves are kept as they were typed.
SEPARATORS = str.maketrans("，；［］（）＆\u00a0\u2009\u202f\u3000", ",;[]()&    ")
FACTOR = "something stands before or after the matrix; multiply it out and write the result"
CHARACTERS_PER_NUMBER = 32
PIECES_PER_NUMBER = 4


# A plain decimal, as most of a class writes it; number by number, since a pattern for lines may backtrack.
DECIMAL = re.compile(r"-?(?:[0-9]{1,9}(?:\.[0-9]{1,9})?|\.[0-9]{1,9})", re.ASCII)
MOST_KEPT = 1_000


def read_table(text: str, budget: Budget) -> Table:
    """The rows of an answer, all equally long; too many numbers are an AttnsolveError."""
    table = _read_decimals(text, budget.limits) if len(text) <= MOST_KEPT else None
    if table is None:
        return _read_table(text, budget)
    budget.count(table.size)
    return table


@lru_cache(maxsize=4096)
def _read_decimals(text: str, limits: Limits) -> Table | None:
    """The rows of plain decimals, read once for a whole class: they cost a budget nothing but their count."""
    if "\t" in text or not all(map(DECIMAL.fullmatch, text.replace(";", " ").split())):
        return None
    budget, rows = Budget(limits), [row.split() for row in text.replace("\n", ";").split(";")]
    written = [[read_number(typed, budget) for typed in row] for row in rows if row]
    return fill_up(written) if written else None


def _read_table(text: str, budget: Budget) -> Table:
    # What stands before the whole answer would hide the commas of its numbers.
    about = ABOUT.match(text.lstrip()) if len(RELATION.findall(text)) == 1 else None
    text = text if about is None else text.lstrip()[about.end() :]
    most = budget.limits.numbers * CHARACTERS_PER_NUMBER
    if len(text) > most:
        raise AttnsolveError(f"an answer of {len(text)} characters; the limit is {most}")
    pieces = len(text.split()) + sum(map(text.count, ",;&"))
    if pieces > PIECES_PER_NUMBER * budget.limits.numbers:  # seen before it is taken apart with care
        raise AttnsolveError(f"an answer of {pieces} pieces; the limit is {budget.limits.numbers} numbers")
    rows, turned = split_table(text.translate(SEPARATORS).strip())
    if not rows:
        return Table.of_one(Written(printable(shortened(text)), State.BLANK))
    budget.count(sum(map(len, rows)))
    if len(rows) * max(map(len, rows)) > budget.limits.numbers:  # filled up, a ragged one may be huge
        raise AttnsolveError(f"rows of such different lengths; the limit is {budget.limits.numbers} numbers")
    filled = fill_up([[read_typed(typed, budget) for typed in row] for row in rows])
    return Table(zip(*filled, strict=True)) if turned else filled


def split_table(text: str) -> tuple[list[list[Typed]], bool]:
    """The rows of an answer as text, and whether a ᵀ behind them turns them."""
    body = text
    for _ in range(2):
        body = WRAPPERS.sub("", body)
    leading = LEADING.match(body)
    body = body[leading.end() :] if leading else body
    if SCALED.match(body):
        return [[Typed(body, FACTOR)]], False
    if re.search(r"(?<!\\)&", body) or MATRIX.search(body) or ROW_END.search(body):
        return _split_latex(body)
    body = DELIMITED.sub("", body) if "\\" in body else body
    decimals = _split_decimals(body) if ";" in body and "," in body else None
    if decimals is not None:
        return decimals
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
    return tabs or _split_lines(body, bracketed=False), False


def _split_decimals(body: str) -> tuple[list[list[Typed]], bool] | None:
    """`(4,5; 0; 4,5; 0)`: decimal commas in round brackets; None where it is a matrix, or may be one.

    A matrix has rows of one length, and no numbers that start with a 0.
    """
    turned = TRANSPOSED.search(body.rstrip())
    group = ROUND.fullmatch((body[: turned.start()] if turned else body).strip())
    rows = [row.strip() for row in re.split(r"[;\n]", group[1]) if row.strip()] if group else []
    plain = list(map(normalise, rows))
    if len(rows) < 2 or not all(map(COMMA_OR_WHOLE.fullmatch, plain)):
        return None
    if all("," in row for row in rows) and not any(looks_decimal(row.split(",")) for row in plain):
        return None
    return [[Typed(row)] for row in rows], bool(turned)


def fill_up(rows: list[list[Written]]) -> Table:
    """Rows of one length: a row that is only `-` or `?` is that all along, a short one ends in blanks."""
    width = max(map(len, rows))
    made = []
    for number, row in enumerate(rows, start=1):
        if len(row) < width:
            if len(spread(row)) == width:
                row = spread(row)
            elif (
                len(row) == 1
                and row[0].state in (State.BLANK, State.ILLEGIBLE, State.CROSSED)
                and row[0].cell is None
            ):
                row = row * width
            else:
                note = Note(NoteKind.SHORT_ROW, number=len(row), total=width, place=number)
                row = row + [Written("", State.BLANK, notes=(note,))] * (width - len(row))
        made.append(tuple(row))
    return Table(made)


def read_typed(typed: Typed, budget: Budget) -> Written:
    """A number of a row, or what is unclear about it."""
    if not typed.doubt:
        return read_number(typed.text, budget)
    kind = NoteKind.UNCLEAR_COMMA if typed.comma else NoteKind.UNREAD
    return unread(typed.text, typed.doubt, kind=kind)


def _split_latex(body: str) -> tuple[list[list[Typed]], bool]:
    """Cells between & and rows between \\\\, with or without the environment around them."""
    turned = None
    edges = list(MATRIX.finditer(body))
    if edges:
        before, after = body[: edges[0].start()], body[edges[-1].end() :]
        turned = TRANSPOSED.search(after.rstrip())
        after = after[: turned.start()] if turned else after
        if len(edges) != 2 or "begin" not in edges[0][0] or "end" not in edges[1][0]:
            return [[Typed(body, "one \\begin{bmatrix} and one \\end{bmatrix} are expected")]], False
        if any(DELIMITED.sub("", side).strip(" \n\t[](){}.|") for side in (before, after)):
            return [[Typed(body, FACTOR)]], False
        body = body[edges[0].end() : edges[1].start()]
        options = OPTIONS.match(body)
        body = body[options.end() :] if options else body
    rows = []
    for line in ROW_END.split(RULES.sub("", body)):
        if line.strip():
            rows.append([Typed(cell.strip()) for cell in re.split(r"(?<!\\)&", line)])
    return rows, bool(turned)


def _split_brackets(body: str) -> tuple[list[list[Typed]], bool]:
    """`[1 2; 3 4]` and `[[1, 2], [3, 4]]`: the innermost brackets are rows, where there are several."""
    turned = TRANSPOSED.search(body.rstrip())
    body = (body[: turned.start()] if turned else body).strip()
    if not (body.startswith("[") and body.endswith("]")) and not _one_sided(body):
        return [[Typed(body, FACTOR)]], False
    if body.count("[") < 2:
        return _split_lines(body.strip("[]"), bracketed=True), bool(turned)
    rows, depth, end = [], 0, 0
    for bracket in re.finditer(r"[\[\]]|$", body):
        piece = body[end : bracket.start()].strip(" \t\n,")
        if piece and depth == 0 and end:
            return [[Typed(body, FACTOR)]], False
        if piece:
            rows += _split_lines(" ".join(piece.split("\n")), bracketed=True)
        depth += (bracket[0] == "[") - (bracket[0] == "]")
        end = bracket.end()
    return rows, bool(turned)


def _one_sided(body: str) -> bool:
    """A bracket that was forgotten at one end, which hides nothing."""
    return bool(re.fullmatch(r"\[+[^\[\]]*|[^\[\]]*\]+", body)) and not re.search(r"[*/^]\s*[\[\]]", body)


def _split_tabs(body: str) -> list[list[Typed]] | None:
    """A block of a spreadsheet, where an empty cell is a blank; None when the tabs are only layout."""
    lines = [line.rstrip() for line in re.split(r"[;\n]", body) if line.strip()]
    if all(line.startswith("\t") for line in lines):
        lines = [line[1:] for line in lines]
    rows = [[cell.strip() for cell in line.split("\t")] for line in lines]
    if any(len(split_row(cell)) > 1 for row in rows for cell in row):
        return None
    return [[Typed(cell) for cell in row] for row in rows]


def _split_lines(body: str, *, bracketed: bool) -> list[list[Typed]]:
    rows = [split_row(line, bracketed=bracketed) for line in re.split(r"(?<!\\);|\n", body)]
    return [row for row in rows if row]
