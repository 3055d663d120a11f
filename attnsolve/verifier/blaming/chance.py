"""Whether numbers with few digits still tell how they were found, or almost anything would have passed."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from attnsolve.exact.matrices import BallRows
from attnsolve.scheme import Scheme
from attnsolve.submission import Written
from attnsolve.trace import Step
from attnsolve.verifier.answer_key import Key
from attnsolve.verifier.blaming.evidence import UNLIKELY, Suspect, claims, spread_of
from attnsolve.verifier.digits import BITS, goes_with, unit

Numbers = Sequence[tuple[int, int, Written]]


def rules_chance_out(numbers: Numbers, near: Any, step: Step, key: Key, scheme: Scheme) -> bool:
    """Whether a guess would pass as this did in fewer than one of a hundred cases.

    A number that is written twice is guessed once, and the last weight of a row follows from the others.
    """
    spread = spread_of(step, numbers, key)
    widths: dict[Fraction, Fraction] = {}
    for i, j, written in numbers:
        value = None if written.cell is None else written.cell.rational()
        if value is None:
            continue
        width = unit(written) * (Fraction(3, 2) if scheme.truncation else 1)
        if near is not None:
            width = width + 2 * Fraction(float(near[i][j].rad())) if near[i][j].is_finite() else spread
        widths[value] = max(width, widths.get(value, Fraction(0)))
    free = sorted(widths.values())
    if step.call.op.check.endswith("rows-sum-to-1") and len(free) > 1:
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


def would_pass(suspect: Suspect, right: BallRows, numbers: Numbers, asked: int, *, truncation: bool) -> bool:
    """Whether a mistake that all asked digits would show leads to the same few digits."""
    balls = suspect.balls or suspect.value.balls(BITS)
    if (len(balls), len(balls[0])) != (len(right), len(right[0])):
        return False
    differs = any(
        abs(mine - yours) * 10**asked > 1
        for row, others in zip(balls, right, strict=True)
        for mine, yours in zip(row, others, strict=True)
    )
    return differs and all(
        goes_with(written, suspect.value, balls[i][j], i, j, truncation=truncation)
        for i, j, written in numbers
    )
