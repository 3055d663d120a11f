"""Letters for sizes: l tokens of width d, and what else an exercise has.

The first tokens of a plan are l in number and d wide. Another number of tokens, such as those of a context,
is m, then n; another width is called after its matrix: d_k after W_Q and W_K, d_v after W_V. Equal numbers of
tokens share a letter, and so do equal widths. One vector alone is one row, not l.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from attnsolve.exact import Matrix
from attnsolve.exact.counting import Counted, Tally
from attnsolve.exact.polynomials import ONE, Polynomial, size
from attnsolve.ops import Axis, Frame, Role

TOKENS = "lmn"
# Queries and keys have the same width.
MEANT = {"q": "k", "queries": "k", "keys": "k", "values": "v"}


class Letters:
    """The letters of one problem; `sizes` says what they stand for in it."""

    def __init__(self, roles: Mapping[str, Role], *, multiples: bool = False) -> None:
        self.roles = roles
        self.multiples = multiples  # whether every width is a multiple of d
        self.sizes: dict[str, int] = {}
        self.tokens: dict[int, Polynomial] = {}
        self.widths: dict[int, Polynomial] = {}

    def matrix(self, name: str, frame: Frame, beside: Sequence[Matrix], tally: Tally) -> Counted:
        """A given as a matrix that counts; `beside` are the inputs before it of the call that needs it."""
        across = self._fitting(frame.rows.size, beside) if self.roles.get(name) is Role.WEIGHTS else None
        rows = across or self._side(frame.rows, name)
        return Counted(rows, self._side(frame.columns, name, alone=False), tally)

    def _fitting(self, rows: int, beside: Sequence[Matrix]) -> Polynomial | None:
        """The width of what stands before a matrix of weights: a sum, where vectors are put together."""
        widths = [matrix.shape[1] for matrix in reversed(beside) if isinstance(matrix, Counted)]
        together = sum(widths[1:], widths[0]) if widths else ONE
        return next((width for width in (*widths, together) if width.value(self.sizes) == rows), None)

    def _side(self, axis: Axis, name: str, *, alone: bool = True) -> Polynomial:
        if axis.tokens is not None:
            return self._number_of_tokens(axis.size)
        if alone and axis.size == 1:
            return ONE
        return self._width(axis.size, name)

    def _number_of_tokens(self, count: int) -> Polynomial:
        if count not in self.tokens:
            place = len(self.tokens)
            letter = TOKENS[place] if place < len(TOKENS) else f"n_{place - 1}"
            self.tokens[count] = self._letter(letter, count)
        return self.tokens[count]

    def _width(self, width: int, name: str) -> Polynomial:
        if width not in self.widths:
            if "d" not in self.sizes:
                self.widths[width] = self._letter("d", width)
            elif self.multiples:
                self.widths[width] = size("d") * Fraction(width, self.sizes["d"])
            elif width == 1:
                return ONE
            else:
                self.widths[width] = self._letter(self._name_of_width(name), width)
        return self.widths[width]

    def _name_of_width(self, name: str) -> str:
        last = name.rpartition(".")[2].rpartition("_")[2].lower()
        base = f"d_{MEANT.get(last, last)}"
        taken = [known for known in self.sizes if known.rstrip("0123456789") == base]
        return f"{base}{len(taken) + 1}" if base in self.sizes else base

    def _letter(self, letter: str, value: int) -> Polynomial:
        self.sizes[letter] = value
        return size(letter)
