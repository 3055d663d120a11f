"""Givens made from givens: `50*(K[1] + K[2])`, `-X/2`, or rows put below each other with `x1; x2`."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import reduce
from pathlib import Path
from typing import Any

from attnsolve.documents import Node
from attnsolve.errors import AttnsolveError, ExpressionError
from attnsolve.exact import Cell, Matrix, Rational, matrix_of_cells
from attnsolve.exact.cells import add, divide, multiply
from attnsolve.expressions import normalise, number
from attnsolve.loader.numbers import spend
from attnsolve.loader.reader import Reader, did_you_mean, within_limits

# The matrix of a given by name; None when it could not be read, which has been told already.
Find = Callable[[str], Matrix | None]


class Unreadable(Exception):
    """A given that this one is made from has faults of its own."""


def combined(reader: Reader, node: Node, path: str, names: Collection[str], find: Find) -> Matrix | None:
    """The matrix that a text with the names of other givens stands for, or None after its fault is noted."""
    if not within_limits(reader, node, path, (node.text.count(";") + 1, 1)):
        return None
    rows, start = [], 0
    for piece in node.text.split(";"):
        try:
            rows.append(_Combiner(reader, names, find).matrix(piece))
            widths = {row.shape[1] for row in rows}
            if len(widths) > 1:
                raise AttnsolveError(
                    f"rows of {' and '.join(map(str, sorted(widths)))} numbers cannot stand below each other"
                )
        except Unreadable:
            return None
        except AttnsolveError as error:
            blank = len(piece) - len(piece.lstrip())
            offset = error.column - 1 if isinstance(error, ExpressionError) else blank
            reader.fault(node, path, str(error), at=start + offset)
            return None
        start += len(piece) + 1
    value = reduce(lambda above, below: (above.T | below.T).T, rows)
    return value if within_limits(reader, node, path, value.shape) else None


def combine(text: str, names: Collection[str], find: Find, *, index_from: int) -> Matrix:
    """The same for a text that has been read once without faults."""
    reader = Reader("", Path(), index_from=index_from)
    rows = [_Combiner(reader, names, find).matrix(piece) for piece in text.split(";")]
    return reduce(lambda above, below: (above.T | below.T).T, rows)


class _Combiner:
    """Sums, differences and multiples of matrices, from the same grammar as numbers."""

    def __init__(self, reader: Reader, names: Collection[str], find: Find) -> None:
        self.reader = reader
        self.names = names
        self.find = find
        self.text = ""

    def matrix(self, text: str) -> Matrix:
        """The value of one row or block; a bare number is a matrix of one cell."""
        from attnsolve.expressions.grammar import parse_tree  # few exercises combine their givens

        limits = self.reader.limits
        if len(text) > limits.characters:
            raise ExpressionError(f"this is {len(text)} characters long; the limit is {limits.characters}")
        spend(self.reader, text)
        self.text = normalise(text)
        try:
            tree = parse_tree(self.text, limits)
        except ExpressionError as error:
            said = str(error)
            if said.startswith("cannot read"):
                said = f"{said.partition(';')[0]}; write sums and multiples such as 2*(K[1] + K[2])"
            raise ExpressionError(said, column=error.column) from None
        value = self.value(tree)
        return value if isinstance(value, Matrix) else matrix_of_cells([[value]])

    def value(self, tree: Any) -> Matrix | Cell:
        """The value of a piece: a matrix, or a number to scale one with."""
        if tree.data == "name" and (
            str(tree.children[0]) in self.names or str(tree.children[0]) not in ("e", "pi")
        ):
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
        return self._number(tree)

    def _number(self, tree: Any) -> Cell:
        """A piece without matrices, as the grammar of numbers reads it."""
        for inner in tree.iter_subtrees():
            if inner.data == "item" or (inner.data == "name" and str(inner.children[0]) in self.names):
                what = "a power" if tree.data == "raised" else "a function"
                raise ExpressionError(
                    f"a matrix cannot stand in {what}; add, subtract and scale them", column=tree.meta.column
                )
        return number(self.text[tree.meta.start_pos : tree.meta.end_pos], limits=self.reader.limits)

    def _named(self, name: str, tree: Any) -> Matrix:
        if name not in self.names:
            hint = did_you_mean(name, self.names) or f"; the givens are {', '.join(self.names)}"
            raise ExpressionError(f"there is no given '{name}'{hint}", column=tree.meta.column)
        matrix = self.find(name)
        if matrix is None:
            raise Unreadable
        return matrix

    def _item(self, tree: Any) -> Matrix | Cell:
        """`K[1]`, a row, or `K[1, 2]`, a number, of a given as it is typed."""
        name, *indices = map(str, tree.children)
        matrix = self._named(name, tree)
        first = self.reader.index_from
        for index, size, what in zip(indices, matrix.shape, ("row", "column"), strict=False):
            if not index.isdigit() or not first <= int(index) < first + size:
                said = f"{name} has no {what} {index}; they go from {first} to {first + size - 1}"
                raise ExpressionError(said, column=tree.meta.column)
        places = [int(index) - first for index in indices]
        return matrix.take([places[0]]) if len(places) == 1 else matrix.cell(*places)

    def _sum(self, a: Matrix | Cell, b: Matrix | Cell, tree: Any) -> Matrix | Cell:
        if isinstance(a, Cell) and isinstance(b, Cell):
            return add(a, b)
        if isinstance(a, Cell) or isinstance(b, Cell):
            raise ExpressionError("a number cannot be added to a matrix", column=tree.meta.column)
        if a.shape != b.shape:
            said = "a {}×{} and a {}×{} matrix cannot be added; they need the same shape".format(
                *a.shape, *b.shape
            )
            raise ExpressionError(said, column=tree.meta.column)
        return a + b

    def _times(self, a: Matrix | Cell, factor: Cell) -> Matrix | Cell:
        return a.scaled(factor) if isinstance(a, Matrix) else multiply(a, factor)

    def _scaled(self, a: Matrix | Cell, b: Matrix | Cell, tree: Any) -> Matrix | Cell:
        if isinstance(b, Matrix):
            if tree.data == "over" or isinstance(a, Matrix):
                said = (
                    "a matrix is multiplied or divided by a number only; products of matrices go into a plan"
                )
                raise ExpressionError(said, column=tree.meta.column)
            return b.scaled(a)
        if tree.data == "times":
            return self._times(a, b)
        return a / b if isinstance(a, Matrix) else divide(a, b)
