"""What was written for one step against the right value, and against what follows from earlier numbers."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

from attnsolve.causes import NamedMistake
from attnsolve.errors import Undecided
from attnsolve.exact import Cell, Matrix
from attnsolve.exact.infinity import HIDDEN
from attnsolve.exact.matrices import BallRows
from attnsolve.findings import Fit
from attnsolve.notes import Note, NoteKind
from attnsolve.report import StepReport, Verdict
from attnsolve.submission import Numbers, Written
from attnsolve.verifier.blaming.blamer import Blamer
from attnsolve.verifier.blaming.evidence import is_no_guess
from attnsolve.verifier.blaming.slips import likely_slips
from attnsolve.verifier.case import Case
from attnsolve.verifier.digit_notes import DigitNotes
from attnsolve.verifier.digits import BITS, cut_to, goes_with, is_borne_out, is_long
from attnsolve.verifier.exercise import Exercise
from attnsolve.verifier.following.routes import Routes
from attnsolve.verifier.memory import Memory
from attnsolve.verifier.outcomes import Compared

# What is off by a quarter of the largest number of a step has no rounding to blame.
FAR = 4
# Nor has what is off by so many units of the last place that somebody works with.
FAR_IN_UNITS = 25
Meant = Mapping[tuple[int, int], Any]  # what each number may stand for
Fits = dict[tuple[int, int], Fit | None]  # how each number goes with the right one


class Followed(NamedTuple):
    """The numbers that nothing leads to, and whether some of the others follow from wrong ones."""

    off: Numbers
    astray: bool
    plainly: bool  # whether nothing but the plain way was tried


class Comparison:
    """Compares what people wrote for the steps of one problem."""

    def __init__(self, exercise: Exercise, blamer: Blamer) -> None:
        self.exercise = exercise
        self.routes = Routes(exercise)
        self.truncation = exercise.scheme.truncation
        self.key = exercise.key
        self.asked = exercise.asked
        self.blamer = blamer
        self.digit_notes = DigitNotes(exercise)
        self.inner = exercise.inner
        self._fits: Memory[Fits] = Memory()

    def compare(self, case: Case) -> Compared:
        """The verdict on what was written for a step."""
        unread = tuple(note for written in case.grid.unread for note in why_unread(written))
        if not case.numbers:
            verdict = Verdict.NOT_READ if unread else Verdict.NOT_WRITTEN
            return said(case, Verdict.RIGHT if case.grid.right else verdict, unread)
        notes = (*unread, *(note for _, _, written in case.numbers for note in written.notes))
        try:
            fits = self.fits(case)
            if all(fits.values()):
                return self.right(case, notes, fits)
            followed = self.followed(case, fits)
            turned = bool(followed.off) and self.routes.is_across(case.grid, case.step)
            route = self.routes.taken(case, turned=turned) if followed.off else None
        except Undecided as error:
            return said(case, Verdict.UNDECIDED, (*unread, Note(NoteKind.UNDECIDED, meant=error.reason)))
        if route is not None:
            return said(case, Verdict.RIGHT, (*notes, Note(route)), turned=turned, rerouted=True)
        if not followed.off:
            return self.reached(case, notes, fits, astray=followed.astray, plainly=followed.plainly)
        return Compared(self.explained(case, followed.off, notes), turned=turned, off=len(followed.off))

    def cause(self, case: Case) -> Hashable | None:
        """All that decides the verdict on numbers that are right, or follow plainly; None if that is unclear.

        What was written and left out before has no say in it, but for what it leads to.
        """
        if case.call is not case.step.call:
            return None
        try:
            reach = None if all(self.fits(case).values()) else case.reach
        except Undecided:
            return None
        inputs = case.is_astray, case.uses_wrong, case.is_degenerate, case.is_coarse
        return case.grid, reach, inputs, case.calculation.places

    def right(self, case: Case, notes: tuple[Note, ...], fits: Fits) -> Compared:
        """A step whose numbers are all the right ones."""
        notes = (*notes, *self.digit_notes.of_right(case, fits))
        tells, hidden = self.tells(case, None, notes)
        from_wrong = case.uses_wrong and self.goes_with_reach(case)
        return said(
            case,
            Verdict.RIGHT,
            notes,
            fits=True,
            tells=tells,
            hidden=hidden,
            from_wrong=from_wrong,
            by_itself=not (case.uses_wrong or any(note.is_coarse for note in notes)),
        )

    def goes_with_reach(self, case: Case) -> bool:
        """Whether every number can be had from those before it."""
        reach, balls = case.reach, case.reach_balls
        meant = case.grid.meant(truncation=self.truncation)
        return reach is not None and all(
            self.follows(case, one, meant, reach, balls or []) for one in case.numbers
        )

    def followed(self, case: Case, fits: Fits) -> Followed:
        """What is left of the numbers once all that somebody's earlier ones lead to is taken away."""
        off = [one for one in case.numbers if not fits[one[:2]]]
        meant = case.grid.meant(truncation=self.truncation)
        astray = plainly = False
        for way in case.ways():
            plainly = way.value is case.reach
            balls = (case.reach_balls if plainly else None) or way.value.balls(BITS)
            left = [one for one in off if not self.follows(case, one, meant, way.value, balls)]
            astray = astray or (way.astray and len(left) < len(off))
            off = left
            if not off or is_far_off(off[0], balls, case.calculation.places):
                break  # no other way leads that far, and they take long
        return Followed(off, astray, plainly)

    def follows(
        self, case: Case, number: tuple[int, int, Written], meant: Meant, value: Matrix, balls: BallRows
    ) -> bool:
        """Whether a number can be had from somebody's own earlier ones, which give a value."""
        i, j, written = number
        ball, stands_for = balls[i][j], meant[i, j]
        if stands_for is None:
            return value.cell(i, j) is HIDDEN
        if stands_for.overlaps(ball) and is_borne_out(written, value, ball, i, j, truncation=self.truncation):
            return True
        if self.inner.is_unasked(case.step.call):
            return False  # all its digits count: of an exponential nobody has asked for any places
        shorter = cut_to(written, self.asked)
        return shorter is not written and goes_with(shorter, value, ball, i, j, truncation=self.truncation)

    def reached(
        self, case: Case, notes: tuple[Note, ...], fits: Fits, *, astray: bool, plainly: bool
    ) -> Compared:
        """A step whose numbers follow from those before it, which may have been rounded, or be wrong."""
        drifted = [] if astray else [one for one in case.numbers if not fits[one[:2]]]
        early = self.digit_notes.too_early(case, drifted)
        if astray:
            digits = self.digit_notes.too_few(case, case.numbers)
        else:
            digits = () if early else self.digit_notes.of_right(case, fits)
        notes = (*notes, *digits, *early, *self.digit_notes.vague(case))
        tells, hidden = self.tells(case, case.reach_balls, notes)
        # All digits that were asked for, and not the right ones: they follow from numbers cut short.
        all_digits = all(is_long(written, self.asked) for _, _, written in drifted)
        is_early = any(note.is_early for note in early)
        verdict = Verdict.FOLLOWS if astray or (is_early and all_digits) else Verdict.RIGHT
        by_itself = plainly and not any(note.is_coarse for note in notes)
        return said(
            case, verdict, notes, tells=tells, hidden=hidden, from_wrong=astray, by_itself=by_itself
        )

    def tells(
        self, case: Case, reach: BallRows | None, notes: tuple[Note, ...]
    ) -> tuple[bool, tuple[NamedMistake, ...]]:
        """Whether what was written is no guess, and which mistakes its few digits would hide."""
        if not any(note.is_coarse for note in notes):
            return True, ()
        if any(note.kind is NoteKind.ANYTHING_FOLLOWS for note in notes):
            return False, ()
        if not is_no_guess(case, reach, self.exercise):
            return False, ()
        return True, self.blamer.hidden_by(case, reach)

    def fits(self, case: Case) -> Fits:
        """How each number goes with the right one, found out once for all who wrote the same."""
        known = self._fits.get(case.grid)
        return self._fits.keep(case.grid, self._fit_each(case), len(case.numbers)) if known is None else known

    def _fit_each(self, case: Case) -> Fits:
        """The same; digits beyond those that were asked for are not judged."""
        step, numbers = case.step, case.numbers
        found = self.key.fit_each(numbers, step)
        if all(found.values()) or self.inner.is_unasked(step.call):
            return found  # of an exponential nobody has asked for any places
        for i, j, written in numbers:
            shorter = written if found[i, j] else cut_to(written, self.asked)
            if shorter is not written:
                found[i, j] = self.key.fits(shorter, step, i, j)
        return found

    def explained(self, case: Case, off: Numbers, notes: tuple[Note, ...]) -> StepReport:
        """A wrong step: a known mistake, or the first wrong number and what probably happened there."""
        if case.is_unsure:
            notes = (*notes, Note(NoteKind.UNKNOWN_BEFORE))
            return StepReport(case.name, case.title, Verdict.UNDECIDED, notes=notes)
        named = self.blamer.blame(case)
        few = (*self.blamer.too_short_for(case, named), *self.blamer.given_up(case))
        i, j, written = off[0]
        expected = case.expected(i, j) if case.is_astray else self.key.cell(case.step, i, j)
        return StepReport(
            case.name,
            case.title,
            Verdict.MISTAKE if named else Verdict.WRONG,
            cell=(i, j),
            typed=written.text,
            expected=told(expected, self.asked),
            mistakes=named,
            slips=() if named else likely_slips(case, off, self.exercise),
            notes=(*notes, *few, Note(NoteKind.NUMBERS_OFF, number=len(off), total=len(case.numbers))),
        )


