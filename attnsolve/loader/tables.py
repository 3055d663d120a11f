"""Matrices as people type them: `1 2; 3 4`, nested lists, pasted blocks, ones(3x2), sums of givens, files."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import islice

from attnsolve.documents import Node
from attnsolve.exact import Matrix, matrix_of_cells
from attnsolve.expressions import normalise
from attnsolve.loader.combinations import Find, combined
from attnsolve.loader.files import read_data, rows_in
from attnsolve.loader.makers import MADE, make
from attnsolve.loader.numbers import DECIMAL_COMMA, read_number
from attnsolve.loader.reader import Reader, counted, within_limits
from attnsolve.recipes import Field
from attnsolve.records import NamedTuple

ITEM = re.compile(r"[^\s,;\[\]]+(?:,[^\s,;\[\]]+)*")
ROW = re.compile(r"[+-]?[\d.][^\s]*(?:[\s;]+[+-]?[\d.][^\s]*)+")  # two numbers or more, nothing between them
PASTED = re.compile(r"\s*[\w.]+\(\s*(\[.*\])[^\]]*\)\s*", re.DOTALL)  # array([[1., 2.]]), tensor([1, 2])
# Between two matrices, as a batch prints.
STACKED = re.compile(r"\]\s*\]\s*,?\s*\[\s*\[")
BATCH = (
    "several matrices stand here; a batch is several cases: give each its name and write "
    "cases: [{input: X_1}, {input: X_2}] (docs/format.md, “A batch”)"
)
WORD = re.compile(r"[A-Za-z_]\w*")
FILE = (Field("file", "text", "a CSV or JSON file beside the problem, such as data/X.csv", required=True),)


class Spelled(NamedTuple):
    """A number still as text, with the character of its node where it starts (none for one from a file)."""

    node: Node
    at: int | None
    text: str


class Table(NamedTuple):
    """A matrix as it was typed, not yet turned into the row convention."""

    value: Matrix
    typed: tuple[tuple[str, ...], ...]
    vector: bool
    made_from: str = ""  # the text, if it names other givens


def read_table_node(
    reader: Reader, node: Node, path: str, *, names: Collection[str] = (), find: Find | None = None
) -> Table | None:
    """The matrix at a node, or None after its faults are noted; it may be made from the givens in `names`."""
    before = len(reader.faults)
    if node.broken:
        return None
    if node.is_map:
        table = _from_file(reader, node, path)
    elif node.is_list:
        table = _from_list(reader, node, path)
    else:
        table = _from_text(reader, node, path, names, find)
    return table if len(reader.faults) == before else None


def _from_list(reader: Reader, node: Node, path: str) -> Table | None:
    """`[1, 2]`, `[[1, 2], [3, 4]]`, or a list of rows typed as text."""
    nested = any(item.is_list for item in node.items)
    if any(cell.is_list for item in node.items if item.is_list for cell in item.items):
        if len(node.items) == 1:  # a batch of one
            return _from_list(reader, node.items[0], path)
        reader.fault(node, path, BATCH)
        return None
    most = reader.limits.dimension
    if not nested and any(ROW.fullmatch(item.text.strip()) for item in node.items):
        return _matrix(reader, node, path, [row for item in node.items for row in _rows(item, most)])
    lists = node.items if nested else (node,)
    if not within_limits(reader, node, path, (len(lists), max(len(row.items) for row in lists))):
        return None
    for row in lists:
        if not row.is_list or not row.items:
            said = "like the other rows" if not row.is_list else "not an empty list"
            reader.fault(row, path, f"a row in [ ] is expected here, {said}, such as [1, 2]")
            return None
        if _mixed_commas(reader, row, path):
            return None
    return _matrix(reader, node, path, [[_spelled(item) for item in row.items] for row in lists])


def _spelled(node: Node) -> Spelled:
    """A cell of a list; what is no text is left empty."""
    text = node.text.strip() if node.is_text else ""
    return Spelled(node, node.text.index(text) if text else None, text)


def _mixed_commas(reader: Reader, row: Node, path: str) -> bool:
    """`[0,5, 1]` has three items and a writer who meant two."""
    touching = [
        (first, second)
        for first, second in zip(row.items, row.items[1:], strict=False)
        if (first.line, first.column + len(first.text) + 1) == (second.line, second.column)
        and DECIMAL_COMMA.fullmatch(f"{first.text},{second.text}")
    ]
    if not touching or len(touching) == len(row.items) - 1:
        return False
    first, second = touching[0]
    said = (
        f"'{first.text},{second.text}' here is two numbers; decimals use a point: {first.text}.{second.text}"
    )
    reader.fault(first, path, f"{said} (if two are meant, put a space after every comma)")
    return True


def _matrix(
    reader: Reader, node: Node, path: str, rows: list[list[Spelled]], *, where: str = ""
) -> Table | None:
    """The rows as a matrix: small enough, every cell a number, all rows equally long."""
    if not within_limits(reader, node, path, (len(rows), max(map(len, rows)))):
        return None
    cells = [
        [
            read_number(
                reader,
                cell.node,
                f"{path}[{r}, {c}]",
                cell.text,
                at=cell.at,
                where=where and f"{where}, row {r}: ",
            )
            for c, cell in enumerate(row, start=1)
        ]
        for r, row in enumerate(rows, start=1)
    ]
    width = len(rows[0])
    for r, row in enumerate(rows, start=1):
        if len(row) != width:
            whole = all(re.fullmatch(r"[+-]?\d+", cell.text) for cell in (*row, *rows[0]))
            hint = (
                "if a decimal comma was meant, write a point: 0.5"
                if whole
                else "all rows need the same length"
            )
            message = f"row {r} has {counted(len(row), 'number')}, but row 1 has {width}; {hint}"
            reader.fault(row[0].node, path, message, at=row[0].at)
            return None
    typed = tuple(tuple(text for _, text in row) for row in cells)
    return Table(matrix_of_cells([[cell for cell, _ in row] for row in cells]), typed, len(cells) == 1)


def _from_text(
    reader: Reader, node: Node, path: str, names: Collection[str], find: Find | None
) -> Table | None:
    text = node.text.strip()
    if not text:
        reader.fault(node, path, "this is empty; write numbers such as 1 2; 3 4")
        return None
    if MADE.fullmatch(normalise(text)):
        value, typed = make(reader, node, path) or (None, ())
        return None if value is None else Table(value, typed, False)
    if find is not None and any(word in names for word in WORD.findall(text)):
        value = combined(reader, node, path, names, find)
        return None if value is None else Table(value, (), value.shape[0] == 1, text)
    return _literal(reader, node, path)


def _literal(reader: Reader, node: Node, path: str) -> Table | None:
    """`1 2; 3 4` or a pasted block; brackets and commas between numbers are overlooked."""
    if STACKED.search(node.text):
        reader.fault(node, path, BATCH)
        return None
    if _folded(reader, node, path):
        return None
    # Blank lines and brackets cost nothing, but what has sixteen times too many is not worth taking apart.
    breaks = sum(map(node.text.count, ";\n["))
    if breaks > 16 * reader.limits.tokens and not within_limits(reader, node, path, (breaks, 1)):
        return None
    rows = list(_rows(node, reader.limits.dimension))
    if not rows:
        reader.fault(node, path, "no numbers here; write them as 1 2; 3 4")
        return None
    return _matrix(reader, node, path, rows)


def _folded(reader: Reader, node: Node, path: str) -> bool:
    """Rows on several lines become one row, silently, unless a `|` keeps the line breaks."""
    if node.quoted == "|" or node.last_line <= node.line:
        return False
    lines = list(node.source[node.line - 1 : node.last_line])
    lines = lines[1:] if node.quoted == ">" else [lines[0][node.column - 1 :], *lines[1:]]
    kept = [line.strip() for line in lines if line.strip("'\" ")]
    if all(line.endswith((";", ",", "[", "]")) for line in kept[:-1]):
        return False
    reader.fault(
        node, path, "YAML joins these lines into one row; write | after the colon and the rows below it"
    )
    return True


def _rows(node: Node, most: int) -> Iterator[list[Spelled]]:
    """The rows of a text, each number with its place; of a row that is too long just enough to tell."""
    start, rows = 0, []
    wrapper = PASTED.fullmatch(node.text)
    text = normalise(" " * wrapper.start(1) + wrapper[1] if wrapper else node.text)
    for piece in re.split(r"([;\n]|\]\s*,?\s*(?=\[))", text):
        found = islice(ITEM.finditer(piece), most + 1)
        items = [Spelled(node, start + match.start(), match[0]) for match in found]
        rows += [items] if items else []
        start += len(piece)
    commas = [item.text for row in rows for item in row if "," in item.text]
    if all(DECIMAL_COMMA.fullmatch(text) for text in commas):  # a mistake, which the number itself reports
        return iter(rows)
    return iter([[cell for item in row for cell in _separated(item)] for row in rows])  # 1,2,3 or 0.5,1


def _separated(item: Spelled) -> Iterator[Spelled]:
    for match in re.finditer(r"[^,]+", item.text):
        yield Spelled(item.node, (item.at or 0) + match.start(), match[0])


def _from_file(reader: Reader, node: Node, path: str) -> Table | None:
    entries = reader.mapping(node, path, FILE)
    name = reader.word(entries["file"], f"{path}.file", "a file name") if "file" in entries else None
    if name is None:
        return None
    try:
        reader.data[name] = read_data(reader.folder, name, limits=reader.limits)
        rows = rows_in(reader.data[name], name)
    except (ValueError, OSError) as error:
        reader.fault(entries["file"], f"{path}.file", str(error))
        return None
    node, path = entries["file"], f"{path}.file"
    return _matrix(
        reader, node, path, [[Spelled(node, None, text) for text in row] for row in rows], where=name
    )
