"""What values look like in print: exact numbers, decimals, matrices as the course lays them."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from attnsolve.errors import AttnsolveError, ExpressionError
from attnsolve.exact import Cell, Closed, Matrix, Rational, Rationals, Rounded
from attnsolve.exact.balls import Enclosed
from attnsolve.exact.conjugates import rationalised
from attnsolve.exact.decimals import Shown, decimal_text
from attnsolve.exact.infinity import HIDDEN
from attnsolve.exact.masked import shown, visible
from attnsolve.exact.surds import Surds
from attnsolve.expressions import expression, number
from attnsolve.identity import Same
from attnsolve.limits import Limits
from attnsolve.problem import Part, Problem
from attnsolve.rendering import numerals
from attnsolve.rendering.denominators import NamedDenominators
from attnsolve.rendering.forms import kept_of_part
from attnsolve.rendering.markup import corners, typed_number
from attnsolve.rendering.names import Names, is_selection
from attnsolve.rendering.printed_matrices import PrintedMatrices, printed_matrices, turned
from attnsolve.rendering.readable import are_readable, largest

if TYPE_CHECKING:  # few problems have letters
    from attnsolve.rendering.text import Segments
    from attnsolve.statements.tree import Name, Tree

__all__ = ["NoForm", "Notation", "is_selection"]

# A SymPy expression longer than this is shown by its decimals.
LONGEST_FORM = 120
# A fraction with more bits above or below the line is shown by its decimals: nobody reads 2^1054.
LONGEST_FRACTION = 128
# The places of a share in per cent.
HUNDREDTHS = 2
# Matrices with more numbers are not kept for the next document: few read those of large networks twice.
MOST_SHARED = 256
PRINTED = Limits(bits=1_000_000, characters=10_000)


# Cells as they are written in lines, by which cell it is.
Figures = dict[int, tuple[Cell, Any]]


class NoForm(Exception):
    """A number has no exact form that a reader could take in: only its decimals can be shown."""


class Notation(Names):
    """How one part of a problem is written."""

    def __init__(self, problem: Problem, part: Part, *, style: str, places: int) -> None:
        super().__init__(problem, part, written_in(style, problem))
        self.source_style = style == "source"
        self.places = places
        self.denominators = NamedDenominators()
        self.sums: dict[Tree, Name] = {}  # long sums of exponentials, where there are letters
        self._readable: dict[int, tuple[Matrix, bool]] = {}
        self._rounded: dict[int, tuple[Cell, str]] = {}
        self.figures: tuple[Figures, Figures] = ({}, {})  # in lines of numbers: as they are, and in decimals
        self._rows: dict[int, tuple[Matrix, list[list[str]]]] = {}
        self._written_out: dict[tuple[str, int, bool], tuple[Matrix, str]] = {}
        self._printed = printed_by(self)
        self.said: dict[tuple[str, int], tuple[Matrix, Segments]] = {}  # of rows of weights, by their names

    def number(self, cell: Cell, *, longest: int = LONGEST_FORM) -> str:
        """An exact number, denominators by name where they have one; NoForm when it cannot be written."""
        if isinstance(cell, Closed):
            over = not isinstance(cell, Rational) and cell.plain() is None
            return numerals.number(cell, self.style, self.denominators.names if over else None)
        if cell is HIDDEN:
            return numerals.MINUS_INFINITY
        if cell.has_letters:
            from attnsolve.rendering.derivations.formulas import in_letters

            return in_letters(cell, self.sums)
        from attnsolve.rendering.printing import show

        text = cell.text()
        if isinstance(cell, Enclosed) or len(text) > longest:
            raise NoForm
        try:
            if "sqrt" in text and "/(" in text:  # roots below may be brought out
                closed = number(text, limits=PRINTED)
                if isinstance(closed, Closed) and closed is not (short := rationalised(closed)):
                    return numerals.number(short, self.style)
            return show(expression(text, limits=PRINTED), self)
        except ExpressionError:
            raise NoForm from None

    def constant(self, cell: Cell) -> str:
        """A number of the plan itself: no row's denominator lends it a name."""
        return numerals.number(cell, self.style) if isinstance(cell, Closed) else self.number(cell)

    def has_form(self, value: Matrix) -> bool:
        """Whether the numbers of a matrix can be written exactly, and shortly enough to be read."""
        if isinstance(value, Rationals):
            return is_short(value)
        if shown(value).kind not in ("symbolic", "certified"):
            return True
        try:
            self.rows(value)
        except NoForm:
            return False
        return True

    def is_readable(self, value: Matrix) -> bool:
        """Whether a person would write out every number of a matrix wherever it is used."""
        known = self._readable.get(id(value))
        if known is None:
            known = (value, self.has_form(value) and are_readable(value, self.style))
            self._readable[id(value)] = known
        return known[1]

    def decimal(self, cell: Cell) -> str:
        """A number rounded to the places of this sheet; a factor comes again in the lines of its row."""
        known = self._rounded.get(id(cell))
        if known is None:
            known = (cell, numerals.rounded(cell.decimals(self.places)))
            self._rounded[id(cell)] = known
        return known[1]

    def hundredths(self, value: Matrix, i: int) -> list[Rounded]:
        """The numbers of a row rounded to 2 places.

        What is no decimal with the places of this sheet, where these are more, is none with 2 either.
        """
        if self.places < HUNDREDTHS:
            return [value.cell(i, j).rounded(HUNDREDTHS) for j in range(value.shape[1])]
        (digits,), told = value.take([i]).whole(HUNDREDTHS), self.decimals(value)[i]
        return [
            value.cell(i, j).rounded(HUNDREDTHS)
            if x is None or told[j].exact
            else Rounded(x, HUNDREDTHS, False)
            for j, x in enumerate(digits)
        ]

    def usable(self, cell: Cell) -> Rounded:
        """A number with as many significant digits as the sheet has places, if it is small."""
        rounded = cell.decimals(self.places)
        missing = self.places - len(str(abs(rounded.digits)))
        if rounded.exact or rounded.power is not None or missing <= 0:
            return rounded
        return cell.decimals(self.places + missing)

    def decimals(self, value: Matrix) -> tuple[tuple[Rounded, ...], ...]:
        """Every number of a matrix rounded to the places of this sheet; found once, shown often."""
        return self._printed.of(value).in_full

    def proven(self, value: Matrix) -> list[list[Shown]]:
        """The same, of most numbers the digits alone."""
        return self._printed.of(value).proven

    def units(self, value: Matrix) -> list[list[int | None]]:
        """The same in units of the last place; None for what has a power of ten, or no end."""
        proven = self.proven(value)
        return [[x if isinstance(x, int) else whole_units(x) for x in row] for row in proven]

    def decimal_rows(self, value: Matrix) -> list[list[str]]:
        """Every number of a matrix as a decimal in print."""
        return self._printed.of(value).decimal_rows

    def decimal_matrix(self, name: str, value: Matrix) -> str:
        """The same in brackets, laid as the course lays this value."""
        printed = self._printed.of(value)
        return printed.in_decimals_turned if self.transposed(name) else printed.in_decimals

    def is_told(self, value: Matrix) -> bool:
        """Whether every number of a matrix is a decimal of so many places, so that rounding changes none."""
        return self._printed.of(value).is_told

    def rounded(self, value: Matrix) -> Rationals:
        """The matrix a person goes on with who rounds to the places of this sheet."""
        places, proven = self.places, self.proven(value)
        digits = [[x if isinstance(x, int) else x.whole(places) or 0 for x in row] for row in proven]
        return Rationals(digits, 10**places)

    def carried_rows(self, value: Matrix) -> list[list[str]]:
        """Rounded values as a student writes them on: every one with as many places as are carried."""
        numbers = shown(value)
        assert isinstance(numbers, Rationals) and self.problem.rounding is not None
        places = self.problem.rounding.carry
        pairs = zip(numbers.over(10**places).rows, visible(value).rows, strict=True)
        hidden = numerals.MINUS_INFINITY
        return [
            [decimal_text(x, places) if seen else hidden for x, seen in zip(row, kept, strict=True)]
            for row, kept in pairs
        ]

    def given_rows(self, name: str) -> list[list[str]]:
        """The numbers of a given, in the style of the source when that is asked for."""
        given = self.problem.givens[name]
        if self.source_style and given.typed:
            return [
                [typed_number(text) or self.as_typed(given.value.cell(i, j)) for j, text in enumerate(row)]
                for i, row in enumerate(given.typed)
            ]
        try:
            return self.rows(given.value)
        except NoForm:
            return self.rows_in_full(name, given.value)

    def rows_in_full(self, name: str, value: Matrix) -> list[list[str]]:
        """The numbers of a given however long they are: nothing stands for them."""
        rows, columns = map(range, value.shape)
        try:
            most = PRINTED.characters
            return [[self.number(value.cell(i, j), longest=most) for j in columns] for i in rows]
        except NoForm:
            raise AttnsolveError(f"{name} has a number that is too long to be printed") from None

    def as_typed(self, cell: Cell) -> str:
        """A number that a file spells with functions or letters: nobody wrote decimals there."""
        return numerals.number(cell, "fractions") if isinstance(cell, Closed) else self.number(cell)

    def rows(self, value: Matrix) -> list[list[str]]:
        """Every number of a matrix, exactly; written once, shown often."""
        if isinstance(value, (Rationals, Surds)):  # most are
            return self._printed.of(value).exact_rows
        known = self._rows.get(id(value))
        if known is None:
            rows, columns = map(range, value.shape)
            written = [[self.number(value.cell(i, j)) for j in columns] for i in rows]
            known = self._rows[id(value)] = value, written
        return known[1]

    def written(self, name: str, value: Matrix, *, flipped: bool | None = None) -> str:
        """A value with all its numbers exact, a given one as it is given; factors come again in products."""
        if flipped is None:
            flipped = self.transposed(name)
        is_given = name in self.problem.givens
        if isinstance(value, (Rationals, Surds)) and not (is_given and self.source_style):
            printed = self._printed.of(value)
            return printed.exact_turned if flipped else printed.exact
        key = name, id(value), flipped
        known = self._written_out.get(key)
        if known is None:
            rows = self.given_rows(name) if is_given else self.rows(value)
            known = self._written_out[key] = value, self.matrix(name, rows, flipped=flipped)
        return known[1]

    def matrix(self, name: str, rows: Sequence[Sequence[str]], *, flipped: bool | None = None) -> str:
        """A matrix of the working, laid as the course lays this value (or as `flipped` says)."""
        return corners(self.laid(name, rows, flipped=flipped))

    def laid(
        self, name: str, rows: Sequence[Sequence[str]], *, flipped: bool | None = None
    ) -> Sequence[Sequence[str]]:
        """The numbers of a value in the rows and columns of the course."""
        return turned(rows) if (self.transposed(name) if flipped is None else flipped) else rows


