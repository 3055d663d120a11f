"""What speaks for a known mistake: digits that tell it from the right answer, and what chance would do."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain
from math import lcm, prod
from typing import Any, NamedTuple

from attnsolve.causes import NamedMistake, Spread
from attnsolve.exact import Cell, Matrix
from attnsolve.exact.infinity import HIDDEN
from attnsolve.exact.matrices import BallRows
from attnsolve.ops import SUMS_TO_1
from attnsolve.submission import Numbers, Written
from attnsolve.trace import Step
from attnsolve.verifier.answer_key import Key
from attnsolve.verifier.case import Case
from attnsolve.verifier.digits import goes_with, is_rounded_form, is_short, numbers_meant, unit
from attnsolve.verifier.exercise import Exercise

# A mistake is named when a random answer would fit some mistake in fewer than one of so many cases.
UNLIKELY = 100
# The share of all numbers that an exact form leaves to chance.
EXACT = Fraction(1, 10**6)
# A mistake that leads to anything within so much leads nowhere.
WIDE = 10**6


# Suspects that agree to so many significant digits lead to the same; to one part in so many, perhaps.
DIGITS, GLANCE = 6, 10**4


class Suspect(NamedTuple):
    """A mistake and the value it leads to."""

    name: str
    advice: str
    value: Matrix
    at: str
    balls: BallRows  # of the value
    spread: Spread = Spread.ONE_STEP

    def leads_as(self, other: Suspect) -> bool:
        """Whether both lead to the same value, to six significant digits."""
        mine, yours = chain.from_iterable(self.balls), chain.from_iterable(other.balls)
        return self.value.shape == other.value.shape and all(map(has_same_digits, mine, yours))


def has_same_digits(mine: Any, yours: Any) -> bool:
    """Whether two balls are the same number to six significant digits; most are told apart at a glance."""
    first, second = mine.mid(), yours.mid()
    apart = abs(first - second) * GLANCE > abs(first) + abs(second)
    return not apart and bool(mine.str(DIGITS, radius=False) == yours.str(DIGITS, radius=False))


class Glance:
    """The first wrong number of a step, by which nearly every suspect is cleared."""

    def __init__(self, case: Case, exercise: Exercise) -> None:
        step, fits, numbers = case.step, exercise.key.fits, case.numbers
        first = next((one for one in numbers if not fits(one[2], step, *one[:2])), numbers[0])
        self.i, self.j, written = first
        is_hidden = written.cell is HIDDEN
        # What the number may stand for; None for -∞, which clears nobody.
        self.meant = None if is_hidden else numbers_meant(written, truncation=exercise.scheme.truncation)

    def clears_all(self, values: Sequence[BallRows]) -> bool:
        """Whether it stands for the number of none of some values, all of the right shape."""
        if self.meant is None:
            return not values
        i, j, overlaps = self.i, self.j, self.meant.overlaps
        return not any([overlaps(balls[i][j]) for balls in values])


class Clues(NamedTuple):
    """What was written for a step, ready to be held against suspects."""

    step: Step
    numbers: Numbers  # wrong ones first: nearly every suspect is cleared by one of them
    expected: BallRows  # what should stand there
    spread: Fraction
    whole_rows: frozenset[int]
    exercise: Exercise

    @classmethod
    def of(cls, case: Case, exercise: Exercise) -> Clues:
        """The clues that somebody has left in a step."""
        step, key = case.step, exercise.key
        fits = key.fit_each(case.numbers, step)
        numbers = sorted(case.numbers, key=lambda one: bool(fits[one[:2]]))
        rows = rows_of_one(numbers) if step.call.op.check in SUMS_TO_1 else frozenset()
        own = case.reach_balls if case.is_astray else None
        return cls(step, numbers, own or key.balls(step), spread_of(step, numbers, key), rows, exercise)


def fitting_mistakes(
    suspects: Sequence[Suspect], glance: Glance, clues: Clues, *, others: int = 0
) -> tuple[NamedMistake, ...]:
    """The suspects that fit every number, where the digits that tell rule chance out."""
    fitting: dict[tuple[str, Spread], tuple[Suspect, Evidence]] = {}
    shape = clues.step.value.shape
    for suspect in suspects:
        if suspect.value.shape != shape or glance.clears_all([suspect.balls]):
            continue
        if (suspect.name, suspect.spread) not in fitting:
            found = evidence(suspect, clues)
            if found is not None:
                fitting[suspect.name, suspect.spread] = (suspect, found)
    kept = [one for one in fitting.values() if one[1].chance * (len(suspects) + others) * UNLIKELY < 1]
    return tuple(
        NamedMistake(
            suspect.name,
            suspect.advice,
            found.numbers,
            found.places,
            alone=len(kept) == 1,
            at=suspect.at,
            spread=suspect.spread,
        )
        for suspect, found in kept
    )


class Evidence(NamedTuple):
    """How many numbers tell a mistake from the right answer, to how many places, and how likely chance is."""

    numbers: int
    places: int
    chance: Fraction


def evidence(suspect: Suspect, clues: Clues) -> Evidence | None:
    """What speaks for a suspect that fits every number; None where one does not, or none tells anything."""
    chance, count = Fraction(1), 0
    places: list[int] = []
    rows_left, seen = set(clues.whole_rows), set[Fraction]()
    truncation = clues.exercise.scheme.truncation
    for i, j, written in clues.numbers:
        ball = suspect.balls[i][j]
        if not goes_with(written, suspect.value, ball, i, j, truncation=truncation):
            return None
        if not is_telling(suspect, clues, i, j, written):
            continue
        if ball.rad() > WIDE:
            return None  # so wide that anything would fit
        count += 1
        places += [] if written.places is None else [written.places if written.is_decimal else 0]
        if i in rows_left:
            rows_left.remove(i)  # the last weight of a row follows from the others
            continue
        if written.fraction in seen:
            continue  # the same number all over is one guess
        if written.fraction is not None:
            seen.add(written.fraction)
        chance *= min(Fraction(1), left_to_chance(suspect, clues, i, j, written) / clues.spread)
    return Evidence(count, min(places, default=0), chance) if count else None


def is_telling(suspect: Suspect, clues: Clues, i: int, j: int, written: Written) -> bool:
    """Whether a number that a mistake leads to would not stand there without it."""
    key, asked = clues.exercise.key, clues.exercise.asked
    if suspect.balls[i][j].overlaps(clues.expected[i][j]):
        return False  # the mistake changes nothing here
    if not key.fits(written, clues.step, i, j):
        return True
    return claims(written, suspect.value.cell(i, j)) and key.is_coarse(written, clues.step, i, j, asked)


def left_to_chance(suspect: Suspect, clues: Clues, i: int, j: int, written: Written) -> Fraction:
    """How wide the range is in which another number would have fitted the mistake too."""
    if written.places is None and not is_rounded_form(written):
        return EXACT * clues.spread
    asked = clues.exercise.asked
    right = clues.exercise.key.cell(clues.step, i, j)
    # Whoever writes 1.5 where others have more decimals claims that it is 1.5, to every asked place;
    # a whole number claims nothing, it is what one writes who guesses.
    is_whole = is_short(written.fraction, 0)
    is_claim = not is_whole and is_rounded(right, asked) and claims(written, suspect.value.cell(i, j))
    # Whoever writes a whole number has guessed one of a few.
    is_guess = written.places is not None and not written.is_decimal
    last = Fraction(1, 10**asked) if is_claim else Fraction(1) if is_guess else unit(written)
    width = Fraction(float(suspect.balls[i][j].rad())) * 2 + last
    return width + Fraction(float(written.ball.rad())) * 2 if is_rounded_form(written) else width


def rows_of_one(numbers: Numbers) -> frozenset[int]:
    """The rows of several numbers whose sum is 1, give or take their last places."""
    rows: dict[int, list[Written]] = {}
    for i, _, written in numbers:
        rows.setdefault(i, []).append(written)
    found = set()
    for i, row in rows.items():
        total = sum((written.fraction or Fraction(0) for written in row), Fraction(0))
        if len(row) > 1 and abs(total - 1) <= len(row) * min(map(unit, row)):
            found.add(i)
    return frozenset(found)


def claims(written: Written, value: Cell) -> bool:
    """Whether a value can be written in full with the digits that were used."""
    return written.places is not None and is_short(value.rational(), written.places)


def is_rounded(value: Cell, places: int) -> bool:
    """Whether a value has to be rounded to so many places."""
    return value is not HIDDEN and not value.rounded(places).exact


def spread_of(step: Step, numbers: Numbers, key: Key) -> Fraction:
    """The range in which somebody's wrong numbers would lie: four times the largest, and 1."""
    typed = (written.fraction for _, _, written in numbers)
    ratios = [number.as_integer_ratio() for number in (key.largest(step), *typed) if number is not None]
    common = lcm(*[bottom for _, bottom in ratios])  # fractions would take five times as long
    return 1 + Fraction(4 * max([abs(top) * (common // bottom) for top, bottom in ratios]), common)


def is_no_guess(case: Case, reach: BallRows | None, exercise: Exercise) -> bool:
    """Whether a guess would pass as this did in fewer than one of a hundred cases, few digits or not.

    A number that is written twice is guessed once, and the last weight of a row follows from the others.
    """
    spread = spread_of(case.step, case.numbers, exercise.key)
    widths: dict[Fraction, Fraction] = {}
    for i, j, written in case.numbers:
        if written.fraction is None:
            continue
        width = unit(written) * (Fraction(3, 2) if exercise.scheme.truncation else 1)
        if reach is not None:
            ball = reach[i][j]
            width = spread if not ball.rad() < WIDE else width + 2 * Fraction(float(ball.rad()))
        widths[written.fraction] = max(width, widths.get(written.fraction, Fraction(0)))
    free = sorted(widths.values())
    if case.step.call.op.check in SUMS_TO_1 and len(free) > 1:
        free.pop(0)
    return prod(min(Fraction(1), width / spread) for width in free) * UNLIKELY < 1
