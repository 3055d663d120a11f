"""What somebody goes on with: his own written numbers as balls, and what lies between unwritten steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from attnsolve.verifier.digits import (
    BITS,
    goes_with,
    is_rounded_form,
    is_short,
    numbers_meant,
    rounded_unseen,
    spellings,
    units,
)
from attnsolve.verifier.grids import Grid

ZERO = Rational(0).ball(BITS)


def reached(call: Call, values: Mapping[str, Matrix]) -> Matrix | None:
    """What a step gives from somebody's own numbers; None where that has no value or cannot be told."""
    try:
        value = call.op.rule(*(values[name] for name in call.args), **call.options)
        whole = value.base if isinstance(value, Masked) else value
        told = isinstance(whole, Rationals) or all([x.is_finite() for row in whole.balls(BITS) for x in row])
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


def carried_out(
    calls: Sequence[Call], values: Mapping[str, Matrix], places: int, *, truncation: bool
) -> Matrix | None:
    """What calls lead to of which only the last was written; None where that cannot be told.

    What the others give was kept in the head, to so many places.
    """
    made: dict[str, Matrix] = {}
    *unseen, last = calls
    try:
        for call in unseen:
            value = given_by(call, values, made)
            made[call.out] = left_unwritten(value, places, truncation=truncation)
        return checked(given_by(last, values, made))
    except (AttnsolveError, KeyError):
        return None


def given_by(call: Call, values: Mapping[str, Matrix], made: Mapping[str, Matrix]) -> Matrix:
    """What a call gives from somebody's values, some of which were made anew."""
    inputs = (made[name] if name in made else values[name] for name in call.args)
    return call.op.rule(*inputs, **call.options)


def checked(value: Matrix) -> Matrix:
    """A value whose balls exist and say something; an AttnsolveError otherwise."""
    value.balls(BITS)
    return value


def unwritten(values: Sequence[Matrix], places: int, *, truncation: bool) -> Matrix:
    """A value that was not written down: all that it may be, by whichever way it was found and rounded."""
    rounded = [left_unwritten(value, places, truncation=truncation) for value in values]
    first = rounded[0]
    if len(rounded) == 1:
        return first
    if isinstance(first, Masked):
        return Masked(together([shown(value) for value in rounded]), first.keep)
    return together(rounded)


def together(values: Sequence[Matrix]) -> Matrix:
    """Balls that hold all of several values."""
    first, *others = (value.balls(BITS) for value in values)
    for other in others:
        first = [
            [mine.union(yours) for mine, yours in zip(row, more, strict=True)]
            for row, more in zip(first, other, strict=True)
        ]
    return fixed(first)


def typed_sums(grid: Grid) -> Matrix | None:
    """What the numbers of each row add up to as they are typed; None where some are no decimals."""
    sums = [Fraction(0)] * grid.shape[0]
    for i, _, written in grid.numbers:
        value = None if written.places is None else written.fraction
        if value is None:
            return None
        sums[i] += value
    return Rationals.of([[total] for total in sums]) if grid.whole else None


def before_rounding(grid: Grid, others: Matrix, *, truncation: bool) -> Matrix:
    """What was rounded to the written numbers: the others where they go with them, else what may be meant."""
    balls = [list(row) for row in others.balls(BITS)]
    for i, j, written in grid.numbers:
        if not goes_with(written, others, balls[i][j], i, j, truncation=truncation):
            balls[i][j] = numbers_meant(written, truncation=truncation)
    return fixed(balls)


def is_decimal(value: Rationals, places: int) -> bool:
    """Whether every number can be written down in full with so many places."""
    return all(x * 10**places % value.denominator == 0 for row in value.rows for x in row)


def written_down(grid: Grid, step: Step, others: Matrix, asked: int, *, truncation: bool) -> Matrix:
    """The numbers somebody wrote, and what stands in the other places."""
    seen = shown_places(grid, others)
    if not all(map(all, seen)):
        numbers = Grid(grid.shape, {place: w for place, w in grid.cells.items() if w.cell is not HIDDEN})
        base = written_down(numbers, step, shown(others), asked, truncation=truncation)
        return Masked(shown(base), Rationals.of([[Fraction(kept) for kept in row] for row in seen]))
    others = shown(others)
    exact = exact_numbers(grid, others, asked)
    if not any([x is None for row in exact for x in row]):  # `in` would compare fractions
        return Rationals.of([[x for x in row if x is not None] for row in exact])
    balls = blank(grid) if grid.whole else [list(row) for row in others.balls(BITS)]
    meant = grid.meant(truncation=truncation)
    for i, j, written in grid.numbers:
        value = exact[i][j]
        if value is not None:
            balls[i][j] = Rational(value).ball(BITS)
        else:
            balls[i][j] = gone_on_with(
                written, meant[i, j], step.value, (i, j), asked, truncation=truncation
            )
    return fixed(balls)


