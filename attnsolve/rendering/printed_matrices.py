"""The numbers of matrices in print: what one document wrote, the next one of the same paper finds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from attnsolve.exact import Matrix, Rationals, Rounded
from attnsolve.exact.decimals import Shown, in_full
from attnsolve.exact.surds import Surds
from attnsolve.found_once import found_once
from attnsolve.identity import Same
from attnsolve.rendering import numerals
from attnsolve.rendering.markup import corners

# So many are kept, which the papers have that are written together; large ones are not among them.
MOST_KEPT, MOST_NUMBERS = 2048, 64

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

    @found_once
    def in_full(self) -> tuple[tuple[Rounded, ...], ...]:
        """The same with all there is to say of each."""
        return in_full(self.proven, self.places)

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


def laid(rows: Texts, *, turned: bool) -> Texts:
    """Numbers in their rows and columns, or the other way round."""
    return list(zip(*rows, strict=True)) if turned else rows


def in_decimals(value: Matrix, places: int) -> InDecimals:
    """A matrix rounded to so many places, by whichever document of late."""
    return _in_decimals(Same(value), places) if is_kept(value) else InDecimals(value, places)


def exact(value: Rationals | Surds, style: str) -> Exact:
    """A matrix written in fractions or decimals, by whichever document of late."""
    return _exact(Same(value), style) if is_kept(value) else Exact(value, style)


def is_kept(value: Matrix) -> bool:
    """Whether a matrix is small enough to be kept when its document is done."""
    rows, columns = value.shape
    return rows * columns <= MOST_NUMBERS


@lru_cache(maxsize=MOST_KEPT)
def _in_decimals(same: Same[Matrix], places: int) -> InDecimals:
    return InDecimals(same.thing, places)


@lru_cache(maxsize=MOST_KEPT)
def _exact(same: Same[Rationals | Surds], style: str) -> Exact:
    return Exact(same.thing, style)
