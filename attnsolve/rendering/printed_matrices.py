"""The numbers of matrices in print: what one document wrote, the next one of the same paper finds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from attnsolve.exact import Matrix, Rationals, Rounded
from attnsolve.exact.decimals import Shown, in_full
from attnsolve.exact.surds import Surds
from attnsolve.found_once import found_once
from attnsolve.rendering import numerals
from attnsolve.rendering.markup import corners

# So many are kept as the papers have that are written together; large ones are not among them.
MOST_KEPT, MOST_NUMBERS = 1024, 64

Texts = Sequence[Sequence[str]]


class PrintedMatrix:
    """A matrix of which every number is written; nothing of it hangs on the language or on other matrices."""

    def __init__(self, value: Matrix) -> None:
        self.value = value  # held, so that nothing else can take its place in memory
        self._in_brackets: dict[bool, str] = {}

    @property
    def rows(self) -> list[list[str]]:
        """Its numbers."""
        raise NotImplementedError

    def in_brackets(self, *, turned: bool) -> str:
        """The whole matrix in print, as it is or transposed."""
        known = self._in_brackets.get(turned)
        if known is None:
            known = self._in_brackets[turned] = corners(laid(self.rows, turned=turned))
        return known


class InDecimals(PrintedMatrix):
    """A matrix rounded to the places of a sheet."""

    def __init__(self, value: Matrix, places: int) -> None:
        super().__init__(value)
        self.places = places

    @found_once
    def proven(self) -> list[list[Shown]]:
        """Every number, of most of them the digits alone."""
        return self.value.proven(self.places)

    def in_full(self) -> tuple[tuple[Rounded, ...], ...]:
        """Every number with all there is to say of it."""
        return in_full(self.proven, self.places)

    def cell(self, i: int, j: int) -> Rounded:
        """One of them."""
        found = self.proven[i][j]
        return Rounded(found, self.places, False) if isinstance(found, int) else found

    @found_once
    def is_told(self) -> bool:
        """Whether rounding changes none of them."""
        if isinstance(self.value, Rationals) and 10**self.places % self.value.denominator == 0:
            return True
        return not any([isinstance(x, int) or not x.exact for row in self.proven for x in row])

    @found_once
    def rows(self) -> list[list[str]]:
        """Every number as a decimal in print."""
        return numerals.rounded_rows(self.proven, self.places)


class Exact(PrintedMatrix):
    """A matrix of fractions, or of sums of roots: its numbers need no names of other things."""

    def __init__(self, value: Rationals | Surds, style: str) -> None:
        super().__init__(value)
        self.style = style

    @found_once
    def rows(self) -> list[list[str]]:
        """Every number as it is; most are fractions, which need not be made one by one."""
        if isinstance(self.value, Surds):
            return numerals.surd_rows(self.value, self.style)
        assert isinstance(self.value, Rationals)
        below, style = self.value.denominator, self.style
        return [[numerals.ratio(x, below, style) for x in row] for row in self.value.rows]


Manner = TypeVar("Manner", int, str)
Made = TypeVar("Made", bound=PrintedMatrix)
_in_decimals: dict[tuple[int, int], InDecimals] = {}
_exact: dict[tuple[int, str], Exact] = {}


def laid(rows: Texts, *, turned: bool) -> Texts:
    """Numbers in their rows and columns, or the other way round."""
    return list(zip(*rows, strict=True)) if turned else rows


def in_decimals(value: Matrix, places: int) -> InDecimals:
    """A matrix rounded to so many places, as a document before this one may have written it."""
    known = _in_decimals.get((id(value), places))
    return keep(_in_decimals, places, InDecimals(value, places)) if known is None else known


def exact(value: Rationals | Surds, style: str) -> Exact:
    """A matrix in fractions or decimals, as a document before this one may have written it."""
    known = _exact.get((id(value), style))
    return keep(_exact, style, Exact(value, style)) if known is None else known


def keep(known: dict[tuple[int, Manner], Made], manner: Manner, made: Made) -> Made:
    """A printed matrix for whoever asks next, unless it is large; those of papers long ago are let go."""
    rows, columns = made.value.shape
    if rows * columns <= MOST_NUMBERS:
        if len(known) >= MOST_KEPT:
            known.clear()
        known[id(made.value), manner] = made
    return made
