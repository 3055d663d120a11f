"""The right values of a problem, each looked up and rounded once however many people are judged."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

from attnsolve.exact import Cell, Rational
from attnsolve.exact.infinity import HIDDEN
from attnsolve.exact.matrices import BallRows
from attnsolve.findings import Fit
from attnsolve.submission import Numbers, Written
from attnsolve.trace import Step
from attnsolve.verifier.digits import BITS, fits, open_cut, spellings, units, units_of

# e to the power of minus this is nothing at any number of places that is asked for.
VANISHES = 50


class Key:
    """The right values of a problem, each looked up and rounded once however many people are judged."""

    def __init__(self, *, truncation: bool) -> None:
        self.truncation = truncation
        self._cells: dict[tuple[str, int, int], Cell] = {}
        self._balls: dict[str, BallRows] = {}
        self._words: dict[tuple[str, int, int, int], dict[int, Fit]] = {}
        self._open_cuts: dict[tuple[str, int, int, int], int] = {}  # few numbers have one
        self._asked: dict[tuple[str, int, int, int, int], Collection[int]] = {}
        self._largest: dict[str, Fraction] = {}

    def cell(self, step: Step, i: int, j: int) -> Cell:
        """A right number."""
        place = (step.call.out, i, j)
        if place not in self._cells:
            self._cells[place] = step.value.cell(i, j)
        return self._cells[place]

    def balls(self, step: Step) -> BallRows:
        """The balls of the right numbers of a step."""
        name = step.call.out
        if name not in self._balls:
            self._balls[name] = step.value.balls(BITS)
        return self._balls[name]

    def fits(self, written: Written, step: Step, i: int, j: int) -> Fit | None:
        """How a written number goes with the right one."""
        claimed = None if written.places is None else written.fraction
        if claimed is None or written.places is None:
            return fits(written, self.cell(step, i, j), truncation=self.truncation)
        place = (step.call.out, i, j, written.places)
        words = self._words.get(place)
        if words is None:
            right = self.cell(step, i, j)
            if right is HIDDEN:
                far = self.is_far_below(claimed, step, i)
                return fits(written, right, truncation=self.truncation) if far else None
            words = self._words[place] = spellings(right, written.places, truncation=self.truncation)
            cut = open_cut(right, written.places, words) if self.truncation else None
            if cut is not None:
                self._open_cuts[place] = cut
        number = units(claimed, written.places)
        if number is None:
            return None
        if number == self._open_cuts.get(place):
            self.cell(step, i, j).rounded(written.places, mode="truncate")  # raises Undecided, and says why
        return words.get(number)

    def fit_each(self, numbers: Numbers, step: Step) -> dict[tuple[int, int], Fit | None]:
        """The same of many numbers: nearly all of them are decimals, and others wrote as many places."""
        name, known, found = step.call.out, self._words.get, dict[tuple[int, int], Fit | None]()
        for i, j, written in numbers:
            cell, places = written.cell, written.places
            words = None if places is None or self._open_cuts else known((name, i, j, places))
            number = None if words is None or cell is None or places is None else units_of(cell, places)
            if words is None or number is None:
                found[i, j] = self.fits(written, step, i, j)
            else:
                found[i, j] = words.get(number)
        return found

    def is_far_below(self, size: Fraction, step: Step, i: int) -> bool:
        """Whether a score is so far below the others of its row that its exponential vanishes."""
        shown = [ball for ball in self.balls(step)[i] if ball.is_finite()]
        return all(Rational(size).ball(BITS) < ball - VANISHES for ball in shown)

    def largest(self, step: Step) -> Fraction:
        """The size of the largest right number of a step, to three places."""
        name = step.call.out
        if name not in self._largest:
            cells = [
                self.cell(step, i, j) for i in range(step.value.shape[0]) for j in range(step.value.shape[1])
            ]
            sizes = [abs(cell.rounded(3).fraction) for cell in cells if cell is not HIDDEN]
            self._largest[name] = max(sizes, default=Fraction(0))
        return self._largest[name]

    def is_coarse(self, written: Written, step: Step, i: int, j: int, asked: int) -> bool:
        """Whether fewer digits were written than were asked for, although they are not all zeros.

        23 says as much as 23.0000, also where the number is not 23 but nothing of that is asked for.
        """
        claimed = written.fraction
        if written.places is None or written.places >= asked or claimed is None:
            return False
        place = (step.call.out, i, j, written.places, asked)
        if place not in self._asked:
            right = self.cell(step, i, j)
            whole = right.rounded(written.places).exact
            self._asked[place] = () if whole else spellings(right, asked, truncation=True).keys()
        return bool(self._asked[place]) and units(claimed, asked) not in self._asked[place]