def said(case: Case, verdict: Verdict, notes: tuple[Note, ...], **more: object) -> Compared:
    """A verdict without a place, and what more was seen."""
    return Compared(StepReport(case.name, case.title, verdict, notes=notes), **more)  # type: ignore[arg-type]


def is_far_off(number: tuple[int, int, Written], reach: BallRows, places: int) -> bool:
    """Whether a number is off by so much that no rounding to some places inside a step explains it."""
    i, j, written = number
    if written.cell is None or written.cell is HIDDEN or not reach[i][j].is_finite():
        return False
    off = abs(written.cell.ball(BITS) - reach[i][j])
    if not off * 10**places > FAR_IN_UNITS:
        return False  # larger numbers inside it may have cancelled
    limit = off * FAR
    return all(limit > abs(ball.mid()) for row in reach for ball in row if ball.is_finite())


def why_unread(written: Written) -> tuple[Note, ...]:
    """What is noted of a place that could not be read; of an illegible one only that."""
    return written.notes or (Note(NoteKind.UNREAD, written.text),)


def told(cell: Cell, places: int) -> str:
    """The expected number; about where it lies when it follows from rounded numbers."""
    try:
        shown = cell.decimals(places)
    except Undecided:
        return f"≈ {cell.ball(BITS).str(places, radius=False)}"
    return shown.text.rstrip("0").rstrip(".") if shown.exact and "." in shown.text else shown.text
