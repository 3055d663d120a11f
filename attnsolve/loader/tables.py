"""Matrices as people type them: `1 2; 3 4`, nested lists, pasted blocks, ones(3x2), sums of other givens, files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from attnsolve.documents import Node, read_table
from attnsolve.errors import AttnsolveError, ExpressionError
from attnsolve.exact import Cell, Matrix, Rational, Rationals, matrix_of_cells
from attnsolve.expressions import expression, number, parse_tree
from attnsolve.loader.reader import Reader, did_you_mean
from attnsolve.recipes import Field
from attnsolve.working import evaluate

MADE = re.compile(r"(ones|zeros|identity|fill)\s*\(\s*(\d{1,6})\s*(?:x\s*(\d{1,6})\s*)?(?:,(.*))?\)", re.DOTALL)
ITEM = re.compile(r"[^\s,;\[\]]+(?:,[^\s;\[\]]+)*")
FILE = (Field("file", "text", "a CSV or JSON file beside the problem", required=True),)


@dataclass(frozen=True, slots=True)
class Table:
    """A matrix as it was typed, not yet turned into the row convention."""

    value: Matrix
    typed: tuple[tuple[str, ...], ...]
    vector: bool


def read_table_node(reader: Reader, node: Node, path: str, known: Callable[[str], Table | None]) -> Table | None:
    """The matrix at a node, or None after its faults are noted; `known` finds other givens by name."""
    before = len(reader.faults)
    if node.kind == "map":
        table = _from_file(reader, node, path)
    elif node.kind == "list":
        table = _from_list(reader, node, path)
    else:
        table = _from_text(reader, node, path, known)
    if table is None or len(reader.faults) > before:
        return None
    return table if within_limits(reader, node, path, table.value.shape) else None


def within_limits(reader: Reader, node: Node, path: str, shape: tuple[int, int]) -> bool:
    """Whether a shape is small enough for a solution that is meant to be read."""
    for count, what, limit in ((shape[0], "rows", reader.limits.tokens), (shape[1], "columns", reader.limits.dimension)):
        if count > limit:
            reader.fault(node, path, f"{count} {what}; the limit is {limit} (exact solutions are meant to be read)")
            return False
    return True


def _from_list(reader: Reader, node: Node, path: str) -> Table | None:
    if not node.items:
        reader.fault(node, path, "an empty list; write at least one number")
        return None
    nested = any(item.kind == "list" for item in node.items)
    rows = node.items if nested else (node,)
    cells: list[list[tuple[Cell, str]]] = []
    for r, row in enumerate(rows):
        where = f"{path}[{r + 1}]" if nested else path
        if row.kind != "list":
            reader.fault(row, where, "a row in [ ] is expected here, as in the other rows")
            return None
        cells.append([_cell_at(reader, item, f"{where}[{c + 1}]") for c, item in enumerate(row.items)])
    return _assembled(reader, [(row, 0, 0) for row in rows], path, cells, vector=not nested)


def _cell_at(reader: Reader, node: Node, path: str) -> tuple[Cell, str]:
    if node.kind != "text" or not node.text.strip():
        reader.fault(node, path, "a number is expected here")
        return Rational(0), "0"
    return _number(reader, node, path, node.text.strip(), 1 if node.quoted else 0, 0)


def _number(reader: Reader, node: Node, path: str, text: str, shift: int, line_shift: int) -> tuple[Cell, str]:
    try:
        return number(text, limits=reader.limits), text
    except ExpressionError as error:
        reader.fault(node, path, str(error), shift=shift + error.column - 1, line_shift=line_shift)
    except AttnsolveError as error:
        reader.fault(node, path, str(error), shift=shift, line_shift=line_shift)
    return Rational(0), "0"


Place = tuple[Node, int, int]


def _assembled(
    reader: Reader, places: list[Place], path: str, cells: list[list[tuple[Cell, str]]], *, vector: bool
) -> Table | None:
    """The rows as a matrix, unless they are not equally long."""
    width = len(cells[0])
    for r, row in enumerate(cells):
        if len(row) != width or not row:
            node, shift, line_shift = places[r]
            hint = _comma_hint(row, cells[0])
            message = f"row {r + 1} has {len(row)} numbers, but row 1 has {width}{hint}"
            reader.fault(node, path, message, shift=shift, line_shift=line_shift)
            return None
    typed = tuple(tuple(text for _, text in row) for row in cells)
    return Table(matrix_of_cells([[cell for cell, _ in row] for row in cells]), typed, vector)


def _comma_hint(*rows: list[tuple[Cell, str]]) -> str:
    whole = all(re.fullmatch(r"-?\d+", text) for row in rows for _, text in row)
    return "; if a decimal comma was meant, write a point: 0.5" if whole else "; every row needs as many"


def _from_text(reader: Reader, node: Node, path: str, known: Callable[[str], Table | None]) -> Table | None:
    text = node.text.strip()
    if not text:
        reader.fault(node, path, "this is empty; write numbers such as 1 2; 3 4")
        return None
    made = MADE.fullmatch(text)
    if made:
        return _made(reader, node, path, made)
    names = [name for name in re.findall(r"[A-Za-z_]\w*(?:\.\w+)*", text) if known(name)]
    if names:
        return _combined(reader, node, path, text, known)
    return _literal(reader, node, path)


def _literal(reader: Reader, node: Node, path: str) -> Table | None:
    """`1 2; 3 4` or a pasted block; brackets and commas between numbers are overlooked."""
    block = node.quoted in ("|", ">")
    cells, places = [], []
    for line_number, start, row in _rows(node.text):
        items = list(ITEM.finditer(row))
        if not items:
            continue
        shift = start if block or line_number else start + (1 if node.quoted else 0)
        line_shift = line_number + 1 if block else line_number
        numbers = []
        for match in items:
            where = f"{path}[{len(cells) + 1}, {len(numbers) + 1}]"
            numbers.append(_number(reader, node, where, match[0].rstrip(","), shift + match.start(), line_shift))
        cells.append(numbers)
        places.append((node, shift, line_shift))
    if not cells:
        reader.fault(node, path, "no numbers here; write them as 1 2; 3 4")
        return None
    return _assembled(reader, places, path, cells, vector=len(cells) == 1)


def _rows(text: str) -> Iterator[tuple[int, int, str]]:
    """(line, column, row text) for every row of a literal."""
    for line_number, line in enumerate(text.splitlines()):
        start = 0
        for piece in re.split(r"(;|\]\s*,?\s*(?=\[))", line):
            if piece.strip(" ;[],"):
                yield line_number, start, piece
            start += len(piece)


def _made(reader: Reader, node: Node, path: str, made: re.Match[str]) -> Table | None:
    kind, rows, columns, rule = made[1], int(made[2]), made[3], made[4]
    shape = (rows, int(columns) if columns else rows)
    if columns is None and kind != "identity":
        reader.fault(node, path, f"{kind} needs rows and columns, such as {kind}(3x2)")
        return None
    if (rule is None) == (kind == "fill"):
        reader.fault(node, path, "fill needs a rule for its entries, such as fill(3x2, i + j)" if kind == "fill" else f"{kind}({rows}x{shape[1]}) takes no rule; use fill")
        return None
    if not min(shape) or not within_limits(reader, node, path, shape):
        return None if min(shape) else reader.fault(node, path, "a matrix needs at least one row and one column")
    if kind == "fill":
        return _filled(reader, node, path, shape, rule)
    entries = [[int(kind == "ones" or (kind == "identity" and i == j)) for j in range(shape[1])] for i in range(shape[0])]
    return Table(Rationals(entries), tuple(tuple(map(str, row)) for row in entries), False)


def _filled(reader: Reader, node: Node, path: str, shape: tuple[int, int], rule: str) -> Table | None:
    """Every entry by a rule in i (row) and j (column)."""
    first = reader.index_from
    try:
        cells = [
            [
                evaluate(expression(rule, names={"i": Rational(i + first), "j": Rational(j + first)}, limits=reader.limits))
                for j in range(shape[1])
            ]
            for i in range(shape[0])
        ]
    except AttnsolveError as error:
        reader.fault(node, path, str(error))
        return None
    return Table(matrix_of_cells(cells), (), False)


def _from_file(reader: Reader, node: Node, path: str) -> Table | None:
    entries = reader.mapping(node, path, FILE)
    name = reader.word(entries["file"], f"{path}.file", "a file name") if "file" in entries else None
    if name is None:
        return None
    try:
        rows = read_table(reader.folder, name, limits=reader.limits)
    except (ValueError, OSError) as error:
        reader.fault(entries["file"], f"{path}.file", str(error))
        return None
    if not rows or not rows[0]:
        reader.fault(entries["file"], f"{path}.file", "the file holds no numbers")
        return None
    if not within_limits(reader, node, path, (len(rows), max(map(len, rows)))):
        return None
    cells = [
        [_number(reader, entries["file"], f"{path}.file[{r + 1}, {c + 1}]", text, 0, 0) for c, text in enumerate(row)]
        for r, row in enumerate(rows)
    ]
    return _assembled(reader, [(node, 0, 0)] * len(rows), path, cells, vector=False)


def _combined(reader: Reader, node: Node, path: str, text: str, known: Callable[[str], Table | None]) -> Table | None:
    """A given made from other givens: `50*(K[1] + K[2])`."""
    try:
        value = _Combiner(reader, known).value(parse_tree(text, reader.limits))
    except AttnsolveError as error:
        shift = error.column - 1 if isinstance(error, ExpressionError) else 0
        reader.fault(node, path, str(error), shift=shift + (1 if node.quoted else 0))
        return None
    if not isinstance(value, Matrix):
        value = matrix_of_cells([[value]])
    return Table(value, (), value.shape[0] == 1)


class _Combiner:
    """Sums, differences and multiples of matrices, from the same grammar as numbers."""

    def __init__(self, reader: Reader, known: Callable[[str], Table | None]) -> None:
        self.reader = reader
        self.known = known

    def value(self, tree: Any) -> Matrix | Cell:
        if tree.data == "name":
            return self._named(str(tree.children[0]), tree)
        if tree.data == "item":
            return self._item(tree)
        if tree.data in ("plus", "minus"):
            a, b = map(self.value, tree.children)
            return self._sum(a, self._times(b, Rational(-1)) if tree.data == "minus" else b, tree)
        if tree.data == "negative":
            return self._times(self.value(tree.children[0]), Rational(-1))
        if tree.data in ("times", "over"):
            a, b = map(self.value, tree.children)
            return self._scaled(a, b, tree)
        return evaluate(expression(_source(tree), limits=self.reader.limits))

    def _named(self, name: str, tree: Any) -> Matrix:
        table = self.known(name)
        if table is None:
            raise ExpressionError(f"there is no given '{name}'", column=tree.meta.column)
        return table.value

    def _item(self, tree: Any) -> Matrix | Cell:
        name, *indices = map(str, tree.children)
        matrix = self._named(name, tree)
        places = [int(Fraction(index)) - self.reader.index_from for index in indices]
        for place, size, what in zip(places, matrix.shape, ("row", "column"), strict=False):
            if not 0 <= place < size:
                raise ExpressionError(f"{name} has no {what} {place + self.reader.index_from}", column=tree.meta.column)
        return matrix.take([places[0]]) if len(places) == 1 else matrix.cell(*places)

    def _sum(self, a: Matrix | Cell, b: Matrix | Cell, tree: Any) -> Matrix | Cell:
        if not (isinstance(a, Matrix) and isinstance(b, Matrix)) or a.shape != b.shape:
            raise ExpressionError("only matrices of the same shape can be added", column=tree.meta.column)
        return a + b

    def _times(self, a: Matrix | Cell, factor: Cell) -> Matrix | Cell:
        from attnsolve.exact.cells import multiply

        return a.scaled(factor) if isinstance(a, Matrix) else multiply(a, factor)

    def _scaled(self, a: Matrix | Cell, b: Matrix | Cell, tree: Any) -> Matrix | Cell:
        if tree.data == "times" and isinstance(b, Matrix) and isinstance(a, Cell):
            return b.scaled(a)
        if isinstance(b, Matrix) or not isinstance(a, (Matrix, Cell)):
            raise ExpressionError("a matrix can be multiplied or divided by a number only", column=tree.meta.column)
        if tree.data == "times":
            return self._times(a, b)
        return a / b if isinstance(a, Matrix) else evaluate(expression(_source(tree), limits=self.reader.limits))


def _source(tree: Any) -> str:
    """A piece of a parsed text without matrices, as text again."""
    signs = {"plus": "+", "minus": "-", "times": "*", "over": "/", "raised": "^"}
    if not hasattr(tree, "data"):
        return str(tree)
    parts = [_source(child) for child in tree.children]
    if tree.data in signs:
        return f"({parts[0]}){signs[tree.data]}({parts[1]})"
    if tree.data == "negative":
        return f"-({parts[0]})"
    if tree.data == "call":
        return f"{parts[0]}({parts[1]})"
    if tree.data == "root":
        return f"sqrt({parts[0]})"
    return "".join(parts)


def unknown_name(name: str, known: list[str]) -> str:
    """The complaint about a name that is neither given nor computed."""
    listed = f"; the givens are {', '.join(known)}" if known else "; nothing is given"
    return f"there is no '{name}'{did_you_mean(name, known) or listed}"
