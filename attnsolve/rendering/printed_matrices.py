"""The numbers of matrices in print: what one document of a paper wrote, the next one finds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from attnsolve.exact import Matrix, Rationals, Rounded
from attnsolve.exact.decimals import Shown, in_full
from attnsolve.exact.surds import Surds
from attnsolve.found_once import found_once
from attnsolve.identity import Same
from attnsolve.problem import Problem
from attnsolve.rendering import numerals
from attnsolve.rendering.markup import corners

# Some forty papers are written at a time: all of them, then their solutions, then the key.
MOST_AT_ONCE = 40
# A problem that somebody practises for hours is shown with ever other numbers.
MOST_MATRICES = 512

Texts = Sequence[Sequence[str]]


class PrintedMatrix:
    """A matrix in one style and to so many places; each of its forms is written when it is wanted first.

    Nothing of it hangs on the language, or on what else a page has.
    """

    def __init__(self, value: Matrix, style: str, places: int) -> None:
        self.value = value  # held, so that nothing else can take its place in memory
        self.style = style
        self.places = places

    @found_once
    def proven(self) -> list[list[Shown]]:
        """Every number rounded, of most of them the digits alone."""
        return self.value.proven(self.places)

    @found_once
    def in_full(self) -> tuple[tuple[Rounded, ...], ...]:
        """The same with all there is to say of each."""
        return in_full(self.proven, self.places)

    @found_once
    def is_told(self) -> bool:
        """Whether every number is a decimal of so many places, so that rounding changes none of them."""
        if isinstance(self.value, Rationals) and 10**self.places % self.value.denominator == 0:
            return True
        return not any([isinstance(x, int) or not x.exact for row in self.proven for x in row])

    @found_once
    def decimal_rows(self) -> list[list[str]]:
        """Every number as a decimal."""
        return numerals.rounded_rows(self.proven, self.places)

    @found_once
    def exact_rows(self) -> list[list[str]]:
        """Every number as it is, of fractions and sums of roots: others need the names of a page."""
        value, style = self.value, self.style
        if isinstance(value, Surds):
            return numerals.surd_rows(value, style)
        assert isinstance(value, Rationals)
        below = value.denominator  # fractions need not be made one by one
        return [[numerals.ratio(x, below, style) for x in row] for row in value.rows]

    @found_once
    def exact(self) -> str:
        """The whole matrix as it is, in brackets."""
        return corners(self.exact_rows)

    @found_once
    def exact_turned(self) -> str:
        """Its transpose."""
        return corners(turned(self.exact_rows))

    @found_once
    def in_decimals(self) -> str:
        """The whole matrix in decimals, in brackets."""
        return corners(self.decimal_rows)

    @found_once
    def in_decimals_turned(self) -> str:
        """Its transpose."""
        return corners(turned(self.decimal_rows))


class PrintedMatrices:
    """The matrices of a problem in print, by which objects they are."""

    def __init__(self, style: str, places: int) -> None:
        self.style = style
        self.places = places
        self._made: dict[int, PrintedMatrix] = {}

    def of(self, value: Matrix) -> PrintedMatrix:
        """A matrix as it was printed before, or will be now."""
        known = self._made.get(id(value))
        if known is None:
            if len(self._made) >= MOST_MATRICES:
                self._made.clear()
            known = self._made[id(value)] = PrintedMatrix(value, self.style, self.places)
        return known


@lru_cache(maxsize=MOST_AT_ONCE)
def printed_matrices(same: Same[Problem], style: str, places: int) -> PrintedMatrices:
    """What is printed of a problem in this style, by whatever document of it."""
    return PrintedMatrices(style, places)


def turned(rows: Texts) -> Texts:
    """Rows as columns."""
    return list(zip(*rows, strict=True))
