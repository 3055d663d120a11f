"""Matrices by rule: ones(3x2), zeros(2x2), identity(4), fill(12x4, cos(4*i + j))."""

from __future__ import annotations

import re

from attnsolve.documents import Node
from attnsolve.errors import AttnsolveError, ExpressionError
from attnsolve.exact import Matrix, Rational, Rationals, matrix_of_cells
from attnsolve.expressions import expression, normalise
from attnsolve.loader.numbers import spend
from attnsolve.loader.reader import Reader, shortened, within_limits
from attnsolve.working import evaluate

MAKERS = {"ones": "ones(3x2)", "zeros": "zeros(3x2)", "identity": "identity(4)", "fill": "fill(3x2, i + j)"}
MADE = re.compile(rf"({'|'.join(MAKERS)})\s*\((.*)\)", re.DOTALL)
SIZE = re.compile(r"([0-9]{1,6})(?:\s*[x*]\s*([0-9]{1,6}))?")  # 3x2; normalising has turned × into *

Made = tuple[Matrix, tuple[tuple[str, ...], ...]]


def make(reader: Reader, node: Node, path: str) -> Made | None:
    """The matrix that `ones(3x2)` and its like stand for, with its numbers as typed."""
    made = MADE.fullmatch(normalise(node.text.strip()))
    assert made is not None
    kind, (size_text, comma, rule) = made[1], (piece.strip() for piece in made[2].partition(","))
    size = SIZE.fullmatch(size_text)
    if size is None or (size[2] is None and kind != "identity") or bool(comma) != (kind == "fill"):
        twice = re.fullmatch(r"(\d+)\s*,\s*(\d+)", made[2].strip())
        meant = f"{kind}({twice[1]}x{twice[2]})" if twice and kind in ("ones", "zeros") else MAKERS[kind]
        reader.fault(node, path, f"'{shortened(node.text)}' cannot be made; write {meant}")
        return None
    shape = (int(size[1]), int(size[2] or size[1]))
    if not min(shape) or (kind == "identity" and shape[0] != shape[1]):
        wrong = "has no numbers" if not min(shape) else "is not square"
        reader.fault(node, path, f"'{shortened(node.text)}' {wrong}; write {MAKERS[kind]}")
        return None
    if not within_limits(reader, node, path, shape):
        return None
    if kind == "fill":
        return _filled(reader, node, path, shape, rule)
    height, width = shape
    entries = [
        [int(kind == "ones" or (kind == "identity" and i == j)) for j in range(width)] for i in range(height)
    ]
    return Rationals(entries), tuple(tuple(map(str, row)) for row in entries)


def _filled(reader: Reader, node: Node, path: str, shape: tuple[int, int], rule: str) -> Made | None:
    """Every entry by a rule in i (row) and j (column), counted as the sheet counts."""
    first = reader.index_from
    places = [(i + first, j + first) for i in range(shape[0]) for j in range(shape[1])]
    try:
        spend(reader, rule, times=len(places))
        cells = [
            evaluate(expression(rule, names={"i": Rational(i), "j": Rational(j)}, limits=reader.limits))
            for i, j in places
        ]
    except AttnsolveError as error:
        offset = error.column - 1 if isinstance(error, ExpressionError) else 0
        start = node.text.find(rule) if rule else -1
        reader.fault(node, path, str(error), at=None if start < 0 else start + offset)
        return None
    rows = [cells[start : start + shape[1]] for start in range(0, len(cells), shape[1])]
    return matrix_of_cells(rows), ()