def gone_on_with(
    written: Written, meant: Any, right: Matrix, place: tuple[int, int], places: int, *, truncation: bool
) -> Any:
    """All that a written number may stand for; a form such as 0.535/1.535 may be rounded first."""
    if written.places is None:
        return rounded_unseen(meant, places, truncation=truncation)
    if written.places >= places:
        return meant
    sharp = sharpened(written, right, *place, places)
    return meant if sharp is written else numbers_meant(sharp, truncation=truncation)


def exact_numbers(grid: Grid, others: Matrix, asked: int) -> list[list[Fraction | None]]:
    """Each number where nothing had to be rounded, written or not; None for the others."""
    decimals = short_decimals(others, max(asked, grid.places))
    exact = [[None if right is None else known(right, asked) for right in row] for row in decimals]
    rounds = any([x is None for row in exact for x in row])
    for i, j, written in grid.numbers:
        right = decimals[i][j]
        is_rounded = right is None and written.places is not None  # as most numbers behind the weights
        exact[i][j] = None if is_rounded else point(written, right, asked=asked, rounds=rounds)
    return exact


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


def short_decimals(value: Matrix, places: int) -> list[list[Fraction | None]]:
    """Every number that can be written in full with so many places; most others are told by their balls."""
    steps = 10**places
    if isinstance(value, Rationals):
        bottom = value.denominator
        return [[None if x * steps % bottom else Fraction(x, bottom) for x in row] for row in value.rows]
    is_fixed = isinstance(value, Balls)  # of which one that is no point is not looked at closely

    def short(i: int, j: int, ball: Any) -> Fraction | None:
        may_be = ball.is_exact() if is_fixed else (ball * steps).contains_integer()
        return known(value.cell(i, j).rational(), places) if may_be else None

    return [[short(i, j, ball) for j, ball in enumerate(row)] for i, row in enumerate(value.balls(BITS))]


def known(right: Fraction | None, asked: int) -> Fraction | None:
    """An unwritten number that is a short decimal, so that nobody has to round it."""
    return right if is_short(right, asked) else None


def point(written: Written, right: Fraction | None, *, asked: int, rounds: bool = False) -> Fraction | None:
    """The written number itself where nothing had to be rounded: a short decimal, or a form that is one.

    In a step that rounds, a number beside the right one may have been rounded, though the right one is not.
    """
    value = written.fraction
    if written.places is None:
        return None if is_rounded_form(written) else known(value, asked)
    return value if is_short(right, written.places) and (value == right or not rounds) else None


def sharpened(written: Written, right: Matrix, i: int, j: int, asked: int) -> Written:
    """A short number that is the right one to every place worked with: a bare 2 is then 2.0000."""
    value, cell = written.fraction, right.cell(i, j)
    same = value == cell.rational() or (
        value is not None
        and cell is not HIDDEN
        and units(value, asked) in spellings(cell, asked, truncation=True)
    )
    return written._replace(places=asked) if same else written


def kept_right(grid: Grid, step: Step, asked: int, *, same: bool, truncation: bool) -> Matrix:
    """The numbers somebody wrote, all of them right, so that nothing has to be followed to know them.

    They are the right value itself where nothing was rounded, neither here nor before: `same`.
    """
    value = step.value
    if same and isinstance(value, Rationals) and is_in_full(grid, value):
        return value
    balls, meant = blank(grid), grid.meant(truncation=truncation)
    for i, j, written in grid.numbers:
        is_point = same or written.places is None
        exact = point(written, value.cell(i, j).rational(), asked=asked) if is_point else None
        if exact is not None:
            balls[i][j] = Rational(exact).ball(BITS)
        else:
            balls[i][j] = gone_on_with(written, meant[i, j], value, (i, j), asked, truncation=truncation)
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
