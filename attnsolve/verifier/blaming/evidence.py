"""What speaks for a known mistake: digits that tell it from the right answer, and what chance would do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from attnsolve.exact import Cell, Matrix
from attnsolve.exact.infinity import HIDDEN
from attnsolve.exact.matrices import BallRows
from attnsolve.report import NamedMistake, Spread
from attnsolve.submission import Written
from attnsolve.trace import Step
from attnsolve.verifier.answer_key import Key
from attnsolve.verifier.case import Case, Numbers
from attnsolve.verifier.digits import goes_with, is_rounded_form, numbers_meant, unit
from attnsolve.verifier.exercise import Exercise

# A mistake is named when a random answer would fit some mistake in fewer than one of so many cases.
UNLIKELY = 100
# The share of all numbers that an exact form leaves to chance.
EXACT = Fraction(1, 10**6)
# A mistake that leads to anything within so much leads nowhere.
WIDE = 10**6


class Suspect(NamedTuple):
    """A mistake and the value it leads to."""

    name: str
    advice: str
    value: Matrix
    at: str
    balls: BallRows  # of the value
    spread: Spread = Spread.ONE_STEP

    @property
    def digits(self) -> tuple[str, ...]:
        """The value to six significant digits, to tell suspects apart."""
        return tuple(str(ball.str(6, radius=False)) for row in self.balls for ball in row)


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
        step, key, truncation = case.step, exercise.key, exercise.scheme.truncation
        numbers = sorted(
            case.numbers, key=lambda one: bool(key.fits(one[2], step, *one[:2], truncation=truncation))
        )
        rows = rows_of_one(numbers) if step.call.op.check.endswith("rows-sum-to-1") else frozenset()
        own = case.reach_balls if case.is_astray else None
        return cls(step, numbers, own or key.balls(step), spread_of(step, numbers, key), rows, exercise)


def fitting_mistakes(
    suspects: Sequence[Suspect], clues: Clues, *, others: int = 0
) -> tuple[NamedMistake, ...]:
    """The suspects that fit every number, where the digits that tell rule chance out."""
    fitting: dict[tuple[str, Spread], tuple[Suspect, Evidence]] = {}
    for suspect in not_cleared_at_a_glance(suspects, clues):
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


def not_cleared_at_a_glance(suspects: Sequence[Suspect], clues: Clues) -> Iterator[Suspect]:
    """The suspects whose value has the right shape and may be the first number."""
    i, j, written = clues.numbers[0]
    truncation = clues.exercise.scheme.truncation
    glance = None if written.cell is HIDDEN else numbers_meant(written, truncation=truncation)
    for suspect in suspects:
        if suspect.value.shape == clues.step.value.shape and (
            glance is None or glance.overlaps(suspect.balls[i][j])
        ):
            yield suspect


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
        value = None if written.cell is None else written.cell.rational()
        if value is not None and value in seen:
            continue  # the same number all over is one guess
        if value is not None:
            seen.add(value)
        chance *= min(Fraction(1), left_to_chance(suspect, clues, i, j, written) / clues.spread)
    return Evidence(count, min(places, default=0), chance) if count else None


def is_telling(suspect: Suspect, clues: Clues, i: int, j: int, written: Written) -> bool:
    """Whether a number that a mistake leads to would not stand there without it."""
    key, scheme, asked = clues.exercise.key, clues.exercise.scheme, clues.exercise.asked
    if suspect.balls[i][j].overlaps(clues.expected[i][j]):
        return False  # the mistake changes nothing here
    is_right = key.fits(written, clues.step, i, j, truncation=scheme.truncation)
    claimed = claims(written, suspect.value.cell(i, j))
    return not is_right or (claimed and key.is_coarse(written, clues.step, i, j, asked))


def left_to_chance(suspect: Suspect, clues: Clues, i: int, j: int, written: Written) -> Fraction:
    """How wide the range is in which another number would have fitted the mistake too."""
    if written.places is None and not is_rounded_form(written):
        return EXACT * clues.spread
    asked = clues.exercise.asked
    right = clues.exercise.key.cell(clues.step, i, j)
    # Whoever writes 1.5 where others have more decimals claims that it is 1.5, to every asked place;
    # a whole number claims nothing, it is what one writes who guesses.
    value = None if written.cell is None else written.cell.rational()
    is_whole = value is not None and value.denominator == 1
    is_claim = claims(written, suspect.value.cell(i, j)) and not is_whole and not is_short(right, asked)
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
        sizes = [w.cell.rational() for w in row if w.cell is not None]
        total = sum((size for size in sizes if size is not None), Fraction(0))
        if len(row) > 1 and abs(total - 1) <= len(row) * min(map(unit, row)):
            found.add(i)
    return frozenset(found)


def claims(written: Written, value: Cell) -> bool:
    """Whether a value can be written in full with the digits that were used."""
    exact = value.rational()
    return written.places is not None and exact is not None and exact * 10**written.places % 1 == 0


def is_short(value: Cell, places: int) -> bool:
    """Whether a value needs no rounding to so many places."""
    return value is HIDDEN or value.rounded(places).exact


def spread_of(step: Step, numbers: Numbers, key: Key) -> Fraction:
    """The range in which somebody's wrong numbers would lie: four times the largest, and 1."""
    typed = [w.cell.rational() or Fraction(0) for _, _, w in numbers if w.cell is not None]
    return 1 + 4 * max(abs(x) for x in (key.largest(step), *typed))