def printed_by(notation: Notation) -> PrintedMatrices:
    """What all documents of a problem write in the same way; of large networks each writes its own."""
    if is_large(notation):
        return PrintedMatrices(notation.style, notation.places)
    return printed_matrices(Same(notation.problem), notation.style, notation.places)


@kept_of_part
def is_large(notation: Notation) -> bool:
    """Whether a problem has matrices that hardly anybody reads twice."""
    return any(prod(frame.shape) > MOST_SHARED for frame in notation.problem.frames.values())


def whole_units(number: Rounded) -> int | None:
    """The digits of a number that is written out."""
    return None if number.infinite or number.power is not None else number.digits


def written_in(style: str, problem: Problem) -> str:
    """Fractions or decimals, where the file or the reader says less than that."""
    if problem.rounding is not None:
        return "decimals"  # whoever rounds as he goes writes decimals
    if style != "source":
        return style
    typed = (text for given in problem.givens.values() for row in given.typed for text in row)
    return "decimals" if any("." in text for text in typed) else "fractions"


def is_short(value: Rationals) -> bool:
    """Whether no fraction of a matrix is too long to be read; most are short even before they are reduced."""
    if largest(value.denominator, value.rows).bit_length() <= LONGEST_FRACTION:
        return True
    rows, columns = map(range, value.shape)
    parts = (part for i in rows for j in columns for part in value.fraction(i, j).as_integer_ratio())
    return max(part.bit_length() for part in parts) <= LONGEST_FRACTION
