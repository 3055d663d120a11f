"""What somebody goes on with: his own written numbers as balls, and what lies between unwritten steps."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from attnsolve.errors import AttnsolveError
from attnsolve.exact import Matrix, Rational, Rationals
from attnsolve.exact.balls import Balls, fixed
from attnsolve.exact.infinity import HIDDEN
from attnsolve.exact.masked import Masked, shown
from attnsolve.problem import Call
from attnsolve.submission import State, Written
from attnsolve.trace import Step
from attnsolve.verifier.digits import BITS, is_rounded_form, numbers_meant, rounded_unseen, spellings
from attnsolve.verifier.grids import Grid

ZERO = Rational(0).ball(BITS)


def reached(call: Call, values: Mapping[str, Matrix]) -> Matrix | None:
    """What a step gives from somebody's own numbers; None where that has no value or cannot be told."""
    try:
        value = call.op.rule(*(values[name] for name in call.args), **call.options)
        whole = value.base if isinstance(value, Masked) else value
        told = all(ball.is_finite() for row in whole.balls(BITS) for ball in row)
    except AttnsolveError:
        return None
    return value if told else None


def left_unwritten(value: Matrix, asked: int, *, truncation: bool) -> Matrix:
    """A value that was not written down, and may have been rounded to the asked places in the head."""
    if isinstance(value, Masked):
        return Masked(left_unwritten(value.base, asked, truncation=truncation), value.keep)
    if isinstance(value, Rationals) and is_decimal(value, asked):
        return value
    return fixed(
        [[rounded_unseen(ball, asked, truncation=truncation) for ball in row] for row in value.balls(BITS)]
    )


def is_decimal(value: Rationals, places: int) -> bool:
    """Whether every number can be written down in full with so many places."""
    return all(x * 10**places % value.denominator == 0 for row in value.rows for x in row)


def written_down(grid: Grid, step: Step, reach: Matrix | None, asked: int, *, truncation: bool) -> Matrix:
    """The numbers somebody wrote, where he wrote any; what he reached where he did not."""
    others = reach if reach is not None else step.value
    if not grid.cells:
        return left_unwritten(others, asked, truncation=truncation)
    seen = shown_places(grid, others)
    if not all(map(all, seen)):
        numbers = Grid(grid.shape, {place: w for place, w in grid.cells.items() if w.cell is not HIDDEN})
        base = written_down(numbers, step, shown(others), asked, truncation=truncation)
        return Masked(shown(base), Rationals.of([[Fraction(kept) for kept in row] for row in seen]))
    others = shown(others)
    fractions, written_by_place = fractions_of(others), {(i, j): w for i, j, w in grid.numbers}
    rounds = any(known(right, asked) is None for row in fractions for right in row)
    exact = [
        [
            point(written, right, rounds=rounds)
            if (written := written_by_place.get((i, j))) is not None
            else known(right, asked)
            for j, right in enumerate(row)
        ]
        for i, row in enumerate(fractions)
    ]
    if all(x is not None for row in exact for x in row):
        return Rationals.of([[x for x in row if x is not None] for row in exact])
    unwritten = None if grid.whole else left_unwritten(others, asked, truncation=truncation)
    balls = blank(grid) if unwritten is None else unwritten.balls(BITS)
    for i, j, written in grid.numbers:
        value = exact[i][j]
        if value is not None:
            balls[i][j] = Rational(value).ball(BITS)
        else:
            sharp = sharpened(written, step.value, i, j, asked)
            balls[i][j] = numbers_meant(sharp, truncation=truncation)
    return fixed(balls)


def shown_places(grid: Grid, others: Matrix) -> list[list[bool]]:
    """Which places are not -∞."""
    if not isinstance(others, Masked) and all(written.cell is not HIDDEN for written in grid.cells.values()):
        return [[True]]  # as nearly always: nothing is hidden anywhere
    return [[is_shown(grid, others, i, j) for j in range(grid.shape[1])] for i in range(grid.shape[0])]


def is_shown(grid: Grid, others: Matrix, i: int, j: int) -> bool:
    """Whether a place is not -∞: as it was written, or as it should be where it was not."""
    written = grid.cells.get((i, j))
    if written is None or written.state is not State.NUMBER:
        return others.cell(i, j) is not HIDDEN
    return written.cell is not HIDDEN


def fractions_of(value: Matrix) -> list[list[Fraction | None]]:
    """Every number as a fraction, where it is one; a ball that is no point is not looked at closely."""
    rows, columns = map(range, value.shape)
    if not isinstance(value, Balls):
        return [[value.cell(i, j).rational() for j in columns] for i in rows]
    balls = value.balls(BITS)
    return [[value.cell(i, j).rational() if balls[i][j].is_exact() else None for j in columns] for i in rows]


def known(right: Fraction | None, asked: int) -> Fraction | None:
    """An unwritten number that is a short decimal, so that nobody has to round it."""
    return right if right is not None and right * 10**asked % 1 == 0 else None


def point(written: Written, right: Fraction | None, *, rounds: bool = False) -> Fraction | None:
    """The written number itself where nothing had to be rounded: an exact form, or a short decimal.

    In a step that rounds, a number beside the right one may have been rounded, though the right one is not.
    """
    assert written.cell is not None
    value = written.cell.rational()
    if written.places is None:
        return None if is_rounded_form(written) else value
    short = right is not None and right * 10**written.places % 1 == 0
    return value if short and (value == right or not rounds) else None


def sharpened(written: Written, right: Matrix, i: int, j: int, asked: int) -> Written:
    """A short number that is the right one to every place worked with: a bare 2 is then 2.0000."""
    if written.places is None or written.places >= asked or written.cell is None:
        return written
    value, cell = written.cell.rational(), right.cell(i, j)
    same = value == cell.rational() or (
        value is not None and cell is not HIDDEN and value in spellings(cell, asked, truncation=True)
    )
    return written._replace(places=asked) if same else written


def kept_right(grid: Grid, step: Step, asked: int, *, same: bool, truncation: bool) -> Matrix:
    """The numbers somebody wrote, all of them right, so that nothing has to be followed to know them.

    They are the right value itself where nothing was rounded, neither here nor before: `same`.
    """
    value = step.value
    if same and isinstance(value, Rationals) and is_in_full(grid, value):
        return value
    balls, fractions = blank(grid), fractions_of(value)
    for i, j, written in grid.numbers:
        exact = point(written, fractions[i][j]) if same or written.places is None else None
        if exact is not None:
            balls[i][j] = Rational(exact).ball(BITS)
        else:
            sharp = sharpened(written, value, i, j, asked)
            balls[i][j] = numbers_meant(sharp, truncation=truncation)
    return fixed(balls)


def blank(grid: Grid) -> list[list[Any]]:
    """A table to be filled."""
    return [[ZERO] * grid.shape[1] for _ in range(grid.shape[0])]


def is_in_full(grid: Grid, value: Rationals) -> bool:
    """Whether every number of a right value was written without rounding."""
    bottom = value.denominator
    return all(
        written.places is None or value.rows[i][j] * 10**written.places % bottom == 0
        for i, j, written in grid.numbers
    )
