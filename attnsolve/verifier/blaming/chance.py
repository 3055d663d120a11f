"""Whether numbers with few digits still tell how they were found, or almost anything would have passed."""

from __future__ import annotations

from fractions import Fraction

from attnsolve.exact.matrices import BallRows
from attnsolve.submission import Written
from attnsolve.verifier.blaming.evidence import UNLIKELY, WIDE, Suspect, claims, spread_of
from attnsolve.verifier.case import Case, Numbers
from attnsolve.verifier.digits import goes_with, unit
from attnsolve.verifier.exercise import Exercise


def rules_chance_out(case: Case, reach: BallRows | None, exercise: Exercise) -> bool:
    """Whether a guess would pass as this did in fewer than one of a hundred cases.

    A number that is written twice is guessed once, and the last weight of a row follows from the others.
    """
    spread = spread_of(case.step, case.numbers, exercise.key)
    widths: dict[Fraction, Fraction] = {}
    for i, j, written in case.numbers:
        value = None if written.cell is None else written.cell.rational()
        if value is None:
            continue
        width = unit(written) * (Fraction(3, 2) if exercise.scheme.truncation else 1)
        if reach is not None:
            ball = reach[i][j]
            width = spread if not ball.rad() < WIDE else width + 2 * Fraction(float(ball.rad()))
        widths[value] = max(width, widths.get(value, Fraction(0)))
    free = sorted(widths.values())
    if case.step.call.op.check.endswith("rows-sum-to-1") and len(free) > 1:
        free.pop(0)
    chance = Fraction(1)
    for width in free:
        chance *= min(Fraction(1), width / spread)
    return chance * UNLIKELY < 1


def shortest(suspect: Suspect, numbers: Numbers, asked: int) -> Written | None:
    """The first number that has too few digits for what a mistake leads to, if there is one."""
    return next(
        (
            written
            for i, j, written in numbers
            if written.places is not None
            and written.places < asked
            and not claims(written, suspect.value.cell(i, j))
        ),
        None,
    )


def would_pass(suspect: Suspect, right: BallRows, numbers: Numbers, exercise: Exercise) -> bool:
    """Whether a mistake that all asked digits would show leads to the same few digits."""
    balls, truncation = suspect.balls, exercise.scheme.truncation
    if (len(balls), len(balls[0])) != (len(right), len(right[0])):
        return False
    differs = any(
        abs(mine - yours) * 10**exercise.asked > 1
        for row, others in zip(balls, right, strict=True)
        for mine, yours in zip(row, others, strict=True)
    )
    return differs and all(
        goes_with(written, suspect.value, balls[i][j], i, j, truncation=truncation)
        for i, j, written in numbers
    )
