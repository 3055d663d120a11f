"""What speaks for a known mistake: digits that tell it from the right answer, and what chance would do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from attnsolve.exact import Cell, Matrix
from attnsolve.exact.infinity import HIDDEN
from attnsolve.exact.matrices import BallRows
from attnsolve.report import NamedMistake, Spread
from attnsolve.scheme import Scheme
from attnsolve.submission import Written
from attnsolve.trace import Step
from attnsolve.verifier.answer_key import Key
from attnsolve.verifier.digits import BITS, goes_with, is_rounded_form, numbers_meant, unit
from attnsolve.verifier.grids import Grid

# A mistake is named when a random answer would fit some mistake in fewer than one of so many cases.
UNLIKELY = 100
# The share of all numbers that an exact form leaves to chance.
EXACT = Fraction(1, 10**6)
# A mistake that leads to anything within so much leads nowhere.
WIDE = 10**6

Numbers = Sequence[tuple[int, int, Written]]


class Suspect(NamedTuple):
    """A mistake and the value it leads to."""

    name: str
    advice: str
    value: Matrix
    at: str = ""
    balls: BallRows | None = None  # of the value, where they are kept
    spread: Spread = Spread.ONE_STEP


class Clues(NamedTuple):
    """What was written for a step, ready to be held against suspects."""

    step: Step
    numbers: Numbers  # wrong ones first: nearly every suspect is cleared by one of them
    spread: Fraction
    whole_rows: frozenset[int]

    @classmethod
    def of(cls, step: Step, grid: Grid, scheme: Scheme, key: Key) -> Clues:
        """The clues that somebody has left in a step."""
        truncation = scheme.truncation
        numbers = sorted(
            grid.numbers, key=lambda one: bool(key.fits(one[2], step, *one[:2], truncation=truncation))
        )
        sums = step.call.op.check.endswith("rows-sum-to-1")
        return cls(
            step, numbers, spread_of(step, numbers, key), rows_of_one(numbers) if sums else frozenset()
        )


def fitting_mistakes(
    suspects: Sequence[Suspect], clues: Clues, scheme: Scheme, asked: int, key: Key, *, others: int = 0
) -> tuple[NamedMistake, ...]:
    """The suspects that fit every number, where the digits that tell rule chance out."""
    fitting: dict[tuple[str, Spread], tuple[Suspect, Evidence]] = {}
    for suspect in likely(suspects, clues, truncation=scheme.truncation):
        if (suspect.name, suspect.spread) not in fitting:
            telling = evidence(suspect, clues, scheme, asked, key)
            if telling is not None:
                fitting[suspect.name, suspect.spread] = (suspect, telling)
    kept = [one for one in fitting.values() if one[1].chance * (len(suspects) + others) * UNLIKELY < 1]
    return tuple(
        NamedMistake(
            suspect.name,
            suspect.advice,
            telling.numbers,
            telling.places,
            alone=len(kept) == 1,
            at=suspect.at,
            spread=suspect.spread,
        )
        for suspect, telling in kept
    )


def likely(suspects: Sequence[Suspect], clues: Clues, *, truncation: bool) -> Iterator[Suspect]:
    """The suspects that the first number does not clear at a glance."""
    i, j, written = clues.numbers[0]
    glance = None if written.cell is HIDDEN else numbers_meant(written, truncation=truncation)
    for suspect in suspects:
        if suspect.value.shape == clues.step.value.shape:
            balls = suspect.balls or suspect.value.balls(BITS)
            if glance is None or glance.overlaps(balls[i][j]):
                yield suspect


class Evidence(NamedTuple):
    """How many numbers tell a mistake from the right answer, to how many places, and how likely chance is."""

    numbers: int
    places: int
    chance: Fraction


def evidence(suspect: Suspect, clues: Clues, scheme: Scheme, asked: int, key: Key) -> Evidence | None:
    """What speaks for a suspect that fits every number, else None."""
    balls = suspect.balls or suspect.value.balls(BITS)
    chance, count = Fraction(1), 0
    places: list[int] = []
    step, spread = clues.step, clues.spread
    rows_left, seen = set(clues.whole_rows), set[tuple[int, int]]()
    for i, j, written in clues.numbers:
        if not goes_with(written, suspect.value, balls[i][j], i, j, truncation=scheme.truncation):
            return None
        right, claimed = key.cell(step, i, j), claims(written, suspect.value.cell(i, j))
        if key.fits(written, step, i, j, truncation=scheme.truncation) and not (
            claimed and key.is_coarse(written, step, i, j, asked)
        ):
            continue  # also right, so it tells nothing
        if balls[i][j].rad() > WIDE:
            return None  # so wide that anything would fit
        count += 1
        places += [] if written.places is None else [written.places if written.is_decimal else 0]
        if i in rows_left:
            rows_left.remove(i)  # the last weight of a row follows from the others
            continue
        value = None if written.cell is None else written.cell.rational()
        if value is not None:
            if (value.numerator, value.denominator) in seen:
                continue  # the same number all over is one guess
            seen.add((value.numerator, value.denominator))
        # Whoever writes 1.5 where others have more decimals claims that it is 1.5, to every asked place;
        # a whole number claims nothing, it is what one writes who guesses.
        whole = value is not None and value.denominator == 1
        is_claim = claimed and not whole and not is_short(right, asked)
        # Whoever writes a whole number has guessed one of a few.
        last = Fraction(1, 10**asked) if is_claim else unit(written) if written.is_decimal else Fraction(1)
        width = Fraction(float(balls[i][j].rad())) * 2 + last
        if is_rounded_form(written):
            width += Fraction(float(written.ball.rad())) * 2
        elif written.places is None:
            width = EXACT * spread
        chance *= min(Fraction(1), width / spread)
    return Evidence(count, min(places, default=0), chance) if count else None


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
