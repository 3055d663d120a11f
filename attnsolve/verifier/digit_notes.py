"""What is noted about digits: cut off, too few, rounded too early, or so few that anything follows."""

from __future__ import annotations

from collections.abc import Mapping

from attnsolve.exact.infinity import HIDDEN
from attnsolve.exact.masked import shown
from attnsolve.findings import Fit
from attnsolve.notes import Note, NoteKind
from attnsolve.submission import Numbers, Written
from attnsolve.verifier.case import Case
from attnsolve.verifier.digits import BITS, goes_with, is_long, is_short
from attnsolve.verifier.exercise import Exercise
from attnsolve.verifier.following.own_values import short_decimals

# A number that is off by no more than three units of its last place, or a two hundredth, is near enough.
UNITS, LITTLE = 3, 200
# What lies open by less than a hundredth is not vague.
NARROW = 100


class DigitNotes:
    """Looks at the digits of what people wrote for one problem."""

    def __init__(self, exercise: Exercise) -> None:
        self.key = exercise.key
        self.asked = exercise.asked
        self.truncation = exercise.scheme.truncation

    def of_right(self, case: Case, fits: Mapping[tuple[int, int], Fit | None]) -> tuple[Note, ...]:
        """What is not wrong but worth a word where numbers are right: cut off, or too few digits."""
        notes = [Note(NoteKind.CUT_OFF)] if Fit.CUT_OFF in fits.values() else []
        coarse = (
            written
            for i, j, written in case.numbers
            if fits[i, j] and self.key.is_coarse(written, case.step, i, j, self.asked)
        )
        notes += [self.short(written) for written in coarse][:1]
        return tuple(notes)

    def too_early(self, case: Case, drifted: Numbers) -> tuple[Note, ...]:
        """A note where numbers are not the right ones, because too few digits were gone on with."""
        far = [one for one in drifted if self.is_far(case, *one)]
        if far and self.too_few(case, far, own=False):
            written = next(w for _, _, w in far if not is_long(w, self.asked))
            return (Note(NoteKind.ROUNDED_EARLY, written.text, number=self.asked),)
        if far and case.is_coarse:
            return (Note(NoteKind.ROUNDED_EARLY),)
        return self.too_few(case, drifted, own=False)

    def is_far(self, case: Case, i: int, j: int, written: Written) -> bool:
        """Whether a number is off by more than rounding once or twice explains."""
        if written.cell is None or written.cell is HIDDEN or written.places is None:
            return False
        right = self.key.balls(case.step)[i][j]
        off = abs(written.cell.ball(BITS) - right)
        return not right.is_finite() or bool(off * LITTLE > 1 and off * 10**written.places > UNITS)

    def too_few(self, case: Case, numbers: Numbers, *, own: bool = True) -> tuple[Note, ...]:
        """A note where fewer digits were written than were asked for; `own` numbers may give no more."""
        few = [one for one in numbers if not is_long(one[2], self.asked)]
        if not few or case.reach is None or case.reach_balls is None:
            return ()
        exact = short_decimals(shown(case.reach), self.asked)
        for i, j, written in few:
            places, ball = written.places or 0, case.reach_balls[i][j]
            in_full = is_short(exact[i][j], places)
            no_more = own and ball.rad() * 2 * 10**places >= 1
            longer = written._replace(places=self.asked)
            as_long = own and goes_with(longer, case.reach, ball, i, j, truncation=self.truncation)
            if not (in_full or no_more or as_long):
                return (self.short(written),)
        return ()

    def vague(self, case: Case) -> tuple[Note, ...]:
        """A note where somebody's earlier numbers are so coarse that almost anything would follow."""
        widest = max([ball.rad() for row in case.reach_balls or () for ball in row], default=0)
        if widest * NARROW <= 1:
            return ()  # where the right numbers are 0 themselves, any rounding is more than they are
        both = (*self.key.balls(case.step), *(case.reach_balls or ()))
        largest = max((abs(ball.mid()) for row in both for ball in row if ball.is_finite()), default=0)
        return (Note(NoteKind.ANYTHING_FOLLOWS),) if widest > largest else ()

    def short(self, written: Written) -> Note:
        """That a number has fewer digits than were asked for."""
        return Note(NoteKind.TOO_FEW_DIGITS, written.text, number=self.asked)
